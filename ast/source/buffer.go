package source

import (
	"slices"
	"sort"
	"strings"
	"unicode/utf8"
)

// Encoding is the unit in which an editor counts the characters of a line.
type Encoding uint8

// The encodings that the Language Server Protocol names.
const (
	UTF16 Encoding = iota // what it counts by default
	UTF8
)

// Place is a place as an editor counts it: line and character from 0.
type Place struct {
	Line, Character int
}

// Buffer is a text as an editor holds it, with its byte order mark and its ends
// of lines, and the File that the compiler reads of it. Offsets are always
// those of the File. Immutable.
type Buffer struct {
	Raw string
	*File
	mark  uint32   // length of the byte order mark
	folds []uint32 // offsets of the line feeds before which a CR was dropped
	rows  []uint32 // offset in Raw of each line's first byte, as the protocol counts lines
}

// NewBuffer reads a text as Load does.
func NewBuffer(name, raw string) *Buffer {
	b := &Buffer{Raw: raw, File: Load(name, raw), rows: rowsOf(raw)}
	if strings.HasPrefix(raw, BOM) {
		b.mark = uint32(len(BOM))
	}
	if uint32(len(raw)) == uint32(len(b.Text))+b.mark {
		return b
	}
	for at := int(b.mark); ; {
		n := strings.Index(raw[at:], "\r\n")
		if n < 0 {
			return b
		}
		b.folds = append(b.folds, uint32(at+n)-b.mark-uint32(len(b.folds)))
		at += n + len("\r\n")
	}
}

// rowsOf finds the lines of a text: LF, CRLF and a lone CR end one.
func rowsOf(raw string) []uint32 {
	rows := make([]uint32, 1, 1+strings.Count(raw, "\n"))
	lone := strings.Contains(raw, "\r")
	for i := 0; ; {
		n := strings.IndexByte(raw[i:], '\n')
		if lone {
			n = strings.IndexAny(raw[i:], "\r\n")
		}
		if n < 0 {
			return rows
		}
		if i += n + 1; raw[i-1] == '\r' && i < len(raw) && raw[i] == '\n' {
			i++
		}
		rows = append(rows, uint32(i))
	}
}

// Plain tells whether the compiler reads the editor's text as it is.
func (b *Buffer) Plain() bool { return b.mark == 0 && len(b.folds) == 0 }

// Place converts an offset, clamped to the text.
func (b *Buffer) Place(e Encoding, offset int) Place {
	at := b.raw(min(max(offset, 0), len(b.Text)))
	line := sort.Search(len(b.rows), func(i int) bool { return int(b.rows[i]) > at }) - 1
	return Place{line, e.width(b.Raw[b.rows[line]:at])}
}

// Offset is the reverse of Place. A place past the end of a line or of the text
// is clamped, and one inside a character is its begin.
func (b *Buffer) Offset(e Encoding, at Place) int { return b.loaded(b.rawOffset(e, at)) }

// Replace returns the text with a range replaced. When the compiler reads both
// texts as they are, plain is set and the range is start to end in each.
func (b *Buffer) Replace(e Encoding, from, to Place, with string) (next *Buffer, start, end int, plain bool) {
	start = b.rawOffset(e, from)
	end = max(start, b.rawOffset(e, to))
	next = NewBuffer(b.Name, b.Raw[:start]+with+b.Raw[end:])
	return next, start, end, b.Plain() && next.Plain()
}

// rawOffset converts a place to an offset in Raw.
func (b *Buffer) rawOffset(e Encoding, at Place) int {
	if at.Line < 0 {
		return 0
	}
	if at.Line >= len(b.rows) {
		return len(b.Raw)
	}
	start, end := int(b.rows[at.Line]), len(b.Raw)
	if at.Line+1 < len(b.rows) {
		end = int(b.rows[at.Line+1])
	}
	return start + e.cut(strings.TrimRight(b.Raw[start:end], "\r\n"), at.Character)
}

// raw converts an offset of the File to one in Raw.
func (b *Buffer) raw(offset int) int {
	before, _ := slices.BinarySearch(b.folds, uint32(offset))
	return offset + int(b.mark) + before
}

// loaded converts an offset in Raw to one of the File.
func (b *Buffer) loaded(raw int) int {
	before := sort.Search(len(b.folds), func(i int) bool { return int(b.folds[i]+b.mark)+i >= raw })
	return max(raw-int(b.mark)-before, 0)
}

// width counts the characters of a text.
func (e Encoding) width(text string) int {
	if e == UTF8 {
		return len(text)
	}
	n := 0
	for _, r := range text {
		n += utf16Len(r)
	}
	return n
}

// cut is the offset of a character in a line.
func (e Encoding) cut(line string, character int) int {
	if e == UTF8 {
		at := min(max(character, 0), len(line))
		for at > 0 && at < len(line) && !utf8.RuneStart(line[at]) {
			at--
		}
		return at
	}
	for i, r := range line {
		if character -= utf16Len(r); character < 0 {
			return i
		}
	}
	return len(line)
}
