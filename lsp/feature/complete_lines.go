package feature

import (
	"strings"
	"sync"

	"iterion/grammar/lexer"
	"iterion/grammar/token"
)

// lexeme is a token with its place in the file.
type lexeme struct {
	kind       token.Type
	start, end int
}

// codeLine is a logical line of code.
type codeLine struct {
	col    int
	words  []lexeme
	end    int // where it ends
	parent int // index of the line that it stands under, -1 for none
}

// lexers are those of answers that are done: a new one has large buffers.
var lexers = sync.Pool{New: func() any { return lexer.New() }}

// read cuts the declaration into lines.
func (s *site) read(from int) {
	text := spaced(s.text[from:])
	l := lexers.Get().(*lexer.Lexer)
	defer lexers.Put(l)
	l.Next(text)
	fresh := true
	for _, t := range l.Tokens() {
		switch t.Type {
		case token.Newline:
			fresh = true
			if n := len(s.lines); n > 0 {
				s.lines[n-1].end = from + t.Pos.Offset
			}
			continue
		case token.Indent, token.Dedent, token.Break, token.EOF, token.BadDedent, token.BadDepth, token.BadTab:
			continue
		}
		start := t.Pos.Offset
		if fresh && t.Type != token.Body { // which belongs to its header
			line := strings.LastIndexByte(text[:start], '\n') + 1
			s.lines = append(s.lines, codeLine{col: start - line, end: from + start})
			fresh = false
		}
		last := &s.lines[len(s.lines)-1]
		last.words = append(last.words, lexeme{t.Type, from + start, from + start + len(t.Value)})
	}
	for _, c := range l.Comments {
		start := from + int(c.Start)
		s.comment = s.comment || s.at > start && s.margin <= start
	}
}

// spaced replaces tabs among leading white space by spaces: the lexer would
// leave out what stands under such a line.
func spaced(text string) string {
	if !strings.Contains(text, "\t") {
		return text
	}
	b := []byte(text)
	for i, lead := 0, true; i < len(b); i++ {
		switch {
		case b[i] == '\n':
			lead = true
		case lead && b[i] == '\t':
			b[i] = ' '
		case b[i] != ' ':
			lead = false
		}
	}
	return string(b)
}

// holds tells whether an offset lies inside a text: behind its opening, not
// behind its end.
func (w lexeme) holds(at int) bool {
	switch w.kind {
	case token.String, token.Raw:
		return w.start < at && at < w.end
	case token.BadString, token.BadRaw:
		return w.start < at && at <= w.end
	case token.Scalar, token.Body:
		return w.start <= at && at <= w.end
	}
	return false
}

// inside tells whether a text of the line holds an offset.
func (l *codeLine) inside(at int) bool {
	for _, w := range l.words {
		if w.holds(at) {
			return true
		}
	}
	return false
}

// open tells whether a bracket waits for its partner before an offset.
func (l *codeLine) open(at int) bool {
	depth := 0
	for _, w := range l.words {
		if w.start >= at {
			break
		}
		switch w.kind {
		case token.LBrace, token.LBrack, token.LParen:
			depth++
		case token.RBrace, token.RBrack, token.RParen:
			depth--
		}
	}
	return depth > 0
}

// nest tells every line which one it stands under.
func (s *site) nest() {
	var open []int
	for i := range s.lines {
		for len(open) > 0 && s.lines[open[len(open)-1]].col >= s.lines[i].col {
			open = open[:len(open)-1]
		}
		s.lines[i].parent = -1
		if len(open) > 0 {
			s.lines[i].parent = open[len(open)-1]
		}
		open = append(open, i)
	}
}
