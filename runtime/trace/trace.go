// Package trace tells what happened in a run, visit by visit. Where the engine's
// state says how a run goes on, a trace keeps what a reader asks about: who ran
// when, what it cost, which calls were made and who was asked.
package trace

import (
	"time"

	"iterion/ir/outcome"
	"iterion/runtime/store"
)

// Trace is made from a run's events, in order. Values in it are shared with the
// events and never written to.
type Trace struct {
	Status    outcome.Status
	Vars      map[string]any
	Inputs    map[string]any
	Failure   *Failure
	Reason    string // why it was paused or cancelled, "" for none given
	Visits    []*Visit
	Asks      []*Ask
	Branches  []*Branch
	Taken     map[int]int // how often each edge was followed, by index in the program
	Notes     []Note
	Artifacts []Artifact
	Usage     Usage
	Began, At time.Time // of the first and the last event
	Seq       int64     // of the last event

	open  map[string]*Visit // the visit that has not ended, by branch
	calls map[string]*Call  // the calls that have not ended, by conversation and id
	asks  map[string]*Ask
	heads map[string][]int // edges into the branches of a fan-out, by its scope
	tries map[string][2]int
}

// Span is a time; End is zero while it lasts.
type Span struct{ Start, End time.Time }

// Usage is what was consumed. Unpriced counts the turns whose price is not
// known: CostUSD leaves them out.
type Usage struct {
	Input, Output int64 // tokens
	CostUSD       float64
	Priced        int64
	Unpriced      int64
}

// Tokens is the sum that budgets count.
func (u Usage) Tokens() int64 { return u.Input + u.Output }

// Failure is why a visit, a branch or a run failed.
type Failure struct {
	Code    outcome.Code
	Message string
	Node    string
	Output  any
	Final   bool // the run cannot be resumed
}

// State is what became of a visit.
type State string

// The states of a visit.
const (
	Running  State = "running"
	Waiting  State = "waiting" // for a person
	Finished State = "finished"
	Failed   State = "failed"
	Stopped  State = "stopped" // cancelled, or its process died
)

// Visit is one execution of a node.
type Visit struct {
	Span
	Node, Branch string
	Kind         string // of the node
	Number       int    // which visit of the node in its branch, from 1
	Attempt      int    // from 1; more when the visit was started again
	Iteration    int64  // of the loop around it
	State        State
	Input        any
	Output       any
	Failure      *Failure
	Child        string // the run of a subbot
	Model        string // the last one that was asked or answered
	Session      string
	Turns        []Turn
	Calls        []*Call
	Waits        []Span // for a person
	Usage        Usage
}

// Turn is one turn of a model.
type Turn struct {
	At      time.Time
	Agent   string // the subagent, "" for the node's own
	Model   string
	Usage   Usage
	Text    string
	Calls   int
	Failure *Failure
}

// Call is one call of a tool.
type Call struct {
	Span
	Node, Branch string
	ID           string
	Tool, Input  string
	Agent        string // the subagent, "" for the node's own
	Verdict      string // allow, ask, deny; "" when none was recorded
	Stage        string
	Rule         string
	Reason       string
	Began        bool
	Failed       bool
	Result       string
}

// Refused tells whether the call was kept from running.
func (c *Call) Refused() bool { return !c.Began && (!c.End.IsZero() || c.Verdict == "deny") }

// Ask is one question to a person.
type Ask struct {
	Span         // until the answer
	ID, Kind     string
	Node, Branch string
	Text         string
	Options      []string
	Fields       []Field
	Tool, Input  string // of a call to approve
	Rule, Reason string
	Choices      []Choice
	Answers      map[string]any
	Allowed      bool
	Unanswered   bool // nobody answered, and the task went on
	GrantedBy    string
	Granted      string // the scope of the grant, "" for none
}

// Open tells whether the question waits for its answer.
func (a *Ask) Open() bool { return a.End.IsZero() }

// Field is one field of a form.
type Field struct {
	Name, Type string
	Enum       []string
}

// Choice is an answer to an approval with the rule that it stores.
type Choice struct{ Answer, Stores string }

// Branch is one branch of a fan-out.
type Branch struct {
	Span
	ID      string
	Router  string
	Failure *Failure
	Victim  bool // ended because another one failed
}

// Note is an event that a reader should see: a budget's warning, a retry, a
// fallback.
type Note struct {
	At           time.Time
	Type         outcome.EventType
	Node, Branch string
	Data         map[string]any
}

// Artifact is one published version.
type Artifact struct {
	Name, Node, Branch string
	Version            int64
	Value              any
	Labels             []string
}

// New is the trace before the first event.
func New() *Trace {
	return &Trace{
		Status: outcome.Queued, Taken: map[int]int{}, open: map[string]*Visit{}, calls: map[string]*Call{},
		asks: map[string]*Ask{}, heads: map[string][]int{}, tries: map[string][2]int{},
	}
}

// Of makes the trace of a run's events.
func Of(events []store.Event) *Trace {
	t := New()
	for _, e := range events {
		t.Apply(e)
	}
	return t
}

// Visit is the one at work in a branch, nil for none.
func (t *Trace) Visit(branch string) *Visit { return t.open[branch] }

// Forget drops the visits that have ended. For a reader that looks only at what
// is at work, so that a long run does not fill the memory.
func (t *Trace) Forget() {
	kept := t.Visits[:0]
	for _, v := range t.Visits {
		if t.open[v.Branch] == v {
			kept = append(kept, v)
		}
	}
	clear(t.Visits[len(kept):])
	t.Visits, t.Branches, t.Notes, t.Artifacts = kept, nil, nil, nil
}

// Length is how long a span lasted, or lasts until now.
func (s Span) Length(now time.Time) time.Duration {
	if s.End.IsZero() {
		return max(0, now.Sub(s.Start))
	}
	return s.End.Sub(s.Start)
}
