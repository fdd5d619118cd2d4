package build_test

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"iterion/ast/source"
	"iterion/corpus"
	"iterion/grammar/printer"
	"iterion/ir"
	"iterion/ir/build"
)

// programs builds every main file of the corpus that loads.
func programs(t *testing.T, each func(f corpus.File, r *build.Result)) {
	t.Helper()
	for _, f := range corpus.Files() {
		if f.Fragment() {
			continue
		}
		r, err := build.Unit(build.Input{FS: corpus.FS(), Path: f.Name})
		if err != nil {
			t.Fatal(err)
		}
		if r.Valid() {
			each(f, r)
		}
	}
}

// A program goes out as JSON and comes back the same, bytes and hash.
func TestProgramSurvivesJSON(t *testing.T) {
	programs(t, func(f corpus.File, r *build.Result) {
		p := r.Program()
		out, err := p.Encode()
		if err != nil {
			t.Fatal(err)
		}
		back, err := ir.Decode(out)
		if err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		again, err := back.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(out, again) {
			t.Errorf("%s: the JSON of the decoded program differs", f.Name)
		}
		if p.Hash() != back.Hash() {
			t.Errorf("%s: the hash of the decoded program differs", f.Name)
		}
	})
}

// Formatting and comments change no hash; a changed value does.
func TestHashSeesThePrograme(t *testing.T) {
	programs(t, func(f corpus.File, r *build.Result) {
		if strings.Contains(string(f.Data), "import ") || strings.Contains(string(f.Data), "{{include") {
			return
		}
		formatted, err := printer.Format(source.Load(f.Name, f.Data))
		if err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		hash := r.Program().Hash()
		if got := build.Text(f.Name, formatted).Program().Hash(); got != hash {
			t.Errorf("%s: formatting changed the hash", f.Name)
		}
		commented := strings.ReplaceAll(string(formatted), "\nworkflow ", "\n## A remark.\nworkflow ")
		if got := build.Text(f.Name, commented).Program().Hash(); got != hash {
			t.Errorf("%s: a comment changed the hash", f.Name)
		}
		changed := strings.Replace(string(formatted), "  entry: ", "  worktree: none\n  loop_budget_guard: off\n  entry: ", 1)
		if next := build.Text(f.Name, changed); next.Valid() && next.Program().Hash() == hash {
			t.Errorf("%s: a changed setting did not change the hash", f.Name)
		}
	})
}

// Absent, empty and zero are three things, in the program and in its JSON.
func TestAbsentEmptyZero(t *testing.T) {
	const text = "agent a:\n  model: \"m/x\"\n%s\nworkflow w:\n  entry: a\n  a -> done\n"
	tools := func(line string) ir.List {
		p := build.Text("a.bot", strings.Replace(text, "%s", line, 1)).Program()
		out, err := p.Encode()
		if err != nil {
			t.Fatal(err)
		}
		back, err := ir.Decode(out)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(p.Node("a").LLM.Tools, back.Node("a").LLM.Tools) {
			t.Errorf("%q does not survive JSON", line)
		}
		return back.Node("a").LLM.Tools
	}
	if l := tools(""); l.Set() {
		t.Error("an absent list is set")
	}
	if l := tools("  tools: []\n"); !l.Set() || len(l.V) != 0 || l.V == nil {
		t.Errorf("an empty list is %+v", l)
	}
	if l := tools("  tools: [bash]\n"); len(l.V) != 1 {
		t.Errorf("a list of one is %+v", l)
	}
	p := build.Text("a.bot", strings.Replace(text, "%s", "  tool_max_steps: 0\n", 1)).Program()
	if steps := p.Node("a").LLM.ToolMaxSteps; !steps.Set() || steps.V != 0 {
		t.Errorf("zero is %+v", steps)
	}
}
