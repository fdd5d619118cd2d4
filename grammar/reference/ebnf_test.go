package reference

import (
	"os"
	"strings"
	"testing"
)

func TestEBNF(t *testing.T) {
	const golden = "testdata/grammar.ebnf"
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got := EBNF(); got != string(want) {
		t.Errorf("%s is\n%swant\n%s", golden, got, want)
	}
}

// TestEBNFNamesEveryToken: no token is left with the library's spelling.
func TestEBNFNamesEveryToken(t *testing.T) {
	if text := EBNF(); strings.ContainsAny(text, "<") {
		t.Error(text)
	}
}
