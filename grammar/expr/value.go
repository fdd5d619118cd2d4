package expr

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"iterion/ast/source"
)

// What both parsers read the same way: the values of tokens, the rules that
// no grammar states, and the words for tokens in messages.

var tooDeep = fmt.Sprintf("the expression nests deeper than %d levels", MaxDepth)

// literalValue reads a number, string or bool token.
func literalValue(t *lexer.Token) (any, *Error) {
	switch t.Type {
	case tokString:
		return unquote(t.Value), nil
	case tokWord:
		return t.Value == "true", nil
	case tokInt:
		v, err := strconv.ParseInt(t.Value, 10, 64)
		if err != nil {
			return nil, &Error{tokenSpan(t), t.Value + " does not fit in 64 bits"}
		}
		return v, nil
	}
	v, err := strconv.ParseFloat(t.Value, 64)
	if err != nil {
		return nil, &Error{tokenSpan(t), "this number is out of range"}
	}
	return v, nil
}

// unquote decodes a string literal: \n and \t are control characters, any
// other escaped character stands for itself.
func unquote(literal string) string {
	body := literal[1 : len(literal)-1]
	if strings.IndexByte(body, '\\') < 0 {
		return body
	}
	out := make([]byte, 0, len(body))
	for i := 0; i < len(body); i++ {
		c := body[i]
		if c == '\\' {
			i++
			switch c = body[i]; c {
			case 'n':
				c = '\n'
			case 't':
				c = '\t'
			}
		}
		out = append(out, c)
	}
	return string(out)
}

func segment(t *lexer.Token) Segment { return Segment{t.Value, tokenSpan(t)} }

// keySegment reads a map's key. The span of a quoted key lies inside its
// quotes.
func keySegment(t *lexer.Token) Segment {
	s := segment(t)
	if t.Type == tokString {
		s.Name = unquote(t.Value)
		s.Span = source.Span{Start: s.Span.Start + 1, End: s.Span.End - 1}
	}
	return s
}

// checkKeys refuses a key that stands twice.
func checkKeys(keys []Segment) *Error {
	seen := make(map[string]bool, len(keys))
	for _, key := range keys {
		if seen[key.Name] {
			return &Error{key.Span, fmt.Sprintf("the key %q stands twice in this map", key.Name)}
		}
		seen[key.Name] = true
	}
	return nil
}

// checkParam refuses a lambda parameter that would hide a namespace.
func checkParam(name Segment) *Error {
	if IsNamespace(name.Name) {
		return &Error{name.Span, name.Name + " is a namespace and cannot name a parameter: choose another word"}
	}
	return nil
}

// describe names a token in a message.
func describe(t *lexer.Token) string {
	if t.EOF() {
		return "the end"
	}
	return t.Value
}

// trailing says why a token cannot follow a whole expression.
func trailing(t *lexer.Token) string {
	switch t.Type {
	case tokClose, tokListClose, tokMapClose:
		return t.Value + " closes nothing"
	case tokDot:
		return "a dot may only stand between names or behind an index"
	case tokOpen:
		return "only a function's name may stand before ("
	}
	return "expected an operator or the end, found " + t.Value
}
