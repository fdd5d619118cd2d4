package check

import (
	"slices"

	"iterion/ir/scope"
)

// place is a branch of a router.
type place struct {
	fan    *scope.Node
	branch int32
}

// branchCheck gathers what is known of all routers' branches.
type branchCheck struct {
	c       *Context
	fan     []*scope.Node               // by node: the first router that has it in a branch
	crosses map[*scope.Edge]*scope.Node // iterating edges that leave a branch of the router
	scopes  map[*scope.Edge][]place     // of the other iterating edges: the branches they lie in
}

// checkBranches: C243 to C246, what branches may hold. Where a branch ends
// depends on all edges, so a graph that lacks some is not judged.
func checkBranches(c *Context) {
	if c.Scope.Broken || c.Incomplete || c.Unexpanded() || !slices.ContainsFunc(c.Nodes, forks) {
		return
	}
	for _, e := range c.Edges {
		if e.Tainted {
			return
		}
	}
	b := &branchCheck{c: c, fan: make([]*scope.Node, len(c.Nodes)), crosses: map[*scope.Edge]*scope.Node{}, scopes: map[*scope.Edge][]place{}}
	b.gather()
	for _, n := range c.Nodes {
		if fan := b.fan[n.Index]; fan != nil {
			checkInBranch(c, n, fan)
			b.checkHead(n)
		}
	}
	b.checkIterations()
}

func (b *branchCheck) gather() {
	w := newWalker(b.c)
	for _, fan := range b.c.Nodes {
		if fan.Tainted || !forks(fan) {
			continue
		}
		for _, e := range fan.Out {
			if iterates(e) {
				b.crosses[e] = fan
			}
		}
		found, ok := w.branchesOf(fan)
		if !ok {
			continue
		}
		for _, n := range found.nodes {
			if b.fan[n.Index] == nil {
				b.fan[n.Index] = fan
			}
			for _, e := range n.Out {
				b.judge(e, fan, found)
			}
			for _, e := range n.In {
				if e.Source == nil || found.of[e.Source.Index] == trunk {
					b.judge(e, fan, found)
				}
			}
		}
	}
}

// judge files an iterating edge with an end in a branch. What ends the run
// leaves no branch.
func (b *branchCheck) judge(e *scope.Edge, fan *scope.Node, found *branches) {
	if !iterates(e) || e.Source == nil || e.Target == nil || b.c.Terminal(e.To) {
		return
	}
	from, to := found.of[e.Source.Index], found.of[e.Target.Index]
	switch {
	case from == to && from != shared:
		b.scopes[e] = append(b.scopes[e], place{fan, from})
	case b.crosses[e] == nil:
		b.crosses[e] = fan
	}
}

// checkIterations: C244.
func (b *branchCheck) checkIterations() {
	first := map[string]*scope.Edge{}
	for _, e := range b.c.Edges {
		if !iterates(e) {
			continue
		}
		if fan := b.crosses[e]; fan != nil {
			b.c.edge("C244", e, e.Span, "this edge iterates out of a branch of `%s` or into one", fan.Name).See(fan.Tree, fan.NameSpan, "the router")
			continue
		}
		name := iterationName(e)
		before := first[name]
		if before == nil {
			first[name] = e
			continue
		}
		if fan := b.apart(before, e); fan != nil {
			f := b.c.edge("C244", e, e.Span, "`%s` iterates here and in another branch or on the trunk, with one counter for both", name[1:])
			f.See(fan.Tree, fan.NameSpan, "the router").See(before.Decl.Tree, before.Span, "the other place")
		}
	}
}

// iterationName is an edge's loop or foreach, the kind in front: the two have
// names of their own.
func iterationName(e *scope.Edge) string {
	if e.Loop != nil {
		return "l" + e.Loop.Name
	}
	return "f" + e.Foreach.Name
}

// apart returns the router whose branches keep two edges apart, or nil.
func (b *branchCheck) apart(x, y *scope.Edge) *scope.Node {
	a, c := b.scopes[x], b.scopes[y]
	for i := range max(len(a), len(c)) {
		switch {
		case i >= len(a):
			return c[i].fan
		case i >= len(c) || a[i] != c[i]:
			return a[i].fan
		}
	}
	return nil
}

// checkInBranch: C243 and C245, nodes that have a place on the trunk only.
func checkInBranch(c *Context, n, fan *scope.Node) {
	switch {
	case n.LLM != nil && n.LLM.Session.V == "persist":
		c.node("C243", n, n.LLM.Session.Span, "`%s` keeps its conversation, and runs in a branch of `%s`", n.Name, fan.Name).
			See(fan.Tree, fan.NameSpan, "the router")
	case n.Human != nil && (n.Human.Interaction.V == "review" || n.Human.Interaction.V == "llm_or_human"):
		c.node("C245", n, n.Human.Interaction.Span, "`interaction: %s` of `%s` stands in a branch of `%s`", n.Human.Interaction.V, n.Name, fan.Name).
			See(fan.Tree, fan.NameSpan, "the router")
	}
}

// checkHead: C246, a node that would collect if its loops' edges counted.
func (b *branchCheck) checkHead(n *scope.Node) {
	all, forward := sources(n)
	if n.Join.Set() || all < 2 || forward > 1 {
		return
	}
	for _, e := range n.In {
		if iterates(e) && b.crosses[e] == nil {
			b.c.node("C246", n, n.NameSpan, "`%s` has several sources and collects no branches, since its other edges iterate", n.Name).
				See(e.Decl.Tree, e.Span, "an edge that iterates")
			return
		}
	}
}
