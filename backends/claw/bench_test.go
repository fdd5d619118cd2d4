package claw

import (
	"context"
	"testing"

	"iterion/ir/gate"
	"iterion/ir/outcome"
	"iterion/runtime/backend"
	"iterion/runtime/toolrun"
)

// idle is a model, a sink and tools that cost next to nothing.
type idle struct{ turns int64 }

func (m idle) Turn(_ context.Context, r backend.Request) (backend.Turn, error) {
	if r.Number > m.turns {
		return backend.Turn{Text: "done"}, nil
	}
	return backend.Turn{Calls: []backend.Call{{ID: "c", Tool: "bash", Input: `{"command":"git diff"}`}}}, nil
}
func (idle) Window(string) int64                        { return 200_000 }
func (idle) Priced(string, string) bool                 { return true }
func (idle) Event(outcome.EventType, map[string]any)    {}
func (idle) Opened(string, string) error                { return nil }
func (idle) Say(string) error                           { return nil }
func (idle) More(context.Context) ([]string, error)     { return nil, nil }
func (idle) Begin(backend.Call, backend.Decision) error { return nil }
func (idle) End(backend.Call, backend.CallResult) error { return nil }
func (idle) Ask(context.Context, backend.Question) (backend.Answer, error) {
	return backend.Answer{}, backend.ErrUnanswered
}
func (idle) Run(context.Context, gate.Permit, backend.Call) backend.CallResult {
	return backend.CallResult{Text: "ok"}
}

type idleSink struct{ idle }

func (idleSink) Turn(backend.Turn) error { return nil }

// BenchmarkTurn is a task of one turn with one allowed call and its last turn.
func BenchmarkTurn(b *testing.B) { benchmark(b, 1) }

// BenchmarkLongTask is a task of fifty such turns; its cost a turn grows with the
// conversation.
func BenchmarkLongTask(b *testing.B) { benchmark(b, 50) }

func benchmark(b *testing.B, turns int64) {
	rule, err := gate.ParseRule("Bash(git:*)")
	if err != nil {
		b.Fatal(err)
	}
	level := gate.Level{Mode: "deny"}
	level.Lists[gate.AllowList] = []gate.Rule{rule}
	policy, err := gate.Resolve(gate.Levels{Node: level})
	if err != nil {
		b.Fatal(err)
	}
	m := idle{turns}
	claw := New(m, nil)
	claw.execute = func(toolrun.Options) runner { return m }
	task := backend.Task{NodeID: "n", Visit: 1, User: "do it", Policy: policy.Arm("/w", "")}
	task.Tools = backend.Tools{Declared: true, Names: []string{"bash"}}
	task.Session.Transcript = []backend.Message{{Role: backend.User, Text: "do it"}}
	b.ReportAllocs()
	for b.Loop() {
		if got, err := claw.Run(b.Context(), task, idleSink{m}); err != nil || got.Text != "done" {
			b.Fatal(got, err)
		}
	}
}
