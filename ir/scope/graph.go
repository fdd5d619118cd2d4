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
	succ  arrows         // by node number: Node.Index, or one of extra
	fold  []int32        // node → component; a component's successors have smaller numbers
	loops []bool         // component: holds a cycle
	out   arrows         // by component
	enter []int32        // component: number at which the walk entered it
	leave []int32        // component: number at which the walk left it
	low   []int32        // component: lowest leave of anything reachable
	mark  []int32        // last search that saw a component
	stamp int32
}

// arrows are the successors of numbered things, one list behind the other.
type arrows struct {
	first []int32 // where each one's begin in to, and behind the last one's
	to    []int32
}

func (a arrows) of(i int32) []int32 { return a.to[a.first[i]:a.first[i+1]] }

func (a arrows) len() int32 { return int32(len(a.first) - 1) }

// newArrows sorts pairs by their first number, the order of equals kept; n
// numbers exist.
func newArrows(n int, pairs [][2]int32) arrows {
	block := ints(make([]int32, n+2+len(pairs)))
	a := arrows{first: block.cut(n + 2), to: block.cut(len(pairs))}
	for _, p := range pairs {
		a.first[p[0]+2]++
	}
	for i := range n {
		a.first[i+2] += a.first[i+1]
	}
	// first[i+1] is now where the next one of i goes, in the end where i+1 begins.
	for _, p := range pairs {
		a.to[a.first[p[0]+1]] = p[1]
		a.first[p[0]+1]++
	}
	a.first = a.first[:n+1]
	return a
}

// ints is one allocation for several slices.
type ints []int32

func (b *ints) cut(n int) []int32 {
	s := (*b)[:n:n]
	*b = (*b)[n:]
	return s
}

// Graph returns the graph of all edges; it is made anew on each call.
func (s *Scope) Graph() *Graph {
	g := &Graph{scope: s}
	ends := make([][2]int32, len(s.Edges))
	for i, e := range s.Edges {
		ends[i] = [2]int32{g.number(e.Source, e.From), g.number(e.Target, e.To)}
	}
	g.succ = newArrows(len(s.Nodes)+len(g.extra), ends)
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
		set(&g.extra, id, i)
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
	seen := make([]bool, g.succ.len())
	stack := make([]int32, 0, len(seen))
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
		for _, j := range g.succ.of(i) {
			push(j)
		}
	}
	return seen
}

func (g *Graph) reaches(a, b int32) bool {
	g.stamp++
	var few [32]int32
	stack := append(few[:0], a)
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
		stack = append(stack, g.out.of(c)...)
	}
	return false
}

// condense folds strongly connected nodes: Tarjan's algorithm without
// recursion, since a graph may be a chain of any length.
func (g *Graph) condense() {
	n := int(g.succ.len())
	block := ints(make([]int32, 6*n))
	g.fold = block.cut(n)
	for i := range g.fold {
		g.fold[i] = -1 // in no component yet
	}
	t := tarjan{g: g, number: block.cut(n), low: block.cut(n), next: block.cut(n), path: block.cut(n)[:0], open: block.cut(n)[:0]}
	g.loops = make([]bool, 0, n)
	for root := range int32(n) {
		if t.number[root] == 0 {
			t.walk(root)
		}
	}
	g.connect()
}

// tarjan is the state of the algorithm; all slices but two are by node.
type tarjan struct {
	g      *Graph
	count  int32
	number []int32 // order in which the walk came there, from 1
	low    []int32 // lowest number known to be in the same component
	next   []int32 // how many successors were looked at
	path   []int32 // the nodes between the root and the current one
	open   []int32 // the nodes whose component is not complete
}

func (t *tarjan) enter(v int32) {
	t.count++
	t.number[v], t.low[v] = t.count, t.count
	t.path, t.open = append(t.path, v), append(t.open, v)
}

func (t *tarjan) walk(root int32) {
	t.enter(root)
	for len(t.path) > 0 {
		v := t.path[len(t.path)-1]
		if succ := t.g.succ.of(v); int(t.next[v]) < len(succ) {
			w := succ[t.next[v]]
			t.next[v]++
			if t.number[w] == 0 {
				t.enter(w)
			} else if t.g.fold[w] < 0 {
				t.low[v] = min(t.low[v], t.number[w])
			}
			continue
		}
		t.path = t.path[:len(t.path)-1]
		if len(t.path) > 0 {
			p := t.path[len(t.path)-1]
			t.low[p] = min(t.low[p], t.low[v])
		}
		if t.low[v] == t.number[v] {
			t.component(v)
		}
	}
}

// component closes the component of root: what was opened since.
func (t *tarjan) component(root int32) {
	g, c, at := t.g, int32(len(t.g.loops)), len(t.open)
	for {
		at--
		g.fold[t.open[at]] = c
		if t.open[at] == root {
			break
		}
	}
	g.loops = append(g.loops, len(t.open)-at > 1 || slices.Contains(g.succ.of(root), root))
	t.open = t.open[:at]
}

// connect makes the edges between components.
func (g *Graph) connect() {
	pairs := make([][2]int32, 0, len(g.succ.to))
	for v, a := range g.fold {
		for _, w := range g.succ.of(int32(v)) {
			if b := g.fold[w]; a != b {
				pairs = append(pairs, [2]int32{a, b})
			}
		}
	}
	g.out = newArrows(len(g.loops), pairs)
}

// label walks the folded graph depth first, from the components with the
// highest numbers, which are the sources.
func (g *Graph) label() {
	n := int(g.out.len())
	block := ints(make([]int32, 6*n))
	g.enter, g.leave, g.low, g.mark = block.cut(n), block.cut(n), block.cut(n), block.cut(n)
	next, stack := block.cut(n), block.cut(n)[:0]
	clock := int32(0)
	enter := func(v int32) {
		clock++
		g.enter[v] = clock
		stack = append(stack, v)
	}
	for root := int32(n - 1); root >= 0; root-- {
		if g.enter[root] == 0 {
			enter(root)
		}
		for len(stack) > 0 {
			v := stack[len(stack)-1]
			if out := g.out.of(v); int(next[v]) < len(out) {
				w := out[next[v]]
				next[v]++
				if g.enter[w] == 0 {
					enter(w)
				}
				continue
			}
			stack = stack[:len(stack)-1]
			clock++
			g.leave[v], g.low[v] = clock, clock
			for _, w := range g.out.of(v) {
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
