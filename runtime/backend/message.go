package backend

import (
	"errors"

	"iterion/ir/gate"
)

// Role is who speaks in a conversation.
type Role string

// The roles.
const (
	User  Role = "user"
	Model Role = "model"
	Tool  Role = "tool" // the result of one call
)

// Message is one entry of a conversation.
type Message struct {
	Role   Role     `json:"role"`
	Text   string   `json:"text,omitempty"`    // what was said; of a tool, its result
	Calls  []Call   `json:"calls,omitempty"`   // of a model
	CallID string   `json:"call_id,omitempty"` // of a tool
	Failed bool     `json:"failed,omitempty"`  // the tool's result is an error
	Images []string `json:"images,omitempty"`  // data URLs that go with the text
}

// Call is a call of a tool that a model asks for.
type Call struct {
	ID    string `json:"id"` // unique in its conversation
	Tool  string `json:"tool"`
	Input string `json:"input"` // a JSON object, in the bytes that the model gave
}

// Gate is the call as the gate judges it.
func (c Call) Gate() gate.Call { return gate.Call{Tool: c.Tool, Input: c.Input} }

// Turn is one turn of a model.
type Turn struct {
	Text  string
	Calls []Call
	Usage Usage
	Model string // that answered, "" for the one asked for
	Agent string // of a subagent's turn its id, which stands in no transcript
	Err   *Error // the turn failed: only Usage counts
	// Last: the backend ends the task with this turn, and does nothing more. Its
	// record announces no effect, so it may be stored with the node's end.
	Last bool
}

// Decision is the verdict on a call, for the record.
type Decision struct {
	Verdict string // allow, ask, deny
	Stage   string
	Rule    string
	Reason  string
	Agent   string // the subagent that made the call, "" for the task itself
}

// Decide writes down a verdict.
func Decide(v gate.Verdict) Decision {
	return Decision{Verdict: v.Decision.String(), Stage: v.Stage.String(), Rule: v.Rule, Reason: v.Reason()}
}

// CallResult is what came of a call.
type CallResult struct {
	Text     string // for the model
	Failed   bool   // an error, for the model: the node goes on
	Images   []string
	Decision Decision // of a call that did not begin: why
	Began    bool
	// Pure: the result follows from the call alone and had no effect, so that it
	// may be stored with what follows.
	Pure bool
}

// Question is what a task asks a person.
type Question struct {
	Call    Call
	Text    string   // of the model's own question
	Options []string // to choose from, none for free text
	// Verdict is set when a call needs approval; the question is then whether it
	// may run.
	Verdict *gate.Verdict
	// Async: the task goes on, the answer is collected later. Ask returns at once
	// with the interaction's id as text.
	Async bool
	// Resumes: the backend can end and be resumed with the answer. Where it
	// cannot, a question that nobody answers now leaves no pause.
	Resumes bool
}

// Answer is what a person said.
type Answer struct {
	Allowed bool         // the call may run: a grant covers it now
	Text    string       // the answer to a question; of a refusal, its reason
	Policy  *gate.Policy // the policy with all grants, after an approval
}

// ErrUnanswered tells that nobody answers now.
var ErrUnanswered = errors.New("nobody can be asked now")
