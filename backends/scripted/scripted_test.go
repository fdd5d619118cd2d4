package scripted

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"iterion/ir/outcome"
	"iterion/runtime/backend"
)

const sample = `
window: 1000
nodes:
  reviewer:
    - { text: "hm", usage: { input_tokens: 900, output_tokens: 40 } }
    - output: { approved: true, rounds: 2 }
  "reviewer#2":
    - output: { approved: false }
  "reviewer@branch_fan_b1":
    - text: "in the branch"
  "reviewer@branch_fan_b1#2":
    - text: "in the branch again"
  reviewer/agent:
    - text: "any subagent"
  "reviewer/agent#2":
    - text: "the second"
  "reviewer#2/agent":
    - text: "of the second visit"
  flaky:
    - error: { code: RATE_LIMITED, message: "slow down", retry_after: 3s }
    - { delay: 200ms, text: "done" }
  worker:
    - text: "Looking."
      model: "m/one"
      tools:
        - { name: bash, input: { command: "git <diff>", timeout: 5 } }
        - { name: bash, input_json: '{"command":' }
        - { name: todo_write }
      output: { ok: yes }
`

func model(t *testing.T, text string) *Model {
	t.Helper()
	script, err := Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return New(script)
}

// Which turn comes is told by the request alone: any process gives the same.
func TestTurnsByTheirNumber(t *testing.T) {
	r := backend.Request{NodeID: "reviewer", Visit: 1, Number: 2, Schema: map[string]any{}}
	second, err := model(t, sample).Turn(t.Context(), r)
	if err != nil || len(second.Calls) != 1 || second.Calls[0] != (backend.Call{ID: "call_2_1", Tool: "structured_output", Input: `{"approved":true,"rounds":2}`}) {
		t.Fatalf("turn 2: %+v, %v", second, err)
	}
	r.Number = 1
	if first, err := model(t, sample).Turn(t.Context(), r); err != nil || first.Text != "hm" || first.Usage.Tokens() != 940 || first.Usage.CostUSD != nil {
		t.Fatalf("turn 1: %+v, %v", first, err)
	}
	for number, want := range map[int64]string{
		3: "the script has no turn 3 for node reviewer (visit 1)", 0: "the script has no turn 0 for node reviewer (visit 1)",
	} {
		r.Number = number
		_, err := model(t, sample).Turn(t.Context(), r)
		var failure *backend.Error
		if !errors.As(err, &failure) || failure.Code != outcome.ScriptExhausted || failure.Message != want {
			t.Errorf("turn %d: %v", number, err)
		}
	}
}

func TestTheMostExactKeyCounts(t *testing.T) {
	for _, c := range []struct {
		branch string
		visit  int64
		agent  string
		want   string
	}{
		{"", 1, "", "hm"},
		{"", 2, "", "output"},
		{"", 3, "", "hm"},
		{"branch_fan_b1", 1, "", "in the branch"},
		{"branch_fan_b1", 2, "", "in the branch again"},
		{"branch_fan_b2", 2, "", "output"},
		{"", 1, "1", "any subagent"},
		{"", 1, "2", "the second"},
		{"", 2, "1", "of the second visit"},
		{"", 2, "2", "the second"},
		{"branch_fan_b1", 1, "1", "any subagent"},
	} {
		r := backend.Request{NodeID: "reviewer", BranchID: c.branch, Visit: c.visit, Agent: c.agent, Number: 1, Schema: map[string]any{}}
		got, err := model(t, sample).Turn(t.Context(), r)
		if len(got.Calls) > 0 {
			got.Text = "output"
		}
		if err != nil || got.Text != c.want {
			t.Errorf("%+v: %q, %v", c, got.Text, err)
		}
	}
}

func TestCallsAreGivenAsJSON(t *testing.T) {
	r := backend.Request{NodeID: "worker", Visit: 1, Number: 1, Schema: map[string]any{}}
	got, err := model(t, sample).Turn(t.Context(), r)
	want := []backend.Call{
		{ID: "call_1_1", Tool: "bash", Input: `{"command":"git <diff>","timeout":5}`}, {ID: "call_1_2", Tool: "bash", Input: `{"command":`},
		{ID: "call_1_3", Tool: "todo_write", Input: `{}`}, {ID: "call_1_4", Tool: "structured_output", Input: `{"ok":"yes"}`},
	}
	if err != nil || got.Text != "Looking." || got.Model != "m/one" || len(got.Calls) != len(want) {
		t.Fatalf("%+v, %v", got, err)
	}
	for i := range want {
		if got.Calls[i] != want[i] {
			t.Errorf("call %d: %+v, want %+v", i+1, got.Calls[i], want[i])
		}
	}
	r.Schema = nil
	if _, err := model(t, sample).Turn(t.Context(), r); err == nil || !strings.Contains(err.Error(), "turn 1 of node worker in the script gives an output") {
		t.Errorf("an output that nobody asked for: %v", err)
	}
}

func TestErrorThenDelay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, r := model(t, sample), backend.Request{NodeID: "flaky", Visit: 1, Number: 1}
		_, err := m.Turn(t.Context(), r)
		var failure *backend.Error
		if !errors.As(err, &failure) || failure.Code != outcome.RateLimited || failure.RetryAfter != 3*time.Second {
			t.Fatalf("turn 1: %v", err)
		}
		start := time.Now()
		r.Number = 2
		got, err := m.Turn(t.Context(), r)
		if err != nil || got.Text != "done" || time.Since(start) != 200*time.Millisecond {
			t.Fatalf("turn 2: %+v, %v after %v", got, err, time.Since(start))
		}
	})
}

func TestADelayEndsWithTheContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		r := backend.Request{NodeID: "flaky", Visit: 1, Number: 2}
		if _, err := model(t, sample).Turn(ctx, r); !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("got %v", err)
		}
	})
}

func TestUnknownNodeIsNamed(t *testing.T) {
	for want, r := range map[string]backend.Request{
		"the script has no entry for node other, so no turn 1":                   {NodeID: "other", Visit: 1, Number: 1},
		"the script has no entry for node other in b1, subagent 2, so no turn 1": {NodeID: "other", BranchID: "b1", Agent: "2", Visit: 1, Number: 1},
	} {
		_, err := model(t, sample).Turn(t.Context(), r)
		if err == nil || err.Error() != "SCRIPT_EXHAUSTED: "+want {
			t.Errorf("got %v", err)
		}
	}
}

func TestWhatAScriptTellsOfItself(t *testing.T) {
	m := model(t, sample)
	if m.Window("any") != 1000 || m.Priced("reviewer", "") || !m.Priced("worker", "") || !m.Priced("flaky", "") {
		t.Errorf("window %d, prices %v", m.Window("any"), m.Priced("reviewer", ""))
	}
	for key, node := range map[string]string{
		"a": "a", "a#2": "a", "a@b": "a", "a@b#2": "a", "a/agent": "a", "a@b#2/agent#3": "a", "g.a/agent#1": "g.a", "a/agents": "a/agents",
	} {
		if Node(key) != node {
			t.Errorf("%s is about %s, want %s", key, Node(key), node)
		}
	}
}

func TestBrokenScripts(t *testing.T) {
	for text, want := range map[string]string{
		"nodes:\n  a:\n    - { tools: [ { nam: bash } ] }":                          `[3:20] unknown field "nam"`,
		"nodes:\n  a:\n    - { tools: [ { input: { a: 1 } } ] }":                    "[3:7] node a, turn 1: tool call 1: it has no name",
		"nodes:\n  a: [ { text: x }, { delay: soon } ]":                             "node a, turn 2: delay:",
		"nodes:\n  'a@b#2': [ { delay: -1s } ]":                                     "[2:14] node a@b#2, turn 1: delay: -1s is negative",
		"nodes: { a: [ { txt: hi } ] }":                                             `unknown field "txt"`,
		"nodes: { a: [ { text: hi, text: ho } ] }":                                  "already defined",
		"nodes: { a: [ { text: hi } ], a: [] }":                                     "already defined",
		"nodes: { a: [ { error: { code: RATE_LIMTED } } ] }":                        "RATE_LIMTED is no failure code",
		"nodes: { a: [ { error: { retry_after: x } } ] }":                           "error: retry_after:",
		"nodes: { a: [ { error: {}, text: hi } ] }":                                 "a turn that fails gives nothing else",
		"nodes: { a: [ { usage: { input_tokens: -1 } } ] }":                         "usage: a figure is negative",
		"nodes: { a: [ { tools: [ { name: x, input: [1] } ] } ] }":                  "[1:",
		"nodes: { a: [ { tools: [ { name: x, input: { a: .nan } } ] } ] }":          "tool call 1: input:",
		"nodes: { a: [ { tools: [ { name: x, input: {}, input_json: '{}' } ] } ] }": "it has input and input_json",
		"nodes: { a: [ { output: hi } ] }":                                          "[1:",
		"window: -1":                                                                "window: -1 is negative",
		"nodes: {}\n---\nnodes: {}":                                                 "more than one document",
		"nodes: [":                                                                  "the script cannot be read",
	} {
		if _, err := Parse([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
	for _, text := range []string{`{"nodes": {"a": [{"text": "json"}]}}`, "", "nodes:\n  a: &turns\n    - text: x\n  b: *turns\n"} {
		if _, err := Parse([]byte(text)); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}
