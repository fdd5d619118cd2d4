package runtime

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"iterion/ir"
	"iterion/ir/outcome"
	"iterion/runtime/backend"
	"iterion/runtime/store"
)

// delayed is a backend that says which node it was, after a random time. The
// node bad always fails.
type delayed struct {
	mu      sync.Mutex
	dice    *rand.Rand
	prompts map[string][]string // by node and branch
}

func (d *delayed) Info() backend.Info                  { return backend.Info{Name: "delayed"} }
func (d *delayed) Priced(backend.Task) bool            { return true }
func (d *delayed) find(string) (backend.Backend, bool) { return d, true }

func (d *delayed) wait(key, prompt string) time.Duration {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.prompts[key] = append(d.prompts[key], prompt)
	return time.Duration(d.dice.Int64N(int64(time.Second)))
}

func (d *delayed) Run(ctx context.Context, t backend.Task, s backend.Sink) (backend.Result, error) {
	time.Sleep(d.wait(visitKey(t.NodeID, t.BranchID), t.User))
	if _, err := s.More(ctx); err != nil {
		return backend.Result{}, err
	}
	said := fmt.Sprintf("%s %s %d", t.NodeID, t.BranchID, t.Visit)
	cost := 0.1 / float64(len(t.NodeID))
	if err := s.Turn(backend.Turn{Text: said, Usage: backend.Usage{InputTokens: 3, CostUSD: &cost}}); err != nil {
		return backend.Result{}, err
	}
	time.Sleep(d.wait("", ""))
	if t.NodeID == "bad" {
		return backend.Result{}, errors.New("it is broken")
	}
	return backend.Result{Text: said}, nil
}

// raced is a program with everything that runs side by side: branches of
// several nodes, of items, in each other, in a loop, one that fails, one that
// waits for another, and the same name published by all.
func raced(parallel int64) *ir.Program {
	parts := []any{compute("round", "n", "loop.again.iteration"), router("fan", ir.ModeFanOutAll),
		&ir.Budget{MaxParallelBranches: set(parallel)}}
	reader := func(id, user string) *ir.Node {
		n, prompt := agent(id, user)
		n.LLM.Readonly = set(true)
		parts = append(parts, prompt)
		return n
	}
	for _, id := range []string{"one", "two", "three", "bad"} {
		n := reader(id, "{{outputs.round.n}}")
		n.Publish = set("report")
		after := compute(id+"_after", "seen", "outputs."+id+".text + ' ' + artifacts.report.text")
		after.Publish = set("report")
		parts = append(parts, n, after, edge("fan", id), edge(id, id+"_after"), edge(id+"_after", "join", with("who", id, "said", "{{outputs."+id+"_after.seen}}")))
	}
	tell, listen := node("tell", ir.KindEmit), node("listen", ir.KindWait)
	tell.Emit = &ir.Emit{Event: set("news"), With: pairs("x", "{{outputs.first.text}}")}
	listen.Wait = &ir.Wait{Event: set("news"), Timeout: set("1h")}
	parts = append(parts, reader("first", "x"), tell, listen, edge("fan", "first"), edge("first", "tell"), edge("tell", "join"), edge("fan", "listen"), edge("listen", "join"))
	items := each("each", "{{vars.items}}")
	leaf := reader("leaf", "{{outputs.each.item}}")
	leaf.Publish = set("leaves")
	parts = append(parts, items, leaf, collects(compute("gather", "last", "outputs.leaf.text"), "wait_all"),
		edge("fan", "each"), edge("each", "leaf"), edge("leaf", "gather", with("i", "{{outputs.each.item}}")), edge("gather", "join"))
	parts = append(parts, collects(compute("join", "who", "who", "said", "said", "report", "artifacts.report", "last", "outputs.gather.last"), "best_effort"),
		reader("sum", "{{artifacts.report}} {{outputs.one.text}} {{outputs.two.text}} {{outputs.three.text}} {{outputs.gather.last}} {{outputs.join._failed_branches}} {{outputs.listen.x}}"),
		edge("round", "fan"), edge("join", "round", loop("again", 1)), edge("join", "sum"), edge("sum", "done"),
		cycle("again", "round", "round", "fan", "one", "two", "three", "bad", "one_after", "two_after", "three_after", "bad_after", "first", "tell", "listen", "each", "leaf", "gather", "join"))
	return program(parts...)
}

// timeless are events without what a clock says, and without their order among
// branches: by branch, numbered anew.
func timeless(events []Event) []Event {
	out := slices.Clone(events)
	for i := range out {
		out[i].Time = time.Time{}
		out[i].Data = untimed(out[i].Data).(map[string]any)
	}
	slices.SortStableFunc(out, func(a, b Event) int { return strings.Compare(a.BranchID, b.BranchID) })
	for i := range out {
		out[i].Seq = int64(i + 1)
	}
	return out
}

func untimed(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for key, value := range v {
			if !strings.HasSuffix(key, "duration_ms") {
				out[key] = untimed(value)
			}
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = untimed(v[i])
		}
		return out
	}
	return v
}

// stopClocks is a state without what a clock says.
func stopClocks(events []Event) *State {
	out := slices.Clone(events)
	for i := range out {
		out[i].Time = time.Time{}
		out[i].Data = untimed(out[i].Data).(map[string]any)
	}
	return Fold(out)
}

// However long each branch takes, the run comes to the same outcome, its models
// read the same, each branch has the same events in the same order, and the
// state at the end is the same.
func TestTimingDecidesNothing(t *testing.T) {
	for _, parallel := range []int64{0, 6} {
		want := map[string]string{}
		orders := map[string]bool{}
		for run := range 100 {
			synctest.Test(t, func(t *testing.T) {
				d := &delayed{dice: rand.New(rand.NewPCG(uint64(run), uint64(parallel))), prompts: map[string][]string{}}
				s := &store.Memory{}
				r := play(t, Options{Store: s, Backends: d.find, Vars: map[string]any{"items": []any{"x", "y", "z"}}, Program: raced(parallel)})
				wantStatus(t, r, outcome.Finished, "")
				events, err := s.Events("r", 0)
				if err != nil {
					t.Fatal(err)
				}
				delete(d.prompts, "")
				got := map[string]string{
					"outputs": canonical(t, untimed(r.Outputs)), "prompts": canonical(t, d.prompts),
					"state": canonical(t, stopClocks(events)), "events by branch": canonical(t, timeless(events)),
				}
				for what, text := range got {
					if run == 0 {
						want[what] = text
					} else if text != want[what] {
						t.Fatalf("run %d with %d at once: other %s\n%s\nwant\n%s", run, parallel, what, text, want[what])
					}
				}
				orders[path(t, s)] = true
			})
			if t.Failed() {
				return
			}
		}
		if len(orders) < 50 {
			t.Errorf("only %d orders were tried", len(orders))
		}
	}
}
