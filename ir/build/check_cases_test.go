package build_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"iterion/corpus"
	"iterion/diagnostics"
	"iterion/ir/build"
)

// The cases of the static checks earn exactly the findings written beside
// their lines.
func TestCheckCases(t *testing.T) {
	for _, c := range corpus.CheckCases() {
		in := bundleInput(memory(c.Files), c.Options)
		in.Path = c.Files[0].Name
		r, err := build.Unit(in)
		if err != nil {
			t.Fatalf("%s: %v", c.Name, err)
		}
		want := slices.Clone(c.Want)
		for _, d := range r.Diagnostics {
			if i := slices.IndexFunc(want, func(w corpus.Want) bool { return meets(d, w) }); i >= 0 {
				want = slices.Delete(want, i, i+1)
				continue
			}
			t.Errorf("%s: not expected: %s:%d:%d %s: %s", c.Name, d.Range.File, d.Range.Start.Line, d.Range.Start.Column, d.Code, d.Message)
		}
		for _, w := range want {
			t.Errorf("%s: not found: %v", c.Name, w)
		}
	}
}

func meets(d diagnostics.Diagnostic, w corpus.Want) bool {
	at := d.Range
	return string(d.Code) == w.Code && at.File == w.File && at.Start.Line == w.Line && (w.Column == 0 || w.Column == at.Start.Column)
}

// Every code of a program that can be earned is expected somewhere.
func TestCheckCasesCoverCodes(t *testing.T) {
	wanted := map[string]bool{}
	for _, c := range corpus.CheckCases() {
		for _, w := range c.Want {
			wanted[w.Code] = true
		}
	}
	for _, row := range diagnostics.All() {
		// C030 needs a text without a file; see TestImportsWithoutFile.
		if code := row.Code; code[0] != 'E' && !row.Silent && code != "C030" && !wanted[string(code)] {
			t.Errorf("no case expects %s (%s)", code, row.Name)
		}
	}
}

// C030: a text without a file cannot read its imports, and nothing else is
// said about it.
func TestImportsWithoutFile(t *testing.T) {
	const text = "dsl: 2\n\nimport \"lib/a.bot\"\nimport \"lib/b.bot\"\n\nworkflow w:\n  entry: x\n\n  x -> y when z\n"
	got := []string{}
	for _, d := range build.Text("a.bot", text).Diagnostics {
		got = append(got, fmt.Sprintf("%d:%d %s", d.Range.Start.Line, d.Range.Start.Column, d.Code))
	}
	if g := strings.Join(got, ", "); g != "3:1 C030" {
		t.Errorf("found %s", g)
	}
}

// What two instances of a group share is one finding that names both.
func TestFindingOfTwoInstances(t *testing.T) {
	const text = "group g(p):\n  tool x:\n    command: \"{{params.p}} {{outputs.y.n}}\"\n  tool y:\n    command: \"true\"\n  x -> y\n\n" +
		"use g as i with { p: \"1\" }\nuse g as j with { p: \"2\" }\n\nworkflow w:\n  entry: i.x\n\n  i.y -> j.x\n  j.y -> done\n"
	count := 0
	for _, d := range build.Text("a.bot", text).Diagnostics {
		if d.Code != "C036" {
			continue
		}
		count++
		if len(d.Related) != 2 || d.Related[0].Range.Start.Line != 8 || d.Related[1].Range.Start.Line != 9 {
			t.Errorf("related to %+v", d.Related)
		}
	}
	if count != 1 {
		t.Errorf("%d findings, want 1", count)
	}
}
