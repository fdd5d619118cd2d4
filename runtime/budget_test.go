package runtime

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"iterion/ir"
	"iterion/ir/outcome"
	"iterion/runtime/backend"
	"iterion/runtime/store"
)

// chain is n agents in a row, each answering with the given usage.
func chain(n int, u backend.Usage) ([]any, *fake) {
	f := &fake{turns: map[string][]turn{}}
	var parts []any
	for i := range n {
		id := string(rune('a' + i))
		node, prompt := agent(id, "")
		next := string(rune('a' + i + 1))
		if i == n-1 {
			next = "done"
		}
		parts = append(parts, node, prompt, edge(id, next))
		f.turns[id] = []turn{{text: "ok", usage: u}}
	}
	return parts, f
}

// kinds lists the budget events of a run, in order.
func kinds(t *testing.T, s *store.Memory) string {
	t.Helper()
	events, _ := s.Events("r", 0)
	var out []string
	for _, e := range events {
		if !strings.HasPrefix(string(e.Type), "budget_") {
			continue
		}
		word := strings.TrimPrefix(string(e.Type), "budget_")
		if reason := text(e.Data, "reason"); reason != "" {
			word += ":" + reason
		}
		if flag(e.Data, "advisory") {
			word += ":advisory"
		}
		out = append(out, word)
	}
	return strings.Join(out, " ")
}

func TestBudgetLadder(t *testing.T) {
	for _, c := range []struct {
		name   string
		tokens int64 // by node
		limit  int64
		warn   int64
		guard  string
		path   string
		code   outcome.Code
		events string
	}{
		{"below", 10, 100, 0, "on", "a b c d", "", ""},
		{"warned once", 20, 100, 0, "on", "a b c d", "", "warning"},
		{"hard limit", 31, 100, 0, "on", "a b c", outcome.BudgetExceeded, "warning"},
		{"grace to the end", 35, 100, 0, "on", "a b c d", "", "warning exceeded exit_grace"},
		{"grace ends", 40, 100, 0, "on", "a b c", outcome.BudgetExceeded, "warning exceeded"},
		{"no grace without the guard", 35, 100, 0, "off", "a b c", outcome.BudgetExceeded, "warning exceeded"},
		{"advice only", 20, 0, 50, "on", "a b c d", "", "warning:advisory"},
	} {
		parts, f := chain(4, backend.Usage{InputTokens: c.tokens})
		p := program(append(parts, &ir.Budget{MaxTokens: set(c.limit), WarnTokens: set(c.warn)})...)
		p.Workflow.LoopBudgetGuard = set(c.guard)
		s := &store.Memory{}
		r := play(t, Options{Store: s, Backends: f.find, Program: p})
		if got := path(t, s); got != c.path || r.FailureCode != c.code {
			t.Errorf("%s: path %s, %s (%s)", c.name, got, r.FailureCode, r.Error)
		}
		if got := kinds(t, s); got != c.events {
			t.Errorf("%s: events %s", c.name, got)
		}
	}
}

func TestBudgetPause(t *testing.T) {
	parts, f := chain(2, backend.Usage{InputTokens: 200})
	p := program(append(parts, &ir.Budget{MaxTokens: set(int64(100)), OnExceeded: set("pause")})...)
	r := play(t, Options{Backends: f.find, Program: p})
	wantStatus(t, r, outcome.PausedOperator, "")
}

func TestIterationsCountNodes(t *testing.T) {
	s := &store.Memory{}
	r := play(t, Options{Store: s, Program: program(compute("a", "x", "run.iterations"), edge("a", "b"),
		compute("b", "x", "run.iterations"), edge("b", "c"), compute("c", "x", "1"), edge("c", "done"),
		&ir.Budget{MaxIterations: set(int64(2))})})
	if got := path(t, s); got != "a b c" {
		t.Errorf("path %s", got)
	}
	wantStatus(t, r, outcome.Finished, "")
	wantOutput(t, r, "b", `{"x":2}`)
	if got := kinds(t, s); got != "warning exceeded exit_grace" {
		t.Errorf("events %s", got)
	}
}

func TestTheGuardLeavesALoopInTime(t *testing.T) {
	s := &store.Memory{}
	r := play(t, Options{Store: s, Program: program(compute("a", "x", "loop.l.iteration"),
		edge("a", "a", loop("l", 50)), edge("a", "done"), cycle("l", "a", "a"), &ir.Budget{MaxIterations: set(int64(10))})})
	wantStatus(t, r, outcome.Finished, "")
	// Nine rounds would reach 90 %.
	if got := strings.Count(path(t, s), "a"); got != 8 {
		t.Errorf("%d rounds", got)
	}
	if got := kinds(t, s); got != "warning warning:loop_budget_guard" && got != "warning:loop_budget_guard warning" {
		t.Errorf("events %s", got)
	}
}

func TestCostAndUnknownPrice(t *testing.T) {
	cost := 0.6
	parts, f := chain(3, backend.Usage{InputTokens: 1, CostUSD: &cost})
	p := program(append(parts, &ir.Budget{MaxCostUSD: set(1.0)})...)
	r := play(t, Options{Backends: f.find, Program: p})
	wantStatus(t, r, outcome.FailedResumable, outcome.BudgetExceeded)
	parts, f = chain(3, backend.Usage{InputTokens: 1})
	s := &store.Memory{}
	r = play(t, Options{Store: s, Backends: f.find, Program: program(append(parts, &ir.Budget{MaxCostUSD: set(1.0)})...)})
	wantStatus(t, r, outcome.Finished, "")
	if got := kinds(t, s); got != "warning:unknown_price" {
		t.Errorf("events %s", got)
	}
}

func TestDurationIsADeadlineOfTheNode(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, prompt := agent("a", "")
		f := &fake{turns: map[string][]turn{"a": {{block: true}}}}
		start := time.Now()
		r := play(t, Options{Backends: f.find, Program: program(n, prompt, edge("a", "done"), &ir.Budget{MaxDuration: str("${MAX:-90s}")}), Env: []string{}})
		wantStatus(t, r, outcome.FailedResumable, outcome.BudgetExceeded)
		if d := time.Since(start); d != 90*time.Second {
			t.Errorf("ended after %v", d)
		}
	})
}

func TestBranchesGetNoGrace(t *testing.T) {
	a, p1 := agent("a", "")
	b, p2 := agent("b", "")
	f := &fake{turns: map[string][]turn{"a": {{text: "ok", usage: backend.Usage{InputTokens: 105}}}, "b": {{text: "ok"}}}}
	r := play(t, Options{Backends: f.find, Program: program(router("fan", ir.ModeFanOutAll), a, b, p1, p2,
		collects(compute("join", "x", "1"), "wait_all"),
		edge("fan", "a"), edge("a", "b"), edge("b", "join"), edge("join", "done"), &ir.Budget{MaxTokens: set(int64(100))})})
	wantStatus(t, r, outcome.FailedResumable, outcome.BudgetExceeded)
}

// A duration that means nothing is no limit, and the log says so.
func TestUnreadableDurationWarns(t *testing.T) {
	for _, text := range []string{"soon", "-5m", "5", "0s"} {
		var warned []string
		p := program(compute("a", "x", "1"), edge("a", "done"))
		p.Workflow.Budget = &ir.Budget{MaxDuration: set(ir.PlainText(text))}
		play(t, Options{Program: p, OnWarning: func(m string) { warned = append(warned, m) }})
		if len(warned) != 2 || !strings.Contains(warned[0], text) {
			t.Errorf("%q: warnings %q", text, warned)
		}
	}
}

// What demands a sandbox never runs on the host; what leaves the choice to
// the engine says so once.
func TestSandboxIsNeverIgnored(t *testing.T) {
	mode := func(word string, onNode bool) (*ir.Program, *ir.Sandbox) {
		tool := &ir.Node{ID: "t", Kind: ir.KindTool, Common: &ir.Common{}, Tool: &ir.Tool{Command: set(ir.PlainText("true"))}}
		p := program(tool, edge("t", "done"))
		s := &ir.Sandbox{Word: set(word)}
		if onNode {
			tool.Tool.Sandbox = s
		} else {
			p.Workflow.Sandbox = s
		}
		return p, s
	}
	for _, onNode := range []bool{true, false} {
		p, _ := mode("inline", onNode)
		var events int
		_, err := Run(t.Context(), Options{Program: p, OnEvent: func(Event) { events++ }})
		var f *Failure
		if !errors.As(err, &f) || f.Code != outcome.Unsupported || events != 0 {
			t.Errorf("inline, on the node %v: %v after %d events", onNode, err, events)
		}
	}
	for word, want := range map[string]int{"auto": 1, "none": 0} {
		p, _ := mode(word, false)
		warnings := 0
		play(t, Options{Program: p, Workspace: t.TempDir(), OnWarning: func(string) { warnings++ }})
		if warnings != want {
			t.Errorf("%s: %d warnings, want %d", word, warnings, want)
		}
	}
}
