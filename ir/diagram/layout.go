package diagram

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// A layered layout. Edges that close a cycle are turned round, each node takes
// the lowest layer below all that lead to it, an edge over several layers is
// split by bends, its label is a bend with a size, so no label lies on another
// one. Sweeps then order the layers by the mean of their neighbours and move
// them towards it.

// Measures in pixels.
const (
	letter    = 7.3 // of a node's name, wide
	small     = 6.2 // of a label's letter
	lineHigh  = 15.0
	nodeHigh  = 44.0
	gapAcross = 26.0
	gapDown   = 30.0
	margin    = 16.0
	labelMost = 30 // code points of a label's line
	linesMost = 3
	sweeps    = 12
)

// spot is a node, a bend or a label with its place: x, y is the middle.
type spot struct {
	x, y, w, h float64
	body       float64 // of a node its own width: its spot has room for its loops
	layer      int
	node       int // in layout.nodes, -1 for a bend
	up, down   []int
}

// route is an edge with the spots that it passes, in its own direction.
type route struct {
	from, to int // in layout.nodes
	lines    []string
	bends    []int
	label    int // in layout.spots, -1 for none
	turned   bool
	self     bool
}

type layout struct {
	nodes  []node
	spots  []spot // the nodes come first
	routes []route
	layers [][]int
	w, h   float64
}

func layoutOf(g graph) *layout {
	l := &layout{}
	at := map[string]int{}
	for _, c := range g.clusters {
		for _, n := range c.nodes {
			at[n.id] = len(l.nodes)
			l.nodes = append(l.nodes, n)
		}
	}
	for i, n := range l.nodes {
		w := letter * float64(utf8.RuneCountInString(n.id))
		for _, line := range strings.Split(n.label, "\n")[1:] {
			w = max(w, small*float64(utf8.RuneCountInString(line)))
		}
		w = max(72, w+28)
		l.spots = append(l.spots, spot{w: w, body: w, h: nodeHigh, node: i})
	}
	for _, e := range g.edges {
		from, known := at[e.from]
		to, ends := at[e.to]
		if !known || !ends {
			from, to = 0, 0 // an edge of a program with errors; it keeps its index
		}
		if from == to && known && ends {
			s := &l.spots[from]
			s.w = max(s.w, s.body+2*room(labelLines(e.label)))
		}
		l.routes = append(l.routes, route{from: from, to: to, lines: labelLines(e.label), label: -1, self: from == to})
	}
	l.turn(at[g.entry])
	l.rank()
	l.split()
	l.order()
	l.place()
	return l
}

// labelLines cuts a label to what fits beside an edge.
func labelLines(label string) []string {
	if label == "" {
		return nil
	}
	lines := strings.Split(label, "\n")
	if len(lines) > linesMost {
		lines = append(lines[:linesMost:linesMost], "…")
	}
	for i, line := range lines {
		if utf8.RuneCountInString(line) > labelMost {
			lines[i] = string([]rune(line)[:labelMost-1]) + "…"
		}
	}
	return lines
}

// turn marks the edges that lead back, by a walk from the entry on.
func (l *layout) turn(entry int) {
	out := make([][]int, len(l.nodes))
	for i, r := range l.routes {
		if !r.self {
			out[r.from] = append(out[r.from], i)
		}
	}
	const onPath, done = 1, 2
	mark := make([]int, len(l.nodes))
	type step struct{ node, next int }
	walk := func(root int) {
		path := []step{{root, 0}}
		mark[root] = onPath
		for len(path) > 0 {
			top := &path[len(path)-1]
			if top.next == len(out[top.node]) {
				mark[top.node] = done
				path = path[:len(path)-1]
				continue
			}
			r := &l.routes[out[top.node][top.next]]
			top.next++
			switch mark[r.to] {
			case onPath:
				r.turned = true
			case 0:
				mark[r.to] = onPath
				path = append(path, step{r.to, 0})
			}
		}
	}
	for i := -1; i < len(l.nodes); i++ {
		root := max(i, 0)
		if i < 0 {
			root = entry
		}
		if root < len(l.nodes) && mark[root] == 0 {
			walk(root)
		}
	}
}

// span is the upper and the lower end of an edge.
func (r *route) span() (upper, lower int) {
	if r.turned {
		return r.to, r.from
	}
	return r.from, r.to
}

// rank gives each node its layer: the longest way from above, in which an edge
// with a label takes two steps.
func (l *layout) rank() {
	into := make([]int, len(l.nodes))
	out := make([][]int, len(l.nodes))
	for i := range l.routes {
		if r := &l.routes[i]; !r.self {
			upper, lower := r.span()
			into[lower]++
			out[upper] = append(out[upper], i)
		}
	}
	var ready []int
	for i, n := range into {
		if n == 0 {
			ready = append(ready, i)
		}
	}
	for len(ready) > 0 {
		n := ready[0]
		ready = ready[1:]
		for _, i := range out[n] {
			_, lower := l.routes[i].span()
			step := 1
			if l.routes[i].lines != nil {
				step = 2
			}
			l.spots[lower].layer = max(l.spots[lower].layer, l.spots[n].layer+step)
			if into[lower]--; into[lower] == 0 {
				ready = append(ready, lower)
			}
		}
	}
}

// split puts a bend into every layer that an edge passes; the first one, seen
// from the edge's own start, carries the label.
func (l *layout) split() {
	for i := range l.routes {
		r := &l.routes[i]
		if r.self {
			continue
		}
		upper, lower := r.span()
		above := upper
		for layer := l.spots[upper].layer + 1; layer < l.spots[lower].layer; layer++ {
			l.spots = append(l.spots, spot{w: 6, layer: layer, node: -1})
			r.bends = append(r.bends, len(l.spots)-1)
			l.link(above, len(l.spots)-1)
			above = len(l.spots) - 1
		}
		l.link(above, lower)
		if r.turned {
			slices.Reverse(r.bends)
		}
		if r.lines != nil {
			r.label = r.bends[0]
			s := &l.spots[r.label]
			for _, line := range r.lines {
				s.w = max(s.w, small*float64(utf8.RuneCountInString(line))+10)
			}
			s.h = lineHigh * float64(len(r.lines))
		}
	}
	for i := range l.spots {
		for len(l.layers) <= l.spots[i].layer {
			l.layers = append(l.layers, nil)
		}
		l.layers[l.spots[i].layer] = append(l.layers[l.spots[i].layer], i)
	}
}

func (l *layout) link(above, below int) {
	l.spots[above].down = append(l.spots[above].down, below)
	l.spots[below].up = append(l.spots[below].up, above)
}

// order sorts each layer by the mean position of its neighbours.
func (l *layout) order() {
	position := make([]float64, len(l.spots))
	number := func(layer []int) {
		for i, s := range layer {
			position[s] = float64(i)
		}
	}
	for _, layer := range l.layers {
		number(layer)
	}
	l.sweep(func(layer []int, neighbours func(int) []int) {
		wish := map[int]float64{}
		for _, s := range layer {
			wish[s] = mean(neighbours(s), position, position[s])
		}
		slices.SortStableFunc(layer, func(a, b int) int { return cmp.Compare(wish[a], wish[b]) })
		number(layer)
	})
}

// sweep visits the layers downwards and upwards in turn.
func (l *layout) sweep(visit func(layer []int, neighbours func(int) []int)) {
	for i := range sweeps {
		for k := range l.layers {
			if i%2 == 0 {
				visit(l.layers[k], func(s int) []int { return l.spots[s].up })
			} else {
				visit(l.layers[len(l.layers)-1-k], func(s int) []int { return l.spots[s].down })
			}
		}
	}
}

func mean(of []int, position []float64, none float64) float64 {
	if len(of) == 0 {
		return none
	}
	sum := 0.0
	for _, s := range of {
		sum += position[s]
	}
	return sum / float64(len(of))
}

// place gives the spots their coordinates.
func (l *layout) place() {
	x := make([]float64, len(l.spots))
	for _, layer := range l.layers {
		l.spread(layer, x, x)
	}
	wish := make([]float64, len(l.spots))
	l.sweep(func(layer []int, neighbours func(int) []int) {
		for _, s := range layer {
			wish[s] = mean(neighbours(s), x, x[s])
		}
		l.spread(layer, wish, x)
	})
	y, left, right := margin+14, 0.0, 0.0 // room for the arrow into the entry
	for i, layer := range l.layers {
		high := 0.0
		for _, s := range layer {
			high = max(high, l.spots[s].h)
			left, right = min(left, x[s]-l.spots[s].w/2), max(right, x[s]+l.spots[s].w/2)
		}
		if i > 0 {
			y += gapDown
		}
		for _, s := range layer {
			l.spots[s].x, l.spots[s].y = x[s], y+high/2
		}
		y += high
	}
	for i := range l.spots {
		l.spots[i].x += margin - left
	}
	l.w, l.h = right-left+2*margin, y+margin
}

// room is what an edge from a node to itself takes at the node's side.
func room(lines []string) float64 {
	wide := 30.0
	for _, line := range lines {
		wide = max(wide, 38+small*float64(utf8.RuneCountInString(line)))
	}
	return wide
}

// spread moves a layer as near to its wishes as its order and gaps allow: the
// mean of the leftmost and the rightmost way to do so.
func (l *layout) spread(layer []int, wish, into []float64) {
	apart := func(a, b int) float64 { return (l.spots[a].w+l.spots[b].w)/2 + gapAcross }
	lefts, rights := make([]float64, len(layer)), make([]float64, len(layer))
	for i, s := range layer {
		lefts[i], rights[i] = wish[s], wish[s]
	}
	for i := 1; i < len(layer); i++ {
		lefts[i] = max(lefts[i], lefts[i-1]+apart(layer[i-1], layer[i]))
		k := len(layer) - 1 - i
		rights[k] = min(rights[k], rights[k+1]-apart(layer[k], layer[k+1]))
	}
	for i, s := range layer {
		into[s] = (lefts[i] + rights[i]) / 2
	}
}
