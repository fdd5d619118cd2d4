package expr

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/alecthomas/participle/v2/lexer"

	"iterion/ast/source"
)

// Token types. A name or parenthesis that opens a lambda has a type of its
// own, so that one token of lookahead is enough.
const (
	tokName lexer.TokenType = iota + 1
	tokLambdaName
	tokWord // true, false
	tokInt
	tokFloat
	tokString
	tokOr
	tokAnd
	tokNot
	tokEq
	tokNe
	tokLt
	tokLe
	tokGt
	tokGe
	tokAdd
	tokSub
	tokMul
	tokDiv
	tokMod
	tokArrow
	tokLambdaOpen
	tokOpen
	tokClose
	tokListOpen
	tokListClose
	tokMapOpen
	tokMapClose
	tokComma
	tokColon
	tokDot
)

// scanner turns text into tokens written to out. A token is a slice of the
// text and its offset; lines and columns are not filled in.
type scanner struct {
	text string
	out  []lexer.Token
	n    int
}

// scan fills out with the tokens of text and a final EOF token. It returns
// how many tokens stand before the EOF, or -1 when out is too short.
func scan(text string, out []lexer.Token) (int, *Error) {
	s := scanner{text: text, out: out}
	for pos := 0; pos < len(text); {
		if isSpace(text[pos]) {
			pos++
			continue
		}
		if s.n == len(out)-1 {
			return -1, nil
		}
		next, err := s.token(pos)
		if err != nil {
			return 0, err
		}
		pos = next
	}
	s.emit(lexer.EOF, len(text), len(text))
	return s.n - 1, nil
}

// token scans the token at pos and returns the offset behind it.
func (s *scanner) token(pos int) (int, *Error) {
	c := s.text[pos]
	switch {
	case isLetter(c):
		return s.name(pos), nil
	case isDigit(c):
		return s.number(pos), nil
	case c == '"' || c == '\'':
		return s.str(pos)
	}
	if typ := pairType(s.text[pos:]); typ != 0 {
		s.emit(typ, pos, pos+2)
		if typ == tokArrow {
			s.markLambda()
		}
		return pos + 2, nil
	}
	if strings.HasPrefix(s.text[pos:], "{{") {
		return 0, s.template(pos)
	}
	typ := singleType(c)
	if typ == 0 {
		return 0, s.stray(pos)
	}
	s.emit(typ, pos, pos+1)
	return pos + 1, nil
}

func (s *scanner) emit(typ lexer.TokenType, start, end int) {
	t := &s.out[s.n]
	t.Type, t.Value, t.Pos.Offset = typ, s.text[start:end], start
	s.n++
}

func (s *scanner) name(pos int) int {
	end := pos + 1
	for end < len(s.text) && (isLetter(s.text[end]) || isDigit(s.text[end])) {
		end++
	}
	typ := tokName
	// Behind a dot a word can only be a member's name.
	if s.n == 0 || s.out[s.n-1].Type != tokDot {
		typ = wordType(s.text[pos:end])
	}
	s.emit(typ, pos, end)
	return end
}

func (s *scanner) number(pos int) int {
	end, typ := s.digits(pos), tokInt
	if end+1 < len(s.text) && s.text[end] == '.' && isDigit(s.text[end+1]) {
		end, typ = s.digits(end+1), tokFloat
	}
	s.emit(typ, pos, end)
	return end
}

func (s *scanner) digits(pos int) int {
	for pos < len(s.text) && isDigit(s.text[pos]) {
		pos++
	}
	return pos
}

func (s *scanner) str(pos int) (int, *Error) {
	for end := pos + 1; end < len(s.text); end++ {
		switch s.text[end] {
		case '\\':
			end++
		case s.text[pos]:
			s.emit(tokString, pos, end+1)
			return end + 1, nil
		}
	}
	return 0, &Error{span(pos, len(s.text)), fmt.Sprintf("the string is not closed: it needs another %c", s.text[pos])}
}

// markLambda gives the head of a lambda its type, now that its arrow is seen:
// `v =>` or `(a, b) =>`.
func (s *scanner) markLambda() {
	before := s.out[:s.n-1]
	if endsWith(before, tokName) {
		before[len(before)-1].Type = tokLambdaName
	} else if endsWith(before, tokOpen, tokName, tokComma, tokName, tokClose) {
		before[len(before)-5].Type = tokLambdaOpen
	}
}

func endsWith(tokens []lexer.Token, types ...lexer.TokenType) bool {
	if len(tokens) < len(types) {
		return false
	}
	for i, t := range tokens[len(tokens)-len(types):] {
		if t.Type != types[i] {
			return false
		}
	}
	return true
}

// template reports a `{{…}}` reference, the commonest mistake in expressions.
func (s *scanner) template(pos int) *Error {
	end := strings.Index(s.text[pos:], "}}")
	if end < 0 {
		return &Error{span(pos, pos+2), "an expression holds no {{…}}: write input.x, not {{input.x}}"}
	}
	whole := s.text[pos : pos+end+2]
	path := strings.TrimSpace(strings.TrimPrefix(whole[2:end], "!"))
	if path == "" {
		path, whole = "input.x", "{{input.x}}"
	}
	return &Error{span(pos, pos+end+2), fmt.Sprintf("an expression holds no {{…}}: write %s, not %s", path, whole)}
}

// stray reports a character that begins no token.
func (s *scanner) stray(pos int) *Error {
	r, size := utf8.DecodeRuneInString(s.text[pos:])
	at := span(pos, pos+size)
	switch r {
	case '=':
		return &Error{at, "= is no operator: compare with =="}
	case '&':
		return &Error{at, "& is no operator: write && or and"}
	case '|':
		return &Error{at, "| is no operator: write || or or"}
	case '\\':
		return &Error{at, "a backslash has no meaning outside a string: quote strings with '…' to need none"}
	}
	return &Error{at, fmt.Sprintf("%q has no meaning in an expression", r)}
}

func wordType(word string) lexer.TokenType {
	switch word {
	case "true", "false":
		return tokWord
	case "and":
		return tokAnd
	case "or":
		return tokOr
	case "not":
		return tokNot
	}
	return tokName
}

func pairType(text string) lexer.TokenType {
	if len(text) < 2 {
		return 0
	}
	switch text[:2] {
	case "||":
		return tokOr
	case "&&":
		return tokAnd
	case "==":
		return tokEq
	case "!=":
		return tokNe
	case "<=":
		return tokLe
	case ">=":
		return tokGe
	case "=>":
		return tokArrow
	}
	return 0
}

func singleType(c byte) lexer.TokenType {
	switch c {
	case '!':
		return tokNot
	case '<':
		return tokLt
	case '>':
		return tokGt
	case '+':
		return tokAdd
	case '-':
		return tokSub
	case '*':
		return tokMul
	case '/':
		return tokDiv
	case '%':
		return tokMod
	case '(':
		return tokOpen
	case ')':
		return tokClose
	case '[':
		return tokListOpen
	case ']':
		return tokListClose
	case '{':
		return tokMapOpen
	case '}':
		return tokMapClose
	case ',':
		return tokComma
	case ':':
		return tokColon
	case '.':
		return tokDot
	}
	return 0
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' }

func span(start, end int) source.Span { return source.Span{Start: uint32(start), End: uint32(end)} }
