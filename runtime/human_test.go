package runtime

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"iterion/ir"
	"iterion/ir/outcome"
	"iterion/runtime/store"
)

func person(id string) (*ir.Node, *ir.Prompt) {
	n := output(node(id, ir.KindHuman), "form")
	n.Human = &ir.Human{Instructions: set(ir.PromptUse{Name: id + "_ask"})}
	p := &ir.Prompt{Text: ir.PlainText("Is {{vars.what}} right?")}
	p.Name = id + "_ask"
	return n, p
}

var form = []string{"ok", "bool", "n", "int", "tags", "string[]", "why", "string"}

func TestAPersonAnswers(t *testing.T) {
	n, prompt := person("h")
	s := &store.Memory{}
	r := play(t, Options{Store: s, Vars: map[string]any{"what": "it"},
		Asker:   Answers{"h": {"ok": "true", "n": "3", "tags": "a, b", "why": "because", "more": 1}},
		Program: program(n, prompt, schema("form", form...), edge("h", "done", whenField("ok")), edge("h", "fail"))})
	wantStatus(t, r, outcome.Finished, "")
	wantOutput(t, r, "h", `{"more":1,"n":3,"ok":true,"tags":["a","b"],"why":"because"}`)
	asked := only(t, s, outcome.HumanInputRequested)
	if len(asked) != 1 || asked[0]["instructions"] != "Is it right?" || asked[0]["interaction_id"] != "r/h/1" {
		t.Errorf("asked %v", asked)
	}
	if got := only(t, s, outcome.HumanAnswersRecorded); len(got) != 1 || got[0]["interaction_id"] != "r/h/1" {
		t.Errorf("recorded %v", got)
	}
}

func TestWithoutAnAnswerTheRunPauses(t *testing.T) {
	for name, asker := range map[string]Asker{
		"nobody": nil,
		"silent": Answers{},
		"wrong":  Answers{"h": {"ok": "perhaps", "n": "1", "tags": "", "why": "x"}},
	} {
		n, prompt := person("h")
		s := &store.Memory{}
		r := play(t, Options{Store: s, Asker: asker, Program: program(n, prompt, schema("form", form...), edge("h", "done"))})
		if r.Status != outcome.PausedHuman || len(r.Waiting) != 1 || r.Waiting[0].NodeID != "h" || len(r.Waiting[0].Fields) != 4 {
			t.Errorf("%s: %s, waiting %+v", name, r.Status, r.Waiting)
		}
		if p := only(t, s, outcome.RunPaused); len(p) != 1 || p[0]["status"] != "paused_waiting_human" {
			t.Errorf("%s: paused %v", name, p)
		}
	}
}

func TestSiblingsOfAParkedBranchGoOn(t *testing.T) {
	n, prompt := person("h")
	s := &store.Memory{}
	r := play(t, Options{Store: s, Program: program(router("fan", ir.ModeFanOutAll), n, prompt,
		compute("a", "x", "1"), compute("b", "x", "2"), schema("form", form...), collects(compute("join", "x", "1"), "wait_all"),
		edge("fan", "h"), edge("fan", "a"), edge("a", "b"), edge("h", "join"), edge("b", "join"), edge("join", "done"))})
	wantStatus(t, r, outcome.PausedHuman, "")
	if got := path(t, s); got != "fan h@branch_fan_h a@branch_fan_a b@branch_fan_a" {
		t.Errorf("path %s", got)
	}
}

func TestAccept(t *testing.T) {
	s := schema("form", form...)
	s.Fields[3].Enum = words("x", "y")
	for _, c := range []struct {
		given map[string]any
		min   int64
		err   string
	}{
		{map[string]any{"ok": true, "n": 1, "tags": []string{"t"}, "why": "x"}, 0, ""},
		{map[string]any{"ok": "true", "n": "1", "tags": `["t"]`, "why": "y"}, 0, ""},
		{map[string]any{"ok": "true", "why": "y"}, 0, "n is missing; tags is missing"},
		{map[string]any{"ok": "true", "why": "y"}, 2, ""},
		{map[string]any{"ok": "true"}, 2, "2 answers are needed, 1 given"},
		{map[string]any{"ok": "no", "n": "x", "tags": "", "why": "z"}, 0, `ok: "no" is no bool: write true or false; n: "x" is no int; why must be one of x, y, not "z"`},
	} {
		_, err := Accept(Question{Fields: s.Fields, MinAnswers: c.min}, c.given)
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != c.err {
			t.Errorf("%v: %q, want %q", c.given, got, c.err)
		}
	}
}

func TestAPersonsTimeDoesNotCount(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, prompt := person("h")
		r := play(t, Options{Asker: slowAsker{}, Program: program(n, prompt, schema("form", "ok", "bool"),
			compute("b", "spent", "run.elapsed_seconds"), edge("h", "b"), edge("b", "done"), &ir.Budget{MaxDuration: str("1m")})})
		wantStatus(t, r, outcome.Finished, "")
		wantOutput(t, r, "b", `{"spent":0}`)
	})
}

type slowAsker struct{}

func (slowAsker) Ask(context.Context, Question) (map[string]any, bool, error) {
	time.Sleep(time.Hour)
	return map[string]any{"ok": true}, true, nil
}

func TestNodesSeeTheirPoolLease(t *testing.T) {
	a := compute("a", "got", "_lease_box")
	a.Needs = words("box")
	pool := ir.Resource{Members: words("red", "blue")}
	pool.Name = "box"
	r := play(t, Options{Program: program(a, edge("a", "done"), pool)})
	wantOutput(t, r, "a", `{"_lease_box":"red","got":"red"}`)
}
