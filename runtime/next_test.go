package runtime

import (
	"fmt"
	"strings"
	"testing"

	"iterion/ir"
	"iterion/ir/outcome"
	"iterion/runtime/backend"
)

func TestCollector(t *testing.T) {
	nodes := func() []any {
		return []any{router("fan", ir.ModeFanOutAll), router("pick", ir.ModeCondition), compute("a", "x", "1"),
			compute("b", "x", "1"), compute("c", "x", "1"), compute("d", "x", "1"), failNode("stop", "STOP", "")}
	}
	for _, c := range []struct {
		name  string
		edges string
		await string // a node that declares await
		want  string
	}{
		{"two sources", "fan>a fan>b a>c b>c", "", "c"},
		{"await with one source", "fan>a a>b b>c", "b", "b"},
		{"none", "fan>a a>b b>done", "", ""},
		{"a loop edge is no source", "fan>a a>b b>c c~b", "", ""},
		{"the nearest", "fan>a fan>b a>c b>c c>d a>d", "", "c"},
		{"the head itself", "fan>a fan>b b>a", "", "a"},
		{"a head that a condition router reaches", "fan>a pick>a a>b fan>c c>b", "", "b"},
		{"a fail node", "fan>a fan>b a>stop b>stop", "", ""},
	} {
		parts := nodes()
		for _, part := range parts {
			if n, ok := part.(*ir.Node); ok && n.ID == c.await {
				collects(n, "wait_all")
			}
		}
		for _, word := range strings.Fields(c.edges) {
			if from, to, ok := strings.Cut(word, ">"); ok {
				parts = append(parts, edge(from, to))
			} else {
				from, to, _ := strings.Cut(word, "~")
				parts = append(parts, edge(from, to, loop("l", 1)))
			}
		}
		p, err := newPlan(program(parts...), func(string) (string, bool) { return "", false })
		if err != nil {
			t.Fatal(err)
		}
		if got := p.collector(p.Edges[0]); got != c.want {
			t.Errorf("%s: collector %q, want %q", c.name, got, c.want)
		}
	}
}

// TestNextFollowsTheState walks a fan-out and notes what each state wants.
func TestNextFollowsTheState(t *testing.T) {
	p := program(router("fan", ir.ModeFanOutAll), compute("a", "x", "1"), compute("b", "x", "1"),
		edge("fan", "a"), edge("fan", "b"), edge("a", "done"), edge("b", "done"))
	pl, err := newPlan(p, func(string) (string, bool) { return "", false })
	if err != nil {
		t.Fatal(err)
	}
	s := NewState()
	var got []string
	for i, step := range []struct {
		kind   outcome.EventType
		branch string
		node   string
		data   map[string]any
	}{
		{outcome.RunStarted, "", "", map[string]any{"entry": "fan"}},
		{outcome.NodeStarted, "", "fan", nil},
		{outcome.NodeFinished, "", "fan", map[string]any{"output": map[string]any{}, "fan": map[string]any{
			"strategy": "wait_all", "branches": []any{
				map[string]any{"id": "x", "to": "a", "edge": int64(0)}, map[string]any{"id": "y", "to": "b", "edge": int64(1)}}}}},
		{outcome.BranchStarted, "x", "a", map[string]any{"index": int64(0)}},
		{outcome.NodeStarted, "x", "a", nil},
		{outcome.BranchStarted, "y", "b", map[string]any{"index": int64(1)}},
		{outcome.BranchFinished, "x", "a", map[string]any{"index": int64(0), "error": "bad", "failure_code": "TIMEOUT"}},
		{outcome.BranchFinished, "y", "b", map[string]any{"index": int64(1), "error": "cancelled", "victim": true}},
		{outcome.RunFailed, "", "a", map[string]any{"failure_code": "TIMEOUT"}},
	} {
		s.Apply(Event{Seq: int64(i) + 1, Type: step.kind, BranchID: step.branch, NodeID: step.node, Data: step.data})
		want, ok := pl.next(s)
		if !ok {
			got = append(got, "-")
			continue
		}
		got = append(got, fmt.Sprintf("%s %s%d", want.Do, want.Scope, want.Index))
	}
	want := "start node 0; -; start branch 0; start node x0; start branch 1; start node y0; abandon y0; join 0; -"
	if strings.Join(got, "; ") != want {
		t.Errorf("steps %s\nwant  %s", strings.Join(got, "; "), want)
	}
}

func TestNoFurtherTurnBeyondTheBudget(t *testing.T) {
	n, prompt := agent("a", "")
	f := &fake{turns: map[string][]turn{"a": {{text: "no JSON", usage: backend.Usage{InputTokens: 120}}, {output: map[string]any{"n": 1}}}}}
	r := play(t, Options{Backends: f.find, Program: program(output(n, "s"), prompt, schema("s", "n", "int"), edge("a", "done"),
		&ir.Budget{MaxTokens: set(int64(100))})})
	wantStatus(t, r, outcome.FailedResumable, outcome.BudgetExceeded)
	if left := len(f.turns["a"]); left != 0 { // the fake takes its turn before it asks
		t.Errorf("%d turns left", left)
	}
	if n := r.State.Usage.Tokens; n != 120 {
		t.Errorf("%d tokens were used", n)
	}
}
