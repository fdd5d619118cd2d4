package runtime

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"iterion/ir"
	"iterion/ir/outcome"
	"iterion/runtime/backend"
	"iterion/runtime/store"
)

func TestFanOutAllJoinsInDeclaredOrder(t *testing.T) {
	s := &store.Memory{}
	r := play(t, Options{Store: s, Program: program(router("fan", ir.ModeFanOutAll),
		compute("a", "x", "1"), compute("b", "x", "2", "sibling", "outputs.a.x"),
		compute("join", "sum", "outputs.a.x + outputs.b.x", "key", "key", "sibling", "outputs.b.sibling"),
		edge("fan", "b"), edge("fan", "a"),
		edge("a", "join", with("key", "from a")), edge("b", "join", with("key", "from b")),
		edge("join", "done"))})
	wantStatus(t, r, outcome.Finished, "")
	wantOutput(t, r, "join", `{"key":"from a","sibling":null,"sum":3}`)
	if ready := only(t, s, outcome.JoinReady); len(ready) != 1 || ready[0]["strategy"] != "wait_all" {
		t.Errorf("join_ready %v", ready)
	}
	if got := path(t, s); got != "fan b@branch_fan_b a@branch_fan_a join" {
		t.Errorf("path %s", got)
	}
}

func TestFanOutEachBindsItems(t *testing.T) {
	each := each("fan", "{{vars.items}}")
	each.Router.As = set("page")
	r := play(t, Options{Vars: map[string]any{"items": `[{"k":"p"},{"k":"q"}]`}, Program: program(each,
		compute("a", "got", "k + index", "all", "outputs.fan.count", "item", "outputs.fan.item.k"),
		collects(compute("join", "last", "outputs.a.got", "bindings", "outputs.fan.page"), "best_effort"),
		edge("fan", "a", with("k", "{{outputs.fan.page.k}}", "index", "{{outputs.fan.index}}")),
		edge("a", "join"), edge("join", "done"))})
	wantStatus(t, r, outcome.Finished, "")
	wantOutput(t, r, "a", `{"all":2,"got":"q1","item":"q"}`)
	wantOutput(t, r, "join", `{"bindings":null,"last":"q1"}`)
}

func TestEmptyFanOut(t *testing.T) {
	parts := []any{each("fan", "{{vars.items}}"), compute("a", "n", "outputs.fan.count"), edge("fan", "a")}
	s := &store.Memory{}
	r := play(t, Options{Store: s, Vars: map[string]any{"items": ""}, Program: program(append(parts,
		collects(compute("join", "x", "1"), "wait_all"), edge("a", "join"), edge("join", "done"))...)})
	if got := path(t, s); r.Status != outcome.Finished || got != "fan join" {
		t.Errorf("with a collector: %s %s", got, r.Status)
	}
	s = &store.Memory{}
	r = play(t, Options{Store: s, Vars: map[string]any{"items": []any{}}, Program: program(append(parts, edge("a", "done"))...)})
	if got := path(t, s); r.Status != outcome.Finished || got != "fan a@branch_fan_0" {
		t.Errorf("without one: %s %s", got, r.Status)
	}
	wantOutput(t, r, "a", `{"n":0}`)
	r = play(t, Options{Vars: map[string]any{"items": 3}, Program: program(append(parts, edge("a", "done"))...)})
	wantStatus(t, r, outcome.FailedResumable, outcome.ExpressionFailed)
}

// failing is a fan-out over 1, 0, 2 whose template divides by the item.
func failing(strategy string) *ir.Program {
	return program(each("fan", "{{vars.items}}"),
		compute("a", "x", "10 / outputs.fan.item"),
		collects(compute("join", "x", "outputs.a.x", "seen", "seen", "fill", "fill"), strategy),
		edge("fan", "a"), edge("a", "join", with("seen", "{{outputs.a.x}}", "fill", "{{vars.fill}}")), edge("join", "done"))
}

func TestWaitAllFails(t *testing.T) {
	s := &store.Memory{}
	r := play(t, Options{Store: s, Vars: map[string]any{"items": []any{1, 0, 2}}, Program: failing("wait_all")})
	wantStatus(t, r, outcome.FailedResumable, outcome.ExpressionFailed)
	if want := "branch_fan_1 failed first: field x: division by zero"; r.Error != want || r.FailedNode != "a" {
		t.Errorf("error %q at %s", r.Error, r.FailedNode)
	}
	if started := len(only(t, s, outcome.BranchStarted)); started != len(only(t, s, outcome.BranchFinished)) {
		t.Errorf("%d branches started and not all ended", started)
	}
}

func TestBestEffortGoesOn(t *testing.T) {
	r := play(t, Options{Vars: map[string]any{"items": []any{1, 0, 2}, "fill": "f"}, Program: failing("best_effort")})
	wantStatus(t, r, outcome.Finished, "")
	wantOutput(t, r, "join", `{"_failed_branches":[{"branch_id":"branch_fan_1","error":"field x: division by zero"}],"fill":"f","seen":5,"x":5}`)
	r = play(t, Options{Vars: map[string]any{"items": []any{0}, "fill": "f"}, Program: failing("best_effort")})
	wantOutput(t, r, "join", `{"_failed_branches":[{"branch_id":"branch_fan_0","error":"field x: division by zero"}],"fill":"f","seen":null,"x":null}`)
}

func TestDifferentFailuresHaveTheGeneralCode(t *testing.T) {
	f := &Fan{Branches: []FanBranch{{ID: "x"}, {ID: "y"}, {ID: "z"}}, First: 1, Results: map[int]*Arrival{
		0: {Failure: &Failure{Code: outcome.Cancelled}, Victim: true},
		1: {Failure: &Failure{Code: outcome.Timeout, Message: "late"}},
		2: {Failure: &Failure{Code: outcome.BudgetExceeded}},
	}}
	if got := f.failure(); got.Code != outcome.ExecutionFailed || got.Message != "y failed first: late" {
		t.Errorf("failure %+v", got)
	}
	delete(f.Results, 2)
	if got := f.failure(); got.Code != outcome.Timeout {
		t.Errorf("failure %+v", got)
	}
}

func TestASecondFanOutForgetsWhatItDidNotProduce(t *testing.T) {
	s := &store.Memory{}
	r := play(t, Options{Store: s, Program: program(
		compute("round", "second", "loop.l.iteration > 0"),
		router("fan", ir.ModeFanOutAll),
		compute("a", "x", "1"), compute("pick", "go", "!outputs.round.second"), compute("b", "x", "2"),
		collects(compute("join", "a", "outputs.a.x", "b", "outputs.b.x"), "wait_all"),
		edge("round", "fan"), edge("fan", "a"), edge("fan", "pick"),
		edge("pick", "b", whenField("go")), edge("pick", "join", otherwise),
		edge("a", "join"), edge("b", "join"),
		edge("join", "round", loop("l", 1)), edge("join", "done"),
		cycle("l", "round", "a", "b", "fan", "join", "pick", "round"))})
	wantStatus(t, r, outcome.Finished, "")
	wantOutput(t, r, "join", `{"a":1,"b":null}`)
}

func TestDeadEndsFinishTheRun(t *testing.T) {
	r := play(t, Options{Program: program(router("fan", ir.ModeFanOutAll), compute("a", "x", "1"), compute("b", "x", "1"),
		edge("fan", "a"), edge("fan", "b"), edge("a", "done"), edge("b", "done"))})
	wantStatus(t, r, outcome.Finished, "")
	wantOutput(t, r, "b", `{"x":1}`)
}

func TestDifferentCollectors(t *testing.T) {
	build := func(strategy string) *ir.Program {
		return program(router("fan", ir.ModeFanOutAll), compute("a", "x", "1"), compute("b", "x", "2"),
			collects(compute("c", "x", "outputs.a.x"), strategy), collects(compute("d", "x", "1"), strategy),
			edge("fan", "a"), edge("fan", "b"), edge("a", "c"), edge("b", "d"), edge("c", "done"), edge("d", "done"))
	}
	r := play(t, Options{Program: build("wait_all")})
	wantStatus(t, r, outcome.FailedResumable, outcome.JoinFailed)
	r = play(t, Options{Program: build("best_effort")})
	wantStatus(t, r, outcome.Finished, "")
	wantOutput(t, r, "c", `{"x":1}`)
}

func TestNestedFanOut(t *testing.T) {
	s := &store.Memory{}
	inner := each("inner", "{{outputs.outer.item}}")
	r := play(t, Options{Store: s, Vars: map[string]any{"items": []any{[]any{1, 2}, []any{3}}}, Program: program(
		each("outer", "{{vars.items}}"), inner, compute("leaf", "x", "outputs.inner.item"),
		collects(compute("mid", "x", "outputs.leaf.x"), "wait_all"),
		collects(compute("end", "x", "outputs.mid.x"), "wait_all"),
		edge("outer", "inner"), edge("inner", "leaf"), edge("leaf", "mid"), edge("mid", "end"), edge("end", "done"))})
	wantStatus(t, r, outcome.Finished, "")
	wantOutput(t, r, "end", `{"x":3}`)
	if got := path(t, s); !strings.Contains(got, "leaf@branch_outer_0/branch_inner_1") {
		t.Errorf("path %s", got)
	}
}

func TestItemsWaitForThoseTheyDependOn(t *testing.T) {
	build := func() *ir.Program {
		fan := each("fan", "{{vars.items}}")
		fan.Router.Key, fan.Router.DependsOn = set("id"), set("after")
		return program(fan, compute("a", "x", "1 / outputs.fan.item.n"),
			collects(compute("join", "x", "1"), "best_effort"),
			edge("fan", "a"), edge("a", "join"), edge("join", "done"))
	}
	item := func(id string, n int, after ...string) map[string]any {
		return map[string]any{"id": id, "n": n, "after": after}
	}
	for _, c := range []struct {
		items []any
		path  string
		err   string
	}{
		{[]any{item("p", 1, "r"), item("q", 1), item("r", 1, "q")}, "fan a@branch_fan_1 a@branch_fan_2 a@branch_fan_0 join", ""},
		{[]any{item("p", 0), item("q", 1, "p"), item("r", 1, "q")}, "fan a@branch_fan_0 join", ""},
		{[]any{item("p", 1), item("p", 1)}, "fan", "items 0 and 1 have the same id p"},
		{[]any{item("p", 1, "p")}, "fan", "item 0 depends on itself"},
		{[]any{item("p", 1, "x")}, "fan", "item 0 depends on x, which no item is"},
		{[]any{item("p", 1, "q"), item("q", 1, "p")}, "fan", "item 0 depends on itself through others"},
		{[]any{map[string]any{}}, "fan", "item 0 has no id"},
	} {
		s := &store.Memory{}
		r := play(t, Options{Store: s, Vars: map[string]any{"items": c.items}, Program: build()})
		if got := path(t, s); got != c.path || r.Error != c.err {
			t.Errorf("%v: path %s, error %q", c.items, got, r.Error)
		}
	}
}

func TestParallelLimitAndResources(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, c := range []struct {
			parallel int64
			slots    int64
			want     int
		}{{0, 0, 6}, {2, 0, 2}, {0, 3, 3}} {
			a, prompt := agent("a", "go")
			a.LLM.Readonly = set(true)
			parts := []any{each("fan", "{{vars.items}}"), a, prompt,
				collects(compute("join", "x", "1"), "wait_all"),
				edge("fan", "a"), edge("a", "join"), edge("join", "done"),
				&ir.Budget{MaxParallelBranches: set(c.parallel)}}
			if c.slots > 0 {
				a.Needs = words("slot")
				resource := ir.Resource{Count: set(c.slots)}
				resource.Name = "slot"
				parts = append(parts, resource)
			}
			b := &counting{}
			r := play(t, Options{Backends: b.find, Vars: map[string]any{"items": []any{1, 2, 3, 4, 5, 6}}, Program: program(parts...)})
			wantStatus(t, r, outcome.Finished, "")
			if b.most != c.want {
				t.Errorf("%+v: %d ran at once", c, b.most)
			}
			if held := r.State.Held["slot"]; len(held) != 0 {
				t.Errorf("leases left: %v", held)
			}
		}
	})
}

func TestBranchesThatWriteAreRefused(t *testing.T) {
	r := play(t, Options{Program: program(router("fan", ir.ModeFanOutAll), shellTool("a", "true"), shellTool("b", "true"),
		edge("fan", "a"), edge("fan", "b"), edge("a", "done"), edge("b", "done"))})
	wantStatus(t, r, outcome.FailedResumable, outcome.WorkspaceSafety)
	tool := shellTool("a", "echo {{outputs.fan.item}}")
	build := func() *ir.Program {
		return program(each("fan", "{{vars.items}}"), tool, edge("fan", "a"), edge("a", "done"))
	}
	r = play(t, Options{Vars: map[string]any{"items": []any{1, 2}}, Program: build()})
	wantStatus(t, r, outcome.FailedResumable, outcome.WorkspaceSafety)
	tool.Tool.ParallelSafe = set(true)
	r = play(t, Options{Vars: map[string]any{"items": []any{1, 2}}, Program: build()})
	wantStatus(t, r, outcome.Finished, "")
	wantOutput(t, r, "a", `{"result":"2"}`)
}

func TestAFailureCancelsTheSiblings(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow, p1 := agent("slow", "")
		bad, p2 := agent("bad", "")
		b := &fake{turns: map[string][]turn{"slow": {{block: true}}, "bad": {{err: fmt.Errorf("broken")}}}}
		r := play(t, Options{Backends: b.find, Program: program(router("fan", ir.ModeFanOutAll), slow, bad, p1, p2,
			collects(compute("join", "x", "1"), "wait_all"),
			edge("fan", "slow"), edge("fan", "bad"), edge("slow", "join"), edge("bad", "join"), edge("join", "done"))})
		wantStatus(t, r, outcome.FailedResumable, outcome.ExecutionFailed)
		if r.Error != "branch_fan_bad failed first: broken" {
			t.Errorf("error %q", r.Error)
		}
	})
}

// jittery answers after a random moment.
type jittery struct{ fake }

func (j *jittery) find(string) (backend.Backend, bool) { return j, true }

func (j *jittery) Run(ctx context.Context, task backend.Task, sink backend.Sink) (backend.Result, error) {
	time.Sleep(rand.N(time.Millisecond))
	return j.fake.Run(ctx, task, sink)
}

// What the collector sees is in the order of declaration, however long each
// branch takes.
func TestBranchOrderDoesNotDependOnTiming(t *testing.T) {
	want := ""
	for i := range 100 {
		f := &jittery{fake{turns: map[string][]turn{"sum": {{text: "end"}}}}}
		sum, said := agent("sum", "{{artifacts.report.text}} of {{outputs.b1.text}} {{outputs.b2.text}} {{outputs.b3.text}} {{input.who}}")
		parts := []any{router("fan", ir.ModeFanOutAll), collects(sum, "wait_all"), said, edge("sum", "done")}
		for _, id := range []string{"b1", "b2", "b3"} {
			n, prompt := agent(id, "")
			n.LLM.Readonly, n.Publish = set(true), set("report")
			f.turns[id] = []turn{{text: "from " + id}}
			parts = append(parts, n, prompt, edge("fan", id), edge(id, "sum", with("who", id)))
		}
		s := &store.Memory{}
		r := play(t, Options{Store: s, Backends: f.find, Program: program(parts...)})
		wantStatus(t, r, outcome.Finished, "")
		prompt := f.tasks[len(f.tasks)-1].User
		if want == "" {
			want = prompt
		}
		if prompt != want || prompt != "from b3 of from b1 from b2 from b3 b3" {
			t.Fatalf("run %d: %q, before %q", i, prompt, want)
		}
	}
}
