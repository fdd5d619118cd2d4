package main

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"iterion/ir/outcome"
	"iterion/runtime"
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
	l := &live{out: &out, width: 60, now: func() time.Time { return noon.Add(3 * time.Second) }}
	expect := func(what, want string) {
		t.Helper()
		l.draw()
		if got := out.String(); got != want {
			t.Errorf("%s: got %q, want %q", what, got, want)
		}
		out.Reset()
	}
	l.event(eventAt(0, outcome.RunStarted, "", "", nil))
	l.event(eventAt(0, outcome.NodeStarted, "a", "", nil))
	expect("start", "• a  3.0s\n")
	l.event(eventAt(time.Second, outcome.NodeStarted, "b", "b1", nil))
	expect("second", "\x1b[1A\x1b[J• a  3.0s\n• b@b1  2.0s\n")
	l.event(eventAt(2*time.Second, outcome.NodeFinished, "a", "", map[string]any{"output": map[string]any{"x": strings.Repeat("y", 90)}}))
	expect("end", "\x1b[2A\x1b[J✓ a  2.0s  {\"x\":\""+strings.Repeat("y", 41)+"…\n• b@b1  2.0s\n")
	l.hold()
	expect("hold", "\x1b[1A\x1b[J")
	l.event(eventAt(3*time.Second, outcome.BranchFinished, "b", "b1", map[string]any{"failure_code": "TIMEOUT", "error": "slow\x1b"}))
	expect("held", "")
	l.release()
	expect("release", "✗ b@b1  2.0s  TIMEOUT: slow\\u001b\n")
	l.event(eventAt(4*time.Second, outcome.RunFinished, "", "", nil))
	expect("finished", "✓ finished  4.0s\n")
	for range 15 {
		l.alive = append(l.alive, atWork{"n", noon})
	}
	l.draw()
	if got := out.String(); strings.Count(got, "\n") != mostAlive+1 || !strings.Contains(got, "… and 5 more") {
		t.Errorf("a long list: %q", got)
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
