package runtime

import (
	"slices"
	"strings"

	"iterion/ir/outcome"
)

// fan opens a fan-out; plan is what planned.data made.
func (s *State) fan(sc *Scope, router string, plan map[string]any) {
	f := &Fan{
		Router: router, Collector: text(plan, "collector"), Strategy: text(plan, "strategy"),
		As: text(plan, "as"), Count: whole(plan, "count"), Bindings: flag(plan, "bindings"),
		Results: map[int]*Arrival{},
	}
	for i, row := range list(plan, "branches") {
		d, _ := row.(map[string]any)
		b := FanBranch{ID: text(d, "id"), Edge: int(whole(d, "edge")), To: text(d, "to"), Item: d["item"]}
		for _, after := range list(d, "after") {
			b.After = append(b.After, int(toInt(after)))
		}
		f.Branches = append(f.Branches, b)
		f.Pending = append(f.Pending, i)
	}
	sc.Fan = f
	s.phase(sc, PhaseFanned)
}

// branchOf finds the fan-out and the position of a branch's event.
func (s *State) branchOf(e Event) (*Scope, int) {
	parent := s.Scopes[parentOf(e.BranchID)]
	index := int(whole(e.Data, "index"))
	if parent == nil || parent.Fan == nil || index < 0 || index >= len(parent.Fan.Branches) {
		return nil, 0
	}
	return parent, index
}

func (s *State) startBranch(e Event) {
	parent, index := s.branchOf(e)
	if parent == nil || s.Scopes[e.BranchID] != nil {
		return
	}
	f := parent.Fan
	b := f.Branches[index]
	f.take(index)
	f.Active++
	sc := &Scope{
		ID: e.BranchID, Parent: parent.ID, Index: index,
		Node: b.To, From: []int{b.Edge}, Pred: f.Router,
	}
	if f.Bindings {
		base, _ := parent.Outputs[f.Router].(map[string]any)
		sc.Outputs = map[string]any{f.Router: merged(base, map[string]any{
			"item": b.Item, "index": int64(index), "count": f.Count, f.As: b.Item,
		})}
	}
	s.Scopes[sc.ID] = sc
	s.phase(sc, PhaseReady)
}

func (f *Fan) take(index int) {
	if len(f.Pending) > 0 && f.Pending[0] == index {
		f.Pending = f.Pending[1:]
	} else if i := slices.Index(f.Pending, index); i >= 0 {
		f.Pending = slices.Delete(f.Pending, i, i+1)
	}
}

func (s *State) endBranch(e Event) {
	parent, index := s.branchOf(e)
	if parent == nil {
		return
	}
	f := parent.Fan
	a := &Arrival{Node: text(e.Data, "join_node"), With: object(e.Data, "with"), Victim: flag(e.Data, "victim")}
	if e.Data["error"] != nil {
		a.Failure = failureOf(e.Data)
	}
	f.Results[index] = a
	if a.Failure != nil && !a.Victim && f.Strategy != "best_effort" && !f.Doomed {
		f.Doomed, f.First = true, index
	}
	sc := s.Scopes[e.BranchID]
	if sc == nil { // skipped: it never started
		f.take(index)
		return
	}
	f.Active--
	s.release(sc)
	sc.Held = sc.Phase
	s.phase(sc, PhaseEnded)
	if a.Failure != nil && f.Strategy == "best_effort" {
		s.forget(sc)
	}
}

// forget drops a failed branch with all branches inside it.
func (s *State) forget(sc *Scope) {
	delete(s.Scopes, sc.ID)
	if sc.Fan == nil {
		return
	}
	for id, inner := range s.Scopes {
		if strings.HasPrefix(id, sc.ID+"/") {
			s.phase(inner, PhaseEnded)
			delete(s.Scopes, id)
		}
	}
}

// join merges the branches into the scope around them, in their order.
func (s *State) join(sc *Scope, e Event) {
	f := sc.Fan
	if f == nil {
		return
	}
	for _, node := range names(e.Data, "cleared") {
		sc.Outputs[node] = nil
	}
	for i, b := range f.Branches {
		id := childOf(sc.ID, b.ID)
		if child := s.Scopes[id]; child != nil && f.Results[i] != nil {
			sc.absorb(child, f)
			delete(s.Scopes, id)
		}
	}
	sc.Fan, sc.From, sc.Back, sc.Pred = nil, nil, false, ""
	sc.Node, sc.Arrived = text(e.Data, "join_node"), object(e.Data, "with")
	sc.Absent = list(e.Data, "failed_branches")
	s.phase(sc, PhaseReady)
}

// absorb takes what a branch produced. The router's output with its bindings
// was the branch's own.
func (sc *Scope) absorb(child *Scope, f *Fan) {
	for node, output := range child.Outputs {
		if node != f.Router || !f.Bindings {
			sc.Outputs[node] = output
		}
	}
	for name, a := range child.Artifacts {
		if sc.Artifacts == nil {
			sc.Artifacts = map[string]Artifact{}
		}
		sc.Artifacts[name] = a
	}
}

// resume makes a stopped run go on: what had started and not ended may start
// again, and the branches that failed or were cancelled with them go on where
// they stood.
func (s *State) resume(e Event) {
	if !s.Since.IsZero() { // the process died: time counts to its last event
		s.Spent = s.Elapsed(s.At)
	}
	s.Status, s.Failure, s.Since = outcome.Running, nil, e.Time
	s.Caps = capsOf(object(e.Data, "caps")).over(s.Caps)
	if said := object(e.Data, "permission"); said != nil {
		s.Permission = said
	}
	if s.Stand != "" {
		sc := s.Scopes[Trunk]
		sc.Node, sc.From, sc.Pred, sc.Before = s.Stand, sc.Before, "", nil
		s.Stand = ""
	}
	for _, id := range sortedKeys(s.Scopes) { // the scope around a branch comes before it
		sc := s.Scopes[id]
		if sc.Fan != nil && sc.Fan.Strategy != "best_effort" {
			s.reopen(sc)
		}
		if sc.Phase == PhaseRunning {
			s.release(sc)
			s.phase(sc, PhaseReady)
		}
	}
}

// reopen takes back the failures of a fan-out.
func (s *State) reopen(parent *Scope) {
	f := parent.Fan
	f.Doomed, f.First = false, 0
	for i, b := range f.Branches {
		if a := f.Results[i]; a == nil || a.Failure == nil {
			continue
		}
		delete(f.Results, i)
		sc := s.Scopes[childOf(parent.ID, b.ID)]
		if sc == nil { // it was skipped
			f.Pending = append(f.Pending, i)
			continue
		}
		f.Active++
		s.phase(sc, sc.standing())
	}
	slices.Sort(f.Pending)
}

// standing is what a branch that was ended by a failure goes on with.
func (sc *Scope) standing() Phase {
	if sc.Held == PhaseRunning {
		return PhaseReady
	}
	return sc.Held
}
