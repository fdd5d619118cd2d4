package runtime

import (
	"context"
	"time"

	"iterion/ir"
	"iterion/ir/outcome"
)

// answer is what a node's execution gives.
type answer struct {
	output  map[string]any
	failure *Failure
	unasked bool           // a person has to answer first
	extra   map[string]any // more data for node_finished
}

func failed(code outcome.Code, message string) answer {
	return answer{failure: &Failure{Code: code, Message: message}}
}

// job is the part of an execution that may block. It runs beside the engine's
// loop and touches nothing of the engine's but its reporter.
type job func(ctx context.Context, r reporter) answer

// execute runs a node by its kind.
func (e *engine) execute(n *ir.Node, v view) (answer, job) {
	switch n.Kind {
	case ir.KindTool:
		return e.tool(n, v)
	case ir.KindCompute:
		return e.compute(n, v), nil
	case ir.KindRouter:
		return e.router(n, v)
	case ir.KindHuman:
		return e.human(n, v)
	case ir.KindAgent, ir.KindJudge:
		return e.llm(n, v)
	case ir.KindEmit:
		return e.emitNode(n, v), nil
	case ir.KindWait:
		return e.wait(n, v)
	case ir.KindAwait:
		return e.await(n, v)
	case ir.KindSubbot:
		return e.subbot(n, v)
	}
	return failed(outcome.Unsupported, "this build cannot run "+string(n.Kind)+" nodes, such as "+n.ID), nil
}

// view is what a scope's texts can read now.
func (e *engine) view(sc *Scope, input map[string]any) view {
	return view{p: e.p, s: e.state, scope: sc, input: input, files: e.Secrets.Paths, now: e.now()}
}

// startNode starts the node on which a scope stands.
func (e *engine) startNode(sc *Scope) {
	n := e.p.Node(sc.Node)
	judged := e.p.budget(e.state, sc, beforeNode, sc.Node, sc.Back, e.now())
	e.record(judged.events)
	if judged.stop != nil {
		judged.stop.Node = sc.Node
		e.failScope(sc, judged.stop)
		return
	}
	leases, _ := e.p.free(e.state, n)
	v := e.view(sc, nil)
	v.input = v.nodeInput(n)
	v.input = merged(v.input, e.p.pooled(leases))
	data := map[string]any{"kind": string(n.Kind), "iteration": v.iteration(n.ID), "input": v.input}
	if leases != nil {
		data["leases"] = anyMap(leases)
	}
	e.emit(Event{Type: outcome.NodeStarted, BranchID: sc.ID, NodeID: n.ID, Data: data})
	started := e.now()
	got, job := e.execute(n, v)
	if job == nil {
		e.end(sc, got, started)
		return
	}
	r := &running{scope: sc.ID, node: n.ID, job: job, started: started}
	if n.Kind != ir.KindHuman { // a person's time does not count
		r.limit = e.p.left(e.state, started)
	}
	e.starting = append(e.starting, r)
}

func (e *engine) record(events []Event) {
	for _, ev := range events {
		e.emit(ev)
	}
}

// end records how a node's execution went.
func (e *engine) end(sc *Scope, got answer, started time.Time) {
	n := e.p.Node(sc.Node)
	switch {
	case got.unasked:
		return // the question is recorded, the scope parked
	case got.failure == nil:
		got.output, got.failure = e.checked(n, got)
	}
	if f := got.failure; f != nil {
		f.Node = n.ID
		e.failScope(sc, f)
		return
	}
	output := got.output
	if sc.Absent != nil {
		output = merged(output, map[string]any{"_failed_branches": sc.Absent})
	}
	if leases := e.p.pooled(sc.Leases); len(leases) > 0 {
		output = merged(output, leases)
	}
	if n.LLM != nil {
		output = merged(output, map[string]any{"_duration_ms": e.now().Sub(started).Milliseconds()})
	}
	data := merged(got.extra, map[string]any{"output": output})
	if len(e.p.inLoop[n.ID]) > 0 {
		data["history"] = true
	}
	if n.Publish.Set() {
		e.publish(sc, n)
	}
	e.emit(Event{Type: outcome.NodeFinished, BranchID: sc.ID, NodeID: n.ID, Data: data})
}

// checked holds an output against the node's schema.
func (e *engine) checked(n *ir.Node, got answer) (map[string]any, *Failure) {
	if skipped, _ := got.output["_skipped"].(bool); skipped || n.Kind == ir.KindHuman {
		return got.output, nil
	}
	out, miss := conform(e.p.schema(n.Output), got.output)
	if miss == nil {
		return out, nil
	}
	code := outcome.SchemaValidation
	if n.Kind == ir.KindCompute {
		code = outcome.ExpressionFailed
	}
	return nil, &Failure{Code: code, Message: "the output of " + n.ID + " does not fit its schema: " + miss.Error(), Output: got.output}
}

func (e *engine) publish(sc *Scope, n *ir.Node) {
	data := map[string]any{"publish": n.Publish.V, "version": e.state.Versions[visitKey(n.ID, sc.ID)]}
	if n.ArtifactLabels.Set() {
		data["labels"] = anys(ir.Strings(n.ArtifactLabels))
	}
	e.emit(Event{Type: outcome.ArtifactWritten, BranchID: sc.ID, NodeID: n.ID, Data: data})
}

// leave chooses the edge out of a node that has ended and takes it.
func (e *engine) leave(sc *Scope) {
	output, _ := sc.Outputs[sc.Node].(map[string]any)
	v := e.view(sc, output)
	chosen, position := e.positioned(sc)
	var f *Failure
	if chosen.edge == nil {
		chosen, f = v.choose(sc.Node, output)
	}
	for _, message := range chosen.skipped {
		e.OnWarning(message)
	}
	for _, notice := range chosen.notices {
		e.emit(Event{Type: outcome.BudgetWarning, BranchID: sc.ID, NodeID: sc.Node, Data: notice})
	}
	if f != nil {
		e.failScope(sc, f)
		return
	}
	back := chosen.edge.Loop != nil || chosen.edge.Foreach != nil
	judged := e.p.budget(e.state, sc, afterNode, chosen.edge.To, back, v.now)
	e.record(judged.events)
	if judged.stop != nil {
		judged.stop.Node = sc.Node
		e.failScope(sc, judged.stop)
		return
	}
	data := v.crossing(chosen)
	if position >= 0 {
		data["position"] = position
	}
	e.emit(Event{Type: outcome.EdgeSelected, BranchID: sc.ID, NodeID: sc.Node, Data: data})
}
