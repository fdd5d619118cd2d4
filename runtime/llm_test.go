package runtime

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"iterion/ir"
	"iterion/ir/outcome"
	"iterion/runtime/backend"
	"iterion/runtime/store"
)

// ask runs one agent against a fake model.
func ask(t *testing.T, f *fake, n *ir.Node, parts ...any) (Result, *store.Memory) {
	t.Helper()
	s := &store.Memory{}
	clock := func() time.Time { return time.Unix(0, 0) }
	p := program(append([]any{n, edge(n.ID, "done")}, parts...)...)
	return play(t, Options{Store: s, Clock: clock, Backends: f.find, Program: p, Vars: map[string]any{"who": "you", "list": []any{1}}}), s
}

func TestAgentText(t *testing.T) {
	f := &fake{turns: map[string][]turn{"a": {{text: "hello", usage: backend.Usage{InputTokens: 10, OutputTokens: 5}}}}}
	n, prompt := agent("a", "To {{vars.who}}: {{vars.list}} {{vars.gone}}")
	n.LLM.Model = str("{{vars.who}}/m")
	r, _ := ask(t, f, n, prompt)
	wantStatus(t, r, outcome.Finished, "")
	wantOutput(t, r, "a", `{"_backend":"fake","_duration_ms":0,"_model":"you/m","_session_id":"r/a/1","text":"hello"}`)
	task := f.tasks[0]
	if task.User != "To you: [1] {{vars.gone}}" || task.Tools.Declared || task.Schema != nil || task.Visit != 1 {
		t.Errorf("task %+v", task)
	}
	if u := r.State.Usage; u.Tokens != 15 || u.Unpriced != 1 || u.Iterations != 1 {
		t.Errorf("usage %+v", u)
	}
}

func TestAPanicFailsTheNode(t *testing.T) {
	f := &fake{turns: map[string][]turn{"a": {{panics: true}}}}
	n, prompt := agent("a", "")
	r, _ := ask(t, f, n, prompt)
	wantStatus(t, r, outcome.FailedResumable, outcome.ExecutionFailed)
	if want := "internal error: a broken backend"; r.FailedNode != "a" || !strings.Contains(r.Error, want) {
		t.Errorf("node %s failed with %q, want %q", r.FailedNode, r.Error, want)
	}
}

func TestASchemaMissIsAskedOnceMore(t *testing.T) {
	good := turn{output: map[string]any{"ok": true, "n": 2.0, "extra": "kept"}}
	for _, c := range []struct {
		name  string
		turns []turn
		code  outcome.Code
		asked int
	}{
		{"fits", []turn{good}, "", 1},
		{"JSON as text", []turn{{text: `{"ok": true, "n": 2, "extra": "kept"}`}}, "", 1},
		{"text, then fits", []turn{{text: "fine"}, good}, "", 2},
		{"a field is missing, then fits", []turn{{output: map[string]any{"ok": true}}, good}, "", 2},
		{"missing twice", []turn{{text: "fine"}, {text: "fine"}, good}, outcome.SchemaValidation, 2},
		{"a wrong type is final", []turn{{output: map[string]any{"ok": "yes", "n": 1}}, good}, outcome.SchemaValidation, 1},
		{"no turn left", nil, outcome.ScriptExhausted, 1},
	} {
		f := &fake{turns: map[string][]turn{"a": c.turns}}
		n, prompt := agent("a", "")
		r, _ := ask(t, f, output(n, "s"), prompt, schema("s", "ok", "bool", "n", "int"))
		if r.FailureCode != c.code || len(f.tasks) != c.asked {
			t.Errorf("%s: %s (%s) after %d calls", c.name, r.FailureCode, r.Error, len(f.tasks))
		}
		if c.code == "" {
			wantOutput(t, r, "a", `{"_backend":"fake","_duration_ms":0,"_session_id":"r/a/1","extra":"kept","n":2,"ok":true}`)
		}
		if c.asked == 2 && (f.tasks[1].Repair == "" || !f.tasks[1].Session.Resumed || f.tasks[1].Session.ID != "r/a/1") {
			t.Errorf("%s: the second call does not go on with the first: %+v", c.name, f.tasks[1].Session)
		}
	}
}

func TestPassingFailuresAreTriedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		limited := turn{err: &backend.Error{Code: outcome.RateLimited, Message: "slow down", RetryAfter: 20 * time.Second}}
		f := &fake{turns: map[string][]turn{"a": {limited, {text: "ok"}}}}
		n, prompt := agent("a", "")
		start := time.Now()
		r, s := ask(t, f, n, prompt)
		wantStatus(t, r, outcome.Finished, "")
		if d := time.Since(start); d != 20*time.Second {
			t.Errorf("waited %v", d)
		}
		if retries := only(t, s, outcome.LLMRetry); len(retries) != 1 || retries[0]["failure_code"] != "RATE_LIMITED" {
			t.Errorf("retries %v", retries)
		}
		f = &fake{turns: map[string][]turn{"a": {limited, limited, limited, limited, {text: "ok"}}}}
		r, _ = ask(t, f, n, prompt)
		wantStatus(t, r, outcome.FailedResumable, outcome.RateLimited)
		f = &fake{turns: map[string][]turn{"a": {{err: backend.Errorf(outcome.AuthFailed, "no key")}, {text: "ok"}}}}
		r, _ = ask(t, f, n, prompt)
		wantStatus(t, r, outcome.FailedResumable, outcome.AuthFailed)
	})
}

func TestAgentTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{turns: map[string][]turn{"a": {{block: true}}}}
		n, prompt := agent("a", "")
		n.LLM.Timeout = set("2m")
		r, _ := ask(t, f, n, prompt)
		wantStatus(t, r, outcome.FailedResumable, outcome.Timeout)
	})
}

func TestMissingBackendIsNamed(t *testing.T) {
	n, prompt := agent("a", "")
	n.LLM.Backend = str("codex")
	r := play(t, Options{Program: program(n, prompt, edge("a", "done"))})
	wantStatus(t, r, outcome.FailedResumable, outcome.Unsupported)
	if r.Error != "this build has no backend codex, which a asks for" {
		t.Errorf("error %q", r.Error)
	}
}

func TestPersistGoesOnWithItsSession(t *testing.T) {
	f := &fake{turns: map[string][]turn{"a": {{text: "1"}, {text: "2"}}}}
	n, prompt := agent("a", "")
	n.LLM.Session = set("persist")
	ask(t, f, n, prompt, edge("a", "a", loop("l", 1)), cycle("l", "a", "a"))
	if len(f.tasks) != 2 || f.tasks[0].Session.From != "" || f.tasks[1].Session.From != "r/a/1" || f.tasks[1].Visit != 2 {
		t.Errorf("%d tasks, sessions %+v", len(f.tasks), f.tasks[1].Session)
	}
}

func TestModelRouter(t *testing.T) {
	build := func(multi bool) *ir.Program {
		r := router("r", ir.ModeLLM)
		r.Router.Multi = set(multi)
		return program(r, compute("a", "x", "outputs.r.reasoning"), compute("b", "x", "1"),
			collects(compute("join", "x", "1"), "wait_all"),
			edge("r", "a"), edge("r", "b"), edge("a", "join"), edge("b", "join"), edge("join", "done"))
	}
	one := func(route any) turn { return turn{output: map[string]any{"selected_route": route, "reasoning": "why"}} }
	many := func(routes ...any) turn {
		return turn{output: map[string]any{"selected_routes": routes, "reasoning": "why"}}
	}
	for _, c := range []struct {
		name  string
		multi bool
		turns []turn
		path  string
		code  outcome.Code
	}{
		{"one", false, []turn{one("a")}, "r a join", ""},
		{"unknown, then known", false, []turn{one("c"), one("b")}, "r b join", ""},
		{"unknown twice", false, []turn{one("c"), one("c")}, "r", outcome.SchemaValidation},
		{"several", true, []turn{many("b", "a")}, "r a@branch_r_a b@branch_r_b join", ""},
		{"one of several", true, []turn{many("b")}, "r b join", ""},
	} {
		f := &fake{turns: map[string][]turn{"r": c.turns}}
		s := &store.Memory{}
		r := play(t, Options{Store: s, Backends: f.find, Program: build(c.multi)})
		if got := path(t, s); got != c.path || r.FailureCode != c.code {
			t.Errorf("%s: %s, %s (%s)", c.name, got, r.FailureCode, r.Error)
		}
	}
}

func TestCursorsJoinTheSystemPrompt(t *testing.T) {
	depth, tone := &ir.Cursor{Values: pairs("low", "Be brief.", "high", "Be deep.")}, &ir.Cursor{Bands: pairs("0..0.5", "Be dry.", "0.6..1", "Be warm.")}
	depth.Name, tone.Name = "depth", "tone"
	n, prompt := agent("a", "")
	n.LLM.Cursors = &ir.CursorUse{Settings: pairs("tone", "${TONE:-0.7}", "depth", "0.9").V}
	f := &fake{turns: map[string][]turn{"a": {{text: "ok"}}}}
	p := program(n, prompt, edge("a", "done"))
	p.Cursors = []*ir.Cursor{depth, tone}
	play(t, Options{Backends: f.find, Program: p, Env: []string{}})
	if got := f.tasks[0].System; got != "\n\n## How to work\n\n- Be deep.\n- Be warm." {
		t.Errorf("system %q", got)
	}
}
