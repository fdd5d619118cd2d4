package toolrun

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"strconv"
	"strings"
)

const (
	largestSearched = 32 << 20 // bytes of a file that is searched: it is held whole
	widestLine      = 400      // bytes of a line that are shown
	leadIn          = 100      // bytes before a match that is far to the right
)

// read takes a file whole; nil for a binary one.
func (s *search) read(dir *os.Root, name string) ([]byte, error) {
	f, info, err := openRegular(dir, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info.Size() > largestSearched {
		return nil, fmt.Errorf("it is larger than %d MiB", largestSearched>>20)
	}
	buffer := bytes.NewBuffer(s.content[:0])
	buffer.Grow(int(info.Size()) + bytes.MinRead)
	if _, err := buffer.ReadFrom(io.LimitReader(awake{s.ctx, f}, largestSearched+1)); err != nil {
		return nil, err
	}
	s.content = buffer.Bytes()
	switch {
	case len(s.content) > largestSearched:
		return nil, errors.New("it grows while it is read")
	case binary(s.content[:min(len(s.content), sampled)]):
		return nil, nil
	}
	return s.content, nil
}

func hasCR(content []byte) bool { return bytes.IndexByte(content, '\r') >= 0 }

// lined goes through lines without their ends, numbered from 0.
func lined(content []byte) iter.Seq2[int, []byte] {
	return func(yield func(int, []byte) bool) {
		for n := 0; len(content) > 0; n++ {
			line, rest, _ := bytes.Cut(content, []byte("\n"))
			if !yield(n, bytes.TrimSuffix(line, []byte("\r"))) {
				return
			}
			content = rest
		}
	}
}

func (s *search) first(content []byte) bool {
	for _, line := range lined(content) {
		if s.expr.Match(line) {
			return true
		}
	}
	return false
}

func (s *search) number(content []byte) (n int) {
	for _, line := range lined(content) {
		if s.expr.Match(line) {
			n++
		}
	}
	return n
}

// matches writes the lines that match, as `file:number:line`, and those around
// as `file-number-line`; `--` stands where lines are missing in between.
func (s *search) matches(content []byte, shown string) error {
	var before [][]byte // the last lines that are not written
	last, after := -1, 0
	write := func(n int, mark string, line []byte, at int) error {
		if (s.Before > 0 || s.After > 0) && (last >= 0 && n > last+1 || last < 0 && s.lines > 0) {
			if err := s.line("--"); err != nil {
				return err
			}
		}
		last = n
		return s.line(shown + mark + strconv.Itoa(n+1) + mark + window(line, at))
	}
	for n, line := range lined(content) {
		at := s.expr.FindIndex(line)
		switch {
		case at != nil:
			for i, early := range before {
				if err := write(n-len(before)+i, "-", early, 0); err != nil {
					return err
				}
			}
			before, after = before[:0], s.After
			if err := write(n, ":", line, at[0]); err != nil {
				return err
			}
		case after > 0:
			after--
			if err := write(n, "-", line, 0); err != nil {
				return err
			}
		case s.Before > 0:
			if len(before) == s.Before {
				before = before[1:]
			}
			before = append(before, line)
		}
	}
	return nil
}

// window is the part of a line that is shown: its beginning, or where the match
// is.
func window(line []byte, at int) string {
	start := 0
	if at > widestLine-leadIn {
		start = at - leadIn
	}
	end := min(len(line), start+widestLine)
	text := strings.ToValidUTF8(string(line[start:end]), "\uFFFD")
	if start > 0 {
		text = "…" + text
	}
	if end < len(line) {
		text += "… (" + strconv.Itoa(len(line)) + " bytes)"
	}
	return text
}
