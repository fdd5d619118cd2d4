package runtime

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"iterion/ir"
	"iterion/ir/outcome"
	"iterion/runtime/store"
)

func TestComputeChainAndMappings(t *testing.T) {
	s := &store.Memory{}
	r := play(t, Options{Store: s,
		Vars: map[string]any{"n": 3},
		Program: program(
			compute("a", "x", "vars.n + 1", "fromEntry", "input.n"),
			compute("b", "sum", "input.x + input.k", "label", "label"),
			edge("a", "b", with("x", "{{input.x}}", "k", "{{vars.n}}", "label", "x is {{outputs.a.x}}", "none", "{{outputs.a.gone}}")),
			edge("b", "done"),
		)})
	wantStatus(t, r, outcome.Finished, "")
	wantOutput(t, r, "a", `{"fromEntry":3,"x":4}`)
	wantOutput(t, r, "b", `{"label":"x is 4","sum":7}`)
	started := only(t, s, outcome.NodeStarted)
	if input := started[1]["input"].(map[string]any); len(input) != 4 || input["none"] != nil {
		t.Errorf("input of b: %v", input)
	}
}

func TestEventOrderOfANode(t *testing.T) {
	s := &store.Memory{}
	a := compute("a", "x", "1")
	a.Publish = set("thing")
	play(t, Options{Store: s, Program: program(a, edge("a", "done"))})
	events, _ := s.Events("r", 0)
	var got []string
	for _, e := range events {
		got = append(got, string(e.Type))
	}
	want := "run_started node_started artifact_written node_finished edge_selected run_finished"
	if strings.Join(got, " ") != want {
		t.Errorf("events %v", got)
	}
	if v := Fold(events).Scopes[Trunk].Artifacts["thing"]; v.Version != 0 || v.Pending || v.Value == nil {
		t.Errorf("artifact %+v", v)
	}
}

func TestChoosingAnEdge(t *testing.T) {
	cases := []struct {
		name  string
		out   []string
		edges []*ir.Edge
		want  string
	}{
		{"first condition that holds", []string{"n", "2"}, []*ir.Edge{
			edge("a", "x", when("n > 2")), edge("a", "y", when("n > 1")), edge("a", "z", when("n > 0")), edge("a", "w")}, "y"},
		{"condition before bare", []string{"ok", "true"}, []*ir.Edge{edge("a", "x"), edge("a", "y", whenField("ok"))}, "y"},
		{"loop before else and bare", []string{"ok", "false"}, []*ir.Edge{
			edge("a", "x", otherwise), edge("a", "y", loop("l", 1)), edge("a", "z", whenField("ok"))}, "y"},
		{"else", []string{"ok", "false"}, []*ir.Edge{edge("a", "x", otherwise), edge("a", "z", whenField("ok"))}, "x"},
		{"when not needs the field", []string{"n", "1"}, []*ir.Edge{edge("a", "x", whenNot("ok")), edge("a", "y")}, "y"},
		{"when not", []string{"ok", "false"}, []*ir.Edge{edge("a", "x", whenNot("ok")), edge("a", "y")}, "x"},
		{"no bool", []string{"ok", "'true'"}, []*ir.Edge{edge("a", "x", whenField("ok")), edge("a", "y")}, "y"},
		{"condition that fails", []string{"s", "'t'"}, []*ir.Edge{edge("a", "x", when("s - 1 > 0")), edge("a", "y")}, "y"},
		{"guarded loop that does not hold", []string{"ok", "false"}, []*ir.Edge{
			edge("a", "x", whenField("ok"), loopCap("l", "{{vars.gone}}")), edge("a", "y")}, "y"},
	}
	for _, c := range cases {
		parts := []any{compute("a", c.out...), compute("x", "v", "1"), compute("y", "v", "1"), compute("z", "v", "1"), compute("w", "v", "1")}
		for _, e := range c.edges {
			parts = append(parts, e)
		}
		for _, id := range []string{"x", "y", "z", "w"} {
			parts = append(parts, edge(id, "done"))
		}
		s := &store.Memory{}
		r := play(t, Options{Store: s, Program: program(parts...)})
		if got := path(t, s); r.Status != outcome.Finished || got != "a "+c.want {
			t.Errorf("%s: %s, %s (%s)", c.name, got, r.Status, r.Error)
		}
	}
}

func TestNoEdge(t *testing.T) {
	r := play(t, Options{Program: program(compute("a", "ok", "false"), edge("a", "done", whenField("ok")))})
	wantStatus(t, r, outcome.FailedResumable, outcome.NoOutgoingEdge)
	r = play(t, Options{Program: program(compute("a", "x", "1"),
		edge("a", "a", loop("l", 2)), cycle("l", "a", "a"))})
	wantStatus(t, r, outcome.FailedResumable, outcome.LoopExhausted)
}

func TestANodeWithoutEdgesSaysWhatToWrite(t *testing.T) {
	r := play(t, Options{Program: program(compute("a", "x", "1"))})
	wantStatus(t, r, outcome.FailedResumable, outcome.NoOutgoingEdge)
	if !strings.Contains(r.Error, "write where the run goes on, or `a -> done`") {
		t.Errorf("%s", r.Error)
	}
}

func TestBoundedLoopRunsItsBodyCapPlusOneTimes(t *testing.T) {
	s := &store.Memory{}
	r := play(t, Options{Store: s, Program: program(
		compute("a", "i", "loop.l.iteration", "max", "loop.l.max", "before", "loop.l.previous_output.i"),
		compute("b", "all", "outputs.a.history", "last", "input.round"),
		edge("a", "a", loop("l", 3)),
		edge("a", "b", with("round", "{{loop.l.iteration}}")),
		edge("b", "done"), cycle("l", "a", "a"))})
	wantStatus(t, r, outcome.Finished, "")
	if got := path(t, s); got != "a a a a b" {
		t.Errorf("path %s", got)
	}
	wantOutput(t, r, "a", `{"before":1,"i":3,"max":3}`)
	wantOutput(t, r, "b", `{"all":[{"before":null,"i":0,"max":3},{"before":null,"i":1,"max":3},{"before":0,"i":2,"max":3},{"before":1,"i":3,"max":3}],"last":3}`)
	var iterations []any
	for _, d := range only(t, s, outcome.NodeStarted) {
		iterations = append(iterations, d["iteration"])
	}
	if len(iterations) != 5 || iterations[3] != int64(3) || iterations[4] != int64(0) {
		t.Errorf("iterations %v", iterations)
	}
}

func TestEnteringALoopFromOutsideResetsIt(t *testing.T) {
	s := &store.Memory{}
	play(t, Options{Store: s, Program: program(
		compute("start", "x", "1"),
		compute("in", "x", "1"),
		compute("mid", "again", "length(outputs.in.history) < 3"),
		edge("start", "in"), edge("in", "in", loop("inner", 1)), edge("in", "mid"),
		edge("mid", "start", loop("outer", 1)), edge("mid", "done"),
		cycle("inner", "in", "in"), cycle("outer", "start", "start", "in", "mid"))})
	if got := path(t, s); got != "start in in mid start in in mid" {
		t.Errorf("path %s", got)
	}
}

func TestLoopCaps(t *testing.T) {
	for _, c := range []struct {
		cap  string
		vars map[string]any
		path string
		code outcome.Code
	}{
		{"{{vars.n}}", map[string]any{"n": 2}, "a a a", ""},
		{"{{vars.n}}", map[string]any{"n": "1"}, "a a", ""},
		{"{{vars.n}}", map[string]any{"n": 0}, "a", ""},
		{"{{vars.n}}", map[string]any{"n": -1}, "a", outcome.ExpressionFailed},
		{"{{vars.n}}", map[string]any{"n": 1.5}, "a", outcome.ExpressionFailed},
		{"{{vars.gone}}", nil, "a", outcome.ExpressionFailed},
		{"vars.n - 1", map[string]any{"n": 3}, "a a a", ""},
		{"vars.n + ''", map[string]any{"n": 3}, "a", outcome.ExpressionFailed},
	} {
		s := &store.Memory{}
		r := play(t, Options{Store: s, Vars: c.vars, Program: program(compute("a", "x", "1"),
			edge("a", "a", loopCap("l", c.cap)), edge("a", "done"), cycle("l", "a", "a"))})
		if got := path(t, s); got != c.path || r.FailureCode != c.code {
			t.Errorf("cap %s %v: %s %s (%s)", c.cap, c.vars, got, r.FailureCode, r.Error)
		}
	}
}

func TestAnUnboundedLoopThatStallsIsLeft(t *testing.T) {
	s := &store.Memory{}
	r := play(t, Options{Store: s, Program: program(compute("a", "x", "'same'"),
		edge("a", "a", unbounded("l")), edge("a", "done"), cycle("l", "a", "a"))})
	wantStatus(t, r, outcome.Finished, "")
	if got := path(t, s); got != "a a a a" {
		t.Errorf("path %s", got)
	}
	if w := only(t, s, outcome.BudgetWarning); len(w) != 1 || w[0]["reason"] != "liveness_stall" {
		t.Errorf("warnings %v", w)
	}
}

func TestForeach(t *testing.T) {
	items := map[string]any{"items": []any{"p", "q", "r"}}
	s := &store.Memory{}
	r := play(t, Options{Store: s, Vars: items, Program: program(
		compute("start", "x", "1"),
		compute("a", "got", "input.item", "n", "input.n"),
		compute("b", "all", "outputs.a.history"),
		edge("start", "a", with("item", "{{each.q.item}}", "n", "{{each.q.index}}/{{each.q.count}} {{each.q.first}} {{each.q.last}}")),
		edge("a", "a", foreach("q", "{{vars.items}}"), with("item", "{{each.q.item}}", "n", "{{each.q.index}}/{{each.q.count}} {{each.q.first}} {{each.q.last}}")),
		edge("a", "b"), edge("b", "done"),
		&ir.Loop{Name: "q", Foreach: true, Entries: []string{"a"}, Body: []string{"a"}})})
	wantStatus(t, r, outcome.Finished, "")
	wantOutput(t, r, "b", `{"all":[{"got":"p","n":"0/3 true false"},{"got":"q","n":"1/3 false false"},{"got":"r","n":"2/3 false true"}]}`)
}

func TestABackEdgeKeepsWhatForwardEdgesBring(t *testing.T) {
	r := play(t, Options{Program: program(
		compute("start", "x", "'kept'"),
		compute("a", "goal", "goal", "notes", "notes"),
		edge("start", "a", with("goal", "{{input.x}}", "notes", "none")),
		edge("a", "a", loop("l", 1), with("notes", "round {{loop.l.iteration}}")),
		edge("a", "done"), cycle("l", "a", "a"))})
	wantOutput(t, r, "a", `{"goal":"kept","notes":"round 1"}`)
}

func TestRoundRobin(t *testing.T) {
	s := &store.Memory{}
	play(t, Options{Store: s, Program: program(router("r", ir.ModeRoundRobin),
		compute("a", "x", "1"), compute("b", "x", "1"),
		edge("r", "a"), edge("r", "b"),
		edge("a", "r", loop("l", 4)), edge("b", "r", loop("l", 4)), edge("a", "done"), edge("b", "done"),
		cycle("l", "r", "a", "b", "r"))})
	if got := path(t, s); got != "r a r b r a r b r a" {
		t.Errorf("path %s", got)
	}
}

func TestFailNodes(t *testing.T) {
	r := play(t, Options{Program: program(compute("a", "x", "1"), edge("a", "fail"))})
	wantStatus(t, r, outcome.Failed, outcome.FailNode)
	stop := failNode("stop", "NOT_GOOD", "x was {{outputs.a.x}}, input {{input.why}}")
	r = play(t, Options{Program: program(compute("a", "x", "1"), stop, edge("a", "stop", with("why", "bad")))})
	wantStatus(t, r, outcome.Failed, "NOT_GOOD")
	if r.Error != "x was 1, input bad" || r.FailedNode != "stop" {
		t.Errorf("failure %+v", r)
	}
	stop.FailNode.Resumable = set(true)
	r = play(t, Options{Program: program(compute("a", "x", "1"), stop, edge("a", "stop"))})
	wantStatus(t, r, outcome.FailedResumable, "NOT_GOOD")
}

func TestComputeFailures(t *testing.T) {
	r := play(t, Options{Program: program(compute("a", "x", "1 / 0"), edge("a", "done"))})
	wantStatus(t, r, outcome.FailedResumable, outcome.ExpressionFailed)
	if r.FailedNode != "a" || r.Error != "field x: division by zero" {
		t.Errorf("failure %q at %s", r.Error, r.FailedNode)
	}
	r = play(t, Options{Program: program(output(compute("a", "x", "'3'"), "s"), schema("s", "x", "int"), edge("a", "done"))})
	wantStatus(t, r, outcome.FailedResumable, outcome.ExpressionFailed)
	r = play(t, Options{Program: program(output(compute("a", "x", "4 / 2", "y", "1"), "s"), schema("s", "x", "int", "y", "float"), edge("a", "done"))})
	wantStatus(t, r, outcome.Finished, "")
}

func TestUnsupportedKinds(t *testing.T) {
	n := node("child", ir.KindSubbot)
	n.Subbot = &ir.Subbot{Source: set("child.bot")}
	r := play(t, Options{Program: program(n, edge("child", "done"))})
	wantStatus(t, r, outcome.FailedResumable, outcome.Unsupported)
	if !strings.Contains(r.Error, "subbots cannot run here, such as child") {
		t.Errorf("error %q", r.Error)
	}
}

func TestCancelRecordsTheRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		wait := node("w", ir.KindWait)
		wait.Wait = &ir.Wait{Event: set("never"), Timeout: set("1h")}
		r := playWith(t, ctx, Options{Program: program(wait, edge("w", "done"))})
		wantStatus(t, r, outcome.CancelledRun, "")
	})
}

func TestWaitTimesOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		wait := node("w", ir.KindWait)
		wait.Wait = &ir.Wait{Event: set("never"), Timeout: set("90s")}
		start := time.Now()
		r := play(t, Options{Program: program(wait, edge("w", "done"))})
		wantStatus(t, r, outcome.FailedResumable, outcome.Timeout)
		if time.Since(start) != 90*time.Second {
			t.Errorf("after %v", time.Since(start))
		}
	})
}

func TestEmitWakesAWaitInASibling(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		emit, wait := node("tell", ir.KindEmit), node("listen", ir.KindWait)
		emit.Emit = &ir.Emit{Event: set("news"), With: pairs("url", "{{vars.url}}")}
		wait.Wait = &ir.Wait{Event: set("news"), Timeout: set("1m")}
		r := play(t, Options{Vars: map[string]any{"url": "u"}, Program: program(router("r", ir.ModeFanOutAll),
			wait, emit, collects(compute("join", "got", "outputs.listen.url"), "wait_all"),
			edge("r", "listen"), edge("r", "tell"), edge("listen", "join"), edge("tell", "join"), edge("join", "done"))})
		wantStatus(t, r, outcome.Finished, "")
		wantOutput(t, r, "join", `{"got":"u"}`)
	})
}

type brokenStore struct{ store.Memory }

func (*brokenStore) Append(string, ...Event) error { return errors.New("disk full") }

func TestAStoreThatFailsEndsTheRun(t *testing.T) {
	_, err := Run(t.Context(), Options{Store: &brokenStore{}, Program: program(shellTool("a", "true"), edge("a", "done"))})
	if err == nil || !strings.Contains(err.Error(), "disk full") {
		t.Fatalf("got %v", err)
	}
}

func TestARunIDIsUsedOnce(t *testing.T) {
	o := Options{Store: &store.Memory{}, RunID: "r", Program: program(compute("a", "x", "1"), edge("a", "done"))}
	play(t, o)
	if _, err := Run(t.Context(), o); err == nil {
		t.Fatal("the second run started")
	}
}
