package parser

import (
	"fmt"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	plex "github.com/alecthomas/participle/v2/lexer"

	"iterion/ast"
	"iterion/ast/source"
	"iterion/grammar/token"
)

// state is the parser's working memory for one declaration; its slices are
// re-used from one to the next.
type state struct {
	toks     []plex.Token
	i        int
	nodes    []ast.Node
	problems []ast.Problem
	escapes  bool
	removed  bool
	end      uint32 // behind the last consumed token with text
}

// declaration parses the tokens of one declaration. The nodes are left in the
// state for its owner to copy.
func (p *state) declaration(lex *plex.PeekingLexer) {
	// The tokens end with EOF, which nothing reads past; the lexer's slice goes
	// on behind it.
	at := lex.RawCursor()
	p.toks = lex.Range(at, at)
	p.toks = p.toks[:cap(p.toks)]
	p.i, p.nodes, p.problems, p.escapes, p.removed, p.end = 0, p.nodes[:0], nil, false, false, 0
	p.root()
}

func (p *state) tok() *plex.Token         { return &p.toks[p.i] }
func (p *state) at(t plex.TokenType) bool { return p.toks[p.i].Type == t }

// peek returns the type of the token n places ahead.
func (p *state) peek(n int) plex.TokenType {
	for i := range n {
		if p.toks[p.i+i].Type == token.EOF {
			return token.EOF
		}
	}
	return p.toks[p.i+n].Type
}

// atWord tells whether the current token is the bare word w.
func (p *state) atWord(w string) bool { return p.at(token.Ident) && p.tok().Value == w }

// next consumes a token.
func (p *state) next() *plex.Token {
	t := &p.toks[p.i]
	if t.Type != token.EOF {
		p.i++
	}
	if t.Type > token.Dedent {
		p.end = tokEnd(t)
	}
	return t
}

func tokStart(t *plex.Token) uint32 { return uint32(t.Pos.Offset) }
func tokEnd(t *plex.Token) uint32   { return uint32(t.Pos.Offset + len(t.Value)) }

func tokSpan(t *plex.Token) source.Span { return source.Span{Start: tokStart(t), End: tokEnd(t)} }

// adjacent tells whether the current token touches the one before.
func (p *state) adjacent() bool {
	return p.i > 0 && p.tok().Type > token.Dedent && tokStart(p.tok()) == p.end
}

// open starts a node at the current token.
func (p *state) open(k ast.Kind) int { return p.openAt(k, tokStart(p.tok())) }

func (p *state) openAt(k ast.Kind, start uint32) int {
	p.nodes = append(p.nodes, ast.Node{Kind: k, Start: start})
	return len(p.nodes) - 1
}

// close ends node n behind the last consumed token, and marks it when a
// problem arose since there were before.
func (p *state) close(n, before int) {
	node := &p.nodes[n]
	node.End = max(p.end, node.Start)
	node.Next = uint32(len(p.nodes))
	if len(p.problems) > before {
		node.Flags |= ast.FlagTainted
	}
}

// leaf adds a node without children.
func (p *state) leaf(k ast.Kind, s source.Span) int {
	p.nodes = append(p.nodes, ast.Node{Kind: k, Start: s.Start, End: s.End, Next: uint32(len(p.nodes) + 1)})
	return len(p.nodes) - 1
}

// take consumes the current token as a leaf.
func (p *state) take(k ast.Kind) int { return p.leaf(k, tokSpan(p.next())) }

// fail notes a problem and returns it for details.
func (p *state) fail(code string, s source.Span, format string, args ...any) *ast.Problem {
	p.problems = append(p.problems, ast.Problem{Code: code, Span: s, Message: fmt.Sprintf(format, args...)})
	return &p.problems[len(p.problems)-1]
}

// hint sets a sharper fix line.
func hint(pr *ast.Problem, format string, args ...any) {
	pr.Hint = fmt.Sprintf(format, args...)
}

// related points a problem at its other half.
func related(pr *ast.Problem, s source.Span, label string) {
	pr.Related, pr.Label = &s, label
}

// unexpected reports the current token as one that does not belong here; a
// fault of the lexer reports as itself.
func (p *state) unexpected(want string) {
	t := p.tok()
	if token.Bad(t.Type) {
		p.bad()
		return
	}
	p.fail("E001", p.here(), "unexpected %s; %s", describe(t), want)
}

// expected reports that the production needs something else at this place.
func (p *state) expected(want string) *ast.Problem {
	t := p.tok()
	if token.Bad(t.Type) {
		// A stray character where a specific token must stand is E002, like
		// every other wrong token there.
		if t.Type != token.BadChar {
			return p.bad()
		}
	}
	pr := p.fail("E002", p.here(), "expected %s, found %s", want, describe(t))
	pr.Hint = strayHint(t)
	return pr
}

// here is the current token's range; at the end of a line the empty range
// behind the last token.
func (p *state) here() source.Span {
	t := p.tok()
	if t.Type <= token.Dedent {
		return source.Span{Start: p.end, End: p.end}
	}
	return tokSpan(t)
}

// bad reports a fault token.
func (p *state) bad() *ast.Problem {
	t := p.tok()
	s := tokSpan(t)
	switch t.Type {
	case token.BadTab:
		return p.fail("E003", s, "tabs are not allowed for indentation")
	case token.BadDedent:
		return p.fail("E003", s, "this indentation matches no open block")
	case token.BadDepth:
		return p.fail("E003", s, "this is nested too deeply")
	case token.BadString:
		return p.fail("E004", s, "this string is not closed on its line")
	case token.BadRaw:
		return p.fail("E004", s, "this backtick string is never closed")
	case token.BadScalar:
		return p.fail("E003", s, "`|` is not followed by a line deeper than its key")
	}
	pr := p.fail("E001", s, "unexpected character %s", quote(t.Value))
	pr.Hint = strayHint(t)
	return pr
}

// strayHint says what may be meant by characters that start no token.
func strayHint(t *plex.Token) string {
	if t.Type != token.BadChar && t.Type != token.Equal {
		return ""
	}
	switch first, _ := utf8.DecodeRuneInString(t.Value); {
	case strings.HasPrefix(t.Value, "//"):
		return "Comments start with `#`."
	case strings.ContainsRune("'“”‘’«»„", first):
		return "Use straight double quotes: \"…\"."
	case first == '-':
		return "A name holds letters, digits and underscores; put anything else in quotes."
	case strings.ContainsRune("=<>!&+/%?|", first):
		return "Put the expression in quotes."
	case unicode.IsSpace(first):
		return "This is no plain space: type it again."
	}
	return ""
}

// describe names a token for a message.
func describe(t *plex.Token) string {
	switch t.Type {
	case token.EOF, token.Dedent:
		return "the end of the block"
	case token.Newline, token.Break:
		return "the end of the line"
	case token.Indent:
		return "an indented line"
	case token.Scalar, token.Pipe:
		return "a block of text"
	case token.Body:
		return "text"
	}
	return quote(t.Value)
}

// quote shows source text in a message, cut to a readable length.
func quote(s string) string {
	const most = 40
	for i := range s {
		if s[i] == '\n' || i >= most {
			s = s[:i] + "…"
			break
		}
	}
	return "`" + s + "`"
}

// skipLine drops the rest of the line and whatever is indented under it.
func (p *state) skipLine() {
	for {
		switch p.tok().Type {
		case token.EOF, token.Dedent:
			return
		case token.Indent:
			p.skipBlock()
			return
		case token.Newline:
			p.next()
			if p.at(token.Indent) {
				p.skipBlock()
			}
			return
		default:
			p.next()
		}
	}
}

// skipBlock drops an indented block, from its Indent to its Dedent.
func (p *state) skipBlock() {
	depth := 0
	for {
		switch p.next().Type {
		case token.Indent:
			depth++
		case token.Dedent:
			if depth--; depth == 0 {
				return
			}
		case token.EOF:
			return
		}
	}
}

// endLine ends a logical line. bare tells that the value before was a bare
// word taken as a string, where any further token is a faulty value.
func (p *state) endLine(bare bool) bool {
	switch {
	case p.at(token.Newline):
		p.next()
		return true
	case p.at(token.EOF) || p.at(token.Dedent):
		return true
	}
	t := p.tok()
	switch {
	case token.Bad(t.Type) && t.Type != token.BadChar:
		p.bad()
	case bare || p.adjacent():
		pr := p.fail("E002", p.here(), "expected the end of the value, found %s", describe(t))
		hint(pr, "Put the whole value in quotes.")
	default:
		pr := p.fail("E001", p.here(), "unexpected %s after a complete line", describe(t))
		pr.Hint = strayHint(t)
	}
	p.skipLine()
	return false
}

// aux packs a row number into a node.
func aux(row int) uint16 {
	if row < 0 || row >= math.MaxUint16 {
		return 0
	}
	return uint16(row + 1)
}
