package check

import (
	"slices"

	"iterion/ir"
	"iterion/ir/scope"
)

// checkLoopExit: C145, what is left once every bounded loop of a node is spent
// must hold an edge for each outcome.
func checkLoopExit(c *Context, n *scope.Node) {
	if c.Scope.Broken {
		return
	}
	switch mode(n) {
	case ir.ModeLLM, ir.ModeFanOutEach:
		return
	}
	if !slices.ContainsFunc(n.Out, func(e *scope.Edge) bool { return e.Loop != nil }) {
		return
	}
	var bounded *scope.Edge
	var rest []*scope.Edge
	for _, e := range n.Out {
		switch {
		case e.Tainted:
			return
		case e.Foreach != nil:
		case e.Loop == nil || e.Loop.Unbounded.Set():
			rest = append(rest, e)
		case bounded == nil && c.Known(e.To):
			bounded = e
		}
	}
	if bounded == nil || testedBothWays(rest) || slices.ContainsFunc(rest, func(e *scope.Edge) bool { return !e.Conditional() }) {
		return
	}
	c.edge("C145", bounded, bounded.Span, "once loop `%s` is spent, `%s` can end with no edge to take", bounded.Loop.Name, n.Name)
}
