package scripted

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"iterion/ir/outcome"
	"iterion/runtime/backend"

	"pgregory.net/rapid"
)

// answering gives the same turn to every request.
type answering struct {
	turn backend.Turn
	err  error
}

func (a answering) Turn(context.Context, backend.Request) (backend.Turn, error) { return a.turn, a.err }
func (answering) Window(string) int64                                           { return 7 }
func (answering) Priced(string, string) bool                                    { return true }

// replay records one turn, writes it, and asks the script for it.
func replay(t interface{ Fatal(...any) }, path string, m answering, r backend.Request) (backend.Turn, error) {
	rec := NewRecorder(m, nil)
	if _, err := rec.Turn(context.Background(), r); !errors.Is(err, m.err) {
		t.Fatal(err)
	}
	if err := rec.Write(path); err != nil {
		t.Fatal(err)
	}
	script, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	return New(script).Turn(context.Background(), r)
}

// What is recorded comes back, whatever the texts hold.
func TestARecordingIsReplayed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "script.yaml")
	rapid.Check(t, func(rt *rapid.T) {
		cost := 0.25
		turn := backend.Turn{Text: rapid.String().Draw(rt, "text"), Model: "m", Usage: backend.Usage{InputTokens: 3, CostUSD: &cost}}
		for i := range rapid.IntRange(0, 3).Draw(rt, "calls") {
			input := rapid.OneOf(
				rapid.String(), rapid.Just(`{"b": 1,  "a": [2.50, 1e3]}`), rapid.Just(`{"a":{"b":[1,2.5,null,true,"x"]},"n":12345678901234567890}`),
				rapid.Custom(func(t *rapid.T) string {
					text, err := toJSON(map[string]any{rapid.String().Draw(t, "key"): rapid.String().Draw(t, "value")})
					if err != nil {
						t.Fatal(err)
					}
					return text
				}),
			).Draw(rt, "input")
			tool := rapid.SampledFrom([]string{"bash", outputTool}).Draw(rt, "tool")
			turn.Calls = append(turn.Calls, backend.Call{ID: callID(2, i+1), Tool: tool, Input: input})
		}
		r := backend.Request{NodeID: "n", BranchID: "b", Visit: 3, Agent: "1", Number: 2, Schema: map[string]any{}}
		got, err := replay(rt, path, answering{turn: turn}, r)
		if err != nil || !reflect.DeepEqual(got, turn) {
			rt.Fatalf("%+v, %v\nwant %+v", got, err, turn)
		}
	})
}

func TestAFailureIsReplayed(t *testing.T) {
	path, r := filepath.Join(t.TempDir(), "script.yaml"), backend.Request{NodeID: "n", Visit: 1, Number: 1}
	_, err := replay(t, path, answering{err: &backend.Error{Code: outcome.RateLimited, Message: "slow\ndown", RetryAfter: time.Minute}}, r)
	var got *backend.Error
	if !errors.As(err, &got) || got.Code != outcome.RateLimited || got.Message != "slow\ndown" || got.RetryAfter != time.Minute {
		t.Errorf("%v", err)
	}
	if _, err = replay(t, path, answering{err: errors.New("odd")}, r); !errors.As(err, &got) || got.Code != outcome.ExecutionFailed {
		t.Errorf("%v", err)
	}
}

// The file says which conversation each turn is of, holds no secret, and is for
// its owner only. Turns of another process are marked.
func TestARecording(t *testing.T) {
	rec := NewRecorder(answering{turn: backend.Turn{Text: "the key is hunter2"}}, func(s string) string { return strings.ReplaceAll(s, "hunter2", "***") })
	for _, r := range []backend.Request{
		{NodeID: "n", Visit: 1, Number: 2}, {NodeID: "n", Visit: 2, Number: 1, BranchID: "b"}, {NodeID: "n", Visit: 1, Number: 1, Agent: "3"},
	} {
		if got, err := rec.Turn(t.Context(), r); err != nil || got.Text != "the key is hunter2" {
			t.Fatal(got, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	stopped := NewRecorder(answering{err: context.Canceled}, nil)
	if _, err := stopped.Turn(ctx, backend.Request{NodeID: "n", Visit: 1, Number: 1}); err == nil || len(stopped.turns) != 0 {
		t.Errorf("a cancelled turn was recorded: %+v", stopped.turns)
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "script.yaml")
	if err := rec.Write(path); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := `nodes:
  "n#1":
  - error:
      code: SCRIPT_EXHAUSTED
      message: this turn was not recorded
  - text: the key is ***
  "n#1/agent#3":
  - text: the key is ***
  "n@b#2":
  - text: the key is ***
`
	if string(text) != want {
		t.Errorf("%s", text)
	}
	if list, err := os.ReadDir(dir); err != nil || len(list) != 1 {
		t.Errorf("more was left: %v, %v", list, err)
	}
	if rec.Window("") != 7 {
		t.Error("the window is not the model's")
	}
	if err := rec.Write(filepath.Join(dir, "none", "script.yaml")); err == nil {
		t.Error("written into no folder")
	}
}
