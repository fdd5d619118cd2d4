package claw

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"iterion/ir/outcome"
	"iterion/runtime/backend"
)

// delegating is a node that calls subagents; each conversation has its own turns.
func delegating(t *testing.T, tools string, own []backend.Turn, agents map[string][]backend.Turn) *world {
	w := newWorld(t, tools)
	w.turns = func(r backend.Request) (backend.Turn, error) {
		if r.Agent != "" {
			return list(agents[r.Agent])(r)
		}
		return list(own)(r)
	}
	return w
}

func agent(id, prompt string, more ...string) backend.Call {
	return call(id, "agent", fmt.Sprintf(`{"description":"d","prompt":%q%s}`, prompt, strings.Join(more, "")))
}

func TestSubagents(t *testing.T) {
	w := delegating(t, "bash agent ask_user",
		[]backend.Turn{calls(agent("a", "first"), agent("b", "second", `,"tools":["bash"]`)), text("done")},
		map[string][]backend.Turn{"1": {calls(bash("x", "one")), text("found")}, "2": {calls(bash("x", "two")), text("also")}},
	)
	w.task.Schema, w.task.Asks, w.task.System = nil, backend.AskPerson, "be brief"
	if got, err := w.run(); err != nil || got.Text != "done" {
		t.Fatalf("%+v, %v", got, err)
	}
	w.equal("ran", w.ran, []string{`bash {"command":"one"}`, `bash {"command":"two"}`})
	if a, b := w.result("a"), w.result("b"); a.Text != "found" || b.Text != "also" || !a.Began {
		t.Errorf("%+v, %+v", a, b)
	}
	r := w.seen[1]
	if r.Agent != "1" || r.Number != 1 || r.System != "be brief" || len(r.Tools) != 1 || r.Messages[0].Text != "first" {
		t.Errorf("the subagent's first request: %+v", r)
	}
	var marks []string
	for _, e := range w.log {
		if e.call.ID == "x" {
			marks = append(marks, e.kind+" "+e.about.Agent+e.result.Decision.Agent)
		}
	}
	w.equal("the subagents' calls", marks, []string{"begin 1", "end 1", "begin 2", "end 2"})
	w.equal("the conversation", w.told()[2:], []string{"tool a failed=false: found", "tool b failed=false: also", "model: done"})
}

// A subagent has no more than its node: what asks is refused and names the rule,
// it cannot ask, delegate or end the node.
func TestASubagentIsBound(t *testing.T) {
	w := delegating(t, "bash agent read_file",
		[]backend.Turn{calls(agent("a", "go", `,"tools":["bash"]`)), calls(submit("o", `{"ok":true}`))},
		map[string][]backend.Turn{"1": {calls(
			bash("x", "rm x"), bash("y", "curl z"), agent("z", "deeper"), call("q", "ask_user", `{"question":"?"}`),
			submit("s", `{"ok":false}`), call("r", "read_file", `{"file_path":"x"}`),
		), text("nothing went")}},
	)
	w.policy("deny", "agent", "Bash(rm:*)", "Bash(curl:*)")
	w.task.Schema, w.task.Asks, w.person = okSchema, backend.AskPerson, w.approve
	if got, err := w.run(); err != nil || got.Output["ok"] != true || w.ran != nil {
		t.Fatalf("%+v, %v, ran %q", got, err, w.ran)
	}
	for id, want := range map[string]string{
		"x": "`Bash(rm:*)` of the node matches, which needs an approval, and a subagent cannot ask for one", "y": "`Bash(curl:*)`",
		"z": `there is no tool "agent"; the tools are: bash`, "q": `no tool "ask_user"`, "s": `no tool "structured_output"`, "r": `no tool "read_file"`,
	} {
		if r := w.result(id); !r.Failed || r.Began || !strings.Contains(r.Text, want) {
			t.Errorf("%s: %+v", id, r)
		}
	}
	if slices.Contains(w.kinds(), "asked x") || w.seen[1].Schema != nil {
		t.Errorf("the subagent asked: %q", w.kinds())
	}
}

func TestSubagentsThatAreNotStarted(t *testing.T) {
	for input, want := range map[string]string{
		`{"description":"d","prompt":" "}`:                       "prompt is missing",
		`{"description":"d","prompt":"p","tools":["read_file"]}`: `there is no tool "read_file"; the tools are: bash`,
		`{"description":"d","prompt":"p","tools":["agent"]}`:     `there is no tool "agent"`,
		`{"description":"d","prompt":"p","model":"another"}`:     `unknown field "model"`,
		`{"description":"d","prompt":["p"]}`:                     "the input is not valid",
	} {
		w := delegating(t, "bash agent", []backend.Turn{calls(call("a", "agent", input)), text("done")}, nil)
		if _, err := w.run(); err != nil {
			t.Fatal(err)
		}
		if r := w.result("a"); !r.Failed || !strings.Contains(r.Text, want) || len(w.seen) != 2 {
			t.Errorf("%s: %+v", input, r)
		}
	}
}

// A subagent's failure is a result; the budget ends the node with it.
func TestASubagentThatFails(t *testing.T) {
	own := []backend.Turn{calls(agent("a", "go")), text("done")}
	w := delegating(t, "agent", own, nil)
	if got, err := w.run(); err != nil || got.Text != "done" || !strings.Contains(w.result("a").Text, "SCRIPT_EXHAUSTED") {
		t.Errorf("%+v, %v", got, err)
	}
	w = delegating(t, "agent bash", own, map[string][]backend.Turn{"1": {calls(bash("x", "one")), text("found")}})
	w.tool = func(context.Context, backend.Call) backend.CallResult {
		w.broke = backend.Errorf(outcome.BudgetExceeded, "spent")
		return backend.CallResult{}
	}
	if _, err := w.run(); code(err) != outcome.BudgetExceeded || len(w.seen) != 2 || !w.result("a").Failed {
		t.Errorf("%v after %d turns", err, len(w.seen))
	}
}

// A subagent is not resumed: the call is told to the model as begun. Its number
// stays its own.
func TestASubagentThatDiedWithTheProcess(t *testing.T) {
	own := []backend.Turn{calls(agent("a", "first")), calls(agent("b", "second")), text("done")}
	agents := map[string][]backend.Turn{"1": {calls(bash("x", "one")), text("found")}, "2": {text("again")}}
	w := delegating(t, "agent bash", own, agents)
	w.left = 4 // turn, begin a, turn of the subagent, begin x
	if _, err := w.run(); err == nil || !errors.Is(err, errCut) {
		t.Fatalf("%v", err)
	}
	w.left = -1
	if got, err := w.run(); err != nil || got.Text != "done" {
		t.Fatalf("%+v, %v", got, err)
	}
	if a, b := w.result("a"), w.result("b"); !strings.HasPrefix(a.Text, "outcome unknown") || !a.Failed || b.Text != "again" {
		t.Errorf("%+v, %+v", a, b)
	}
}

// What a supervisor says while a subagent works stands between the call and its
// result; both the live and the resumed task see the calls as settled.
func TestASupervisorSpeaksToASubagent(t *testing.T) {
	for _, dies := range []bool{false, true} {
		w := delegating(t, "agent bash", []backend.Turn{calls(agent("a", "go"), bash("b", "after")), text("done")},
			map[string][]backend.Turn{"1": {calls(bash("x", "one")), text("found")}})
		w.tool = func(_ context.Context, c backend.Call) backend.CallResult {
			if c.ID == "x" {
				w.notes = []string{"hurry"}
			} else if dies {
				w.left = 0
			}
			return backend.CallResult{Text: "did"}
		}
		got, err := w.run()
		if dies {
			if !errors.Is(err, errCut) {
				t.Fatalf("%v", err)
			}
			w.left = -1
			got, err = w.run()
		}
		if err != nil || got.Text != "done" || strings.HasPrefix(w.result("b").Text, "outcome unknown") != dies {
			t.Fatalf("%+v, %v, %+v", got, err, w.result("b"))
		}
		m := w.seen[len(w.seen)-1].Messages
		if len(m) != 5 || m[2].CallID != "a" || m[3].CallID != "b" || m[4].Text != "hurry" {
			t.Errorf("dies %v: %+v", dies, m)
		}
	}
}

func TestToolSearch(t *testing.T) {
	w := newWorld(t, "bash grep tool_search", calls(
		call("a", "tool_search", `{"query":"regular EXPRESSION"}`), call("b", "tool_search", `{"query":"teleport"}`), call("c", "tool_search", `{"q":1}`),
	), text("ok"))
	if _, err := w.run(); err != nil {
		t.Fatal(err)
	}
	if r := w.result("a"); !strings.HasPrefix(r.Text, "grep: ") || strings.Contains(r.Text, "bash") || r.Failed {
		t.Errorf("%+v", r)
	}
	if r := w.result("b"); r.Text != "no tool matches; the tools are: bash, grep, tool_search" {
		t.Errorf("%+v", r)
	}
	if r := w.result("c"); !r.Failed || w.ran != nil {
		t.Errorf("%+v", r)
	}
}
