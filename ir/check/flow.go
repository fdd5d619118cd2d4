package check

import (
	"slices"

	"iterion/ir"
	"iterion/ir/scope"
)

// checkDefaults: C123 and C124, one edge at most is taken when no condition
// holds. The edges of a `fan_out_each` are C115's.
func checkDefaults(c *Context, n *scope.Node) {
	if mode(n) == ir.ModeFanOutEach {
		return
	}
	var elses []*scope.Edge
	var bare *scope.Edge
	for _, e := range n.Out {
		switch {
		case e.Tainted:
		case e.Else.Set():
			elses = append(elses, e)
		case e.Bare() && bare == nil:
			bare = e
		}
	}
	if len(elses) > 1 {
		c.edge("C123", elses[1], elses[1].Else.Span, "a second `else` of `%s`", n.Name).
			See(elses[0].Decl.Tree, elses[0].Else.Span, "the first one")
	}
	if len(elses) > 0 && bare != nil {
		c.edge("C124", bare, bare.Span, "`%s` has an `else`, and this edge needs no condition either", n.Name).
			See(elses[0].Decl.Tree, elses[0].Span, "the `else` edge")
	}
}

// checkForeaches: C118, an edge iterates in one way; C269, all edges of one
// foreach go through the same collection.
func checkForeaches(c *Context) {
	for _, e := range c.Edges {
		switch {
		case e.Tainted || e.Foreach == nil:
		case e.Loop != nil:
			first, second := e.Loop.Span, e.Foreach.Span
			if first.Start > second.Start {
				first, second = second, first
			}
			c.edge("C118", e, second, "this edge is in the loop `%s` and in the foreach `%s`", e.Loop.Name, e.Foreach.Name).
				See(e.Decl.Tree, first, "the other one")
		default:
			checkSameForeach(c, e)
		}
	}
}

// checkSameForeach compares an edge with the first of its foreach that is judged.
func checkSameForeach(c *Context, e *scope.Edge) {
	edges := c.Foreaches[e.Foreach.Name]
	first := edges[slices.IndexFunc(edges, func(o *scope.Edge) bool { return o == e || !o.Tainted && o.Loop == nil })]
	if first == e {
		return
	}
	a, b := first.Foreach, e.Foreach
	what := "another collection"
	switch {
	case a.Collection.V.Value() != b.Collection.V.Value():
	case a.Item.V != b.Item.V:
		what = "another name for its item"
	default:
		return
	}
	c.edge("C269", e, b.Span, "the foreach `%s` has %s here", b.Name, what).See(first.Decl.Tree, a.Span, "first declared here")
}
