// Package reference is the grammar of the language in writing: a pure
// participle grammar in struct tags, over the tokens of grammar/lexer. It knows
// no property and no kind, so it accepts more than the parser: what a property
// may hold is the property table's matter. The parser is checked against it.
package reference

import (
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/alecthomas/participle/v2"
	plex "github.com/alecthomas/participle/v2/lexer"

	"iterion/grammar/lexer"
	"iterion/grammar/token"
)

// lookahead is what tells `as foreach x(…)` from a loop named foreach.
const lookahead = 3

// deepest is how many brackets may be open at once.
const deepest = 65

type symbols struct{}

func (symbols) Symbols() map[string]plex.TokenType { return token.Symbols() }

func (symbols) Lex(string, io.Reader) (plex.Lexer, error) {
	return nil, errors.New("tokens come from grammar/lexer")
}

var build = sync.OnceValue(func() *participle.Parser[Declaration] {
	return participle.MustBuild[Declaration](participle.Lexer(symbols{}), participle.UseLookahead(lookahead))
})

// Error says why a text is no program.
type Error struct {
	Offset  int // bytes from the start of the text
	Message string
}

func (e *Error) Error() string { return fmt.Sprintf("byte %d: %s", e.Offset, e.Message) }

// Parse parses a whole file, its newlines folded and without a byte order
// mark. The error, an *Error, tells the first fault.
func Parse(text string) ([]*Declaration, error) {
	lex := lexer.New()
	var decls []*Declaration
	for base := 0; ; {
		end, ok := lex.Next(text[base:])
		if !ok {
			return decls, nil
		}
		d, err := parse(lex)
		if err != nil {
			err.Offset += base
			return nil, err
		}
		decls = append(decls, d)
		base += end
	}
}

func parse(lex *lexer.Lexer) (*Declaration, *Error) {
	depth := 0
	for _, t := range lex.Tokens() {
		switch t.Type {
		case token.LBrack, token.LBrace:
			if depth++; depth > deepest {
				return nil, &Error{t.Pos.Offset, "too many open brackets"}
			}
		case token.RBrack, token.RBrace:
			depth--
		}
	}
	d, err := build().ParseFromLexer(lex.Peeker)
	if err == nil {
		return d, nil
	}
	var at participle.Error
	if errors.As(err, &at) {
		return nil, &Error{at.Position().Offset, at.Message()}
	}
	return nil, &Error{0, err.Error()}
}
