package runtime

import (
	"iterion/ir"
	"iterion/ir/outcome"
)

// arrive ends a scope's walk: the run's at done or fail, a branch's also at its
// collector.
func (e *engine) arrive(sc *Scope) {
	n := e.p.Node(sc.Node)
	switch {
	case sc.Node == ir.Fail:
		e.failScope(sc, &Failure{Code: outcome.FailNode, Message: "the run reached fail", Node: sc.Node, Final: true})
	case n != nil && n.Kind == ir.KindFail:
		e.failScope(sc, e.named(sc, n))
	case n == nil && sc.Node != ir.Done:
		e.failScope(sc, &Failure{Code: outcome.NodeNotFound, Message: "the program has no node " + sc.Node, Node: sc.Node})
	case sc.ID != Trunk:
		e.reach(sc, n)
	default:
		e.emit(Event{Type: outcome.RunFinished, Data: map[string]any{"status": string(outcome.Finished)}})
	}
}

// named is the failure of a fail node. It can be resumed when one node alone
// led to it, which then runs again.
func (e *engine) named(sc *Scope, n *ir.Node) *Failure {
	f := &Failure{Code: outcome.FailNode, Message: "the run reached " + n.ID, Node: n.ID}
	if n.FailNode.Code.Set() {
		f.Code = outcome.Code(n.FailNode.Code.V)
	}
	if n.FailNode.Message.Set() {
		v := e.view(sc, nil)
		v.input = v.nodeInput(n)
		f.Message = v.text(n.FailNode.Message.V)
	}
	f.Final = !n.FailNode.Resumable.V || sc.Pred == ""
	return f
}

// reach ends a branch at its collector, or at done when n is nil.
func (e *engine) reach(sc *Scope, n *ir.Node) {
	data := map[string]any{}
	if n != nil {
		with := map[string]any{}
		v := e.view(sc, nil)
		for _, i := range sc.From {
			with = merged(with, v.carried(e.p.edge(i)))
		}
		data["join_node"], data["with"] = n.ID, merged(with, sc.Arrived)
	}
	e.endBranch(sc, data, nil)
}

// failScope ends the run, or the branch, with a failure.
func (e *engine) failScope(sc *Scope, f *Failure) {
	if sc.ID == Trunk {
		e.failRun(sc, f)
		return
	}
	data := map[string]any{}
	if e.state.doomed(sc) {
		data["victim"] = true
	}
	e.endBranch(sc, data, f)
}

// failRun ends the run; one that is out of budget may be paused instead.
func (e *engine) failRun(sc *Scope, f *Failure) {
	if f.Code == outcome.BudgetExceeded && e.p.limits.pause {
		e.emit(Event{Type: outcome.RunPaused, NodeID: f.Node, Data: map[string]any{
			"status": string(outcome.PausedOperator), "reason": "budget", "error": f.Message,
		}})
		return
	}
	data := failureData(f)
	if n := e.p.Node(f.Node); n != nil && n.Kind == ir.KindFail && !f.Final {
		data["stand"] = sc.Pred
	}
	e.emit(Event{Type: outcome.RunFailed, BranchID: sc.ID, NodeID: f.Node, Data: data})
}

func failureData(f *Failure) map[string]any {
	data := map[string]any{
		"failure_code": string(f.Code), "error": f.Message, "final": f.Final, "resumable": !f.Final,
	}
	if f.Node != "" {
		data["failed_node"] = f.Node
	}
	if f.Output != nil {
		data["output"] = f.Output
	}
	return data
}
