package claw

import (
	"context"
	"errors"
	"fmt"

	"iterion/ir/outcome"
	"iterion/runtime/backend"
)

const (
	mostRounds  = 100 // tool rounds of a task that names no number
	graceRounds = 3   // that a model may waste after the last one before it is stopped
	mostRepairs = 2   // questions for a valid output before the task fails
)

// What the loop itself says to a model.
const (
	goOn     = "Begin."
	conclude = "The tool calls that this task may make are used up. Conclude now, with what you know."
)

// loop is one conversation at work: a task's own, or a subagent's.
type loop struct {
	*node
	agent  string // a subagent's number, "" for the task itself
	parent *loop  // of a subagent
	set    toolset
	shape  *shape            // of the output, nil for free text
	said   []backend.Message // the whole conversation
	start  int               // where the task begins in it
	number int64             // turns so far
	late   int               // rounds after the last one allowed, in this process
	by     string            // the model that answered last
	limit  int64             // tokens that a request may have, 0 for any number
	hard   bool              // the limit is a guess, after the model refused a request
}

func (l *loop) run(ctx context.Context) (backend.Result, error) {
	if err := l.open(); err != nil {
		return backend.Result{}, err
	}
	for {
		result, end, err := l.settle(ctx)
		if end || err != nil {
			return result, err
		}
		if err := l.mayGoOn(); err != nil {
			return backend.Result{}, err
		}
		if err := l.turn(ctx); err != nil {
			return backend.Result{}, err
		}
	}
}

// open makes sure that there is something to answer: a task without a prompt
// would begin with an earlier task's answer, or with nothing.
func (l *loop) open() error {
	last := len(l.said) - 1
	if last < l.start && (last < 0 || l.said[last].Role != backend.User) {
		return l.say(goOn)
	}
	return nil
}

// say puts words of the loop's own into the conversation.
func (l *loop) say(text string) error {
	if l.agent == "" { // a subagent's conversation is not kept
		if err := l.sink.Say(text); err != nil {
			return err
		}
	}
	l.said = append(l.said, backend.Message{Role: backend.User, Text: text})
	return nil
}

// last is the turn whose calls are to be settled, or that may be the answer: -1
// when the conversation waits for a turn. A user's words may stand between the
// calls of a turn and their results: a supervisor speaks when it wants to.
func (l *loop) last() int {
	heard := false
	for i := len(l.said) - 1; i >= l.start; i-- {
		switch l.said[i].Role {
		case backend.User:
			heard = true
		case backend.Model:
			if heard && len(l.round(i).open()) == 0 {
				return -1
			}
			return i
		}
	}
	return -1
}

// settle does what the last turn asked for, and tells whether it was the end.
func (l *loop) settle(ctx context.Context) (backend.Result, bool, error) {
	at := l.last()
	if at < 0 {
		return backend.Result{}, false, nil
	}
	turn := l.said[at]
	if len(turn.Calls) == 0 {
		return l.answered(turn.Text)
	}
	round := l.round(at)
	if err := round.run(ctx); errors.Is(err, backend.ErrUnanswered) {
		return backend.Result{Pending: true}, true, nil
	} else if err != nil {
		return backend.Result{}, true, err
	}
	if output, ok := round.output(); ok {
		return backend.Result{Output: output, Text: turn.Text, Model: l.by}, true, nil
	}
	return backend.Result{}, false, nil
}

// answered takes a text without calls: the answer, unless an output with a schema
// is asked for and it is none.
func (l *loop) answered(text string) (backend.Result, bool, error) {
	if l.shape == nil {
		return backend.Result{Text: text, Model: l.by}, true, nil
	}
	output, err := l.shape.read(text)
	if err == nil {
		return backend.Result{Output: output, Text: text, Model: l.by}, true, nil
	}
	if err := l.say(fmt.Sprintf("%s%v. %s", noOutput, err, callOutput)); err != nil {
		return backend.Result{}, true, err
	}
	return backend.Result{}, false, l.missed(err)
}

// mayGoOn bounds the rounds of tool calls. After the last one the model is told
// to conclude, and has no tools any more.
func (l *loop) mayGoOn() error {
	if l.rounds(len(l.said)) < l.most() {
		return nil
	}
	if l.late++; l.late > graceRounds+1 {
		return backend.Errorf(outcome.ExecutionFailed, "the model went on calling tools after the %d rounds that %s may have", l.most(), l.task.NodeID)
	}
	for _, m := range l.said[l.start:] {
		if m.Role == backend.User && m.Text == conclude {
			return nil
		}
	}
	return l.say(conclude)
}

func (l *loop) most() int64 {
	if l.task.MaxSteps > 0 {
		return l.task.MaxSteps
	}
	return mostRounds
}

// rounds counts the turns of the task that called tools, before an index.
func (l *loop) rounds(before int) (n int64) {
	for _, m := range l.said[l.start:before] {
		if m.Role == backend.Model && len(m.Calls) > 0 {
			n++
		}
	}
	return n
}

// tools are what the turn at an index may call.
func (l *loop) tools(at int) toolset {
	if l.rounds(at) >= l.most() {
		return l.set.closing()
	}
	return l.set
}

// turn asks for the next turn. A request that is too long is shortened, once.
func (l *loop) turn(ctx context.Context) error {
	err := l.attempt(ctx)
	if typed, ok := asError(err); ok && typed.Code == outcome.ContextLength && !l.hard {
		l.limit, l.hard = estimate(l.view())/2, true
		return l.attempt(ctx)
	}
	return err
}

func (l *loop) attempt(ctx context.Context) error {
	notes, err := l.sink.More(ctx)
	if err != nil {
		return err
	}
	for _, note := range notes {
		l.hear(note)
	}
	l.number++
	turn, err := l.model.Turn(ctx, l.request())
	turn.Agent = l.agent
	if err != nil {
		turn.Err = fault(ctx, err)
		return errors.Join(turn.Err, l.sink.Turn(turn))
	}
	turn.Err, turn.Calls = nil, l.named(turn.Calls)
	turn.Last = l.ends(turn)
	for i := range turn.Calls { // as it is stored, so it is judged and run, now and after a pause
		turn.Calls[i].Input = l.task.Redact.Text(turn.Calls[i].Input)
	}
	if err := l.sink.Turn(turn); err != nil {
		return err
	}
	l.said = append(l.said, backend.Message{Role: backend.Model, Text: turn.Text, Calls: turn.Calls})
	l.by = turn.Model
	return nil
}

// ends tells whether a turn is the task's answer.
func (l *loop) ends(turn backend.Turn) bool {
	if l.agent != "" || len(turn.Calls) > 0 {
		return false
	}
	if l.shape == nil {
		return true
	}
	_, err := l.shape.read(turn.Text)
	return err == nil
}

// hear takes up the words of a supervisor. They stand in the task's conversation
// also when it is a subagent that hears them.
func (l *loop) hear(note string) {
	for at := l; at != nil; at = at.parent {
		at.said = append(at.said, backend.Message{Role: backend.User, Text: note})
	}
}

func (l *loop) request() backend.Request {
	t := &l.task
	r := backend.Request{
		RunID: t.RunID, NodeID: t.NodeID, BranchID: t.BranchID, Visit: t.Visit, Number: l.number, Agent: l.agent,
		Model: t.Model, Provider: t.Provider, System: t.System, Messages: l.view(),
		Tools: l.tools(len(l.said)).specs, MaxTokens: t.MaxTokens, Effort: t.Effort,
	}
	if l.shape != nil {
		r.Schema = t.Schema
	}
	return r
}

// named makes the ids of calls unique in the conversation: results are told apart
// by them, and not every provider takes care.
func (l *loop) named(calls []backend.Call) []backend.Call {
	taken := map[string]bool{"": true}
	for _, m := range l.said {
		for _, c := range m.Calls {
			taken[c.ID] = true
		}
	}
	calls = append([]backend.Call(nil), calls...)
	for i := range calls {
		id := calls[i].ID
		for n := 1; taken[calls[i].ID]; n++ {
			calls[i].ID = fmt.Sprintf("%s_%d_%d", id, l.number, n)
		}
		taken[calls[i].ID] = true
	}
	return calls
}

func asError(err error) (*backend.Error, bool) {
	var typed *backend.Error
	return typed, errors.As(err, &typed)
}
