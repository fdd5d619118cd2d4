// Package lexer cuts `.bot` text into tokens, one top-level declaration at a
// time, straight into a re-used participle PeekingLexer. Layout comes from a
// stack of columns; the first words of a line are fused into one token
// (`key:`, `kind name:`, `a.b ->`); a prompt's text is one token; comments
// stand beside the stream.
package lexer

import (
	"strings"

	plex "github.com/alecthomas/participle/v2/lexer"

	"iterion/grammar/token"
)

// MaxDepth is how many indentation levels may be open at once.
const MaxDepth = 100

// Comment is a `#` comment beside the token stream. Offsets count from the
// start of the lexed text.
type Comment struct {
	Start, End uint32
	Token      uint32 // index of the token it precedes
	Trailing   bool   // stands behind code
}

// Lexer holds the buffers of one worker. The zero value is not ready: use New.
// Tokens and comments are valid until the next call of Next.
type Lexer struct {
	Peeker   *plex.PeekingLexer
	Comments []Comment

	toks   []plex.Token // the Peeker's own slice
	n      int
	text   string
	pos    int
	levels []int
	opens  []open
	col    int // indentation of the current line
	end    int // of the last declaration
}

// open is a bracket that waits for its partner.
type open struct {
	char byte
	col  int  // indentation of the line that opened it
	with bool // the brace of a `with`, which may span lines
}

// New returns a lexer with room for a usual declaration.
func New() *Lexer {
	l := &Lexer{}
	l.resize(128)
	return l
}

// Size returns how many tokens the buffer holds.
func (l *Lexer) Size() int { return len(l.toks) }

// End returns where the rest begins behind the last declaration.
func (l *Lexer) End() int { return l.end }

// Tokens returns the tokens of the last Next, EOF included.
func (l *Lexer) Tokens() []plex.Token { return l.toks[:l.n] }

// Next lexes the first declaration of text and returns where the rest begins.
// Blank lines and comments before it belong to it, and so do the indented
// comments behind it. With no declaration left it returns ok false, and only
// Comments is filled.
func (l *Lexer) Next(text string) (end int, ok bool) {
	l.text, l.pos, l.n, l.col = text, 0, 0, 0
	l.Comments, l.levels, l.opens = l.Comments[:0], append(l.levels[:0], 0), l.opens[:0]
	end = l.lines()
	l.end = end
	ok = l.n > 0
	for range l.levels[1:] {
		l.layoutToken(token.Dedent)
	}
	l.emit(token.EOF, l.pos, l.pos)
	l.Peeker.LoadCheckpoint(plex.Checkpoint{})
	return end, ok
}

// lines lexes code lines until one at column 0 that is not the first.
func (l *Lexer) lines() (end int) {
	for {
		content := l.pos // behind the last code line
		first := l.skipBlank()
		if first < 0 {
			return l.cut(content)
		}
		start := l.pos
		l.col = first - start
		if tab := strings.IndexByte(l.text[start:first], '\t'); tab >= 0 {
			l.col = tab
			l.tabLine(start)
			continue
		}
		if l.col == 0 && l.n > 0 {
			return l.cut(content)
		}
		l.pos = first
		if l.layout() {
			l.line()
		}
	}
}

// cut ends the declaration whose code ends at content: indented comments that
// follow directly stay with it, the others are left for the next one.
func (l *Lexer) cut(content int) int {
	if l.n == 0 {
		return len(l.text)
	}
	end := content
	keep := len(l.Comments)
	for i, c := range l.Comments {
		if int(c.Start) < content {
			continue
		}
		if l.text[c.Start-1] == '\n' {
			keep = i
			break
		}
		end = lineEnd(l.text, int(c.End))
	}
	l.Comments = l.Comments[:keep]
	l.pos = end
	return end
}

// lineEnd returns the offset behind the newline that ends offset's line.
func lineEnd(text string, offset int) int {
	if i := strings.IndexByte(text[offset:], '\n'); i >= 0 {
		return offset + i + 1
	}
	return len(text)
}

// skipBlank moves to the start of the next line of code, noting the comments
// on the way, and returns the offset of the line's first character. It is -1
// at the end of the text.
func (l *Lexer) skipBlank() int {
	for l.pos < len(l.text) {
		i := skipBlanks(l.text, l.pos)
		switch {
		case i == len(l.text):
			l.pos = i
			return -1
		case l.text[i] == '\n':
			l.pos = i + 1
		case l.text[i] == '#':
			l.comment(i, false)
			l.pos = min(l.pos+1, len(l.text))
		default:
			return i
		}
	}
	return -1
}

// comment notes the comment at offset i and moves to the end of its line.
func (l *Lexer) comment(i int, trailing bool) {
	end := len(l.text)
	if n := strings.IndexByte(l.text[i:], '\n'); n >= 0 {
		end = i + n
	}
	l.pos = end
	for end > i && isBlank(l.text[end-1]) {
		end--
	}
	l.Comments = append(l.Comments, Comment{uint32(i), uint32(end), uint32(l.n), trailing})
}

// tabLine reports a line indented by a tab. How deep it stands, and so what
// the lines under it belong to, cannot be known: the rest of the block, up to
// a line at column 0, is skipped with it.
func (l *Lexer) tabLine(start int) {
	first := start + l.col
	l.emit(token.BadTab, first, first+1)
	l.pos = lineEnd(l.text, start)
	for l.pos < len(l.text) && (isBlank(l.text[l.pos]) || l.text[l.pos] == '\n') {
		l.pos = lineEnd(l.text, l.pos)
	}
	l.newline()
}

// layout compares the line's indentation with the open levels. It returns
// false when the line is skipped.
func (l *Lexer) layout() bool {
	top := l.levels[len(l.levels)-1]
	switch {
	case l.col > top:
		if len(l.levels) > MaxDepth {
			l.emit(token.BadDepth, l.pos, l.pos+1)
			l.skipDeeper(top)
			return false
		}
		l.levels = append(l.levels, l.col)
		l.layoutToken(token.Indent)
	case l.col < top:
		l.dedent()
	}
	return true
}

// dedent closes levels down to the line's. A column between two levels is
// reported and read as the inner one, the likeliest meaning.
func (l *Lexer) dedent() {
	for l.levels[len(l.levels)-1] > l.col {
		closing := l.levels[len(l.levels)-2]
		if closing < l.col {
			l.emit(token.BadDedent, l.pos, l.pos+1)
			l.levels[len(l.levels)-1] = l.col
			return
		}
		l.levels = l.levels[:len(l.levels)-1]
		l.layoutToken(token.Dedent)
	}
}

// skipDeeper drops lines until one not deeper than col.
func (l *Lexer) skipDeeper(col int) {
	l.pos = lineEnd(l.text, l.pos)
	for l.skipBlank() >= 0 {
		i := l.pos
		for l.text[i] == ' ' {
			i++
		}
		if i-l.pos <= col {
			break
		}
		l.pos = lineEnd(l.text, i)
	}
	l.newline()
}

// newline ends a logical line. Whether a blank line follows matters only
// behind a header, which may then stand without a body.
func (l *Lexer) newline() {
	blank := 0
	if l.n > 0 {
		switch l.toks[l.n-1].Type {
		case token.Key, token.Head, token.Colon:
			if l.blankAhead() {
				blank = 1
			}
		}
	}
	l.layoutToken(token.Newline).Pos.Column = blank
}

// layoutToken adds a token without text.
func (l *Lexer) layoutToken(t plex.TokenType) *plex.Token {
	s := l.slot()
	s.Type, s.Pos.Offset = t, l.pos
	if s.Value != "" { // a write of a pointer costs more than the question
		s.Value = ""
	}
	return s
}

// blankAhead tells whether the line at pos is blank, or the end of the text.
func (l *Lexer) blankAhead() bool {
	for i := l.pos; i < len(l.text); i++ {
		if l.text[i] == '\n' {
			return true
		}
		if !isBlank(l.text[i]) {
			return false
		}
	}
	return true
}

// emit adds a token. Of its Pos only Offset is set: Line and Column are those
// of an older one, unless the caller knows better.
func (l *Lexer) emit(t plex.TokenType, start, end int) *plex.Token {
	s := l.slot()
	s.Type, s.Value, s.Pos.Offset = t, l.text[start:end], start
	return s
}

func (l *Lexer) slot() *plex.Token {
	if l.n == len(l.toks) {
		l.resize(grown(l.n))
	}
	l.n++
	return &l.toks[l.n-1]
}

// grown is the next size of a buffer: in large steps while it is small, since
// every step makes a new one.
func grown(n int) int {
	const small = 1 << 14
	if n < small {
		return 4 * n
	}
	return 2 * n
}

// blanks yields n tokens that are not EOF, so that Upgrade allocates a slice
// of that length; the slice is then written in place.
type blanks struct{ left int }

func (b *blanks) Next() (plex.Token, error) {
	if b.left--; b.left <= 0 {
		return plex.EOFToken(plex.Position{}), nil
	}
	return plex.Token{Type: token.Newline}, nil
}

func (l *Lexer) resize(n int) {
	old := l.toks
	peeker, _ := plex.Upgrade(&blanks{left: n}) // blanks never fails
	l.Peeker = peeker
	l.toks = peeker.Range(0, plex.RawCursor(n))
	copy(l.toks, old)
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }
