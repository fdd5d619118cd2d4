package gate

import "strings"

// textPattern is a pattern over text in which only `*` is special: commands,
// queries and the pairs of an input. The zero value is the exact empty text.
type textPattern struct {
	head   string   // what stands before the first wildcard; all of an exact pattern
	parts  []string // what follows each wildcard; nil without one
	prefix bool     // `text:*`
	wild   bool     // a lone wildcard: anything, the empty text included
}

// inside marks, in a text that is opened, a character of a value that would
// otherwise read as a bound between words or pairs. No pattern spells it, since
// patterns are UTF-8; a wildcard meets it.
const inside = '\xff'

func compileText(pattern string) textPattern {
	if head, ok := strings.CutSuffix(pattern, ":*"); ok && !strings.Contains(head, "*") {
		return textPattern{head: head, prefix: true}
	}
	return compileGlob(pattern)
}

// compileGlob reads a pattern in which `:*` is nothing special.
func compileGlob(pattern string) textPattern {
	if isLoneWildcard(pattern) {
		return textPattern{wild: true}
	}
	head, rest, wild := strings.Cut(pattern, "*")
	p := textPattern{head: head}
	if wild {
		p.parts = strings.Split(rest, "*")
	}
	return p
}

func isLoneWildcard(pattern string) bool { return pattern == "*" || pattern == "**" }

// exact tells whether the pattern names one text.
func (p *textPattern) exact() bool { return !p.wild && !p.prefix && p.parts == nil }

// closes tries the pattern on a text, reading wide: a prefix ends anywhere, and
// a final blank and wildcard also meet the text without them.
func (p *textPattern) closes(text string) bool {
	switch {
	case p.wild:
		return true
	case p.prefix:
		return strings.HasPrefix(text, p.head)
	case p.parts == nil:
		return text == p.head
	}
	return p.glob(text) || p.endsOpen() && p.glob(text+" ")
}

// endsOpen tells whether the pattern ends with a blank and a wildcard.
func (p *textPattern) endsOpen() bool {
	last := len(p.parts) - 1
	if p.parts[last] != "" {
		return false
	}
	if last == 0 {
		return strings.HasSuffix(p.head, " ")
	}
	return strings.HasSuffix(p.parts[last-1], " ")
}

// opens tries the pattern on a text whose first bytes are static, reading
// narrow: a prefix ends at a blank or with the text, and what is not static is
// met by an open end only.
func (p *textPattern) opens(text string, static int) bool {
	switch {
	case p.wild:
		return true
	case p.prefix:
		n := len(p.head)
		return n <= static && strings.HasPrefix(text, p.head) && (n == len(text) || text[n] == ' ')
	case p.parts == nil:
		return static == len(text) && text == p.head
	case static < len(text):
		return p.parts[len(p.parts)-1] == "" && p.glob(text[:static])
	}
	return p.glob(text)
}

// glob matches the pieces between wildcards from left to right; that is enough,
// since every wildcard meets everything.
func (p *textPattern) glob(text string) bool {
	if !strings.HasPrefix(text, p.head) {
		return false
	}
	text = text[len(p.head):]
	last := len(p.parts) - 1
	for _, part := range p.parts[:last] {
		i := strings.Index(text, part)
		if i < 0 {
			return false
		}
		text = text[i+len(part):]
	}
	return strings.HasSuffix(text, p.parts[last])
}
