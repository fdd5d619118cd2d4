package expr

import (
	"flag"
	"os"
	"reflect"
	"testing"

	"pgregory.net/rapid"
)

// agree fails when the two parsers differ on text, or when the tree's spans
// are not in order.
func agree(t interface {
	Helper()
	Fatalf(string, ...any)
}, text string) {
	t.Helper()
	fast, fastErr := Parse(text)
	plain, plainErr := parseReference(text)
	if (fastErr == nil) != (plainErr == nil) {
		t.Fatalf("%q: fast parser: %v; plain grammar: %v", text, fastErr, plainErr)
	}
	if fastErr != nil {
		e := fastErr.(*Error)
		if e.Message == "" || e.Span.Start > e.Span.End || int(e.Span.End) > len(text) {
			t.Fatalf("%q: error %q at %v", text, e.Message, e.Span)
		}
		return
	}
	if !reflect.DeepEqual(fast, plain) {
		t.Fatalf("%q: fast parser: %s; plain grammar: %s", text, outline(fast), outline(plain))
	}
	Walk(fast, func(n *Node) bool {
		at := n.Span.Start
		for _, arg := range n.Args {
			if arg.Span.Start < at || arg.Span.End > n.Span.End || arg.Span.Start >= arg.Span.End {
				t.Fatalf("%q: %s at %v lies outside or out of order in %v", text, outline(arg), arg.Span, n.Span)
			}
			at = arg.Span.End
		}
		return true
	})
	if int(fast.Span.End) > len(text) {
		t.Fatalf("%q: span %v", text, fast.Span)
	}
}

func TestParsersAgree(t *testing.T) {
	for _, c := range accepted {
		agree(t, c.text)
		for i := range c.text {
			agree(t, c.text[:i])
			agree(t, c.text[i:])
		}
	}
	for _, c := range refused {
		agree(t, c.text)
	}
}

// TestParsersAgreeOnTokens strings random tokens together: most results are
// wrong in one place, which random bytes seldom are.
func TestParsersAgreeOnTokens(t *testing.T) {
	words := []string{
		"a", "b", "v", "vars", "map", "length", "reduce", "1", "2.5", "'s'", "true", "and", "or", "not", "!", "-",
		"+", "*", "==", "<", "(", ")", "[", "]", "{", "}", ",", ":", ".", "=>", " ",
	}
	rapid.Check(t, func(t *rapid.T) {
		var text string
		for _, w := range rapid.SliceOfN(rapid.SampledFrom(words), 0, 14).Draw(t, "words") {
			text += w + " "
		}
		agree(t, text)
	})
}

func FuzzExpr(f *testing.F) {
	for _, c := range accepted {
		f.Add(c.text)
	}
	for _, c := range refused {
		f.Add(c.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) < 2000 { // the plain grammar is slow
			agree(t, text)
		}
	})
}

var update = flag.Bool("update", false, "rewrite the golden files")

func TestReferenceEBNF(t *testing.T) {
	const golden = "testdata/grammar.ebnf"
	got := ReferenceEBNF() + "\n"
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s is not what the grammar prints:\n%s", golden, got)
	}
}

func BenchmarkParse(b *testing.B) {
	for _, text := range []string{`a`, `a > 3`, `a && b < 3 || c == "x"`} {
		b.Run(text, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Parse(text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
