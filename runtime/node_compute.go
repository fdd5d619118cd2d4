package runtime

import (
	"fmt"

	"iterion/ir"
	"iterion/ir/outcome"
)

// compute evaluates every field over the same snapshot: a field cannot read a
// sibling.
func (e *engine) compute(n *ir.Node, v view) answer {
	out := make(map[string]any, len(n.Compute.Expr.V))
	for _, field := range n.Compute.Expr.V {
		value, err := e.p.eval(field.Value, v)
		if err != nil {
			return failed(outcome.ExpressionFailed, fmt.Sprintf("field %s: %v", field.Key, err))
		}
		out[field.Key] = value
	}
	return answer{output: out}
}
