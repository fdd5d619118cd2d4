package runtime

import "iterion/ir"

// nodeInput builds the input of the node on which the scope stands: the entry
// has the run's vars and launch inputs; then come the mappings of forward edges,
// then those of back-edges, so that these win. A visit by back-edges only takes
// what they do not set from the forward edges whose source has run.
func (v view) nodeInput(n *ir.Node) map[string]any {
	var parts []map[string]any
	if n.ID == v.p.Workflow.Entry.V {
		parts = append(parts, v.s.Vars, v.s.Inputs)
	}
	if v.scope.Back {
		for _, e := range v.p.into[n.ID] {
			if _, ran := v.s.output(v.scope.ID, e.From); ran && e.Loop == nil && e.Foreach == nil {
				parts = append(parts, v.carried(e))
			}
		}
	}
	for _, i := range v.scope.From {
		parts = append(parts, v.carried(v.p.edge(i)))
	}
	return merged(append(parts, v.scope.Arrived)...)
}

// carried evaluates an edge's mapping; its `input` is the source's output.
func (v view) carried(e *ir.Edge) map[string]any {
	if len(e.With.V) == 0 {
		return nil
	}
	output, _ := v.s.output(v.scope.ID, e.From)
	v.input, _ = output.(map[string]any)
	return v.mapping(e.With)
}
