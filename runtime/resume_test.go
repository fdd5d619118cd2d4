package runtime

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"iterion/ir"
	"iterion/ir/outcome"
	"iterion/runtime/store"
)

// goOn resumes run r and checks its events as play does.
func goOn(t *testing.T, o Options, r Resumption) (Result, error) {
	t.Helper()
	o.RunID = "r"
	result, err := Resume(t.Context(), o, r)
	if err == nil {
		events, _ := o.Store.Events("r", 0)
		if got, want := canonical(t, Fold(reread(t, events))), canonical(t, result.State); got != want {
			t.Errorf("the events fold to another state:\n%s\nwant\n%s", got, want)
		}
	}
	return result, err
}

func refused(t *testing.T, err error, code outcome.Code, part string) {
	t.Helper()
	var f *Failure
	if !errors.As(err, &f) || f.Code != code || !strings.Contains(f.Message, part) {
		t.Errorf("error %v, want %s with %q", err, code, part)
	}
}

func TestAnswersLetAPausedRunGoOn(t *testing.T) {
	n, prompt := person("h")
	s := &store.Memory{}
	o := Options{Store: s, Program: program(compute("a", "x", "1"), n, prompt, schema("form", form...), compute("b", "y", "outputs.h.n + outputs.a.x"),
		edge("a", "h"), edge("h", "b", whenField("ok")), edge("h", "fail"), edge("b", "done"))}
	wantStatus(t, play(t, o), outcome.PausedHuman, "")
	_, err := goOn(t, o, Resumption{Answers: map[string]map[string]any{"h": {"ok": "perhaps"}}})
	refused(t, err, outcome.ResumeInvalid, `the answers to h are refused: ok: "perhaps" is no bool`)
	r, err := goOn(t, o, Resumption{})
	if err != nil || r.Status != outcome.PausedHuman || len(r.Waiting) != 1 {
		t.Fatalf("without answers: %s, %v", r.Status, err)
	}
	r, err = goOn(t, o, Resumption{Answers: map[string]map[string]any{"r/h/1": {"ok": "true", "n": "4", "tags": "", "why": ""}}})
	if err != nil {
		t.Fatal(err)
	}
	wantStatus(t, r, outcome.Finished, "")
	wantOutput(t, r, "b", `{"y":5}`)
	if got := path(t, s); got != "a h b" {
		t.Errorf("path %s", got)
	}
	_, err = goOn(t, o, Resumption{})
	refused(t, err, outcome.ResumeInvalid, "run r is finished")
}

func TestAFailedNodeRunsAgain(t *testing.T) {
	dir, s := t.TempDir(), &store.Memory{}
	o := Options{Store: s, Workspace: dir, Program: program(shellTool("a", "echo a >> log"), shellTool("b", "test -e fixed && echo b >> log"),
		edge("a", "b"), edge("b", "done"))}
	wantStatus(t, play(t, o), outcome.FailedResumable, outcome.ToolFailedPermanent)
	if err := os.WriteFile(filepath.Join(dir, "fixed"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := goOn(t, o, Resumption{})
	if err != nil {
		t.Fatal(err)
	}
	wantStatus(t, r, outcome.Finished, "")
	if log, _ := os.ReadFile(filepath.Join(dir, "log")); string(log) != "a\nb\n" {
		t.Errorf("log %q", log)
	}
}

// stored is a store that holds the events of run r, as they are read again.
func stored(t *testing.T, events []Event) *store.Memory {
	t.Helper()
	s := &store.Memory{}
	if err := s.Create(store.Run{ID: "r"}); err != nil {
		t.Fatal(err)
	}
	if err := s.Append("r", reread(t, events)...); err != nil {
		t.Fatal(err)
	}
	return s
}

// died is a store as a process leaves it that dies after the nth event of a
// type.
func died(t *testing.T, from *store.Memory, kind outcome.EventType, nth int) *store.Memory {
	t.Helper()
	events, _ := from.Events("r", 0)
	for i, e := range events {
		if e.Type == kind {
			if nth--; nth == 0 {
				return stored(t, events[:i+1])
			}
		}
	}
	t.Fatalf("no such event %s", kind)
	return nil
}

func TestAnEffectThatMayHaveHappenedIsNotRepeated(t *testing.T) {
	dir, s := t.TempDir(), &store.Memory{}
	o := Options{Store: s, Workspace: dir, Program: program(output(shellTool("a", `echo a >> log; echo '{"n": 1}'`), "s"), schema("s", "n", "int"),
		compute("b", "y", "outputs.a.n"), edge("a", "b"), edge("b", "done"))}
	play(t, o)
	log := func() string { b, _ := os.ReadFile(filepath.Join(dir, "log")); return string(b) }
	o.Store = died(t, s, outcome.NodeStarted, 1)
	_, err := goOn(t, o, Resumption{})
	refused(t, err, outcome.OutcomeUnknown, "--rerun a to run it again, or with --accept a")
	_, err = goOn(t, o, Resumption{Accept: map[string]map[string]any{"a": {"n": "x"}}})
	refused(t, err, outcome.ResumeInvalid, "n must be int")
	_, err = goOn(t, o, Resumption{Accept: map[string]map[string]any{"b": {}}, Rerun: []string{"a"}})
	refused(t, err, outcome.ResumeInvalid, "b did not start")
	r, err := goOn(t, o, Resumption{Accept: map[string]map[string]any{"a": {"n": 7}}})
	if err != nil || log() != "a\n" {
		t.Fatalf("accepted: %v, log %q", err, log())
	}
	wantOutput(t, r, "b", `{"y":7}`)
	o.Store = died(t, s, outcome.NodeStarted, 1)
	r, err = goOn(t, o, Resumption{Rerun: []string{"a"}})
	if err != nil || log() != "a\na\n" {
		t.Fatalf("run again: %v, log %q", err, log())
	}
	wantOutput(t, r, "b", `{"y":1}`)
}

func TestANamedFailureGoesBackToItsPredecessor(t *testing.T) {
	dir, s := t.TempDir(), &store.Memory{}
	stop := failNode("stop", "NOT_YET", "wait")
	stop.FailNode.Resumable = set(true)
	o := Options{Store: s, Workspace: dir, Program: program(compute("start", "x", "'from start'"),
		shellTool("check", `test -e ready && echo '{"ok":true}' || echo '{"ok":false}'; printf %s {{input.x}} > got`), stop,
		edge("start", "check", with("x", "{{input.x}}")), edge("check", "done", whenField("ok")), edge("check", "stop", otherwise))}
	wantStatus(t, play(t, o), outcome.FailedResumable, "NOT_YET")
	if err := os.WriteFile(filepath.Join(dir, "ready"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := goOn(t, o, Resumption{})
	if err != nil {
		t.Fatal(err)
	}
	wantStatus(t, r, outcome.Finished, "")
	if got := path(t, s); got != "start check check" {
		t.Errorf("path %s", got)
	}
	if got, _ := os.ReadFile(filepath.Join(dir, "got")); string(got) != "from start" {
		t.Errorf("the input of the second run is %q", got)
	}
}

func TestAChangedProgramIsRefused(t *testing.T) {
	s := &store.Memory{}
	build := func(x string) *ir.Program { return program(compute("a", "x", x), edge("a", "done")) }
	play(t, Options{Store: s, Program: build("1 / 0")})
	o := Options{Store: s, Program: build("1")}
	_, err := goOn(t, o, Resumption{})
	refused(t, err, outcome.ResumeInvalid, "has changed")
	r, err := goOn(t, o, Resumption{Force: true})
	if err != nil {
		t.Fatal(err)
	}
	wantStatus(t, r, outcome.Finished, "")
	_, err = goOn(t, Options{Store: &store.Memory{}, Program: build("1")}, Resumption{})
	refused(t, err, outcome.ResumeInvalid, "there is no run r")
}

func TestOnlyFailedBranchesRunAgain(t *testing.T) {
	dir, s := t.TempDir(), &store.Memory{}
	tool := shellTool("a", "test {{outputs.fan.item}} != 2 || test -e fixed; e=$?; echo {{outputs.fan.item}} >> log; exit $e")
	tool.Tool.ParallelSafe = set(true)
	o := Options{Store: s, Workspace: dir, Vars: map[string]any{"items": []any{1, 2}},
		Program: program(each("fan", "{{vars.items}}"), tool, collects(compute("join", "x", "outputs.a.result"), "wait_all"),
			edge("fan", "a"), edge("a", "join"), edge("join", "done"), &ir.Budget{MaxParallelBranches: set(int64(1))})}
	wantStatus(t, play(t, o), outcome.FailedResumable, outcome.ToolFailedPermanent)
	if err := os.WriteFile(filepath.Join(dir, "fixed"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := goOn(t, o, Resumption{})
	if err != nil {
		t.Fatal(err)
	}
	wantStatus(t, r, outcome.Finished, "")
	if log, _ := os.ReadFile(filepath.Join(dir, "log")); string(log) != "1\n2\n2\n" {
		t.Errorf("log %q", log)
	}
}

// TestARunThatDiesAnywhereEndsTheSame cuts the log of a run after every event.
func TestARunThatDiesAnywhereEndsTheSame(t *testing.T) {
	s := &store.Memory{}
	emit := node("tell", ir.KindEmit)
	emit.Emit = &ir.Emit{Event: set("news"), With: pairs("x", "{{outputs.round.n}}")}
	published := compute("leaf", "v", "10 / outputs.fan.item")
	published.Publish = set("leaf")
	o := Options{Store: s, Vars: map[string]any{"items": []any{1, 0, 2}}, Program: program(
		compute("round", "n", "loop.l.iteration"), each("fan", "{{vars.items}}"), published,
		collects(compute("join", "v", "outputs.leaf.v", "seen", "seen", "published", "artifacts.leaf.v"), "best_effort"),
		emit, compute("end", "all", "outputs.round.history"),
		edge("round", "fan"), edge("fan", "leaf"), edge("leaf", "join", with("seen", "{{outputs.leaf.v}}")),
		edge("join", "round", loop("l", 2)), edge("join", "tell"), edge("tell", "end"), edge("end", "done"),
		cycle("l", "round", "fan", "join", "leaf", "round"))}
	whole := play(t, o)
	wantStatus(t, whole, outcome.Finished, "")
	wantOutput(t, whole, "join", `{"_failed_branches":[{"branch_id":"branch_fan_1","error":"field v: division by zero"}],"published":5,"seen":5,"v":5}`)
	events, _ := s.Events("r", 0)
	for n := range events { // a damaged log gives some state, never a panic
		Fold(append(slices.Clone(events[:n]), events[n+1:]...))
		Fold(append(slices.Clone(events[:n+1]), events[n:]...))
	}
	for n := 1; n < len(events); n++ {
		o.Store = stored(t, events[:n])
		r, err := goOn(t, o, Resumption{})
		if err != nil || r.Status != outcome.Finished {
			t.Fatalf("cut after event %d (%s): %s %s %v", n, events[n-1].Type, r.Status, r.Error, err)
		}
		if got, want := canonical(t, r.Outputs), canonical(t, whole.Outputs); got != want {
			t.Errorf("cut after event %d (%s): outputs\n%s\nwant\n%s", n, events[n-1].Type, got, want)
		}
	}
}
