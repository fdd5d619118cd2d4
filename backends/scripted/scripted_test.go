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
nodes:
  reviewer:
    - { text: "hm", usage: { input_tokens: 900, output_tokens: 40 } }
    - output: { approved: true, rounds: 2 }
  "reviewer#2":
    - output: { approved: false }
  "reviewer@branch_fan_b1":
    - text: "in the branch"
  flaky:
    - error: { code: RATE_LIMITED, message: "slow down", retry_after: 3s }
    - { delay: 200ms, text: "done" }
`

type sink struct{ tokens int64 }

func (s *sink) Event(outcome.EventType, map[string]any) {}
func (s *sink) Turn(u backend.Usage)                    { s.tokens += u.Tokens() }
func (s *sink) More(context.Context) error              { return nil }

func open(t *testing.T) *Backend {
	t.Helper()
	script, err := Parse([]byte(sample))
	if err != nil {
		t.Fatal(err)
	}
	return New(script)
}

func TestTurnsGoOnWithinAVisit(t *testing.T) {
	b, s := open(t), &sink{}
	task := backend.Task{RunID: "r", NodeID: "reviewer", Visit: 1}
	first, err := b.Run(t.Context(), task, s)
	if err != nil || first.Text != "hm" || s.tokens != 940 {
		t.Fatalf("turn 1: %+v, %v, %d tokens", first, err, s.tokens)
	}
	second, err := b.Run(t.Context(), task, s)
	if err != nil || second.Output["approved"] != true {
		t.Fatalf("turn 2: %+v, %v", second, err)
	}
	_, err = b.Run(t.Context(), task, s)
	var failure *backend.Error
	if !errors.As(err, &failure) || failure.Code != outcome.ScriptExhausted {
		t.Fatalf("turn 3: %v", err)
	}
	if want := "the script has no turn 3 for node reviewer (visit 1)"; failure.Message != want {
		t.Errorf("message %q", failure.Message)
	}
}

func TestTheMostExactKeyCounts(t *testing.T) {
	for _, c := range []struct {
		branch string
		visit  int64
		text   string
		output any
	}{
		{"", 1, "hm", nil},
		{"", 2, "", false},
		{"", 3, "hm", nil},
		{"branch_fan_b1", 1, "in the branch", nil},
		{"branch_fan_b1", 2, "in the branch", nil},
		{"branch_fan_b2", 2, "", false},
	} {
		got, err := open(t).Run(t.Context(), backend.Task{NodeID: "reviewer", BranchID: c.branch, Visit: c.visit}, &sink{})
		if err != nil || got.Text != c.text || got.Output["approved"] != c.output {
			t.Errorf("%s visit %d: %+v, %v", c.branch, c.visit, got, err)
		}
	}
}

func TestErrorThenDelay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := open(t)
		task := backend.Task{NodeID: "flaky", Visit: 1}
		_, err := b.Run(t.Context(), task, &sink{})
		var failure *backend.Error
		if !errors.As(err, &failure) || failure.Code != outcome.RateLimited || failure.RetryAfter != 3*time.Second {
			t.Fatalf("turn 1: %v", err)
		}
		start := time.Now()
		got, err := b.Run(t.Context(), task, &sink{})
		if err != nil || got.Text != "done" || time.Since(start) != 200*time.Millisecond {
			t.Fatalf("turn 2: %+v, %v after %v", got, err, time.Since(start))
		}
	})
}

func TestADelayEndsWithTheContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := open(t)
		task := backend.Task{NodeID: "flaky", Visit: 1}
		b.Run(t.Context(), task, &sink{})
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		if _, err := b.Run(ctx, task, &sink{}); !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("got %v", err)
		}
	})
}

func TestUnknownNodeIsNamed(t *testing.T) {
	_, err := open(t).Run(t.Context(), backend.Task{NodeID: "other", Visit: 1}, &sink{})
	if err == nil || !strings.Contains(err.Error(), "SCRIPT_EXHAUSTED: the script has no entry for node other") {
		t.Fatalf("got %v", err)
	}
}

func TestBrokenScripts(t *testing.T) {
	for text, want := range map[string]string{
		"nodes: { a: [ { tools: [ { name: bash } ] } ] }": "node a, turn 1: tool calls are not available in this build",
		"nodes: { a: [ { delay: soon } ] }":               "node a, turn 1: delay:",
		"nodes: { a: [ { delay: -1s } ] }":                "-1s is negative",
		"nodes: { a: [ { txt: hi } ] }":                   `unknown field "txt"`,
		"nodes: [":                                        "the script cannot be read",
	} {
		if _, err := Parse([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
	if _, err := Parse([]byte(`{"nodes": {"a": [{"text": "json"}]}}`)); err != nil {
		t.Errorf("JSON: %v", err)
	}
}
