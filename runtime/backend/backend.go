// Package backend is the contract between the engine and what answers for a
// model: the backends, and the models that the in-process loop drives. A backend
// knows nothing of graphs, stores or .bot files.
package backend

import (
	"context"

	"iterion/ir/outcome"
)

// Backend answers tasks. It is safe for concurrent use: branches call it at the
// same time.
type Backend interface {
	// Info says what the backend is.
	Info() Info
	// Priced tells whether the cost of a task's turns will be known.
	Priced(task Task) bool
	// Run answers one task. It returns soon after ctx is done. A failure that
	// the backend can classify is an *Error: GATE_LOST when a tool event came for
	// which the gate recorded no decision, CAPABILITY_UNSUPPORTED for a task that
	// the backend cannot carry (a policy it cannot enforce, a list of tools it
	// cannot narrow to).
	Run(ctx context.Context, task Task, sink Sink) (Result, error)
}

// Info describes a backend.
type Info struct {
	Name string // as written in `backend:`
	// OwnTools: a task without a `tools:` line has the backend's full tool set,
	// so it may write.
	OwnTools bool
	// Keeps: the backend keeps its conversations itself and goes on with one by
	// its id. Without it the engine keeps them, and a Session has a Transcript.
	Keeps bool
}

// Result is a backend's answer.
type Result struct {
	Output map[string]any // structured output; nil when the answer is text
	Text   string
	Usage  Usage  // what no Sink.Turn reported
	Model  string // the model that answered
	// Pending: the task waits for the person whom Sink.Ask could not reach. It
	// goes on when a task resumes the session with the answer.
	Pending bool
}

// Usage is what was consumed. CostUSD is nil when the price is not known.
type Usage struct {
	InputTokens  int64
	OutputTokens int64
	CostUSD      *float64
}

// Tokens is the sum that budgets count.
func (u Usage) Tokens() int64 { return u.InputTokens + u.OutputTokens }

// Sink takes what happens while a task runs. Its methods are safe for
// concurrent use. They return once the event is stored; an error tells that it
// is not, or that the run ends: what the event announces must not happen then.
type Sink interface {
	// Event records something else of the model family. It announces no effect:
	// it is stored with what follows.
	Event(kind outcome.EventType, data map[string]any)
	// Opened tells the id of the conversation, as soon as the backend knows it.
	// The engine's own id (Session.ID of a new session) need not be told.
	Opened(id, fingerprint string) error
	// Turn records one turn of a model, also one that failed. One that is the last
	// may be stored a moment later, with the end of its node.
	Turn(t Turn) error
	// Begin records that a call is about to run, with the verdict that allows
	// it.
	Begin(c Call, v Decision) error
	// End records a call's result, or the refusal of a call that did not begin. A
	// pure one is stored with what follows.
	End(c Call, r CallResult) error
	// Say records words of the backend's own, a reminder say, as a user's message
	// of the conversation.
	Say(text string) error
	// More asks, before every turn, whether the budget allows it, and waits while
	// other turns that run may use up what is left; the error is an *Error with
	// the code BUDGET_EXCEEDED or CANCELLED. The notes are what a supervisor has
	// to say, to be given to the model as a user's words; they are recorded.
	More(ctx context.Context) (notes []string, err error)
	// Ask puts a question to a person and waits. ErrUnanswered tells that nobody
	// answers now: a backend that can resume ends with Result.Pending, any other
	// refuses the call.
	Ask(ctx context.Context, q Question) (Answer, error)
}
