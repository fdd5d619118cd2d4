package claw

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"iterion/ir/gate"
	"iterion/ir/outcome"
	"iterion/runtime/backend"
	"iterion/runtime/toolrun"
)

// entry is one thing that a sink has stored.
type entry struct {
	kind   string // turn, say, begin, end, asked, answered, more
	call   backend.Call
	turn   backend.Turn
	result backend.CallResult
	about  backend.Decision // of a call that begins
	text   string
	answer backend.Answer
}

var errCut = errors.New("the process ended")

// world is an engine around the loop: it keeps what a sink takes, and makes the
// next task of it.
type world struct {
	*testing.T
	mu     sync.Mutex
	task   backend.Task
	turns  func(backend.Request) (backend.Turn, error)
	window int64
	log    []entry
	left   int                                                    // entries that are still stored, -1 for any number
	notes  []string                                               // a supervisor's, for the next turn
	person func(backend.Question) (backend.Answer, bool)          // nil for nobody
	broke  error                                                  // of the budget
	tool   func(context.Context, backend.Call) backend.CallResult // in the place of the real ones
	ran    []string                                               // effects: tool and input
	seen   []backend.Request
}

func newWorld(t *testing.T, tools string, turns ...backend.Turn) *world {
	w := &world{T: t, left: -1}
	w.task = backend.Task{RunID: "r", NodeID: "n", Visit: 1, Model: "m", User: "do it", Dir: t.TempDir()}
	w.task.Tools = backend.Tools{Declared: true, Names: strings.Fields(tools)}
	w.policy("off", "", "", "")
	w.turns = list(turns)
	w.tool = func(_ context.Context, c backend.Call) backend.CallResult {
		return backend.CallResult{Text: "did " + c.Input}
	}
	return w
}

// list gives turns by their number.
func list(turns []backend.Turn) func(backend.Request) (backend.Turn, error) {
	return func(r backend.Request) (backend.Turn, error) {
		if r.Number > int64(len(turns)) {
			return backend.Turn{}, backend.Errorf(outcome.ScriptExhausted, "no turn %d", r.Number)
		}
		t := turns[r.Number-1]
		if t.Err != nil {
			return t, t.Err
		}
		return t, nil
	}
}

// policy sets rules, separated by blanks.
func (w *world) policy(mode, allow, ask, deny string) {
	w.Helper()
	level := gate.Level{Mode: mode}
	for kind, rules := range map[gate.Kind]string{gate.AllowList: allow, gate.AskList: ask, gate.DenyList: deny} {
		for _, text := range strings.Fields(rules) {
			rule, err := gate.ParseRule(text)
			if err != nil {
				w.Fatal(err)
			}
			level.Lists[kind] = append(level.Lists[kind], rule)
		}
	}
	p, err := gate.Resolve(gate.Levels{Node: level})
	if err != nil {
		w.Fatal(err)
	}
	w.task.Policy = p.Arm(w.task.Dir, "")
}

func (w *world) Turn(_ context.Context, r backend.Request) (backend.Turn, error) {
	w.mu.Lock()
	w.seen = append(w.seen, r)
	w.mu.Unlock()
	return w.turns(r)
}
func (w *world) Window(string) int64        { return w.window }
func (w *world) Priced(string, string) bool { return true }

// Run is the tools' side: what the gate did not permit fails the test.
func (w *world) Run(ctx context.Context, p gate.Permit, c backend.Call) backend.CallResult {
	if !p.Covers(c.Gate()) {
		w.Errorf("%s %s runs without a permit", c.Tool, c.Input)
	}
	w.mu.Lock()
	w.ran = append(w.ran, c.Tool+" "+c.Input)
	w.mu.Unlock()
	return w.tool(ctx, c)
}

func (w *world) backend() *Backend {
	b := New(w, nil)
	b.execute = func(toolrun.Options) runner { return w }
	return b
}

// run gives the task to the loop, as an engine that starts or resumes it.
func (w *world) run() (backend.Result, error) { return w.runIn(w.Context()) }

func (w *world) runIn(ctx context.Context) (backend.Result, error) {
	task := w.task
	task.Session = w.session()
	for _, e := range w.log {
		if e.kind == "turn" && e.turn.Agent == "" {
			task.Turns++
		}
		if e.answer.Policy != nil {
			task.Policy = *e.answer.Policy
		}
	}
	return w.backend().Run(ctx, task, &sink{w})
}

// session is the conversation that the log tells of.
func (w *world) session() backend.Session {
	s := backend.Session{Resumed: len(w.log) > 0, Answers: map[string]backend.Answer{}}
	s.Transcript = slices.Clone(w.task.Session.Transcript)
	if w.task.User != "" {
		s.Transcript = append(s.Transcript, backend.Message{Role: backend.User, Text: w.task.User, Images: w.task.Images})
	}
	for _, e := range w.log {
		if e.turn.Agent != "" || e.about.Agent != "" || e.result.Decision.Agent != "" {
			continue
		}
		switch e.kind {
		case "turn":
			if e.turn.Err == nil {
				s.Transcript = append(s.Transcript, backend.Message{Role: backend.Model, Text: e.turn.Text, Calls: e.turn.Calls})
			}
		case "say":
			s.Transcript = append(s.Transcript, backend.Message{Role: backend.User, Text: e.text})
		case "begin":
			s.Started = append(s.Started, e.call.ID)
		case "answered":
			s.Answers[e.call.ID] = backend.Answer{Allowed: e.answer.Allowed, Text: e.answer.Text}
		case "end":
			s.Started = slices.DeleteFunc(s.Started, func(id string) bool { return id == e.call.ID })
			delete(s.Answers, e.call.ID)
			s.Transcript = append(s.Transcript, backend.Message{Role: backend.Tool, CallID: e.call.ID, Text: e.result.Text, Failed: e.result.Failed, Images: e.result.Images})
		}
	}
	return s
}

// told lists the conversation, a line a message.
func (w *world) told() []string {
	var out []string
	for _, m := range w.session().Transcript {
		line := string(m.Role) + ": " + m.Text
		for _, c := range m.Calls {
			line += fmt.Sprintf(" [%s %s %s]", c.ID, c.Tool, c.Input)
		}
		if m.Role == backend.Tool {
			line = fmt.Sprintf("tool %s failed=%v: %s", m.CallID, m.Failed, m.Text)
		}
		out = append(out, line)
	}
	return out
}

// result is what a call came to.
func (w *world) result(id string) backend.CallResult {
	w.Helper()
	for _, e := range w.log {
		if e.kind == "end" && e.call.ID == id {
			return e.result
		}
	}
	w.Fatalf("%s has no result; the log: %+v", id, w.log)
	return backend.CallResult{}
}

func (w *world) kinds() (out []string) {
	for _, e := range w.log {
		line := e.kind
		if e.call.ID != "" {
			line += " " + e.call.ID
		}
		out = append(out, line)
	}
	return out
}

// sink stores into a world's log, as far as the process lives.
type sink struct{ *world }

func (s *sink) store(e entry) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.left == 0 {
		return errCut
	}
	if s.left > 0 {
		s.left--
	}
	s.log = append(s.log, e)
	return nil
}

func (s *sink) Event(outcome.EventType, map[string]any) {}
func (s *sink) Opened(string, string) error             { return nil }
func (s *sink) Turn(t backend.Turn) error               { return s.store(entry{kind: "turn", turn: t}) }
func (s *sink) Say(text string) error                   { return s.store(entry{kind: "say", text: text}) }
func (s *sink) Begin(c backend.Call, d backend.Decision) error {
	return s.store(entry{kind: "begin", call: c, about: d})
}
func (s *sink) End(c backend.Call, r backend.CallResult) error {
	return s.store(entry{kind: "end", call: c, result: r})
}

func (s *sink) More(context.Context) ([]string, error) {
	if s.broke != nil || s.left == 0 {
		return nil, errors.Join(s.broke, map[bool]error{true: errCut}[s.left == 0])
	}
	notes := s.notes
	s.notes = nil
	for _, note := range notes {
		if err := s.store(entry{kind: "say", text: note}); err != nil {
			return nil, err
		}
	}
	return notes, nil
}

func (s *sink) Ask(_ context.Context, q backend.Question) (backend.Answer, error) {
	if err := s.store(entry{kind: "asked", call: q.Call, text: q.Text}); err != nil {
		return backend.Answer{}, err
	}
	if s.person == nil {
		return backend.Answer{}, backend.ErrUnanswered
	}
	a, ok := s.person(q)
	if !ok {
		return backend.Answer{}, backend.ErrUnanswered
	}
	return a, s.store(entry{kind: "answered", call: q.Call, answer: a})
}

// approve grants a call as an operator does.
func (w *world) approve(q backend.Question) (backend.Answer, bool) {
	if q.Verdict == nil {
		return backend.Answer{Text: "blue"}, true
	}
	p := w.task.Policy
	p.Grants = append(slices.Clone(p.Grants), gate.Grant{Tool: q.Call.Tool, Input: q.Call.Input, Scope: gate.ForArgument})
	return backend.Answer{Allowed: true, Policy: &p}, true
}

// call is a call of a tool with an input.
func call(id, tool, input string) backend.Call { return backend.Call{ID: id, Tool: tool, Input: input} }

// bash is a call of the shell.
func bash(id, command string) backend.Call {
	return call(id, "bash", fmt.Sprintf(`{"command":%q}`, command))
}

func calls(list ...backend.Call) backend.Turn { return backend.Turn{Calls: list} }
func text(words string) backend.Turn          { return backend.Turn{Text: words} }

// code is the code of a failure.
func code(err error) outcome.Code {
	if typed, ok := asError(err); ok {
		return typed.Code
	}
	return ""
}

func (w *world) equal(what string, got, want []string) {
	w.Helper()
	if !slices.Equal(got, want) {
		w.Errorf("%s:\n%s\nwant:\n%s", what, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
