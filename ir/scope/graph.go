package scope

import (
	"slices"

	"iterion/ir"
)

// Graph answers questions about paths over all edges of the unit. Ids that
// name no node take part, so that a misspelt end does not cut a path in two.
//
// Strongly connected nodes are folded (Tarjan), and the folded, acyclic graph
// gets two labels from one depth-first walk: an interval of the walk's tree,
// which proves most paths, and the lowest finishing number that is reachable,
// which refutes most others (after GRAIL, Yıldırım et al. 2010). What is left
// is a search bounded by the labels, so that questions stay cheap in long
// chains.
type Graph struct {
	scope *Scope
	extra map[string]int // ids that name no node; their numbers follow the nodes'
	succ  [][]int32      // by node number: Node.Index, or one of extra
	fold  []int32        // node → component; a component's successors have smaller numbers
	loops []bool         // component: holds a cycle
	out   [][]int32      // by component
	enter []int32        // component: number at which the walk entered it
	leave []int32        // component: number at which the walk left it
	low   []int32        // component: lowest leave of anything reachable
	mark  []int32        // last search that saw a component
	stamp int32
}

// Graph returns the graph of all edges; it is made anew on each call.
func (s *Scope) Graph() *Graph {
	g := &Graph{scope: s, extra: map[string]int{}}
	degree := make([]int32, len(s.Nodes), len(s.Nodes)+4)
	ends := make([][2]int32, len(s.Edges))
	for i, e := range s.Edges {
		from, to := g.number(e.Source, e.From), g.number(e.Target, e.To)
		ends[i] = [2]int32{from, to}
		for int(max(from, to)) >= len(degree) {
			degree = append(degree, 0)
		}
		degree[from]++
	}
	all := make([]int32, len(s.Edges)) // backs every list of successors
	g.succ = make([][]int32, len(degree))
	for i, d := range degree {
		g.succ[i], all = all[:0:d], all[d:]
	}
	for _, e := range ends {
		g.succ[e[0]] = append(g.succ[e[0]], e[1])
	}
	return g
}

// number is a node's number, or that of an id which names none.
func (g *Graph) number(n *Node, id string) int32 {
	if n != nil {
		return int32(n.Index)
	}
	i, ok := g.extra[id]
	if !ok {
		i = len(g.scope.Nodes) + len(g.extra)
		g.extra[id] = i
	}
	return int32(i)
}

// Reaches tells whether a path of at least one edge leads from one node to
// another.
func (g *Graph) Reaches(from, to *Node) bool {
	if g.fold == nil {
		g.condense()
		g.label()
	}
	a, b := g.fold[from.Index], g.fold[to.Index]
	if a == b {
		return g.loops[a]
	}
	return g.reaches(a, b)
}

// Reachable tells for each node, by index, whether it is one of roots or
// reachable from them.
func (g *Graph) Reachable(roots []*Node) []bool {
	seen := make([]bool, len(g.succ))
	stack := make([]int32, 0, len(g.succ))
	push := func(i int32) {
		if !seen[i] {
			seen[i] = true
			stack = append(stack, i)
		}
	}
	for _, n := range roots {
		push(int32(n.Index))
	}
	for len(stack) > 0 {
		i := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, j := range g.succ[i] {
			push(j)
		}
	}
	return seen
}

func (g *Graph) reaches(a, b int32) bool {
	g.stamp++
	stack := []int32{a}
	for len(stack) > 0 {
		c := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if c == b || g.enter[c] <= g.enter[b] && g.leave[b] <= g.leave[c] {
			return true
		}
		// Nothing left behind b's own number can be b.
		if c < b || g.mark[c] == g.stamp || g.leave[b] < g.low[c] || g.leave[b] > g.leave[c] {
			continue
		}
		g.mark[c] = g.stamp
		stack = append(stack, g.out[c]...)
	}
	return false
}

// condense folds strongly connected nodes: Tarjan's algorithm without
// recursion, since a graph may be a chain of any length.
func (g *Graph) condense() {
	n := len(g.succ)
	g.fold = make([]int32, n)
	number, low := make([]int32, n), make([]int32, n)
	onStack := make([]bool, n)
	type frame struct {
		node int32
		next int
	}
	var frames []frame
	var stack []int32
	count := int32(0)
	for root := range n {
		if number[root] != 0 {
			continue
		}
		frames = append(frames, frame{int32(root), 0})
		for len(frames) > 0 {
			f := &frames[len(frames)-1]
			v := f.node
			if f.next == 0 {
				count++
				number[v], low[v] = count, count
				stack, onStack[v] = append(stack, v), true
			}
			if f.next < len(g.succ[v]) {
				w := g.succ[v][f.next]
				f.next++
				if number[w] == 0 {
					frames = append(frames, frame{w, 0})
				} else if onStack[w] {
					low[v] = min(low[v], number[w])
				}
				continue
			}
			frames = frames[:len(frames)-1]
			if len(frames) > 0 {
				p := frames[len(frames)-1].node
				low[p] = min(low[p], low[v])
			}
			if low[v] == number[v] {
				stack = g.component(stack, onStack, v)
			}
		}
	}
	g.connect()
}

func (g *Graph) component(stack []int32, onStack []bool, root int32) []int32 {
	c := int32(len(g.loops))
	size := 0
	for {
		w := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		onStack[w] = false
		g.fold[w] = c
		size++
		if w == root {
			break
		}
	}
	g.loops = append(g.loops, size > 1 || slices.Contains(g.succ[root], root))
	return stack
}

// connect makes the edges between components.
func (g *Graph) connect() {
	g.out = make([][]int32, len(g.loops))
	for v, succ := range g.succ {
		for _, w := range succ {
			if a, b := g.fold[v], g.fold[w]; a != b {
				g.out[a] = append(g.out[a], b)
			}
		}
	}
}

// label walks the folded graph depth first, from the components with the
// highest numbers, which are the sources.
func (g *Graph) label() {
	n := len(g.out)
	g.enter, g.leave, g.low, g.mark = make([]int32, n), make([]int32, n), make([]int32, n), make([]int32, n)
	clock := int32(0)
	next := make([]int, n)
	for root := n - 1; root >= 0; root-- {
		if g.enter[root] != 0 {
			continue
		}
		stack := []int32{int32(root)}
		clock++
		g.enter[root] = clock
		for len(stack) > 0 {
			v := stack[len(stack)-1]
			if next[v] < len(g.out[v]) {
				w := g.out[v][next[v]]
				next[v]++
				if g.enter[w] == 0 {
					clock++
					g.enter[w] = clock
					stack = append(stack, w)
				}
				continue
			}
			stack = stack[:len(stack)-1]
			clock++
			g.leave[v], g.low[v] = clock, clock
			for _, w := range g.out[v] {
				g.low[v] = min(g.low[v], g.low[w])
			}
		}
	}
}

// Body returns the nodes of a loop: the ends of its edges, and every node
// that lies on a path from a target to a source without loop edges.
func (s *Scope) Body(edges []*Edge) map[string]bool {
	body := map[string]bool{}
	var heads, tails []string
	for _, e := range edges {
		body[e.From], body[e.To] = true, true
		heads, tails = append(heads, e.To), append(tails, e.From)
	}
	ahead := s.walk(heads, func(n *Node) []*Edge { return n.Out }, func(e *Edge) string { return e.To })
	back := s.walk(tails, func(n *Node) []*Edge { return n.In }, func(e *Edge) string { return e.From })
	for id := range ahead {
		if back[id] {
			body[id] = true
		}
	}
	return body
}

// walk follows edges that are no loop's.
func (s *Scope) walk(from []string, edges func(*Node) []*Edge, end func(*Edge) string) map[string]bool {
	seen := map[string]bool{}
	stack := slices.Clone(from)
	for len(stack) > 0 {
		id := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		n := s.byID[id]
		if n == nil || seen[id] {
			continue
		}
		seen[id] = true
		for _, e := range edges(n) {
			if e.Loop == nil && e.Foreach == nil {
				stack = append(stack, end(e))
			}
		}
	}
	return seen
}

// Terminal tells whether an id ends the run.
func (s *Scope) Terminal(id string) bool {
	if id == ir.Done || id == ir.Fail {
		return true
	}
	n := s.byID[id]
	return n != nil && n.Kind == ir.KindFail
}
