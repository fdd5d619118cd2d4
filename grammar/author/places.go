package author

import (
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml/token"

	"iterion/ast/source"
)

// style is how a scalar is written.
type style uint8

const (
	plain style = iota
	single
	double
	literalBlock
	foldedBlock
)

func styleOf(t *token.Token) style {
	switch t.Type {
	case token.SingleQuoteType:
		return single
	case token.DoubleQuoteType:
		return double
	case token.LiteralType:
		return literalBlock
	case token.FoldedType:
		return foldedBlock
	}
	return plain
}

// places finds the parser's tokens in the text. Of a token it trusts the line
// and the column where the scalar starts, and nothing else.
type places struct {
	text  string
	lines []uint32 // where each line starts, as YAML counts them: a lone CR ends one too
}

func placesOf(f *source.File) places {
	p := places{text: f.Text, lines: []uint32{0}}
	for i := 0; i < len(f.Text); i++ {
		if c := f.Text[i]; c == '\n' || c == '\r' && (i+1 == len(f.Text) || f.Text[i+1] != '\n') {
			p.lines = append(p.lines, uint32(i+1))
		}
	}
	return p
}

// offset converts a line and a column in code points, both from 1. What lies
// outside of the text is moved to its end.
func (p places) offset(line, column int) int {
	if line < 1 || line > len(p.lines) {
		return len(p.text)
	}
	at := int(p.lines[line-1])
	for ; column > 1 && at < len(p.text) && p.text[at] != '\n'; column-- {
		_, size := utf8.DecodeRuneInString(p.text[at:])
		at += size
	}
	return at
}

// start is where a token starts.
func (p places) start(t *token.Token) int {
	if t == nil || t.Position == nil {
		return 0
	}
	return p.offset(t.Position.Line, t.Position.Column)
}

// token is the first character of a token.
func (p places) token(t *token.Token) source.Span {
	at := p.start(t)
	_, size := utf8.DecodeRuneInString(p.text[at:])
	return source.Span{Start: uint32(at), End: uint32(at + size)}
}

// between is the range from one bracket to the other; zero for a collection
// without brackets.
func (p places) between(open, end *token.Token) source.Span {
	if open == nil || end == nil {
		return source.Span{}
	}
	return cover(p.token(open), p.token(end))
}

// scalar returns where a scalar stands, its quotes included, and where each
// byte of its value does. Where the value does not follow from the text as it
// is read here, each byte stands for the whole.
func (p places) scalar(t *token.Token, as style, value string) (source.Span, []source.Span) {
	at := p.start(t)
	f := follower{text: p.text, at: at, style: as}
	spans, ok := f.follow(value)
	whole := source.Span{Start: uint32(at), End: uint32(max(f.end(), at))}
	if !ok {
		whole.End = uint32(p.lineEnd(at))
		for i := range spans {
			spans[i] = whole
		}
	}
	return whole, spans
}

func (p places) lineEnd(at int) int {
	if n := strings.IndexByte(p.text[at:], '\n'); n >= 0 {
		return at + n
	}
	return len(p.text)
}

// follower walks a scalar's text and its value side by side.
type follower struct {
	text   string
	at     int
	style  style
	indent int // of a block's lines
}

// follow gives the place of each byte of the value; false when text and value
// part.
func (f *follower) follow(value string) (spans []source.Span, ok bool) {
	spans = make([]source.Span, len(value))
	if !f.open(value) {
		return spans, false
	}
	for i := 0; i < len(value); {
		r, size := utf8.DecodeRuneInString(value[i:])
		width, ok := f.step(r)
		if !ok {
			return spans, false
		}
		for j := range size {
			spans[i+j] = source.Span{Start: uint32(f.at), End: uint32(f.at + width)}
		}
		f.at += width
		i += size
		if r == '\n' {
			f.skipMargin()
		}
	}
	return spans, true
}

// open goes behind what opens the scalar.
func (f *follower) open(value string) bool {
	rest := f.text[f.at:]
	switch f.style {
	case single, double:
		if rest == "" || rest[0] != "'\""[f.style-single] {
			return false
		}
		f.at++
	case literalBlock, foldedBlock:
		if rest == "" || rest[0] != "|>"[f.style-literalBlock] {
			return false
		}
		line := strings.IndexByte(rest, '\n')
		if line < 0 {
			return false
		}
		f.at += line + 1
		f.indent = margin(f.text[f.at:]) - margin(value)
		f.skipMargin()
	}
	return true
}

// margin is the indentation of the first line with text.
func margin(block string) int {
	for line := range strings.Lines(block) {
		if text := strings.TrimLeft(line, " "); strings.TrimSpace(text) != "" {
			return len(line) - len(text)
		}
	}
	return 0
}

// skipMargin skips the indentation of a block's line.
func (f *follower) skipMargin() {
	for n := 0; n < f.indent && f.at < len(f.text) && f.text[f.at] == ' '; n++ {
		f.at++
	}
}

// step finds the next character of the value and how wide it is written.
// White space of the text that the value lacks is layout.
func (f *follower) step(r rune) (width int, ok bool) {
	for f.at < len(f.text) {
		rest := f.text[f.at:]
		got, size := utf8.DecodeRuneInString(rest)
		switch {
		case f.style == double && got == '\\':
			if width := escapeWidth(rest); width > 0 {
				return width, true
			}
			f.at += 2 // a line that goes on
		case f.style == single && strings.HasPrefix(rest, "''"):
			return 2, r == '\''
		case got == r:
			return size, true
		case got == '\n' && r == ' ', got == '\r' && (r == '\n' || r == ' '):
			return size, true
		case got == ' ' || got == '\t' || got == '\n':
			f.at++
		default:
			return 0, false
		}
	}
	return 0, r == '\n' // a block's last line may lack its own
}

// escapeWidth is the length of the escape at the start of a text, 0 for one
// that stands for nothing.
func escapeWidth(s string) int {
	if len(s) < 2 {
		return 0
	}
	switch s[1] {
	case '\n', '\r':
		return 0
	case 'x':
		return min(4, len(s))
	case 'u':
		if len(s) >= 12 && s[6] == '\\' && s[7] == 'u' && (s[2] == 'd' || s[2] == 'D') && strings.IndexByte("89abAB", s[3]) >= 0 {
			return 12 // two halves of one character
		}
		return min(6, len(s))
	case 'U':
		return min(10, len(s))
	}
	_, size := utf8.DecodeRuneInString(s[1:])
	return 1 + size
}

// end is where the scalar ends: behind its closing quote.
func (f *follower) end() int {
	if f.style != single && f.style != double {
		return min(f.at, len(f.text))
	}
	quote := "'\""[f.style-single]
	for i := f.at; i < len(f.text); i++ {
		if f.text[i] == quote {
			return i + 1
		}
	}
	return len(f.text)
}
