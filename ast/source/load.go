package source

import (
	"strings"
	"unicode/utf8"
)

// MaxSize is the largest source text that is read, in bytes.
const MaxSize = 10 << 20

// Load makes a file of a text as it was read: a byte order mark is dropped and CRLF is
// folded to LF before anything counts an offset, so that both spellings of a
// file give the same tree and the same positions. Bytes that are not UTF-8 are
// kept; FirstInvalid finds them.
func Load[T string | []byte](name string, raw T) *File {
	text := strings.TrimPrefix(string(raw), BOM)
	if strings.Contains(text, "\r\n") {
		text = strings.ReplaceAll(text, "\r\n", "\n")
	}
	return New(name, text)
}

// FirstInvalid returns the offset of the first byte that is not UTF-8, or -1.
func (f *File) FirstInvalid() int {
	if utf8.ValidString(f.Text) {
		return -1
	}
	for i, r := range f.Text {
		if r == utf8.RuneError && !strings.HasPrefix(f.Text[i:], "\uFFFD") {
			return i
		}
	}
	return -1
}
