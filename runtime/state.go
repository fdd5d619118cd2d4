package runtime

import (
	"time"

	"iterion/ir/gate"
	"iterion/ir/outcome"
	"iterion/runtime/store"
)

// Event is one line of a run's log.
type Event = store.Event

// Trunk is the id of the scope outside every branch.
const Trunk = ""

// State is all that a run's events say. Values in it are shared with the
// events and never written to. Its JSON is canonical: equal states, equal bytes.
type State struct {
	RunID        string                  `json:"run_id"`
	Seq          int64                   `json:"seq"` // of the last event
	Status       outcome.Status          `json:"status"`
	Vars         map[string]any          `json:"vars"`
	Inputs       map[string]any          `json:"inputs"`
	Attachments  map[string]any          `json:"attachments,omitempty"` // files that were handed over, by name
	Failure      *Failure                `json:"failure,omitempty"`
	Scopes       map[string]*Scope       `json:"scopes"`  // by id
	Ready        []string                `json:"ready"`   // scopes that want a step, oldest first
	Fans         []string                `json:"fans"`    // scopes with an open fan-out, oldest first
	Parked       []string                `json:"parked"`  // scopes that wait for a person
	Active       int                     `json:"active"`  // branches that are neither ended nor fanned out
	Running      int                     `json:"running"` // nodes that started and did not end, parked ones apart
	Visits       map[string]int64        `json:"visits"`  // executions that ended, by node and branch
	Positions    map[string]int64        `json:"positions"`
	Mailbox      map[string]any          `json:"mailbox"`      // payloads by event name
	Versions     map[string]int64        `json:"versions"`     // the next of an artifact, by node and branch
	Sessions     map[string]string       `json:"sessions"`     // by slot
	Talks        map[string]*Talk        `json:"talks"`        // by session id
	Interactions map[string]*Interaction `json:"interactions"` // open questions, and answered ones that are collected later
	Grants       []gate.Grant            `json:"grants,omitempty"`
	Evals        map[string]Evals        `json:"evals,omitempty"` // of supervisors, by name
	Held         map[string][]string     `json:"held"`            // leases in use, by resource
	Usage        Usage                   `json:"usage"`
	Caps         Caps                    `json:"caps,omitzero"`        // the operator's
	Permission   map[string]any          `json:"permission,omitempty"` // what the operator said beside the program
	Warned       map[string]bool         `json:"warned"`
	Spent        time.Duration           `json:"spent"`           // active time before Since
	Since        time.Time               `json:"since"`           // zero while the run does not go on
	At           time.Time               `json:"at"`              // of the last event
	Program      string                  `json:"program"`         // hash of the program
	Stand        string                  `json:"stand,omitempty"` // where a failed run goes on, when not where it stands
}

// Usage is what a run consumed.
type Usage struct {
	Iterations int64         `json:"iterations"`
	Tokens     int64         `json:"tokens"`
	CostUSD    float64       `json:"cost_usd"`
	Unpriced   int64         `json:"unpriced"` // model turns whose price is not known
	Elapsed    time.Duration `json:"elapsed"`  // only in marks; see State.Elapsed
}

// Failure is why a node, a branch or a run failed.
type Failure struct {
	Code    outcome.Code `json:"code"`
	Message string       `json:"message"`
	Node    string       `json:"node,omitempty"`
	Output  any          `json:"output,omitempty"` // what a failed tool printed
	Final   bool         `json:"final,omitempty"`  // the run cannot be resumed
}

func (f *Failure) Error() string { return string(f.Code) + ": " + f.Message }

// Phase is what a scope is doing.
type Phase string

// The phases of a scope.
const (
	PhaseReady   Phase = "ready"   // its node may start
	PhaseRunning Phase = "running" // its node has started
	PhaseLeaving Phase = "leaving" // its node has ended, no edge is chosen yet
	PhaseFanned  Phase = "fanned"  // its branches run
	PhaseParked  Phase = "parked"  // its node waits for a person
	PhaseEnded   Phase = "ended"
)

// Scope is the trunk or one branch: where it stands and what it alone knows.
// What it does not know, it reads from its parent.
type Scope struct {
	ID        string                `json:"id"`
	Parent    string                `json:"parent"`
	Index     int                   `json:"index"` // among its siblings
	Node      string                `json:"node"`
	Phase     Phase                 `json:"phase"`
	From      []int                 `json:"from"`             // edges that led here, by index in the program
	Back      bool                  `json:"back,omitempty"`   // by a loop or foreach edge
	Before    []int                 `json:"before,omitempty"` // the edges that led to Pred
	Pred      string                `json:"pred,omitempty"`   // the one node before this one
	Arrived   map[string]any        `json:"arrived,omitempty"`
	Absent    []any                 `json:"absent,omitempty"` // failed branches, for the collector's output
	Input     map[string]any        `json:"input,omitempty"`
	Iteration int64                 `json:"iteration,omitempty"`
	Asked     string                `json:"asked,omitempty"`   // the open interaction
	Again     bool                  `json:"again,omitempty"`   // the node was started before in this visit
	Session   string                `json:"session,omitempty"` // the conversation of the node's task
	Turns     int64                 `json:"turns,omitempty"`   // turns of a model in this visit
	Route     string                `json:"route,omitempty"`   // the fallback that answers, "" for the node's own
	Turned    *Failure              `json:"turned,omitempty"`  // why a fallback answers
	Held      Phase                 `json:"held,omitempty"`    // of a branch that ended with a failure: what it was doing
	Outputs   map[string]any        `json:"outputs,omitempty"`
	Artifacts map[string]Artifact   `json:"artifacts,omitempty"` // by publish name
	History   map[string][]any      `json:"history,omitempty"`
	Loops     map[string]*LoopState `json:"loops,omitempty"`
	Leases    map[string]string     `json:"leases,omitempty"`
	Fan       *Fan                  `json:"fan,omitempty"`
}

// Artifact is the last published value of a name. Pending marks one whose
// node has not ended: artifact_written stands before node_finished.
type Artifact struct {
	Node    string `json:"node"`
	Version int64  `json:"version"`
	Value   any    `json:"value"`
	Pending bool   `json:"pending,omitempty"`
}

// LoopState is the counter of a loop, or the index of a foreach, in one scope.
type LoopState struct {
	Count    int64 `json:"count"`
	Previous any   `json:"previous"` // source output of the crossing before the last
	Staged   any   `json:"staged"`   // source output of the last crossing
	Same     int64 `json:"same"`     // crossings in a row with the same output
	Mark     Usage `json:"mark"`     // usage at the last crossing or entry
}

// Fan is an open fan-out.
type Fan struct {
	Router    string           `json:"router"`
	Collector string           `json:"collector"` // "" when no branch can reach one
	Strategy  string           `json:"strategy"`  // wait_all, best_effort
	Bindings  bool             `json:"bindings"`  // the router's output differs by branch
	As        string           `json:"as"`
	Count     int64            `json:"count"` // items
	Branches  []FanBranch      `json:"branches"`
	Pending   []int            `json:"pending"` // not started, in order
	Active    int              `json:"active"`
	Results   map[int]*Arrival `json:"results"`
	Doomed    bool             `json:"doomed"` // a branch failed under wait_all
	First     int              `json:"first"`  // the branch that failed first, when doomed
}

// FanBranch is one branch of a fan-out before it starts.
type FanBranch struct {
	ID    string `json:"id"`
	Edge  int    `json:"edge"`
	To    string `json:"to"`
	Item  any    `json:"item"`
	After []int  `json:"after,omitempty"` // branches that have to succeed before
}

// Arrival is how a branch ended.
type Arrival struct {
	Node    string         `json:"node"` // the collector it reached, "" for done
	With    map[string]any `json:"with,omitempty"`
	Failure *Failure       `json:"failure,omitempty"`
	Victim  bool           `json:"victim,omitempty"` // cancelled or skipped because another one failed
}

// Elapsed is the time a run was active until now.
func (s *State) Elapsed(now time.Time) time.Duration {
	if s.Since.IsZero() {
		return s.Spent
	}
	return s.Spent + max(0, now.Sub(s.Since))
}

// Ended tells whether nothing may start any more.
func (s *State) Ended() bool { return s.Status != outcome.Running }

// scopes yields a scope and its ancestors, the innermost first.
func (s *State) scopes(id string) func(func(*Scope) bool) {
	return func(yield func(*Scope) bool) {
		for sc := s.Scopes[id]; sc != nil; sc = s.Scopes[sc.Parent] {
			if !yield(sc) || sc.ID == Trunk {
				return
			}
		}
	}
}

// output finds the latest output of a node that a scope sees.
func (s *State) output(scope, node string) (any, bool) {
	for sc := range s.scopes(scope) {
		if v, ok := sc.Outputs[node]; ok {
			return v, v != nil
		}
	}
	return nil, false
}

// loop finds the state of a loop that a scope sees; a zero one before its first
// crossing.
func (s *State) loop(scope, name string) *LoopState {
	for sc := range s.scopes(scope) {
		if l := sc.Loops[name]; l != nil {
			return l
		}
	}
	return &LoopState{}
}

// doomed tells whether a fan-out around a scope has failed.
func (s *State) doomed(scope *Scope) bool {
	for scope.ID != Trunk {
		scope = s.Scopes[scope.Parent]
		if scope == nil || scope.Fan != nil && scope.Fan.Doomed {
			return true
		}
	}
	return false
}

// open tells whether branches of a fan-out run or may still start.
func (s *State) open(scope *Scope) bool {
	f := scope.Fan
	return f.Active > 0 || len(f.Pending) > 0 && !f.Doomed && !s.doomed(scope)
}

func visitKey(node, branch string) string {
	if branch == Trunk {
		return node
	}
	return node + "@" + branch
}
