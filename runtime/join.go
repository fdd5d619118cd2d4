package runtime

import (
	"fmt"
	"reflect"

	"iterion/ir"
	"iterion/ir/outcome"
)

// join ends a fan-out: its collector is reached, or the failure passes on.
func (e *engine) join(sc *Scope) {
	f := sc.Fan
	if f.Doomed || e.state.doomed(sc) {
		e.failScope(sc, f.failure())
		return
	}
	node, fail := f.meeting()
	if fail != nil {
		e.failScope(sc, fail)
		return
	}
	with, absent := f.gathered()
	e.emit(Event{Type: outcome.JoinReady, BranchID: sc.ID, NodeID: node, Data: map[string]any{
		"strategy": f.Strategy, "failed_branches": absent, "join_node": node,
		"with": with, "cleared": e.cleared(sc),
	}})
}

// failure is what a fan-out fails with: the code its failed branches share.
func (f *Fan) failure() *Failure {
	var code outcome.Code
	final := true
	for i := range f.Branches {
		a := f.Results[i]
		if a == nil || a.Failure == nil || a.Victim {
			continue
		}
		if code == "" {
			code = a.Failure.Code
		}
		if code != a.Failure.Code {
			code = outcome.ExecutionFailed
		}
		final = final && a.Failure.Final
	}
	if code == "" { // only cancelled from outside
		return &Failure{Code: outcome.Cancelled, Message: "cancelled with the fan-out around it"}
	}
	first := f.Results[f.First].Failure
	return &Failure{
		Code: code, Node: first.Node, Output: first.Output, Final: final,
		Message: fmt.Sprintf("%s failed first: %s", f.Branches[f.First].ID, first.Message),
	}
}

// meeting is the node at which the branches come together: done when all ended
// there and none can reach a collector.
func (f *Fan) meeting() (string, *Failure) {
	met := ""
	for i := range f.Branches {
		a := f.Results[i]
		if a == nil || a.Node == "" || a.Node == met {
			continue
		}
		if met != "" && f.Strategy != "best_effort" {
			return "", &Failure{Code: outcome.JoinFailed, Node: f.Router,
				Message: fmt.Sprintf("the branches of %s reach different collectors: %s and %s", f.Router, met, a.Node)}
		}
		if met == "" {
			met = a.Node
		}
	}
	switch {
	case met != "":
		return met, nil
	case f.Collector != "":
		return f.Collector, nil
	}
	return ir.Done, nil
}

// gathered merges the mappings of the branches in their order. Those behind
// failed branches fill the keys that nobody else sets, when they agree.
func (f *Fan) gathered() (with map[string]any, absent []any) {
	with = map[string]any{}
	fill := agreed(func(yield func(map[string]any)) {
		for i := range f.Branches {
			if a := f.Results[i]; a != nil && a.Failure != nil {
				yield(a.With)
			}
		}
	})
	for i, b := range f.Branches {
		switch a := f.Results[i]; {
		case a == nil:
		case a.Failure != nil:
			absent = append(absent, map[string]any{"branch_id": b.ID, "error": a.Failure.Message})
		default:
			for k, v := range a.With {
				with[k] = v
			}
		}
	}
	for k, v := range fill {
		if _, set := with[k]; !set {
			with[k] = v
		}
	}
	return with, absent
}

// agreed merges maps and leaves out the keys on which they differ.
func agreed(maps func(yield func(map[string]any))) map[string]any {
	out, differ := map[string]any{}, map[string]bool{}
	maps(func(m map[string]any) {
		for k, v := range m {
			if old, set := out[k]; set && !reflect.DeepEqual(old, v) {
				differ[k] = true
			}
			out[k] = v
		}
	})
	for k := range differ {
		delete(out, k)
	}
	return out
}

// cleared lists the nodes of the region whose outputs are of an earlier
// fan-out: this one did not produce them.
func (e *engine) cleared(sc *Scope) []any {
	f := sc.Fan
	produced := map[string]bool{}
	for i, b := range f.Branches {
		if a := f.Results[i]; a == nil || a.Failure != nil {
			continue
		}
		if child := e.state.Scopes[childOf(sc.ID, b.ID)]; child != nil {
			for node := range child.Outputs {
				produced[node] = true
			}
		}
	}
	var out []any
	seen := map[string]bool{f.Router: true}
	branches := f.Branches
	if f.Bindings && len(branches) > 0 {
		branches = branches[:1]
	}
	for _, b := range branches {
		for _, node := range e.p.region(e.p.edge(b.Edge), f.Collector) {
			if _, stale := sc.Outputs[node]; stale && !produced[node] && !seen[node] {
				seen[node] = true
				out = append(out, node)
			}
		}
	}
	return out
}
