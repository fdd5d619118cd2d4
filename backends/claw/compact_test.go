package claw

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"iterion/ir/outcome"
	"iterion/runtime/backend"

	"pgregory.net/rapid"
)

// long is a task with many rounds whose results have so many bytes.
func long(t *testing.T, rounds, size int) *world {
	var turns []backend.Turn
	for i := range rounds {
		turns = append(turns, calls(bash(fmt.Sprint("c", i), fmt.Sprint("step ", i))))
	}
	w := newWorld(t, "bash", append(turns, text("done"))...)
	w.tool = func(context.Context, backend.Call) backend.CallResult {
		return backend.CallResult{Text: strings.Repeat("x", size)}
	}
	return w
}

// paired tells whether every call has its result behind it, and nothing else has.
func paired(messages []backend.Message) error {
	for i := 0; i < len(messages); i++ {
		m := messages[i]
		if m.Role == backend.Tool {
			return fmt.Errorf("message %d is the result of no call: %s", i, m.CallID)
		}
		for _, c := range m.Calls {
			if i++; i == len(messages) || messages[i].Role != backend.Tool || messages[i].CallID != c.ID {
				return fmt.Errorf("message %d should be the result of %s", i, c.ID)
			}
		}
	}
	return nil
}

func TestOldResultsAreCut(t *testing.T) {
	w := long(t, 20, 4000)
	w.window = 20_000
	if _, err := w.run(); err != nil {
		t.Fatal(err)
	}
	last := w.seen[20].Messages
	if len(last) != 41 || estimate(last) > 16_000 {
		t.Errorf("%d messages of %d tokens", len(last), estimate(last))
	}
	if last[2].Text != "(left out to save room: 4000 bytes)" || len(last[40].Text) != 4000 || len(last[32].Text) != 4000 {
		t.Errorf("%.60q, %d, %d bytes", last[2].Text, len(last[32].Text), len(last[40].Text))
	}
	if kept := w.session().Transcript; len(kept[2].Text) != 4000 {
		t.Errorf("what is kept was changed: %.60q", kept[2].Text)
	}
}

func TestTheOldestTurnsAreLeftOut(t *testing.T) {
	w := long(t, 40, 150)
	w.window = 2000
	w.task.Compaction = backend.Compaction{Threshold: 0.5, PreserveRecent: 4}
	if _, err := w.run(); err != nil {
		t.Fatal(err)
	}
	last := w.seen[40].Messages
	if last[0].Text != "(42 earlier messages of this conversation are left out to save room.)" || last[1].Text != "do it" || estimate(last) > 1000 {
		t.Errorf("%d messages of %d tokens: %+v", len(last), estimate(last), last[:2])
	}
}

// A request that a model refuses as too long is made shorter, once.
func TestAModelThatRefusesTheLength(t *testing.T) {
	w := long(t, 20, 4000)
	turns, most := w.turns, int64(9000)
	w.turns = func(r backend.Request) (backend.Turn, error) {
		if estimate(r.Messages) > most {
			return backend.Turn{}, backend.Errorf(outcome.ContextLength, "too long")
		}
		r.Number -= int64(failures(w))
		return turns(r)
	}
	if got, err := w.run(); err != nil || got.Text != "done" || failures(w) != 1 {
		t.Fatalf("%+v, %v, %d refused", got, err, failures(w))
	}
	most = 0
	w.log = w.log[:len(w.log)-1]
	if _, err := w.run(); code(err) != outcome.ContextLength || failures(w) != 3 {
		t.Errorf("%v, %d refused", err, failures(w))
	}
}

func failures(w *world) (n int) {
	for _, e := range w.log {
		if e.turn.Err != nil {
			n++
		}
	}
	return n
}

// conversation draws one in which some calls have no result and ids recur.
func conversation(rt *rapid.T, label string) (said []backend.Message) {
	for i := range rapid.IntRange(0, 20).Draw(rt, label) {
		words := strings.Repeat("é", rapid.IntRange(0, 3000).Draw(rt, "length"))
		if rapid.Bool().Draw(rt, "user") {
			said = append(said, backend.Message{Role: backend.User, Text: words})
			continue
		}
		m := backend.Message{Role: backend.Model, Text: words}
		for j := range rapid.IntRange(0, 3).Draw(rt, "calls") {
			m.Calls = append(m.Calls, bash(fmt.Sprintf("%d_%d", i%3, j), "x"))
		}
		said = append(said, m)
		for _, c := range m.Calls {
			if rapid.IntRange(0, 9).Draw(rt, "ended") > 0 {
				said = append(said, backend.Message{Role: backend.Tool, CallID: c.ID, Text: words})
			}
		}
	}
	return said
}

// Whatever a conversation and a window are, its view has each call with its
// result, keeps the task's prompt, and is the same for a task that is resumed.
func TestViewsAreWhole(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		said := conversation(rt, "before")
		said = append(said, backend.Message{Role: backend.User, Text: "the prompt"})
		after := conversation(rt, "after")
		said = append(said, after...)
		task := backend.Task{User: "the prompt"}
		for _, m := range after {
			if m.Role == backend.Model {
				task.Turns++
			}
		}
		task.Compaction.PreserveRecent = int64(rapid.IntRange(0, 8).Draw(rt, "recent"))
		l := &loop{node: &node{task: task}, said: said, start: startOf(said, task)}
		l.limit, l.hard = int64(rapid.IntRange(0, 20_000).Draw(rt, "limit")), rapid.Bool().Draw(rt, "hard")
		view := l.view()
		if err := paired(view); err != nil {
			rt.Fatal(err)
		}
		if !slices.ContainsFunc(view, func(m backend.Message) bool { return m.Text == "the prompt" }) {
			rt.Fatal("the prompt is lost")
		}
		if again := l.view(); !reflect.DeepEqual(view, again) {
			rt.Fatal("a second view is another one")
		}
	})
}
