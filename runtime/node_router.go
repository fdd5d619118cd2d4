package runtime

import (
	"fmt"
	"strings"

	"iterion/ir"
	"iterion/ir/outcome"
)

// router passes its input on. A fan-out answers with the plan of its branches;
// the other modes choose an edge when the node is left.
func (e *engine) router(n *ir.Node, v view) (answer, job) {
	switch n.Router.EffectiveMode() {
	case ir.ModeFanOutAll:
		edges := e.p.Out(n.ID)
		if f := e.safe(n.ID, edges, false); f != nil {
			return answer{failure: f}, nil
		}
		return fannedOut(v.input, e.branchesOf(n.ID, edges)), nil
	case ir.ModeFanOutEach:
		return e.fanOutEach(n, v), nil
	case ir.ModeLLM:
		return e.llmRouter(n, v)
	}
	return answer{output: v.input}, nil
}

func fannedOut(output, plan map[string]any) answer {
	return answer{output: output, extra: map[string]any{"fan": plan}}
}

// fanOutEach plans one branch for each item. Without items the run goes to the
// collector; where there is none, the template runs once without an item.
func (e *engine) fanOutEach(n *ir.Node, v view) answer {
	edges := e.p.Out(n.ID)
	if len(edges) != 1 {
		return failed(outcome.NoOutgoingEdge, fmt.Sprintf("%s needs exactly one edge", n.ID))
	}
	items, err := v.over(n)
	if err != nil {
		return failed(outcome.ExpressionFailed, err.Error())
	}
	after, err := dependencies(n.Router, items)
	if err != nil {
		return failed(outcome.ExecutionFailed, err.Error())
	}
	if f := e.safe(n.ID, edges, len(items) > 1); f != nil {
		return answer{failure: f}
	}
	count := int64(len(items))
	if count == 0 && e.p.collector(edges[0]) == "" {
		items = []any{nil}
	}
	edge, to := int64(e.p.index[edges[0]]), edges[0].To
	rows := make([]any, len(items))
	for i, item := range items {
		row := map[string]any{"id": fmt.Sprintf("branch_%s_%d", n.ID, i), "edge": edge, "to": to, "item": item}
		if after != nil && len(after[i]) > 0 {
			row["after"] = after[i]
		}
		rows[i] = row
	}
	plan := e.fanPlan(edges, rows)
	plan["bindings"], plan["as"], plan["count"] = true, n.Router.As.Or("item"), count
	return fannedOut(v.input, plan)
}

// over is the router's list: an array, or a text that holds one; an empty text
// is an empty list.
func (v view) over(n *ir.Node) ([]any, error) {
	ref, whole := n.Router.Over.V.Whole()
	if !whole {
		return nil, fmt.Errorf("over must be one reference, not %s", shown(n.Router.Over.V.Value()))
	}
	value, _ := v.ref(ref)
	if text, ok := value.(string); ok && strings.TrimSpace(text) == "" {
		return nil, nil
	}
	items, ok := asList(value)
	if !ok {
		return nil, fmt.Errorf("over must be a list, not %s", shown(value))
	}
	return items, nil
}

// positioned is the round-robin edge of a router and the position after it; a
// negative position for every other node.
func (e *engine) positioned(sc *Scope) (choice, int64) {
	n := e.p.Node(sc.Node)
	if n == nil || n.Router == nil {
		return choice{}, -1
	}
	edges := e.p.Out(n.ID)
	switch n.Router.EffectiveMode() {
	case ir.ModeRoundRobin:
		if len(edges) > 0 {
			at := e.state.Positions[n.ID]
			return choice{edge: edges[at%int64(len(edges))]}, at + 1
		}
	case ir.ModeLLM:
		output, _ := sc.Outputs[n.ID].(map[string]any)
		for _, edge := range edges {
			if edge.To == output["selected_route"] {
				return choice{edge: edge}, -1
			}
		}
	}
	return choice{}, -1
}
