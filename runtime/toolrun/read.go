package toolrun

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"iterion/runtime/backend"
	"iterion/runtime/redact"
)

const (
	mostLines   = 2000      // that a read shows unless it asks for another number
	longestLine = 4 << 10   // that is shown whole, in bytes
	mostShown   = 192 << 10 // bytes of a read, so that its notes are never cut
	sampled     = 8 << 10   // bytes at the start of a file that tell whether it is binary
)

// readFile shows lines of a text file.
func readFile(ctx context.Context, r *Runner, a args) backend.CallResult {
	in := struct {
		Path   string `json:"file_path"`
		Offset int    `json:"offset"`
		Limit  int    `json:"limit"`
	}{Offset: 1, Limit: mostLines}
	if err := a.into(&in); err != nil {
		return failed("%v", err)
	}
	text, err := r.read(ctx, a, in.Path, page{from: in.Offset, most: in.Limit, redact: r.Redact})
	if err != nil {
		return failed("%s cannot be read: %v", show(in.Path), plain(err))
	}
	return said(text)
}

func (r *Runner) read(ctx context.Context, a args, name string, p page) (string, error) {
	f, err := r.open(a, name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	in := bufio.NewReaderSize(awake{ctx, f}, sampled)
	if start, err := in.Peek(sampled); binary(start) {
		return "", errors.New("it is a binary file, and no text")
	} else if err != nil && err != io.EOF {
		return "", err
	}
	return p.show(in)
}

// open opens the regular file that a call is about.
func (r *Runner) open(a args, name string) (*os.File, error) {
	folder, base, err := r.place(a, name)
	if err != nil {
		return nil, err
	}
	dir, err := openFolder(folder)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	f, _, err := openRegular(dir, base)
	return f, err
}

// binary tells whether a file that starts like this is no text.
func binary(start []byte) bool { return bytes.IndexByte(start, 0) >= 0 }

// awake is a reader that ends with its context.
type awake struct {
	ctx context.Context
	io.Reader
}

func (a awake) Read(b []byte) (int, error) {
	if err := a.ctx.Err(); err != nil {
		return 0, err
	}
	return a.Reader.Read(b)
}

// page is the part of a file that is shown.
type page struct {
	from, most int // the first line, from 1, and how many
	out        strings.Builder
	crlf, odd  bool // lines end with CR LF; there were bytes that are no UTF-8
	short      int  // lines that are not shown whole
	redact     *redact.Redactor
}

// show writes the lines with their numbers, and what was left out.
func (p *page) show(in *bufio.Reader) (string, error) {
	number, more := 0, true
	for more && number < p.from-1+p.most && p.out.Len() < mostShown {
		keep := 0
		if number+1 >= p.from {
			keep = 2 * longestLine // a secret at the cut is seen whole
		}
		line, length, err := readLine(in, keep)
		if more = err == nil; !more && err != io.EOF {
			return "", err
		}
		if length == 0 && !more {
			break
		}
		if number++; number >= p.from {
			p.line(number, line, length)
		}
	}
	if p.from > 1 && number < p.from {
		return "", fmt.Errorf("it has %d lines, and the first to read was %d", number, p.from)
	}
	if _, err := in.Peek(1); err == nil {
		p.note("there is more: go on with the offset %d", number+1)
	}
	return p.text(number), nil
}

func (p *page) text(lines int) string {
	if lines == 0 {
		return "(the file is empty)"
	}
	if p.crlf {
		p.note("lines end with CR LF")
	}
	if p.odd {
		p.note("some bytes are no UTF-8 and shown as \uFFFD: a replacement of such text would not find it")
	}
	if p.short > 0 {
		p.note("%d lines are longer than %d bytes and cut", p.short, longestLine)
	}
	return p.out.String()
}

func (p *page) note(format string, a ...any) { fmt.Fprintf(&p.out, "("+format+")\n", a...) }

func (p *page) line(number int, line []byte, length int) {
	if number == 1 {
		line = bytes.TrimPrefix(line, []byte("\uFEFF"))
	}
	line = bytes.TrimSuffix(line, []byte("\n"))
	if bytes.HasSuffix(line, []byte("\r")) {
		line, p.crlf = line[:len(line)-1], true
	}
	text, cutOff := string(line), length > longestLine
	if cutOff {
		text = p.redact.Text(text)
		text = head(text, longestLine-utf8.UTFMax) // as readLine may have split the last character
		p.short++
	}
	if !utf8.ValidString(text) {
		text, p.odd = strings.ToValidUTF8(text, "\uFFFD"), true
	}
	fmt.Fprintf(&p.out, "%6d\t%s", number, text)
	if cutOff {
		fmt.Fprintf(&p.out, "… (%d bytes)", length)
	}
	p.out.WriteByte('\n')
}

// readLine reads a line with its end and keeps so many bytes of it at most. The
// error at the end of the file is io.EOF, with the last line or with none.
func readLine(in *bufio.Reader, keep int) (line []byte, length int, err error) {
	for {
		part, err := in.ReadSlice('\n')
		length += len(part)
		line = append(line, part[:min(len(part), keep-len(line))]...)
		if err != bufio.ErrBufferFull {
			return line, length, err
		}
	}
}

// plain is an error without the operation and the path, which the answer names.
func plain(err error) error {
	var at *os.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}
