package check_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"iterion/diagnostics"
	"iterion/ir/build"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// declCodes are the codes that the files under testdata/decl are about; what
// else such a file earns is the matter of other tests.
var declCodes = strings.Fields("C002 C003 C004 C009 C018 C023 C025 C027 C037 C038 C039 C042 C043 C044 C046 C047 C048 C049 " +
	"C052 C060 C070 C071 C080 C081 C082 C083 C084 C085 C087 C088 C089 C092 C094 C100 C102 C103 C104 C105")

// TestDeclarations holds every finding about the files, with its fix line and
// its related places, against the text next to each.
func TestDeclarations(t *testing.T) {
	files, err := filepath.Glob("testdata/decl/*.bot")
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	seen := map[string]bool{}
	for _, name := range files {
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		for _, d := range build.Text("main.bot", raw).Diagnostics {
			if slices.Contains(declCodes, string(d.Code)) {
				seen[string(d.Code)] = true
				write(&b, d)
			}
		}
		golden(t, strings.TrimSuffix(name, ".bot")+".want", b.String())
	}
	for _, code := range declCodes {
		if !seen[code] && code != "C046" { // see TestCost
			t.Errorf("no file earns %s", code)
		}
	}
}

// TestIncomplete: what a missing fragment may declare is not called unknown.
func TestIncomplete(t *testing.T) {
	const text = `dsl: 2

import "lib/parts.bot"

presets:
  quick:
    limit: 1

agent a:
  model: "m/x"
  output: verdict
  system: house
  user: "u"
  cursors:
    tone: dry

workflow w:
  entry: a

  a -> done
`
	for name, tc := range map[string]struct{ parts, want string }{
		"missing": {"", "[E046]"},
		"there":   {"dsl: 2\n", "[C070 C002 C003 C083]"},
	} {
		unit := fstest.MapFS{"main.bot": {Data: []byte(text)}}
		if tc.parts != "" {
			unit["lib/parts.bot"] = &fstest.MapFile{Data: []byte(tc.parts)}
		}
		r, err := build.Unit(build.Input{FS: unit, Path: "main.bot"})
		if err != nil {
			t.Fatal(err)
		}
		var codes []diagnostics.Code
		for _, d := range r.Diagnostics {
			codes = append(codes, d.Code)
		}
		if got := fmt.Sprint(codes); got != tc.want {
			t.Errorf("%s: got %s, want %s", name, got, tc.want)
		}
	}
}

// TestCost: the only amount that can be written and is not finite is one that
// is too long for a number.
func TestCost(t *testing.T) {
	for cost, want := range map[string]bool{
		strings.Repeat("9", 309) + ".0": true,
		strings.Repeat("9", 308) + ".0": false,
		"0":                             false,
	} {
		text := "dsl: 2\n\ntool t:\n  command: \"true\"\n\nworkflow w:\n  entry: t\n\n  budget:\n    max_cost_usd: " + cost + "\n\n  t -> done\n"
		list := build.Text("main.bot", []byte(text)).Diagnostics
		if got := len(list) == 1 && list[0].Code == "C046"; got != want || !want && len(list) > 0 {
			t.Errorf("a cost of %d characters gives %v", len(cost), list)
		}
	}
}

func write(b *strings.Builder, d diagnostics.Diagnostic) {
	place := func(r diagnostics.Range) string {
		return fmt.Sprintf("%d:%d-%d:%d", r.Start.Line, r.Start.Column, r.End.Line, r.End.Column)
	}
	fmt.Fprintf(b, "%s %s %s: %s\n    fix: %s\n", place(d.Range), d.Severity, d.Code, d.Message, d.FixLine())
	for _, r := range d.Related {
		fmt.Fprintf(b, "    note: %s %s\n", place(r.Range), r.Label)
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s:\n%s\nwant\n%s", name, got, want)
	}
}
