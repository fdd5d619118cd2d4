package check

import (
	"slices"

	"iterion/ir"
	"iterion/ir/scope"
)

// forks tells whether a router starts branches that run side by side.
func forks(n *scope.Node) bool {
	switch mode(n) {
	case ir.ModeFanOutAll, ir.ModeFanOutEach:
		return true
	case ir.ModeLLM:
		return n.Router.Multi.V
	}
	return false
}

// iterates tells whether an edge belongs to a loop or a foreach.
func iterates(e *scope.Edge) bool { return e.Loop != nil || e.Foreach != nil }

// sources counts the distinct sources of a node's edges, of all and of those
// that do not iterate.
func sources(n *scope.Node) (all, forward int) {
	if len(n.In) == 0 {
		return 0, 0
	}
	every, straight := map[string]bool{}, map[string]bool{}
	for _, e := range n.In {
		every[e.From] = true
		if !iterates(e) {
			straight[e.From] = true
		}
	}
	return len(every), len(straight)
}

// Collects tells whether branches end at a node: it declares `await`, or it is
// led to from more than one place.
func Collects(n *scope.Node) bool {
	_, forward := sources(n)
	return n.Join.Set() || forward > 1
}

// heads tells whether a fan-out's own target starts a branch all the same: a
// condition router reaches it too.
func heads(n, fan *scope.Node) bool {
	return !n.Join.Set() && slices.ContainsFunc(n.In, func(e *scope.Edge) bool {
		return !iterates(e) && e.Source != nil && e.Source != fan && mode(e.Source) == ir.ModeCondition
	})
}

// Branches of a node, beside the numbers of single ones, which count from 1.
const (
	trunk  = 0
	shared = -1 // several branches hold the node
)

// branches are the bodies of one router's branches.
type branches struct {
	of    []int32       // by node: its branch
	nodes []*scope.Node // all that lie in one, in the order in which they are met
}

// walker finds the bodies of one router after the other. Its buffers are
// shared by all, so that a router costs no more than its own branches.
type walker struct {
	c     *Context
	entry string
	ends  []bool // by node: whether branches end at it
	b     branches
	seen  []int32 // by node: the last walk that met it
	walks int32
	steps int // taken by all walks
}

// mostSteps bounds the walks of one program. Only thousands of routers, each in
// a branch of the one before, come near it; the rest of them is not judged.
const mostSteps = 1_000_000

func newWalker(c *Context) *walker {
	count := len(c.Nodes)
	w := &walker{c: c, ends: make([]bool, count), b: branches{of: make([]int32, count)}, seen: make([]int32, count)}
	for i, n := range c.Nodes {
		w.ends[i] = Collects(n)
	}
	if s := c.settings(); s != nil {
		w.entry = s.Entry.V
	}
	return w
}

// branchesOf returns the branches of a router, valid until the next call. It
// is not ok when a node in the way could not be read, or the way is too long.
func (w *walker) branchesOf(fan *scope.Node) (*branches, bool) {
	for _, n := range w.b.nodes {
		w.b.of[n.Index] = trunk
	}
	w.b.nodes = w.b.nodes[:0]
	started := make(map[*scope.Node]bool, len(fan.Out)) // a second edge to one target is C249's
	for i, e := range fan.Out {
		head := e.Target
		if head == nil || head == fan || started[head] || w.ends[head.Index] && !heads(head, fan) {
			continue
		}
		started[head] = true
		if !w.walk(fan, head, int32(i+1)) {
			return nil, false
		}
	}
	return &w.b, true
}

// walk marks what a branch holds: all that its head leads to before a node
// that collects.
func (w *walker) walk(fan, head *scope.Node, branch int32) bool {
	w.walks++
	w.seen[fan.Index], w.seen[head.Index] = w.walks, w.walks
	for stack := []*scope.Node{head}; len(stack) > 0; {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		w.steps++
		switch {
		case n.Tainted || w.steps > mostSteps:
			return false
		case w.c.Terminal(n.ID):
			continue
		}
		w.mark(n, branch)
		for _, e := range n.Out {
			if t := e.Target; t != nil && w.seen[t.Index] != w.walks && !w.ends[t.Index] && w.leadsTo(e) {
				w.seen[t.Index] = w.walks
				stack = append(stack, t)
			}
		}
	}
	return true
}

func (w *walker) mark(n *scope.Node, branch int32) {
	switch at := &w.b.of[n.Index]; *at {
	case trunk:
		*at = branch
		w.b.nodes = append(w.b.nodes, n)
	case branch:
	default:
		*at = shared
	}
}

// leadsTo tells whether an edge leads on in its branch. One that iterates goes
// back to where other edges lead, unless nothing else reaches its target.
func (w *walker) leadsTo(e *scope.Edge) bool {
	return !iterates(e) || e.To != w.entry && !slices.ContainsFunc(e.Target.In, func(o *scope.Edge) bool { return !iterates(o) })
}
