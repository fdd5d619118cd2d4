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
type Span struct {
	Start time.Time `json:"start,omitzero"`
	End   time.Time `json:"end,omitzero"`
}

// Usage is what was consumed. Unpriced counts the turns whose price is not
// known: CostUSD leaves them out.
type Usage struct {
	Input    int64   `json:"input_tokens,omitzero"` // tokens
	Output   int64   `json:"output_tokens,omitzero"`
	CostUSD  float64 `json:"cost_usd,omitzero"`
	Priced   int64   `json:"priced_turns,omitzero"`
	Unpriced int64   `json:"unpriced_turns,omitzero"`
}

// Tokens is the sum that budgets count.
func (u Usage) Tokens() int64 { return u.Input + u.Output }

// Failure is why a visit, a branch or a run failed.
type Failure struct {
	Code    outcome.Code `json:"code,omitzero"`
	Message string       `json:"message,omitzero"`
	Node    string       `json:"node,omitzero"`
	Output  any          `json:"output,omitzero"`
	Final   bool         `json:"final,omitzero"` // the run cannot be resumed
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
	Node      string   `json:"node,omitzero"`
	Branch    string   `json:"branch,omitzero"`
	Kind      string   `json:"kind,omitzero"`      // of the node
	Number    int      `json:"number,omitzero"`    // which visit of the node in its branch, from 1
	Attempt   int      `json:"attempt,omitzero"`   // from 1; more when the visit was started again
	Iteration int64    `json:"iteration,omitzero"` // of the loop around it
	State     State    `json:"state,omitzero"`
	Input     any      `json:"input,omitzero"`
	Output    any      `json:"output,omitzero"`
	Failure   *Failure `json:"failure,omitzero"`
	Child     string   `json:"child,omitzero"` // the run of a subbot
	Model     string   `json:"model,omitzero"` // the last one that was asked or answered
	Session   string   `json:"session,omitzero"`
	Turns     []Turn   `json:"turns,omitzero"`
	Calls     []*Call  `json:"calls,omitzero"`
	Waits     []Span   `json:"waits,omitzero"` // for a person
	Usage     Usage    `json:"usage,omitzero"`
}

// Turn is one turn of a model.
type Turn struct {
	At      time.Time `json:"at,omitzero"`
	Agent   string    `json:"agent,omitzero"` // the subagent, "" for the node's own
	Model   string    `json:"model,omitzero"`
	Usage   Usage     `json:"usage,omitzero"`
	Text    string    `json:"text,omitzero"`
	Calls   int       `json:"calls,omitzero"`
	Failure *Failure  `json:"failure,omitzero"`
}

// Call is one call of a tool.
type Call struct {
	Span
	Node    string `json:"node,omitzero"`
	Branch  string `json:"branch,omitzero"`
	ID      string `json:"id,omitzero"`
	Tool    string `json:"tool,omitzero"`
	Input   string `json:"input,omitzero"`
	Agent   string `json:"agent,omitzero"`   // the subagent, "" for the node's own
	Verdict string `json:"verdict,omitzero"` // allow, ask, deny; "" when none was recorded
	Stage   string `json:"stage,omitzero"`
	Rule    string `json:"rule,omitzero"`
	Reason  string `json:"reason,omitzero"`
	Began   bool   `json:"began,omitzero"`
	Failed  bool   `json:"failed,omitzero"`
	Result  string `json:"result,omitzero"`
}

// Refused tells whether the call was kept from running.
func (c *Call) Refused() bool { return !c.Began && (!c.End.IsZero() || c.Verdict == "deny") }

// Ask is one question to a person.
type Ask struct {
	Span                      // until the answer
	ID         string         `json:"id,omitzero"`
	Kind       string         `json:"kind,omitzero"`
	Node       string         `json:"node,omitzero"`
	Branch     string         `json:"branch,omitzero"`
	Text       string         `json:"text,omitzero"`
	Options    []string       `json:"options,omitzero"`
	Fields     []Field        `json:"fields,omitzero"`
	Tool       string         `json:"tool,omitzero"` // of a call to approve
	Input      string         `json:"input,omitzero"`
	Rule       string         `json:"rule,omitzero"`
	Reason     string         `json:"reason,omitzero"`
	Choices    []Choice       `json:"choices,omitzero"`
	Answers    map[string]any `json:"answers,omitzero"`
	Allowed    bool           `json:"allowed,omitzero"`
	Unanswered bool           `json:"unanswered,omitzero"` // nobody answered, and the task went on
	GrantedBy  string         `json:"granted_by,omitzero"`
	Granted    string         `json:"granted,omitzero"` // the scope of the grant, "" for none
}

// Open tells whether the question waits for its answer.
func (a *Ask) Open() bool { return a.End.IsZero() }

// Field is one field of a form.
type Field struct {
	Name string   `json:"name,omitzero"`
	Type string   `json:"type,omitzero"`
	Enum []string `json:"enum,omitzero"`
}

// Choice is an answer to an approval with the rule that it stores.
type Choice struct {
	Answer string `json:"answer,omitzero"`
	Stores string `json:"stores,omitzero"`
}

// Branch is one branch of a fan-out.
type Branch struct {
	Span
	ID      string   `json:"id,omitzero"`
	Router  string   `json:"router,omitzero"`
	Failure *Failure `json:"failure,omitzero"`
	Victim  bool     `json:"victim,omitzero"` // ended because another one failed
}

// Note is an event that a reader should see: a budget's warning, a retry, a
// fallback.
type Note struct {
	At     time.Time         `json:"at,omitzero"`
	Type   outcome.EventType `json:"type,omitzero"`
	Node   string            `json:"node,omitzero"`
	Branch string            `json:"branch,omitzero"`
	Data   map[string]any    `json:"data,omitzero"`
}

// Artifact is one published version.
type Artifact struct {
	Name    string   `json:"name,omitzero"`
	Node    string   `json:"node,omitzero"`
	Branch  string   `json:"branch,omitzero"`
	Version int64    `json:"version,omitzero"`
	Value   any      `json:"value,omitzero"`
	Labels  []string `json:"labels,omitzero"`
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

// Running lists the visits that have not ended, in the order of their starts.
func (t *Trace) Running() []*Visit {
	var out []*Visit
	for _, v := range t.Visits {
		if t.open[v.Branch] == v {
			out = append(out, v)
		}
	}
	return out
}

// Forget drops the visits that have ended. For a reader that looks only at what
// is at work, so that a long run does not fill the memory.
func (t *Trace) Forget() {
	t.Visits, t.Branches, t.Notes, t.Artifacts = t.Running(), nil, nil, nil
}

// Length is how long a span lasted, or lasts until now.
func (s Span) Length(now time.Time) time.Duration {
	if s.End.IsZero() {
		return max(0, now.Sub(s.Start))
	}
	return s.End.Sub(s.Start)
}
