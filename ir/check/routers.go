package check

import (
	"iterion/ast"
	"iterion/ast/source"
	"iterion/diagnostics"
	"iterion/ir"
	"iterion/ir/finding"
	"iterion/ir/scope"
)

// checkFanOutEach judges the properties of a router that runs over a list, and
// the same properties on other routers: C113, C114.
func checkFanOutEach(c *Context, n *scope.Node) {
	r := n.Router
	if r == nil {
		return
	}
	each := mode(n) == ir.ModeFanOutEach
	if each && !written(r.Over) {
		c.node("C113", n, n.NameSpan, "`%s` runs over a list, and has no `over:` that names one", n.Name)
	}
	for _, p := range []struct {
		name string
		at   source.Span
	}{
		{"over", r.Over.Span}, {"as", r.As.Span}, {"key", r.Key.Span}, {"depends_on", r.DependsOn.Span},
	} {
		switch at := keyOf(n.Tree, p.at); {
		case p.at.IsZero():
		case !each:
			f := c.node("C114", n, at, "`%s:` needs `mode: fan_out_each`; the router `%s` is `%s`", p.name, n.Name, mode(n)).
				Hintf("Delete `%s:`, or set `mode: fan_out_each`.", p.name)
			if r.Mode.Set() {
				f.See(n.Tree, r.Mode.Span, "the mode")
			}
		case p.name == "depends_on" && !r.Key.Set():
			c.node("C114", n, at, "`depends_on:` lists keys of items, and `%s` has no `key:`", n.Name).
				Hintf("Add `key:` with the field that identifies an item, or delete `depends_on:`.")
		}
	}
}

// keyOf is the key of the property whose value stands at a place.
func keyOf(tree *ast.Declaration, value source.Span) source.Span {
	if i := tree.Enclosing(ast.Prop, value); i >= 0 {
		return tree.Nodes[i+1].Span()
	}
	return value
}

// checkEachEdge: C115, a router that runs over a list has one bare edge.
func checkEachEdge(c *Context, n *scope.Node) {
	if mode(n) != ir.ModeFanOutEach || c.Scope.Broken {
		return
	}
	for _, e := range n.Out {
		if e.Tainted {
			return
		}
	}
	switch {
	case len(n.Out) == 0:
		c.node("C115", n, n.NameSpan, "no edge of `%s` says what runs for an item", n.Name)
	case len(n.Out) > 1:
		c.edge("C115", n.Out[1], n.Out[1].Span, "`%s` runs one target for each item, and has %d edges", n.Name, len(n.Out)).
			See(n.Out[0].Decl.Tree, n.Out[0].Span, "the first edge")
	}
	for _, e := range n.Out {
		if e.Conditional() {
			c.edge("C115", e, clauseSpan(e, ast.When, conditionSpan(e)), "the edge of `%s` is taken for each item: a condition has no effect", n.Name).
				Hintf("Delete the condition.")
		}
	}
}

// clauseSpan is the whole clause of an edge around a place in it.
func clauseSpan(e *scope.Edge, kind ast.Kind, at source.Span) source.Span {
	if i := e.Decl.Tree.Enclosing(kind, at); i >= 0 {
		return e.Decl.Tree.Nodes[i].Span()
	}
	return at
}

// checkSameTarget: C249, a router that takes all its edges takes one target
// twice.
func checkSameTarget(c *Context, n *scope.Node) {
	switch mode(n) {
	case ir.ModeFanOutAll:
	case ir.ModeLLM:
		if !n.Router.Multi.V {
			return
		}
	default:
		return
	}
	first := map[string]*scope.Edge{}
	for _, e := range n.Out {
		switch before := first[e.To]; {
		case e.Tainted || !c.Known(e.To):
		case before == nil:
			first[e.To] = e
		default:
			c.edge("C249", e, e.Span, "`%s` has a second edge to the same target", n.Name).
				See(before.Decl.Tree, before.Span, "the first edge").
				Fix(diagnostics.DropDuplicateEdge, dropEdge(e)...)
		}
	}
}

// dropEdge deletes the line of an edge, unless the line holds others.
func dropEdge(e *scope.Edge) []finding.Edit {
	tree, targets := e.Decl.Tree, 0
	for m := range tree.Children(tree.Enclosing(ast.Edge, e.Span)) {
		if tree.Nodes[m].Kind == ast.Target {
			targets++
		}
	}
	if targets > 2 {
		return nil
	}
	return finding.DropMember(tree, ast.Edge, e.Span)
}
