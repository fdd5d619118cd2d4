package runtime

import "iterion/ir"

// Action is a kind of step.
type Action string

// What a state may want done.
const (
	StartNode   Action = "start node"
	LeaveNode   Action = "leave node"   // choose an edge and take it
	Arrive      Action = "arrive"       // the scope stands on an end or on its collector
	Abandon     Action = "abandon"      // a sibling failed: the branch ends
	StartBranch Action = "start branch" // branch Index of the scope's fan-out
	SkipBranch  Action = "skip branch"  // a branch it waits for failed
	Join        Action = "join"         // all branches of the scope's fan-out have ended
)

// Step is one thing to do.
type Step struct {
	Do    Action
	Scope string
	Index int
}

// next is the step the state wants first; false when only running nodes or
// people can bring it on. It decides by the state and the program alone.
func (p *plan) next(s *State) (Step, bool) {
	if s.Ended() {
		return Step{}, false
	}
	for _, id := range s.Parked {
		if s.doomed(s.Scopes[id]) {
			return Step{Do: Abandon, Scope: id}, true
		}
	}
	blocked := false
	for _, id := range s.Ready {
		sc := s.Scopes[id]
		switch {
		case s.doomed(sc):
			return Step{Do: Abandon, Scope: id}, true
		case sc.Phase == PhaseLeaving:
			return Step{Do: LeaveNode, Scope: id}, true
		case p.arrived(s, sc):
			return Step{Do: Arrive, Scope: id}, true
		case p.mayStart(s, sc):
			return Step{Do: StartNode, Scope: id}, true
		}
		blocked = true
	}
	for _, id := range s.Fans {
		if step, ok := p.nextOfFan(s, s.Scopes[id], blocked); ok {
			return step, true
		}
	}
	return Step{}, false
}

// arrived tells whether a scope's walk is over: at an end, or, for a branch, at
// a collector.
func (p *plan) arrived(s *State, sc *Scope) bool {
	n := p.Node(sc.Node)
	if n == nil || n.Kind == ir.KindFail {
		return true
	}
	return sc.ID != Trunk && p.joins(s.Scopes[sc.Parent].Fan, sc.Node)
}

// joins tells whether a node is the collector of one of a fan-out's branches.
func (p *plan) joins(f *Fan, node string) bool {
	if node == f.Collector {
		return true
	}
	branches := f.Branches
	if f.Bindings && len(branches) > 0 {
		branches = branches[:1] // the branches of a template share their edge
	}
	for _, b := range branches {
		if p.collector(p.edge(b.Edge)) == node {
			return true
		}
	}
	return false
}

// mayStart tells whether a node's resources and, in a branch, a slot are free.
func (p *plan) mayStart(s *State, sc *Scope) bool {
	if sc.ID != Trunk && p.limits.Parallel > 0 && s.Running >= p.limits.Parallel {
		return false
	}
	_, free := p.free(s, p.Node(sc.Node))
	return free
}

// nextOfFan starts a branch when there is room. While a node waits for a
// resource no further branch starts: it would only wait as well.
func (p *plan) nextOfFan(s *State, sc *Scope, blocked bool) (Step, bool) {
	if !s.open(sc) {
		return Step{Do: Join, Scope: sc.ID}, true
	}
	f := sc.Fan
	if blocked || f.Doomed || s.doomed(sc) || p.limits.Parallel > 0 && s.Active >= p.limits.Parallel {
		return Step{}, false
	}
	for _, i := range f.Pending {
		switch f.prerequisites(i) {
		case met:
			return Step{Do: StartBranch, Scope: sc.ID, Index: i}, true
		case broken:
			return Step{Do: SkipBranch, Scope: sc.ID, Index: i}, true
		}
	}
	return Step{}, false
}

type readiness int

const (
	met readiness = iota
	awaited
	broken
)

func (f *Fan) prerequisites(i int) readiness {
	state := met
	for _, other := range f.Branches[i].After {
		switch a := f.Results[other]; {
		case a == nil:
			state = awaited
		case a.Failure != nil:
			return broken
		}
	}
	return state
}
