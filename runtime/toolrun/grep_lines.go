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
	largestSearched = 32 << 20  // bytes of a file that is searched: it is held whole
	longestPart     = 512 << 10 // bytes that are matched at once
	widestLine      = 400       // bytes of a line that are shown
	leadIn          = 100       // bytes before a match that is far to the right
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

// parts cuts a text at line ends into pieces that are matched quickly, so that
// the end of the context is seen in between.
func parts(content []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for len(content) > 0 {
			end := len(content)
			if end > longestPart {
				end = longestPart
				if at := bytes.LastIndexByte(content[:end], '\n'); at >= 0 {
					end = at + 1
				}
			}
			if !yield(content[:end]) {
				return
			}
			content = content[end:]
		}
	}
}

// anywhere tells whether the expression may match a line of a text.
func (s *search) anywhere(content []byte) bool {
	for part := range parts(content) {
		if s.ctx.Err() != nil || s.expr.Match(part) {
			return true
		}
	}
	return false
}

// lined goes through lines without their ends, numbered from 0, until the
// context ends. Of a very long one only the beginning is searched.
func (s *search) lined(content []byte) iter.Seq2[int, []byte] {
	return func(yield func(int, []byte) bool) {
		for n := 0; len(content) > 0 && s.ctx.Err() == nil; n++ {
			line, rest, _ := bytes.Cut(content, []byte("\n"))
			if len(line) > longestPart {
				line = line[:longestPart]
				s.add(fmt.Sprintf("the rest of a line behind %d KiB", longestPart>>10), "place")
			}
			if !yield(n, bytes.TrimSuffix(line, []byte("\r"))) {
				return
			}
			content = rest
		}
	}
}

func (s *search) first(content []byte) bool {
	for _, line := range s.lined(content) {
		if s.expr.Match(line) {
			return true
		}
	}
	return false
}

func (s *search) number(content []byte) (n int) {
	for _, line := range s.lined(content) {
		if s.expr.Match(line) {
			n++
		}
	}
	return n
}

// matches writes the lines that match, as `file:number:line`, and those around
// as `file-number-line`; `--` stands where lines are missing in between.
func (s *search) matches(content []byte, shown string) error {
	c := surroundings{search: s, shown: shown, next: -1}
	for n, line := range s.lined(content) {
		at := s.expr.FindIndex(line)
		var err error
		switch {
		case at != nil:
			err = c.match(n, line, at[0])
		case c.after > 0:
			c.after--
			err = c.write(n, "-", line, 0)
		case s.Before > 0:
			c.keep(line)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// surroundings are the lines around matches in one file.
type surroundings struct {
	*search
	shown  string
	before [][]byte // the last lines that are not written
	after  int      // lines still to write behind a match
	next   int      // the line behind the last one written, -1 for none
}

func (c *surroundings) keep(line []byte) {
	if len(c.before) == c.Before {
		c.before = c.before[1:]
	}
	c.before = append(c.before, line)
}

func (c *surroundings) match(n int, line []byte, at int) error {
	for i, early := range c.before {
		if err := c.write(n-len(c.before)+i, "-", early, 0); err != nil {
			return err
		}
	}
	c.before, c.after = c.before[:0], c.After
	return c.write(n, ":", line, at)
}

func (c *surroundings) write(n int, mark string, line []byte, at int) error {
	around := c.Before > 0 || c.After > 0
	if around && n != c.next && (c.next >= 0 || c.lines > 0) {
		if err := c.line("--"); err != nil {
			return err
		}
	}
	c.next = n + 1
	return c.line(c.shown + mark + strconv.Itoa(n+1) + mark + window(line, at))
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
