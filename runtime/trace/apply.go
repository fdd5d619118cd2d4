package trace

import (
	"strings"

	"iterion/ir/outcome"
	"iterion/runtime/store"
)

// Apply adds one event. What does not fit, or is of a type of another build,
// changes nothing but where the trace ends.
func (t *Trace) Apply(e store.Event) {
	if status, ok := store.StatusAfter(e); ok {
		t.status(e, status)
	}
	t.applyGraph(e)
	t.applyModel(e)
	t.applyPeople(e)
	if t.Began.IsZero() {
		t.Began = e.Time
	}
	t.At, t.Seq = e.Time, e.Seq
}

// status follows the events that begin and end the run's work.
func (t *Trace) status(e store.Event, to outcome.Status) {
	switch e.Type {
	case outcome.RunStarted:
		t.Vars, t.Inputs = object(e.Data, "vars"), object(e.Data, "inputs")
	case outcome.RunResumed:
		if t.Status == outcome.Running { // the process died: what it did lasted to its last event
			t.stop()
		}
		t.Failure, t.Reason = nil, ""
	}
	if t.Status = to; to == outcome.Running {
		return
	}
	t.Reason = text(e.Data, "reason")
	if e.Type == outcome.RunFailed || text(e.Data, "error") != "" {
		t.Failure = failureOf(e)
	}
	if v := t.open[e.BranchID]; v != nil && v.Node == e.NodeID && e.Type == outcome.RunFailed {
		t.end(v, e, Failed)
		v.Failure = t.Failure
	}
	t.At = e.Time
	t.stop()
}

// stop ends the visits that nobody works at any more. Those that wait for a
// person go on waiting.
func (t *Trace) stop() {
	for _, v := range t.open {
		if v.State == Running {
			v.State, v.End = Stopped, t.At
			delete(t.open, v.Branch)
		}
	}
}

func (t *Trace) applyGraph(e store.Event) {
	switch e.Type {
	case outcome.NodeStarted:
		t.start(e)
	case outcome.NodeFinished:
		t.finish(e)
	case outcome.EdgeSelected:
		t.Taken[int(whole(e.Data, "edge"))]++
	case outcome.BranchStarted:
		t.branch(e)
		heads, index := t.heads[parentOf(e.BranchID)], int(whole(e.Data, "index"))
		if index >= 0 && index < len(heads) {
			t.Taken[heads[index]]++
		}
	case outcome.BranchFinished:
		t.endBranch(e)
	case outcome.ArtifactWritten:
		t.Artifacts = append(t.Artifacts, Artifact{
			Name: text(e.Data, "publish"), Node: e.NodeID, Branch: e.BranchID,
			Version: whole(e.Data, "version"), Labels: names(e.Data, "labels"),
		})
	case outcome.BudgetWarning, outcome.BudgetReached, outcome.BudgetExitGrace, outcome.LLMRetry,
		outcome.ModelFallback, outcome.NodeRecovery, outcome.NodeVerifiedAction:
		t.Notes = append(t.Notes, Note{e.Time, e.Type, e.NodeID, e.BranchID, e.Data})
	}
}

func (t *Trace) start(e store.Event) {
	v := &Visit{
		Span: Span{Start: e.Time}, Node: e.NodeID, Branch: e.BranchID, State: Running,
		Kind: text(e.Data, "kind"), Iteration: whole(e.Data, "iteration"), Input: e.Data["input"],
	}
	if old := t.open[v.Branch]; old != nil {
		old.State, old.End = Stopped, e.Time
	}
	key := v.Branch + "\x00" + v.Node
	try := t.tries[key]
	try[1]++
	v.Number, v.Attempt = try[0]+1, try[1]
	t.tries[key] = try
	t.open[v.Branch] = v
	t.Visits = append(t.Visits, v)
}

// finish ends a visit. A node whose output an operator accepted on a resume has
// none that is open.
func (t *Trace) finish(e store.Event) {
	v := t.open[e.BranchID]
	if v == nil || v.Node != e.NodeID {
		t.start(store.Event{Time: e.Time, NodeID: e.NodeID, BranchID: e.BranchID})
		v = t.open[e.BranchID]
	}
	t.end(v, e, Finished)
	v.Output, v.Child = e.Data["output"], text(e.Data, "child_run")
	t.tries[v.Branch+"\x00"+v.Node] = [2]int{v.Number, 0}
	for i := range t.Artifacts {
		if a := &t.Artifacts[i]; a.Node == v.Node && a.Branch == v.Branch && a.Value == nil {
			a.Value = v.Output
		}
	}
	plan := object(e.Data, "fan")
	if plan == nil {
		return
	}
	var heads []int
	for _, row := range list(plan, "branches") {
		d, _ := row.(map[string]any)
		heads = append(heads, int(whole(d, "edge")))
	}
	t.heads[e.BranchID] = heads
}

func (t *Trace) end(v *Visit, e store.Event, state State) {
	v.State, v.End = state, e.Time
	if n := len(v.Waits); n > 0 && v.Waits[n-1].End.IsZero() {
		v.Waits[n-1].End = e.Time
	}
	delete(t.open, v.Branch)
}

func (t *Trace) branch(e store.Event) *Branch {
	b := &Branch{Span: Span{Start: e.Time}, ID: e.BranchID, Router: text(e.Data, "router")}
	t.Branches = append(t.Branches, b)
	return b
}

func (t *Trace) endBranch(e store.Event) {
	var b *Branch
	for i := len(t.Branches) - 1; i >= 0 && b == nil; i-- {
		if t.Branches[i].ID == e.BranchID && t.Branches[i].End.IsZero() {
			b = t.Branches[i]
		}
	}
	if b == nil { // it was skipped
		b = t.branch(e)
	}
	b.End, b.Victim = e.Time, flag(e.Data, "victim")
	if e.Data["error"] != nil {
		b.Failure = failureOf(e)
	}
	v := t.open[e.BranchID]
	if v == nil {
		return
	}
	if b.Victim || b.Failure == nil {
		t.end(v, e, Stopped)
	} else {
		t.end(v, e, Failed)
		v.Failure = b.Failure
	}
}

func failureOf(e store.Event) *Failure {
	f := &Failure{
		Code: outcome.Code(text(e.Data, "failure_code")), Message: text(e.Data, "error"),
		Node: text(e.Data, "failed_node"), Output: e.Data["output"], Final: flag(e.Data, "final"),
	}
	if f.Node == "" {
		f.Node = e.NodeID
	}
	return f
}

// parentOf is the scope around a branch: ids are paths.
func parentOf(branch string) string {
	return branch[:max(0, strings.LastIndexByte(branch, '/'))]
}
