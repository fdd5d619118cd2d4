package symbols_test

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"iterion/ast/source"
	"iterion/corpus"
	"iterion/ir"
	"iterion/ir/build"
	"iterion/ir/symbols"
)

// A new name changes nothing but the name: the findings are the same, and the
// old name brings the old bytes back.
func TestRenameKeepsTheUnit(t *testing.T) {
	renamed, refused := 0, map[string]int{}
	visit := func(name string, files fs.FS, main string) {
		r := unit(t, files, main)
		x := symbols.Of(r)
		for s := range x.All {
			if s.Name == ir.Done || s.Name == ir.Fail {
				continue // the name is the fault, and another one repairs it
			}
			edits, c := x.Rename(s, s.Name+"_zz")
			if c != nil {
				if _, declared := x.Declaration(s); declared {
					refused[name+": "+c.Message]++
				}
				continue
			}
			renamed++
			checkRename(t, name, files, main, r, s, edits)
		}
	}
	for _, f := range corpus.Files() {
		if !f.Fragment() && !strings.HasPrefix(f.Name, "units/") {
			visit(f.Name, corpus.FS(), f.Name)
		}
	}
	for _, u := range corpus.Units() {
		visit(u.Name, u.FS, u.Main)
	}
	for _, c := range corpus.CheckCases() {
		switch c.Name {
		case "collisions", "bundle_names_folder", "servers":
			continue // their findings are about the names themselves
		}
		visit("check/"+c.Name, memory(c.Files), c.Files[0].Name)
	}
	for _, c := range corpus.Cases() {
		visit("broken/"+c.Name, memory(c.Files), c.Files[0].Name)
	}
	for _, f := range corpus.Fragments() {
		visit(f.Name, memory(f.Files), f.Files[0].Name)
	}
	if renamed < 1000 {
		t.Errorf("only %d names", renamed)
	}
	t.Logf("%d renamed, refused: %v", renamed, refused)
}

func unit(t *testing.T, files fs.FS, main string) *build.Result {
	t.Helper()
	r, err := build.Unit(build.Input{FS: files, Path: main, Editor: true})
	if err != nil {
		t.Fatalf("%s: %v", main, err)
	}
	return r
}

func checkRename(t *testing.T, name string, files fs.FS, main string, before *build.Result, s symbols.Symbol, edits symbols.Edits) {
	t.Helper()
	texts := map[string]string{}
	holders := symbols.Of(before).Files()
	for _, f := range holders {
		texts[f.Path] = source.Rewrite(f.AST.Source.Text, edits[f.Path])
	}
	after, err := build.Unit(build.Input{FS: files, Path: main, Overlay: texts, Editor: true})
	if err != nil {
		t.Fatal(err)
	}
	to := s.Name + "_zz"
	if was, is := told(before, to, s.Name), told(after, to, s.Name); !slices.Equal(was, is) {
		t.Errorf("%s: %v %q\nbefore\n%s\nafter\n%s", name, s.Kind, s.Name, strings.Join(was, "\n"), strings.Join(is, "\n"))
	}
	x := symbols.Of(after)
	back, c := x.Rename(symbols.Symbol{Kind: s.Kind, Owner: s.Owner, Name: to}, s.Name)
	switch {
	case c != nil && strings.Contains(c.Message, "is a word of the language"):
		return // such names stand in the corpus and are read, but are not given
	case c != nil:
		t.Fatalf("%s: %v %q does not go back: %s", name, s.Kind, s.Name, c.Message)
	}
	for _, f := range holders {
		if got := source.Rewrite(texts[f.Path], back[f.Path]); got != f.AST.Source.Text {
			t.Errorf("%s: %v %q: %s is not what it was", name, s.Kind, s.Name, f.Path)
		}
	}
}

// told lists findings by line, with one name for another.
func told(r *build.Result, from, to string) (list []string) {
	for _, d := range r.Diagnostics {
		list = append(list, strings.ReplaceAll(fmt.Sprintf("%s:%d %s %s", d.Range.File, d.Range.Start.Line, d.Code, d.Message), from, to))
	}
	slices.Sort(list)
	return list
}

// plan is a program in which one name stands in every form.
const plan = `dsl: 2

## plan is no name here.
schema out:
  x: string

prompt use:
  The plan says {{outputs.plan.x}}; the plan is good.

agent plan:
  output: out
  system: "Make a plan."

agent check:
  user: use

agent other:
  user: "{{outputs.plan.x}}"

workflow w:
  entry: plan

  plan -> check when "outputs.plan.x == 'plan'"
  plan -> other else
  check -> done
  other -> done
`

func TestRename(t *testing.T) {
	for _, c := range []struct{ name, want string }{
		{"draft", ""},
		{"check", "14:7 the name is taken by the node `check`"},
		{"done", "10:7 `done` is a word of the language and no name for the node `plan`"},
		{"2x", "10:7 `2x` is no name: letters, digits and underscores, no digit first"},
		{"vars", "10:7 `vars` is a word of the language and no name for the node `plan`"},
	} {
		r := unit(t, fstest.MapFS{"a.bot": {Data: []byte(plan)}}, "a.bot")
		edits, conflict := symbols.Of(r).Rename(symbols.Symbol{Kind: symbols.Node, Name: "plan"}, c.name)
		if conflict != nil {
			at := r.Places().Range(conflict.Tree, conflict.Span).Start
			if got := fmt.Sprintf("%d:%d %s", at.Line, at.Column, conflict.Message); got != c.want {
				t.Errorf("%s: got %s", c.name, got)
			}
			continue
		}
		want := strings.NewReplacer(
			"outputs.plan.x", "outputs.draft.x", "agent plan:", "agent draft:", "entry: plan", "entry: draft", "  plan ->", "  draft ->",
		).Replace(plan)
		if got := source.Rewrite(plan, edits["a.bot"]); got != want || c.want != "" {
			t.Errorf("%s: got\n%s", c.name, got)
		}
	}
}
