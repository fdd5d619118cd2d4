package runtime

import (
	"fmt"
	"slices"
	"strings"

	"iterion/ir"
	"iterion/ir/outcome"
)

// branchData is what every branch event carries.
func branchData(parent *Scope, index int) map[string]any {
	return map[string]any{
		"router": parent.Fan.Router, "index": int64(index), "target": parent.Fan.Branches[index].To,
	}
}

func (e *engine) startBranch(parent *Scope, index int) {
	id := childOf(parent.ID, parent.Fan.Branches[index].ID)
	e.emit(Event{Type: outcome.BranchStarted, BranchID: id, NodeID: parent.Fan.Branches[index].To, Data: branchData(parent, index)})
}

func (e *engine) skipBranch(parent *Scope, index int) {
	id := childOf(parent.ID, parent.Fan.Branches[index].ID)
	data := merged(branchData(parent, index), failureData(&Failure{
		Code: outcome.Cancelled, Message: "skipped: an item it depends on failed",
	}))
	data["victim"] = true
	e.emit(Event{Type: outcome.BranchFinished, BranchID: id, NodeID: parent.Fan.Branches[index].To, Data: data})
}

// endBranch ends a branch; f is nil when it succeeded. The first failure under
// wait_all cancels the siblings.
func (e *engine) endBranch(sc *Scope, data map[string]any, f *Failure) {
	parent := e.state.Scopes[sc.Parent]
	data = merged(branchData(parent, sc.Index), data)
	node := sc.Node
	if f != nil {
		data = merged(data, failureData(f))
		if parent.Fan.Strategy == "best_effort" {
			data["with"] = e.attempted(sc, parent.Fan)
		}
		if f.Node != "" {
			node = f.Node
		}
	}
	e.emit(Event{Type: outcome.BranchFinished, BranchID: sc.ID, NodeID: node, Data: data})
	if parent.Fan.Doomed {
		e.cancelUnder(parent.ID)
	}
}

// cancelUnder tells the jobs of a scope's branches to stop.
func (e *engine) cancelUnder(parent string) {
	for _, id := range sortedKeys(e.jobs) {
		if parent == Trunk || strings.HasPrefix(id, parent+"/") {
			e.jobs[id].cancel()
		}
	}
	e.starting = slices.DeleteFunc(e.starting, func(r *running) bool {
		return parent == Trunk || strings.HasPrefix(r.scope, parent+"/")
	})
}

// attempted evaluates the mappings by which a failed branch could have reached
// the collector; keys on which its edges disagree are left out.
func (e *engine) attempted(sc *Scope, f *Fan) map[string]any {
	head := e.p.edge(f.Branches[sc.Index].Edge)
	v := e.view(sc, nil)
	return agreed(func(yield func(map[string]any)) {
		for _, node := range e.p.region(head, f.Collector) {
			for _, out := range e.p.Out(node) {
				if out.To == f.Collector {
					yield(v.carried(out))
				}
			}
		}
	})
}

// firstFailure says which failure around a branch cancels it.
func (e *engine) firstFailure(sc *Scope) string {
	for sc.ID != Trunk {
		sc = e.state.Scopes[sc.Parent]
		if f := sc.Fan; f.Doomed {
			return fmt.Sprintf("%s failed (%s)", f.Branches[f.First].ID, f.Results[f.First].Failure.Message)
		}
	}
	return "the fan-out failed"
}

// branchesOf plans one branch for each edge.
func (e *engine) branchesOf(router string, edges []*ir.Edge) map[string]any {
	var rows []any
	for _, edge := range edges {
		rows = append(rows, map[string]any{
			"id": "branch_" + router + "_" + edge.To, "edge": int64(e.p.index[edge]), "to": edge.To,
		})
	}
	return e.fanPlan(edges, rows)
}

// fanPlan completes the plan of a fan-out: where it ends and how it joins.
func (e *engine) fanPlan(edges []*ir.Edge, rows []any) map[string]any {
	collector := ""
	for _, edge := range edges {
		if collector == "" {
			collector = e.p.collector(edge)
		}
	}
	strategy := "wait_all"
	if n := e.p.Node(collector); n != nil {
		strategy = n.Join.Or(strategy)
	}
	return map[string]any{"collector": collector, "strategy": strategy, "branches": rows}
}
