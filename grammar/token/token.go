// Package token lists the token types that the lexer writes. Words are plain
// identifiers: the grammar reserves none, the parser decides by position.
package token

import "github.com/alecthomas/participle/v2/lexer"

// Type is the type of a token.
type Type = lexer.TokenType

// Types of tokens. The layout tokens have no text; all others are slices of
// the source. Of a token's Pos only Offset is a place;
// Line and Column carry what the lexer learned about some types.
const (
	EOF = lexer.EOF

	// Layout.
	Newline lexer.TokenType = iota + 1 // Column 1 behind a header that a blank line or the end follows
	Break                              // a line break between brackets that must stand on one line
	Indent
	Dedent

	// Heads: a line's first words, fused while lexing.
	Key  // `name :`; Column is the name's length
	Head // `kind name :`; Line is the kind's length, Column where the name begins in it
	Src  // `a.b ->`

	// Words and values.
	Ident
	Int
	Float
	String // "…"
	Raw    // `…`
	Scalar // the lines under `key: |`
	Body   // the lines of a prompt
	Pipe   // the | before a Scalar

	// Punctuation.
	Colon
	Arrow
	Equal
	Comma
	LBrack
	RBrack
	LBrace
	RBrace
	LParen
	RParen
	Dot
	Star
	Dash // first of its line, before a blank

	// Faults; the text is what is wrong.
	BadChar   // a character that starts no token: E001
	BadTab    // a tab among leading white space: E003
	BadDedent // an indentation that no open block has: E003
	BadDepth  // more open levels than allowed: E003
	BadString // a quote still open at the end of its line: E004
	BadRaw    // a backtick without its partner: E004
	BadScalar // `|` without an indented line: E003
)

// Bad tells whether a type is a fault.
func Bad(t lexer.TokenType) bool { return t >= BadChar }

// names are the symbols of the reference grammar.
var names = [...]string{
	Newline: "Newline", Break: "Break", Indent: "Indent", Dedent: "Dedent", Key: "Key", Head: "Head", Src: "Src",
	Ident: "Ident", Int: "Int", Float: "Float", String: "String", Raw: "Raw", Scalar: "Scalar", Body: "Body", Pipe: "Pipe",
	Colon: "Colon", Arrow: "Arrow", Equal: "Equal", Comma: "Comma", LBrack: "LBrack", RBrack: "RBrack",
	LBrace: "LBrace", RBrace: "RBrace", LParen: "LParen", RParen: "RParen", Dot: "Dot", Star: "Star", Dash: "Dash",
	BadChar: "BadChar", BadTab: "BadTab", BadDedent: "BadDedent", BadDepth: "BadDepth",
	BadString: "BadString", BadRaw: "BadRaw", BadScalar: "BadScalar",
}

// Name returns the symbol of a type as the reference grammar writes it.
func Name(t lexer.TokenType) string {
	if t > 0 && int(t) < len(names) {
		return names[t]
	}
	return "EOF"
}

// Symbols maps every symbol to its type, EOF included.
func Symbols() map[string]lexer.TokenType {
	m := map[string]lexer.TokenType{"EOF": EOF}
	for t, name := range names {
		if name != "" {
			m[name] = lexer.TokenType(t)
		}
	}
	return m
}
