// Package report makes a page for people from a run's events: HTML in one file,
// or Markdown. It reads nothing but what it is given.
package report

import (
	"time"

	"iterion/ir"
	"iterion/ir/diagram"
	"iterion/ir/outcome"
	"iterion/runtime"
	"iterion/runtime/store"
	"iterion/runtime/trace"
)

// Report is what the page says. Values are as the events hold them: what shows
// them escapes them.
type Report struct {
	Run       store.Run
	Status    outcome.Status
	Reason    string         // why it was paused or cancelled, "" for none given
	Failure   *trace.Failure // nil unless it failed
	Meaning   string         // of the failure's code, "" for an author's own
	Next      []Step
	Began     time.Time
	Ended     time.Time     // of the last event
	Active    time.Duration // but for times in which only people were asked
	Waited    time.Duration // for people, summed over the questions
	Usage     trace.Usage
	Budget    []runtime.BudgetUse
	Vars      []Pair
	Graph     string `json:"-"` // SVG; "" when the program is not kept
	Timeline  Timeline
	Nodes     []Node
	Calls     []*trace.Call
	Refused   int // of the calls
	Asks      []*trace.Ask
	Outputs   []Output // latest by node, the last one first
	Artifacts []trace.Artifact
	Branches  []*trace.Branch // those that failed
	Notes     []trace.Note
}

// Pair is a name with its value.
type Pair struct {
	Name  string
	Value any
}

// Node sums up the visits of one node.
type Node struct {
	Name   string
	Kind   string
	Visits int
	State  trace.State // of the last one
	Time   time.Duration
	Turns  int
	Calls  int
	Usage  trace.Usage
	Share  float64 // of the run's tokens, 0 to 1
}

// Output is the latest output of a node.
type Output struct {
	Node  string
	Value any
}

// Build makes the report of a run. p is nil when the program is not kept.
func Build(run store.Run, events []store.Event, p *ir.Program) *Report {
	t := trace.Of(events)
	s := runtime.Fold(events)
	r := &Report{
		Run: run, Status: t.Status, Reason: t.Reason, Failure: t.Failure, Began: t.Began, Ended: t.At,
		Active: s.Elapsed(t.At), Usage: t.Usage, Vars: pairs(t.Vars), Asks: t.Asks,
		Budget:    runtime.BudgetUsed(p, s, t.At, func(string) (string, bool) { return "", false }),
		Timeline:  timelineOf(t),
		Artifacts: t.Artifacts, Notes: t.Notes,
	}
	r.Next = Next(run, t, p, "")
	if r.Failure != nil {
		info, _ := outcome.Lookup(r.Failure.Code)
		r.Meaning = info.Doc
	}
	for _, a := range t.Asks {
		r.Waited += a.Length(t.At)
	}
	for _, b := range t.Branches {
		if b.Failure != nil {
			r.Branches = append(r.Branches, b)
		}
	}
	r.visits(t)
	r.outputs(t, s)
	if p != nil {
		r.Graph = diagram.Draw(p, r.marks(t))
	}
	return r
}

// visits sums up the visits by node, in the order of the first ones, and
// collects their calls.
func (r *Report) visits(t *trace.Trace) {
	at := map[string]int{}
	for _, v := range t.Visits {
		i, known := at[v.Node]
		if !known {
			i = len(r.Nodes)
			at[v.Node] = i
			r.Nodes = append(r.Nodes, Node{Name: v.Node, Kind: v.Kind})
		}
		n := &r.Nodes[i]
		n.Visits++
		n.State = v.State
		n.Time += v.Length(t.At)
		n.Turns += len(v.Turns)
		n.Calls += len(v.Calls)
		n.Usage.Add(v.Usage)
		for _, w := range v.Waits {
			n.Time -= w.Length(t.At)
		}
		r.Calls = append(r.Calls, v.Calls...)
	}
	for i := range r.Nodes {
		if all := r.Usage.Tokens(); all > 0 {
			r.Nodes[i].Share = float64(r.Nodes[i].Usage.Tokens()) / float64(all)
		}
	}
	for _, c := range r.Calls {
		if c.Refused() {
			r.Refused++
		}
	}
}

func (r *Report) outputs(t *trace.Trace, s *runtime.State) {
	trunk := s.Scopes[runtime.Trunk]
	if trunk == nil {
		return
	}
	seen := map[string]bool{}
	for i := len(t.Visits) - 1; i >= 0; i-- {
		name := t.Visits[i].Node
		if output := trunk.Outputs[name]; output != nil && !seen[name] {
			seen[name] = true
			r.Outputs = append(r.Outputs, Output{name, output})
		}
	}
}

func (r *Report) marks(t *trace.Trace) diagram.Marks {
	m := diagram.Marks{Nodes: map[string]diagram.Mark{}, Edges: t.Taken}
	for _, n := range r.Nodes {
		m.Nodes[n.Name] = diagram.Mark{Visits: n.Visits, State: string(n.State)}
	}
	switch end := r.Failure; {
	case r.Status == outcome.Finished:
		m.Nodes[ir.Done] = diagram.Mark{Visits: 1, State: string(trace.Finished)}
	case end != nil && m.Nodes[end.Node].Visits == 0: // a fail node ends the run without a visit
		m.Nodes[end.Node] = diagram.Mark{Visits: 1, State: string(trace.Failed)}
	}
	return m
}
