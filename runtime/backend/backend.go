// Package backend is the contract between the engine and what answers for a
// model. A backend knows nothing of graphs, stores or .bot files.
package backend

import (
	"context"
	"fmt"
	"time"

	"iterion/ir/outcome"
)

// Backend answers tasks. It is safe for concurrent use: branches call it at the
// same time.
type Backend interface {
	// Info says what the backend is.
	Info() Info
	// Run answers one task. It returns soon after ctx is done. A failure that
	// the backend can classify is an *Error.
	Run(ctx context.Context, task Task, sink Sink) (Result, error)
}

// Info describes a backend.
type Info struct {
	Name string // as written in `backend:`
	// OwnTools: a task without a `tools:` line has the backend's full tool set,
	// so it may write.
	OwnTools bool
}

// Task is one execution of a node by a model, fully rendered.
type Task struct {
	RunID     string
	NodeID    string
	BranchID  string // "" on the trunk
	Visit     int64  // which execution of the node in its branch, from 1
	Attempt   int    // from 1; grows with retries and repairs of one visit
	Model     string // "" for the backend's own
	Provider  string
	Command   string // other binary of a CLI backend
	System    string
	User      string
	Images    []string
	Tools     Tools
	MaxSteps  int64 // tool rounds; 0 for the backend's own
	MaxTokens int64 // output tokens of a call; 0 for the backend's own
	Effort    string
	ReadOnly  bool
	Schema    map[string]any // JSON Schema of the output; nil for free text
	Session   Session
	Repair    string // why the answer before, in this conversation, was refused
	Dir       string // working directory
	Env       []string
	Budget    Budget
}

// Tools are the tools a node lists. Absent and empty differ.
type Tools struct {
	Declared bool
	Names    []string
}

// Session is the conversation a task goes on with.
type Session struct {
	Mode        string // fresh, inherit, inherit_if_available, fork, artifacts_only, persist
	ID          string // "" for a new one
	Fingerprint string
}

// Budget is what the run may still spend. A field is nil where there is no cap.
type Budget struct {
	Tokens   *int64
	CostUSD  *float64
	Duration *time.Duration
}

// Usage is what was consumed. CostUSD is nil when the price is not known.
type Usage struct {
	InputTokens  int64
	OutputTokens int64
	CostUSD      *float64
}

// Tokens is the sum that budgets count.
func (u Usage) Tokens() int64 { return u.InputTokens + u.OutputTokens }

// Result is a backend's answer.
type Result struct {
	Output      map[string]any // structured output; nil when the answer is text
	Text        string
	Usage       Usage // what no Sink.Turn reported
	SessionID   string
	Fingerprint string
	Model       string    // the model that answered
	Question    *Question // set when the model asks a person instead of answering
}

// Question is what a model asks in the middle of a task.
type Question struct {
	ID   string
	Text string
}

// Sink takes what happens while a task runs. Its methods are safe for
// concurrent use and block until the engine has taken the event.
type Sink interface {
	// Event records something of the model family, such as a tool call.
	Event(kind outcome.EventType, data map[string]any)
	// Turn records what one model turn used.
	Turn(u Usage)
	// More asks, before a further turn of the same task, whether the budget
	// allows it; the error is an *Error with the code BUDGET_EXCEEDED or
	// CANCELLED. The first turn of a task is allowed.
	More(ctx context.Context) error
}

// Error is a failure with its class.
type Error struct {
	Code       outcome.Code
	Message    string
	RetryAfter time.Duration // what the provider asked for; 0 for nothing
	Cause      error
}

// Errorf makes an Error.
func Errorf(code outcome.Code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

func (e *Error) Error() string { return string(e.Code) + ": " + e.Message }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }
