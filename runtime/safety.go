package runtime

import (
	"iterion/ir"
	"iterion/ir/effective"
	"iterion/ir/outcome"
)

// safe refuses a fan-out in which two branches that run at the same time could
// write to the workspace. replayed tells that several branches share the one
// edge.
func (e *engine) safe(router string, edges []*ir.Edge, replayed bool) *Failure {
	if e.p.limits.Parallel == 1 && replayed {
		return nil
	}
	var writers []string
	for _, edge := range edges {
		for _, id := range e.p.region(edge, e.p.collector(edge)) {
			if e.mutates(e.p.Node(id), replayed) {
				writers = append(writers, id)
				break
			}
		}
	}
	switch {
	case replayed && len(writers) > 0:
		return unsafe(router + " would run " + writers[0] + ", which may write to the workspace, several times at once")
	case len(writers) > 1:
		return unsafe("the branches of " + router + " to " + writers[0] + " and " + writers[1] + " may both write to the workspace")
	}
	return nil
}

func unsafe(message string) *Failure {
	return &Failure{Code: outcome.WorkspaceSafety, Message: message}
}

// mutates tells whether a node may write to the workspace.
func (e *engine) mutates(n *ir.Node, replayed bool) bool {
	var bounds effective.Bounds
	if n.LLM != nil {
		if b, ok := e.Backends(e.backendName(n, e.view(e.state.Scopes[Trunk], nil))); ok {
			bounds.OwnTools = b.Info().OwnTools
			bounds.ListHolds = !bounds.OwnTools
		}
	}
	return effective.MayWrite(n, bounds, replayed) != ""
}
