package expr

import (
	"io"
	"sync"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"
)

// Sizes in tokens: most expressions fit the first, buffers beyond the second
// are not kept.
const (
	usualTokens  = 64
	pooledTokens = 4096
)

// buffer is a PeekingLexer that is filled again for every text. Its tokens
// are the lexer's own slice, so scanning allocates and copies nothing.
type buffer struct {
	lexer  *lexer.PeekingLexer
	tokens []lexer.Token
}

var buffers = sync.Pool{New: func() any { return newBuffer(usualTokens) }}

func newBuffer(size int) *buffer {
	blank := blankTokens(size)
	pl, err := lexer.Upgrade(&blank)
	if err != nil {
		panic(err) // blankTokens never fails
	}
	return &buffer{pl, pl.Range(0, lexer.RawCursor(size))}
}

// load fills the buffer, or a larger one, with the tokens of text.
func (b *buffer) load(text string) (*buffer, *Error) {
	for {
		n, err := scan(text, b.tokens)
		if err != nil {
			return b, err
		}
		if n >= 0 {
			b.lexer.LoadCheckpoint(lexer.Checkpoint{})
			return b, nil
		}
		b = newBuffer(4 * len(b.tokens))
	}
}

func (b *buffer) release() {
	if len(b.tokens) <= pooledTokens {
		buffers.Put(b)
	}
}

// blankTokens is a lexer of that many tokens, the last of them EOF.
type blankTokens int

// Next implements lexer.Lexer.
func (b *blankTokens) Next() (lexer.Token, error) {
	*b--
	if *b == 0 {
		return lexer.EOFToken(lexer.Position{}), nil
	}
	return lexer.Token{Type: tokName}, nil
}

// definition names the token types for participle.
type definition struct{}

// Symbols implements lexer.Definition.
func (definition) Symbols() map[string]lexer.TokenType {
	return map[string]lexer.TokenType{
		"EOF": lexer.EOF, "Name": tokName, "LambdaName": tokLambdaName, "Bool": tokWord,
		"Int": tokInt, "Float": tokFloat, "String": tokString,
		"Or": tokOr, "And": tokAnd, "Not": tokNot,
		"Eq": tokEq, "Ne": tokNe, "Lt": tokLt, "Le": tokLe, "Gt": tokGt, "Ge": tokGe,
		"Add": tokAdd, "Sub": tokSub, "Mul": tokMul, "Div": tokDiv, "Mod": tokMod,
		"Arrow": tokArrow, "LambdaOpen": tokLambdaOpen, "Open": tokOpen, "Close": tokClose,
		"ListOpen": tokListOpen, "ListClose": tokListClose, "MapOpen": tokMapOpen, "MapClose": tokMapClose,
		"Comma": tokComma, "Colon": tokColon, "Dot": tokDot,
	}
}

// Lex implements lexer.Definition. Parse scans by itself and never calls it.
func (definition) Lex(_ string, r io.Reader) (lexer.Lexer, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	tokens := make(tokenList, len(text)+1)
	n, scanErr := scan(string(text), tokens)
	if scanErr != nil {
		return nil, scanErr
	}
	tokens = tokens[:n+1]
	return &tokens, nil
}

// tokenList is a lexer over tokens already scanned, the last of them EOF.
type tokenList []lexer.Token

// Next implements lexer.Lexer.
func (l *tokenList) Next() (lexer.Token, error) {
	t := (*l)[0]
	if len(*l) > 1 {
		*l = (*l)[1:]
	}
	return t, nil
}

var fastParser = sync.OnceValue(func() *participle.Parser[root] {
	return participle.MustBuild[root](participle.Lexer(definition{}))
})

// Parse reads one expression. The error is an *Error. The nodes keep slices
// of text.
func Parse(text string) (*Node, error) {
	b, err := buffers.Get().(*buffer).load(text)
	defer b.release()
	if err != nil {
		return nil, err
	}
	r, parseErr := fastParser().ParseFromLexer(b.lexer)
	if r.err != nil {
		return nil, r.err
	}
	if parseErr != nil {
		return nil, parseErr
	}
	return r.node, nil
}
