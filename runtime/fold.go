package runtime

import (
	"math"
	"slices"
	"strings"
	"time"

	"iterion/ir/outcome"
)

// Fold makes the state that a run's events lead to.
func Fold(events []Event) *State {
	s := NewState()
	for _, e := range events {
		s.Apply(e)
	}
	return s
}

// NewState is the state before the first event.
func NewState() *State {
	return &State{
		Status: outcome.Queued,
		Scopes: map[string]*Scope{},
		Visits: map[string]int64{}, Positions: map[string]int64{}, Mailbox: map[string]any{},
		Versions: map[string]int64{}, Sessions: map[string]string{},
		Talks: map[string]*Talk{}, Interactions: map[string]*Interaction{}, Evals: map[string]Evals{},
		Held: map[string][]string{}, Warned: map[string]bool{},
	}
}

// Apply adds one event. An event that does not fit the state (an unknown
// scope, a type of another build) changes nothing but Seq.
func (s *State) Apply(e Event) {
	s.Seq = e.Seq
	defer func() { s.At = e.Time }()
	if e.Type == outcome.RunStarted {
		s.start(e)
		return
	}
	if e.Type == outcome.BranchStarted {
		s.startBranch(e)
		return
	}
	if s.applyRun(e) {
		return
	}
	sc := s.Scopes[e.BranchID]
	switch e.Type {
	case outcome.BranchFinished:
		s.endBranch(e)
		return
	case outcome.BudgetWarning, outcome.BudgetReached:
		s.Warned[warning(e)] = true
		return
	case outcome.DelegateFinished, outcome.DelegateError:
		s.consume(e.Data)
		return
	case outcome.HumanAnswersRecorded, outcome.InteractionAnswered:
		s.answered(e)
		return
	}
	if sc == nil || s.applyTalk(sc, e) {
		return
	}
	switch e.Type {
	case outcome.NodeStarted:
		s.startNode(sc, e)
	case outcome.HumanInputRequested:
		s.requested(sc, e)
	case outcome.ArtifactWritten:
		s.publish(sc, e)
	case outcome.NodeFinished:
		s.endNode(sc, e)
	case outcome.EdgeSelected:
		s.cross(sc, e)
	case outcome.JoinReady:
		s.join(sc, e)
	}
}

func (s *State) start(e Event) {
	s.RunID, s.Status, s.Since = e.RunID, outcome.Running, e.Time
	s.Program = text(e.Data, "workflow_hash")
	s.Caps = capsOf(object(e.Data, "caps"))
	s.Permission = object(e.Data, "permission")
	s.Attachments = object(e.Data, "attachments")
	s.Vars, s.Inputs = object(e.Data, "vars"), object(e.Data, "inputs")
	s.Scopes[Trunk] = &Scope{Node: text(e.Data, "entry")}
	s.phase(s.Scopes[Trunk], PhaseReady)
}

// applyRun applies the events that change a run's status.
func (s *State) applyRun(e Event) bool {
	switch e.Type {
	case outcome.RunFinished:
		s.Status = outcome.Finished
	case outcome.RunFailed:
		s.Status = outcome.FailedResumable
		s.Failure = failureOf(e.Data)
		s.Failure.Node = e.NodeID
		if s.Failure.Final {
			s.Status = outcome.Failed
		}
		s.Stand = text(e.Data, "stand")
		s.rewind(s.Scopes[Trunk])
	case outcome.RunCancelled:
		s.Status = outcome.CancelledRun
	case outcome.RunPaused:
		s.Status = outcome.Status(text(e.Data, "status"))
		if s.Status == outcome.PausedOperator {
			s.rewind(s.Scopes[Trunk])
		}
	case outcome.RunResumed:
		s.resume(e)
		return true
	default:
		return false
	}
	s.Spent, s.Since = s.Elapsed(e.Time), time.Time{}
	return true
}

// rewind makes the node at which the trunk failed the one to run again. One
// that had ended stays so: only its edge is chosen anew.
func (s *State) rewind(sc *Scope) {
	if sc == nil {
		return
	}
	s.release(sc)
	if sc.Phase == PhaseRunning {
		s.phase(sc, PhaseReady)
	}
}

func failureOf(d map[string]any) *Failure {
	return &Failure{
		Code:    outcome.Code(text(d, "failure_code")),
		Message: text(d, "error"),
		Node:    text(d, "failed_node"),
		Output:  d["output"],
		Final:   flag(d, "final"),
	}
}

// phase moves a scope on and keeps the lists and counts that depend on it.
func (s *State) phase(sc *Scope, to Phase) {
	switch sc.Phase {
	case PhaseReady, PhaseLeaving:
		s.Ready = without(s.Ready, sc.ID)
	case PhaseRunning:
		s.Running--
	case PhaseParked:
		s.Parked = without(s.Parked, sc.ID)
	case PhaseFanned:
		s.Fans = without(s.Fans, sc.ID)
	}
	if sc.ID != Trunk {
		s.Active += active(to) - active(sc.Phase)
	}
	sc.Phase = to
	switch to {
	case PhaseReady, PhaseLeaving:
		s.Ready = append(s.Ready, sc.ID)
	case PhaseRunning:
		s.Running++
	case PhaseParked:
		s.Parked = append(s.Parked, sc.ID)
	case PhaseFanned:
		s.Fans = append(s.Fans, sc.ID)
	}
}

func active(p Phase) int {
	switch p {
	case PhaseReady, PhaseRunning, PhaseLeaving:
		return 1
	}
	return 0
}

func without(list []string, id string) []string {
	i := slices.Index(list, id)
	switch {
	case i < 0:
		return list
	case i == 0:
		return list[1:]
	}
	return slices.Delete(list, i, i+1)
}

func (s *State) consume(d map[string]any) {
	tokens := whole(d, "input_tokens") + whole(d, "output_tokens")
	s.Usage.Tokens += tokens
	switch cost, known := d["cost_usd"]; {
	case known && cost != nil:
		s.Usage.CostUSD = added(s.Usage.CostUSD, number(d, "cost_usd"))
	case tokens > 0:
		s.Usage.Unpriced++
	}
}

// added is a sum of money in whole billionths, so that it is the same in
// whatever order branches spend.
func added(a, b float64) float64 {
	const unit = 1e9
	return (math.Round(a*unit) + math.Round(b*unit)) / unit
}

// warning names what a budget event is about, so that it is said once.
func warning(e Event) string {
	key := string(e.Type) + ":" + text(e.Data, "axis")
	if reason := text(e.Data, "reason"); reason != "" {
		key += ":" + reason
	}
	if flag(e.Data, "advisory") {
		key += ":advisory"
	}
	return key
}

// parentOf is the scope around a branch: ids are paths.
func parentOf(id string) string {
	if i := strings.LastIndexByte(id, '/'); i >= 0 {
		return id[:i]
	}
	return Trunk
}

func childOf(parent, branch string) string {
	if parent == Trunk {
		return branch
	}
	return parent + "/" + branch
}
