package lexer_test

import (
	"fmt"
	"strings"
	"testing"

	"iterion/grammar/lexer"
	"iterion/grammar/token"
)

// shown lists the tokens of the first declaration, a line of the text a line.
func shown(text string) string {
	l := lexer.New()
	l.Next(text)
	var b strings.Builder
	for _, t := range l.Tokens() {
		switch {
		case t.Type == token.Newline && t.Pos.Column == 1:
			b.WriteString("Blank\n")
		case t.Type == token.Newline:
			b.WriteString("Newline\n")
		case t.Type == token.EOF || t.Type <= token.Dedent:
			fmt.Fprintf(&b, "%s ", token.Name(t.Type))
		default:
			fmt.Fprintf(&b, "%s%q ", token.Name(t.Type), t.Value)
		}
	}
	return b.String()
}

func TestTokens(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "EOF "},
		{"# only a comment\n", "EOF "},
		{"dsl: 2\n", "Key\"dsl:\" Int\"2\" Newline\nEOF "},
		{"vars :\n\n", "Key\"vars :\" Blank\nEOF "},
		{"agent  a :\n  model: \"m\" # x\n",
			"Head\"agent  a :\" Newline\nIndent Key\"model:\" String\"\\\"m\\\"\" Newline\nDedent EOF "},
		{"prompt p:\n\n  a:\n\n   b # c\n\n", "Head\"prompt p:\" Blank\nBody\"  a:\\n\\n   b # c\" EOF "},
		{"x:\n  a.b  -> c.d when not e\n",
			"Key\"x:\" Newline\nIndent Src\"a.b  ->\" Ident\"c\" Dot\".\" Ident\"d\" Ident\"when\" Ident\"not\" Ident\"e\" Newline\nDedent EOF "},
		{"x:\n  k: |  # y\n\n    one\n      two\n\n  l: 1.5\n",
			"Key\"x:\" Newline\nIndent Key\"k:\" Pipe\"|\" Scalar\"    one\\n      two\" Newline\nKey\"l:\" Float\"1.5\" Newline\nDedent EOF "},
		{"x:\n  - a.*\n  - `b\nc`\n",
			"Key\"x:\" Newline\nIndent Dash\"-\" Ident\"a\" Dot\".\" Star\"*\" Newline\nDash\"-\" Raw\"`b\\nc`\" Newline\nDedent EOF "},
		{"t: string[] string []\n", "Key\"t:\" Ident\"string[]\" Ident\"string\" LBrack\"[\" RBrack\"]\" Newline\nEOF "},
		{"x:\n  a -> b with {\n k: 1, # c\n\n      l: \"}\" }\n",
			"Key\"x:\" Newline\nIndent Src\"a ->\" Ident\"b\" Ident\"with\" LBrace\"{\" Ident\"k\" Colon\":\" Int\"1\" Comma\",\" " +
				"Ident\"l\" Colon\":\" String\"\\\"}\\\"\" RBrace\"}\" Newline\nDedent EOF "},
		{"x:\n  k: [a,\n    b]\n", "Key\"x:\" Newline\nIndent Key\"k:\" LBrack\"[\" Ident\"a\" Comma\",\" Break Ident\"b\" RBrack\"]\" Newline\nDedent EOF "},
		{"x:\n  k: [a\n  l: 1\n", "Key\"x:\" Newline\nIndent Key\"k:\" LBrack\"[\" Ident\"a\" Newline\nKey\"l:\" Int\"1\" Newline\nDedent EOF "},
		// Faults.
		{"x:\n\tk: 1\n\tl: 2\n  m: 3\n", "Key\"x:\" Newline\nBadTab\"\\t\" Newline\nEOF "},
		{"x:\n    k: 1\n  l: 2\n", "Key\"x:\" Newline\nIndent Key\"k:\" Int\"1\" Newline\nBadDedent\"l\" Key\"l:\" Int\"2\" Newline\nDedent EOF "},
		{"x:\n  k: \"a\n  l: `b\n", "Key\"x:\" Newline\nIndent Key\"k:\" BadString\"\\\"a\" Newline\nKey\"l:\" BadRaw\"`b\" Newline\nDedent EOF "},
		{"x:\n  k: |\n  l: a | é€\n", "Key\"x:\" Newline\nIndent Key\"k:\" Pipe\"|\" BadScalar\"|\" Newline\nKey\"l:\" Ident\"a\" BadChar\"|\" BadChar\"é€\" Newline\nDedent EOF "},
	} {
		if got := shown(c.text); got != c.want {
			t.Errorf("%q\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

// TestCuts: where declarations end, and whose a comment between two is.
func TestCuts(t *testing.T) {
	text := "# head\n\nvars:\n  a: int # trailing\n  # of vars\n\n# of s\nschema s:\n  b: int\n# tail\n"
	l := lexer.New()
	var got []string
	for base := 0; ; {
		end, ok := l.Next(text[base:])
		line := ""
		for _, c := range l.Comments {
			line += fmt.Sprintf("%s(%d,%v) ", text[base+int(c.Start):base+int(c.End)], c.Token, c.Trailing)
		}
		got = append(got, line)
		if base += end; !ok {
			break
		}
	}
	want := []string{"# head(0,false) # trailing(5,true) # of vars(6,false) ", "# of s(0,false) ", "# tail(0,false) "}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestDepth(t *testing.T) {
	var b strings.Builder
	for i := range lexer.MaxDepth + 3 {
		b.WriteString(strings.Repeat(" ", i) + "k:\n")
	}
	l := lexer.New()
	l.Next(b.String() + "x: 1\n")
	indents, faults := 0, 0
	for _, t := range l.Tokens() {
		switch t.Type {
		case token.Indent:
			indents++
		case token.BadDepth:
			faults++
		}
	}
	if indents != lexer.MaxDepth || faults != 1 {
		t.Errorf("%d levels and %d faults", indents, faults)
	}
}
