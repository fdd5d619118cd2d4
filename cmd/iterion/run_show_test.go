package main

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"iterion/ir"
	"iterion/ir/outcome"
	"iterion/runtime"
	"iterion/runtime/trace"
)

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

func eventAt(after time.Duration, kind outcome.EventType, node, branch string, data map[string]any) runtime.Event {
	return runtime.Event{Seq: 1, Time: noon.Add(after), Type: kind, RunID: "r", NodeID: node, BranchID: branch, Data: data}
}

func TestEventLine(t *testing.T) {
	for want, e := range map[string]runtime.Event{
		`12:00:00.000 run_started entry="a" vars={"n":1}`: eventAt(0, outcome.RunStarted, "", "",
			map[string]any{"vars": map[string]any{"n": int64(1)}, "entry": "a", "inputs": map[string]any{}}),
		`12:00:00.250 node_finished a@b1 output={"s":"<x> \u202e \u001b"}`: eventAt(250*time.Millisecond, outcome.NodeFinished, "a", "b1",
			map[string]any{"output": map[string]any{"s": "<x> \u202e \x1b"}}),
	} {
		if got := eventLine(e); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
	long := eventLine(eventAt(0, outcome.NodeFinished, "a", "", map[string]any{"output": strings.Repeat("ä", 1000)}))
	if n := len([]rune(long)); n > 220 {
		t.Errorf("a line of %d characters", n)
	}
}

// The list of nodes at work is taken off the screen before anything is printed
// above it, and while a question is asked.
func TestLive(t *testing.T) {
	var out bytes.Buffer
	l := &live{
		out: &out, width: func() int { return 60 }, now: func() time.Time { return noon.Add(3 * time.Second) },
		state: runtime.NewState(), trace: trace.New(),
	}
	expect := func(what, want string) {
		t.Helper()
		l.draw()
		if got := out.String(); got != clipLines+want+wrapLines && got != want {
			t.Errorf("%s: got %q, want %q", what, got, want)
		}
		out.Reset()
	}
	type data = map[string]any
	l.event(eventAt(0, outcome.RunStarted, "", "", data{"entry": "a"}))
	l.event(eventAt(0, outcome.NodeStarted, "a", "", nil))
	expect("start", "• a  3.0s\n  3.0s · 1 at work · 0 done\n")
	l.event(eventAt(time.Second, outcome.NodeStarted, "b", "b1", data{"iteration": int64(2)}))
	l.event(eventAt(time.Second, outcome.LLMRequest, "b", "b1", data{"input_tokens": int64(1200), "output_tokens": int64(30)}))
	l.event(eventAt(time.Second, outcome.ToolStarted, "b", "b1", data{"call_id": "1", "tool": "bash", "call_input": "{\"c\":\"\u202e\"}", "verdict": "allow"}))
	expect("second", "\x1b[2A\x1b[J• a  3.0s\n• b@b1  round 3  2.0s  1,230 tokens  unknown  bash {\"c\":\"\\…\n  3.0s · 2 at work · 0 done · 1,230 tokens · unknown\n")
	l.event(eventAt(2*time.Second, outcome.ToolError, "b", "b1", data{"call_id": "2", "tool": "bash", "call_input": "{}", "verdict": "deny", "rule": "Bash"}))
	l.event(eventAt(2*time.Second, outcome.NodeFinished, "a", "", data{"output": data{"x": strings.Repeat("y", 90)}}))
	expect("end", "\x1b[3A\x1b[J⊘ b@b1  deny by Bash: bash {}\n✓ a  2.0s  {\"x\":\""+strings.Repeat("y", 41)+"…\n"+
		"• b@b1  round 3  2.0s  1,230 tokens  unknown  bash {\"c\":\"\\…\n  3.0s · 1 at work · 1 done · 1,230 tokens · unknown\n")
	l.hold()
	expect("hold", "\x1b[2A\x1b[J")
	l.event(eventAt(3*time.Second, outcome.BranchFinished, "b", "b1", data{"failure_code": "TIMEOUT", "error": "slow\x1b"}))
	expect("held", "")
	l.release()
	out.Reset()
	l.event(eventAt(4*time.Second, outcome.RunFinished, "", "", nil))
	expect("finished", "✓ finished  4.0s · 1 done · 1,230 tokens · unknown\n")
	for i := range 15 {
		l.event(eventAt(5*time.Second, outcome.NodeStarted, "n", fmt.Sprint(i), nil))
	}
	l.draw()
	if got := out.String(); strings.Count(got, "\n") != mostAlive+2 || !strings.Contains(got, "… and 5 more") {
		t.Errorf("a long list: %q", got)
	}
}

// A resumed run goes on with what it has used before, and its budget is shown.
func TestLiveResumed(t *testing.T) {
	var out bytes.Buffer
	l := &live{
		out: &out, width: func() int { return 80 }, now: func() time.Time { return noon.Add(time.Hour) },
		state: runtime.NewState(), trace: trace.New(),
	}
	p := &ir.Program{Workflow: &ir.Workflow{Budget: &ir.Budget{}}}
	p.Workflow.Budget.MaxTokens.V = 4000
	l.begin(p, []runtime.Event{
		eventAt(0, outcome.RunStarted, "", "", map[string]any{"entry": "a"}), eventAt(0, outcome.NodeStarted, "a", "", nil),
		eventAt(0, outcome.LLMRequest, "a", "", map[string]any{"input_tokens": int64(1000), "output_tokens": int64(0), "cost_usd": 0.5}),
		eventAt(2*time.Second, outcome.RunCancelled, "", "", nil),
	})
	l.event(eventAt(time.Hour, outcome.RunResumed, "", "", nil))
	l.event(eventAt(time.Hour, outcome.NodeStarted, "a", "", nil))
	l.draw()
	if want := "• a  0.0s\n  2.0s · 1 at work · 0 done · 1,000 tokens · $0.50 · 25 % of tokens\n"; out.String() != clipLines+want+wrapLines {
		t.Errorf("got %q", out.String())
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left") }

// A run whose events cannot be printed does not end as if all were well.
func TestWriteErrorIsKept(t *testing.T) {
	for _, opt := range []bool{true, false} {
		s := newShow(streams{out: fullDisk{}}, opt, look{})
		s.event(eventAt(0, outcome.RunStarted, "", "", nil))
		if s.close() == nil {
			t.Errorf("JSON %v: the failed write is lost", opt)
		}
	}
}
