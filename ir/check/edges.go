package check

import (
	"iterion/ast/source"
	"iterion/diagnostics"
	"iterion/ir"
	"iterion/ir/finding"
	"iterion/ir/scope"
)

func checkEnd(c *Context, e *scope.Edge, id string, at source.Span) {
	if c.Known(id) || c.Incomplete {
		return
	}
	f := c.edge("C001", e, at, "no node is called `%s`", id)
	switch id {
	case "end", "END", "finish", "exit", "stop", "Done":
		f.Near(id, []string{ir.Done}).Hintf("The end of a run is `done`.")
	case "error", "failed", "abort":
		f.Near(id, []string{ir.Fail}).Hintf("A run that fails ends at `fail`.")
	default:
		f.Near(id, append(c.NodeIDs(), ir.Done, ir.Fail))
	}
}

// mode is a router's mode, "" for other nodes.
func mode(n *scope.Node) string {
	if n.Router == nil {
		return ""
	}
	return n.Router.EffectiveMode()
}

// checkChoice: what the edges of one node must be so that one of them can
// always be taken, and only one. C010, C011, C012, C015.
func checkChoice(c *Context, n *scope.Node) {
	for _, e := range n.Out {
		if e.Tainted {
			return
		}
	}
	checkSameCondition(c, n)
	checkElse(c, n)
	switch mode(n) {
	case ir.ModeFanOutAll, ir.ModeRoundRobin, ir.ModeLLM, ir.ModeFanOutEach:
		return
	}
	checkBare(c, n)
	checkFallback(c, n)
}

func checkBare(c *Context, n *scope.Node) {
	var first *scope.Edge
	for _, e := range n.Out {
		switch {
		case !e.Bare():
		case first == nil:
			first = e
		default:
			c.edge("C010", e, e.Span, "`%s` has two edges without a condition", n.Name).See(first.Decl.Tree, first.Span, "the other edge")
			return
		}
	}
}

func checkSameCondition(c *Context, n *scope.Node) {
	for i, e := range n.Out {
		if !e.Conditional() {
			continue
		}
		for _, before := range n.Out[:i] {
			if !sameCondition(before, e) {
				continue
			}
			at, other := conditionSpan(e), conditionSpan(before)
			c.edge("C011", e, at, "two edges of `%s` test the same condition", n.Name).See(before.Decl.Tree, other, "first tested here")
			break
		}
	}
}

func sameCondition(a, b *scope.Edge) bool {
	if a.When.Set() && b.When.Set() {
		return a.When.V == b.When.V && a.Not == b.Not
	}
	return a.Expr.Set() && b.Expr.Set() && a.Expr.V.Value() == b.Expr.V.Value()
}

func conditionSpan(e *scope.Edge) source.Span {
	if e.When.Set() {
		return e.When.Span
	}
	return e.Expr.Span
}

// checkElse: C015, an `else` needs a guarded sibling.
func checkElse(c *Context, n *scope.Node) {
	if c.Scope.Broken {
		return
	}
	var elseEdge *scope.Edge
	for _, e := range n.Out {
		if e.Conditional() {
			return
		}
		if e.Else.Set() && elseEdge == nil {
			elseEdge = e
		}
	}
	if elseEdge != nil {
		c.edge("C015", elseEdge, elseEdge.Else.Span, "`else` without an edge of `%s` that has a condition", n.Name).
			Fix(diagnostics.DropElseKeyword, finding.DropWord(elseEdge.Decl.Tree, elseEdge.Else.Span)...)
	}
}

// checkFallback: C012, guarded edges need one that is taken when none holds.
func checkFallback(c *Context, n *scope.Node) {
	if c.Scope.Broken {
		return
	}
	var first *scope.Edge
	for _, e := range n.Out {
		if !e.Conditional() {
			return // bare, else, or an unconditional loop
		}
		if first == nil {
			first = e
		}
	}
	if first == nil || testedBothWays(n.Out) {
		return
	}
	f := c.edge("C012", first, first.Span, "`%s` can end with no edge to take", n.Name)
	f.NodeID = n.ID
	if len(n.Out) == 1 && first.When.Set() && !first.Not {
		f.Hintf("Add an edge `%s -> … when not %s`, or an `else`.", n.Name, first.When.V)
	}
}

func testedBothWays(edges []*scope.Edge) bool {
	for i, e := range edges {
		if !e.When.Set() {
			continue
		}
		for _, o := range edges[:i] {
			if o.When.Set() && o.When.V == e.When.V && o.Not != e.Not {
				return true
			}
		}
	}
	return false
}

// checkFields: C013 and C014, the field that a `when` tests.
func checkFields(c *Context, n *scope.Node) {
	s := n.OutputSchema
	if s == nil {
		return
	}
	for _, e := range n.Out {
		if e.Tainted || !e.When.Set() || !c.Known(e.To) {
			continue
		}
		switch f := s.Field(e.When.V); {
		case f == nil && e.When.V[0] != '_':
			c.edge("C014", e, e.When.Span, "schema `%s` has no field `%s`", s.Name, e.When.V).
				Near(e.When.V, fieldNames(s)).See(s.Tree, s.NameSpan, "the output of `"+n.Name+"`")
		case f != nil && f.Type != "bool" && f.Type != "":
			c.edge("C013", e, e.When.Span, "`when %s` needs a bool, the field is %s", e.When.V, f.Type).
				See(s.Tree, f.NameSpan, "declared here")
		}
	}
}

func fieldNames(s *ir.Schema) []string {
	names := make([]string, len(s.Fields))
	for i := range s.Fields {
		names[i] = s.Fields[i].Name
	}
	return names
}

// checkRouterEdges: C020, C021, C022.
func checkRouterEdges(c *Context, n *scope.Node) {
	if n.Router == nil || c.Scope.Broken {
		return
	}
	free := 0
	for _, e := range n.Out {
		if e.Tainted {
			return
		}
		if !e.Conditional() {
			free++
		}
	}
	switch mode(n) {
	case ir.ModeRoundRobin:
		if free < 2 {
			c.node("C020", n, n.NameSpan, "`%s` alternates over its edges, and has %d without a condition", n.Name, free)
		}
	case ir.ModeLLM:
		if len(n.Out) < 2 {
			c.node("C021", n, n.NameSpan, "`%s` lets a model choose, and has %d edges to choose from", n.Name, len(n.Out))
		}
		for _, e := range n.Out {
			if e.Conditional() {
				c.edge("C022", e, conditionSpan(e), "the model of `%s` chooses the edge: a condition has no effect", n.Name)
			}
		}
	}
}
