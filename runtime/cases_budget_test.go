package runtime

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"iterion/ir"
	"iterion/ir/outcome"
	"iterion/runtime/backend"
	"iterion/runtime/store"
)

// priced is a backend whose every turn costs the same, in each quantity that a
// budget can cap.
type priced map[string]cost

type cost struct {
	tokens int64
	usd    float64
	time   time.Duration
}

func (p priced) Info() backend.Info                  { return backend.Info{Name: "priced"} }
func (p priced) Priced(backend.Task) bool            { return true }
func (p priced) find(string) (backend.Backend, bool) { return p, true }
func (p priced) Run(ctx context.Context, t backend.Task, s backend.Sink) (backend.Result, error) {
	if _, err := s.More(ctx); err != nil {
		return backend.Result{}, err
	}
	c := p[t.NodeID]
	time.Sleep(c.time)
	usd := c.usd
	return backend.Result{Text: "ok"}, s.Turn(backend.Turn{Text: "ok", Usage: backend.Usage{InputTokens: c.tokens, CostUSD: &usd}})
}

// A round that would not fit into what is left is not begun, whichever quantity
// is short: the loop is left by its exit, which still runs, and the event says
// why.
func TestARoundThatDoesNotFitIsNotBegun(t *testing.T) {
	for axis, c := range map[string]struct {
		budget *ir.Budget
		one    cost // what a unit of the case costs
	}{
		"cost_usd":   {&ir.Budget{MaxCostUSD: set(10.0)}, cost{tokens: 1, usd: 1}},
		"tokens":     {&ir.Budget{MaxTokens: set(int64(100))}, cost{tokens: 10}},
		"duration":   {&ir.Budget{MaxDuration: str("100s")}, cost{tokens: 1, time: 10 * time.Second}},
		"iterations": {&ir.Budget{MaxIterations: set(int64(4))}, cost{}},
	} {
		synctest.Test(t, func(t *testing.T) {
			times := func(n int64) cost {
				return cost{tokens: n * c.one.tokens, usd: float64(n) * c.one.usd, time: time.Duration(n) * c.one.time}
			}
			start, p1 := agent("start", "")
			pass, p2 := agent("pass", "")
			end, p3 := agent("end", "")
			s := &store.Memory{}
			r := play(t, Options{Store: s, Backends: priced{"start": times(2), "pass": times(6), "end": times(1)}.find,
				Program: program(start, pass, end, p1, p2, p3, c.budget, cycle("l", "pass", "pass"),
					edge("start", "pass"), edge("pass", "pass", loop("l", 5)), edge("pass", "end"), edge("end", "done"))})
			want := "start pass end"
			if axis == "iterations" {
				want = "start pass pass end" // after the second, one more would reach the limit
			}
			if got := path(t, s); got != want || r.Status != outcome.Finished {
				t.Errorf("%s: path %s, %s (%s)", axis, got, r.Status, r.Error)
			}
			declined := slices.DeleteFunc(only(t, s, outcome.BudgetWarning), func(d map[string]any) bool { return d["reason"] != "loop_budget_guard" })
			if len(declined) != 1 || declined[0]["axis"] != axis {
				t.Errorf("%s: %v", axis, declined)
			}
		})
	}
}

// What a run passes its cap by is at most the one turn that reaches it, and in
// a graceful end a tenth of the cap.
func TestOvershootIsOneTurn(t *testing.T) {
	for _, c := range []struct {
		name  string
		turn  int64 // tokens of each, under a cap of 100
		nodes int
		most  int64
	}{{"small turns", 7, 30, 110 + 7}, {"turns of a half", 50, 5, 110 + 50}, {"one that is too large", 300, 3, 300}} {
		parts, f := chain(min(c.nodes, 26), backend.Usage{InputTokens: c.turn})
		r := play(t, Options{Backends: f.find, Program: program(append(parts, &ir.Budget{MaxTokens: set(int64(100))})...)})
		if n := r.State.Usage.Tokens; n > c.most || n < 90 {
			t.Errorf("%s: %d tokens", c.name, n)
		}
		if r.FailureCode != outcome.BudgetExceeded || !strings.Contains(r.Error, "tokens") {
			t.Errorf("%s: %s %s (%s)", c.name, r.Status, r.FailureCode, r.Error)
		}
	}
}
