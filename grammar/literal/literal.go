// Package literal reads the value of a literal from its source text and maps
// places in the value back to the text. Values are decoded on demand: most
// readers need only the text.
package literal

import (
	"strings"

	"iterion/ast"
)

// Mode is how the file's profile reads literals.
type Mode uint8

const (
	Strict     Mode = 1 << iota // quoted strings decode escapes
	KeepBlanks                  // a prompt body keeps its blank lines
)

// ModeOf returns the reading of a file.
func ModeOf(f *ast.File) Mode {
	var m Mode
	if f.Strict {
		m |= Strict
	}
	if f.Profile >= 2 {
		m |= KeepBlanks
	}
	return m
}

// Value returns what a literal of the given node kind says. Kinds without
// quotes stand for themselves.
func Value(kind ast.Kind, src string, mode Mode) string {
	switch kind {
	case ast.String, ast.Key:
		if kind == ast.Key && (src == "" || src[0] != '"') {
			return src
		}
		src = src[1 : len(src)-1]
		if mode&Strict == 0 || strings.IndexByte(src, '\\') < 0 {
			return src
		}
		return unescape(src)
	case ast.Raw:
		return src[1 : len(src)-1]
	case ast.Scalar, ast.Body:
		var b strings.Builder
		b.Grow(len(src))
		lines(kind, src, mode, func(_ int, text string) bool {
			if kind == ast.Body && b.Len() > 0 {
				b.WriteByte('\n')
			}
			b.WriteString(text)
			if kind == ast.Scalar {
				b.WriteByte('\n')
			}
			return true
		})
		return b.String()
	}
	return src
}

// Offset maps a byte offset in a literal's value to one in its source text.
// Offsets past the end map to the end of the content.
func Offset(kind ast.Kind, src string, mode Mode, at int) int {
	switch kind {
	case ast.String:
		return stringOffset(src, mode, at)
	case ast.Raw:
		return min(at+1, len(src)-1)
	case ast.Scalar, ast.Body:
		found, done, seen := len(src), 0, false
		lines(kind, src, mode, func(start int, text string) bool {
			if kind == ast.Body && seen {
				done++
			}
			seen = true
			if at <= done+len(text) {
				found = start + max(at-done, 0)
				return false
			}
			done += len(text)
			if kind == ast.Scalar {
				done++
			}
			return true
		})
		return found
	}
	return min(at, len(src))
}

func stringOffset(src string, mode Mode, at int) int {
	if mode&Strict == 0 {
		return min(at+1, len(src)-1)
	}
	i := 1
	for ; at > 0 && i < len(src)-1; at-- {
		if src[i] == '\\' && i+1 < len(src)-1 {
			i++
		}
		i++
	}
	return i
}

// unescape decodes the escapes of a strict string; an unknown pair, reported
// elsewhere, stays as written.
func unescape(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		switch s[i] {
		case '"', '\\':
			b.WriteByte(s[i])
		case 'n':
			b.WriteByte('\n')
		case 't':
			b.WriteByte('\t')
		case 'r':
			b.WriteByte('\r')
		case '0':
			b.WriteByte(0)
		default:
			b.WriteByte('\\')
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

// lines yields the lines of an indented text, stripped of the first line's
// indentation, with each one's offset in src. Space-only lines come out empty,
// or not at all in a body that drops them.
func lines(kind ast.Kind, src string, mode Mode, yield func(start int, text string) bool) {
	width := Indent(src)
	for at := 0; at < len(src); {
		end := len(src)
		if n := strings.IndexByte(src[at:], '\n'); n >= 0 {
			end = at + n
		}
		line := src[at:end]
		switch {
		case isBlank(line):
			if (kind == ast.Scalar || mode&KeepBlanks != 0) && !yield(end, "") {
				return
			}
		case !yield(at+width, line[width:]):
			return
		}
		at = end + 1
	}
}

func isBlank(line string) bool {
	for i := range len(line) {
		if line[i] != ' ' && line[i] != '\t' {
			return false
		}
	}
	return true
}

// Indent returns the strip width of an indented text: the spaces before its
// first character.
func Indent(src string) int {
	i := 0
	for i < len(src) && src[i] == ' ' {
		i++
	}
	return i
}
