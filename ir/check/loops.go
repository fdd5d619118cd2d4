package check

import (
	syntax "iterion/grammar/expr"
	"iterion/ir/compile"
	"iterion/ir/expr"
	"iterion/ir/scope"
)

// checkLoops: C005, C026, C097, C098.
func checkLoops(c *Context) {
	for _, e := range c.Edges {
		if e.Tainted || e.Loop == nil {
			continue
		}
		checkCap(c, e)
		checkAgreement(c, e)
		if e.Loop.Unbounded.Set() {
			checkUnbounded(c, e)
		}
	}
}

// checkAgreement: C005, all edges of one loop have one cap. The later edge is
// the finding. An edge that is foreach too has C118.
func checkAgreement(c *Context, e *scope.Edge) {
	first := c.Loops[e.Loop.Name][0]
	if first == e || first.Tainted || e.Foreach != nil || first.Foreach != nil || sameCap(first, e) {
		return
	}
	c.edge("C005", e, e.Loop.Span, "loop `%s` has another cap here", e.Loop.Name).See(first.Decl.Tree, first.Loop.Span, "first cap here")
}

func sameCap(a, b *scope.Edge) bool {
	x, y := a.Loop, b.Loop
	return x.Count.Set() == y.Count.Set() && x.Count.V == y.Count.V &&
		x.Cap.Set() == y.Cap.Set() && (!x.Cap.Set() || x.Cap.V.Value() == y.Cap.V.Value()) &&
		x.Unbounded.V == y.Unbounded.V && x.Fuel.V == y.Fuel.V
}

// checkCap: C026, a cap that is surely no whole number of at least 1.
func checkCap(c *Context, e *scope.Edge) {
	l := e.Loop
	switch {
	case l.Count.Set() && l.Count.V < 1:
		c.edge("C026", e, l.Count.Span, "loop `%s` has a cap of %d", l.Name, l.Count.V)
	case l.Fuel.Set() && l.Fuel.V < 1:
		c.edge("C026", e, l.Fuel.Span, "loop `%s` has fuel for %d rounds", l.Name, l.Fuel.V)
	}
	for i := range e.Exprs {
		if x := &e.Exprs[i]; x.Role == compile.LoopCap && x.Tree != nil && !couldBeCount(x.Tree) {
			c.edge("C026", e, x.Span, "loop `%s` has the cap %q, which is no whole number of at least 1", l.Name, x.Text.Value())
		}
	}
}

// couldBeCount tells whether a cap expression can be a count: it reads a run
// variable or an output, or it is a constant count. A call that cannot be made
// has a finding of its own.
func couldBeCount(n *syntax.Node) bool {
	open := false
	syntax.Walk(n, func(n *syntax.Node) bool {
		switch n.Kind {
		case syntax.Path:
			open = open || n.Name() == "vars" || n.Name() == "outputs"
		case syntax.Call:
			f := syntax.LookupFunction(n.Name())
			open = open || f == nil || !f.Accepts(len(n.Args))
		}
		return !open
	})
	if open {
		return true
	}
	v, err := expr.Eval(n, nil)
	count, whole := v.(int64)
	return err == nil && whole && count >= 1
}

func checkUnbounded(c *Context, e *scope.Edge) {
	l := e.Loop
	budget := c.Program.Workflow.Budget
	if !l.Fuel.Set() && (budget == nil || budget.MaxIterations.V <= 0) && !c.unreadable("budget") {
		c.edge("C097", e, l.Span, "unbounded loop `%s` has no fuel", l.Name)
	}
	edges := c.Loops[l.Name]
	if edges[0] != e || c.Scope.Broken {
		return
	}
	body := c.Body(edges)
	for id := range body {
		n := c.Node(id)
		if n == nil {
			return
		}
		for _, out := range n.Out {
			if !body[out.To] {
				return
			}
		}
	}
	c.edge("C098", e, l.Span, "no edge leaves the body of unbounded loop `%s`", l.Name)
}

// checkCycles: C019. Depth first from the entry, then from every node; an
// edge back to a node on the current path closes a cycle, which is fine when
// an end of it is on a loop or foreach edge.
func checkCycles(c *Context) {
	loops := map[*scope.Node]bool{}
	for _, e := range c.Edges {
		if e.Loop != nil || e.Foreach != nil || e.Tainted {
			loops[e.Source], loops[e.Target] = true, true
		}
	}
	const (
		unseen = iota
		open
		closed
	)
	state := make([]uint8, len(c.Nodes))
	type frame struct {
		n    *scope.Node
		next int
	}
	stack := make([]frame, 0, len(c.Nodes))
	visit := func(root *scope.Node) {
		stack = append(stack[:0], frame{root, 0})
		state[root.Index] = open
		for len(stack) > 0 {
			f := &stack[len(stack)-1]
			if f.next == len(f.n.Out) {
				state[f.n.Index] = closed
				stack = stack[:len(stack)-1]
				continue
			}
			e := f.n.Out[f.next]
			f.next++
			switch {
			case e.Target == nil:
			case state[e.Target.Index] == unseen:
				state[e.Target.Index] = open
				stack = append(stack, frame{e.Target, 0})
			case state[e.Target.Index] == open && !loops[e.Source] && !loops[e.Target] && !e.Tainted:
				c.edge("C019", e, e.Span, "this edge closes a cycle that no loop bounds")
			}
		}
	}
	if w := c.Program.Workflow; w != nil {
		if n := c.Node(w.Entry.V); n != nil {
			visit(n)
		}
	}
	for _, n := range c.Nodes {
		if state[n.Index] == unseen {
			visit(n)
		}
	}
}
