// Package source holds the text of one file and the only conversions between
// its coordinates: byte offsets (used everywhere inside), lines and columns in
// code points (what people read), and UTF-16 units (what editors send).
package source

import (
	"sort"
	"strings"
	"sync"
	"unicode/utf8"
)

// Span is a half-open range of byte offsets. What the offsets count from
// (a file, a declaration, a literal's value) is said where the span is kept.
type Span struct {
	Start, End uint32
}

// IsZero tells whether the span was never set. A set span has a length, or
// points at a place after the first byte.
func (s Span) IsZero() bool { return s == Span{} }

// Shift moves the span by base bytes, for instance from a declaration's
// coordinates to its file's.
func (s Span) Shift(base uint32) Span { return Span{s.Start + base, s.End + base} }

// Contains tells whether offset lies in the span, its end included.
func (s Span) Contains(offset uint32) bool { return s.Start <= offset && offset <= s.End }

// Position is a place for people: line and column from 1, the column in code
// points; a tab counts one.
type Position struct {
	Line   int `json:"line"`
	Column int `json:"column"`
}

// Less orders positions by line, then column.
func (p Position) Less(q Position) bool {
	return p.Line < q.Line || p.Line == q.Line && p.Column < q.Column
}

// File is an immutable text with its name. The line table is made on first
// use: a file without findings never pays for it.
type File struct {
	Name  string // slash-separated, as the user wrote it
	Text  string
	lines []uint32 // offset of each line's first byte; guarded by once
	once  sync.Once
}

// BOM is the byte order mark that may stand at the start of a file; Load drops it.
const BOM = "\uFEFF"

// New returns a file over text.
func New(name, text string) *File { return &File{Name: name, Text: text} }

// Lines returns the number of lines; an empty text has one.
func (f *File) Lines() int { return len(f.table()) }

// Position converts a byte offset (clamped to the text) to line and column.
func (f *File) Position(offset int) Position {
	offset = min(max(offset, 0), len(f.Text))
	line, start := f.lineOf(offset)
	return Position{line + 1, utf8.RuneCountInString(f.Text[start:offset]) + 1}
}

// LineSpan returns the byte range of a zero-based line without its newline.
// Lines past the end give the empty range at the end.
func (f *File) LineSpan(line int) (start, end int) {
	t := f.table()
	if line < 0 {
		return 0, 0
	}
	if line >= len(t) {
		return len(f.Text), len(f.Text)
	}
	start, end = int(t[line]), len(f.Text)
	if line+1 < len(t) {
		end = int(t[line+1]) - 1
	}
	return start, end
}

func (f *File) lineOf(offset int) (line, start int) {
	t := f.table()
	line = sort.Search(len(t), func(i int) bool { return int(t[i]) > offset }) - 1
	start = int(t[line])
	return line, start
}

func (f *File) table() []uint32 {
	f.once.Do(func() {
		t := make([]uint32, 1, 1+strings.Count(f.Text, "\n"))
		for i := 0; ; {
			n := strings.IndexByte(f.Text[i:], '\n')
			if n < 0 {
				break
			}
			i += n + 1
			t = append(t, uint32(i))
		}
		f.lines = t
	})
	return f.lines
}

func utf16Len(r rune) int {
	if r >= 0x10000 {
		return 2
	}
	return 1
}
