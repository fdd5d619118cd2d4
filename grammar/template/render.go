package template

import (
	"strings"
	"unicode/utf8"
)

// MaxRendered is the size in bytes at which a rendered text is cut.
const MaxRendered = 5 << 20

// Render replaces the references of a text by what value gives for them. One
// for which value returns false stays as written. Replacements are not
// scanned again. refs are those that Parse found in text.
func Render(text string, refs []Ref, value func(Ref) (string, bool)) string {
	if len(refs) == 0 {
		return cut(text)
	}
	var out strings.Builder
	at := 0
	for _, ref := range refs {
		out.WriteString(text[at:ref.Span.Start])
		at = int(ref.Span.End)
		if ref.Literal {
			out.WriteString(Open)
		} else if s, ok := value(ref); ok {
			out.WriteString(s)
		} else {
			out.WriteString(text[ref.Span.Start:ref.Span.End])
		}
		if out.Len() > MaxRendered {
			return cut(out.String())
		}
	}
	out.WriteString(text[at:])
	return cut(out.String())
}

// cut limits a text to MaxRendered bytes without splitting a character.
func cut(text string) string {
	if len(text) <= MaxRendered {
		return text
	}
	end := MaxRendered
	for end > MaxRendered-utf8.UTFMax && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end]
}
