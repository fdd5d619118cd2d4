package scripted_test

import (
	"context"
	"fmt"
	"path/filepath"
	"reflect"
	"testing"

	"iterion/backends/claw"
	"iterion/backends/scripted"
	"iterion/ir/outcome"
	"iterion/runtime/backend"
)

// talkative is a model of no script, with turns of every kind.
type talkative struct{}

func (talkative) Turn(_ context.Context, r backend.Request) (backend.Turn, error) {
	id := func(n int) string { return fmt.Sprintf("call_%d_%d", r.Number, n) }
	switch {
	case r.Agent != "":
		return backend.Turn{Text: "found by " + r.Agent}, nil
	case r.Number == 1:
		return backend.Turn{Text: "Looking.", Usage: backend.Usage{InputTokens: 9, OutputTokens: 1}, Calls: []backend.Call{
			{ID: id(1), Tool: "agent", Input: `{"description":"look","prompt":"look"}`}, {ID: id(2), Tool: "agent", Input: `{`},
			{ID: id(3), Tool: "agent", Input: `{"prompt": "again", "description": ""}`},
		}}, nil
	case r.Number == 2:
		return backend.Turn{}, &backend.Error{Code: outcome.RateLimited, Message: "slow down"}
	}
	return backend.Turn{Calls: []backend.Call{{ID: id(1), Tool: "structured_output", Input: `{"ok":true}`}}, Model: "m/x"}, nil
}

func (talkative) Window(string) int64        { return 0 }
func (talkative) Priced(string, string) bool { return true }

// sink keeps the conversation.
type sink struct {
	turns []backend.Turn
	said  []backend.Message
}

func (s *sink) Turn(t backend.Turn) error {
	s.turns = append(s.turns, t)
	if t.Err == nil && t.Agent == "" {
		s.said = append(s.said, backend.Message{Role: backend.Model, Text: t.Text, Calls: t.Calls})
	}
	return nil
}

func (s *sink) End(c backend.Call, r backend.CallResult) error {
	s.said = append(s.said, backend.Message{Role: backend.Tool, CallID: c.ID, Text: r.Text, Failed: r.Failed})
	return nil
}

func (s *sink) Event(outcome.EventType, map[string]any)    {}
func (s *sink) Opened(string, string) error                { return nil }
func (s *sink) Say(string) error                           { return nil }
func (s *sink) Begin(backend.Call, backend.Decision) error { return nil }
func (s *sink) More(context.Context) ([]string, error)     { return nil, nil }
func (s *sink) Ask(context.Context, backend.Question) (backend.Answer, error) {
	return backend.Answer{}, backend.ErrUnanswered
}

// run carries out a task, again after a failure.
func run(t *testing.T, m backend.LanguageModel) (*sink, backend.Result) {
	t.Helper()
	task := backend.Task{NodeID: "n", BranchID: "b1", Visit: 2, User: "do it", Schema: map[string]any{"type": "object"}}
	task.Tools = backend.Tools{Declared: true, Names: []string{"agent"}}
	s := &sink{said: []backend.Message{{Role: backend.User, Text: "do it"}}}
	for {
		task.Session.Transcript = s.said
		result, err := claw.New(m, nil).Run(t.Context(), task, s)
		if err == nil {
			return s, result
		}
		if task.Session.Resumed {
			t.Fatal(err)
		}
		task.Session.Resumed, task.Turns = true, 2
	}
}

// A recorded run is replayed turn by turn, subagents and failures included.
func TestARunIsReplayed(t *testing.T) {
	rec := scripted.NewRecorder(talkative{}, nil)
	first, result := run(t, rec)
	if result.Output["ok"] != true || len(first.turns) != 5 || len(first.said) != 7 {
		t.Fatalf("%+v, %d turns, %+v", result, len(first.turns), first.said)
	}
	path := filepath.Join(t.TempDir(), "run.yaml")
	if err := rec.Write(path); err != nil {
		t.Fatal(err)
	}
	script, err := scripted.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	again, replayed := run(t, scripted.New(script))
	if !reflect.DeepEqual(again, first) || !reflect.DeepEqual(replayed, result) {
		t.Errorf("%+v\nwas %+v", again, first)
	}
}
