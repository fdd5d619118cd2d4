package check

import "iterion/ir/scope"

// Fan is a router that starts branches, with what each of them holds.
type Fan struct {
	Router   *scope.Node
	Branches [][]*scope.Node // by edge, in source order; of nodes that several share, each its own
	Unread   bool            // a branch holds something that could not be read
}

// Fans lists the routers of a unit that start branches, in order.
func Fans(s *scope.Scope, main string) []Fan {
	c := New(s, main)
	w := newWalker(c)
	var fans []Fan
	for _, n := range s.Nodes {
		if n.Tainted || !forks(n) {
			continue
		}
		fan := Fan{Router: n}
		if b, ok := w.branchesOf(n); ok {
			fan.Branches = b.byEdge(len(n.Out))
		} else {
			fan.Unread = true
		}
		fans = append(fans, fan)
	}
	return fans
}

// byEdge splits the bodies by the edge that leads to them. A node that several
// branches share counts for each.
func (b *branches) byEdge(edges int) [][]*scope.Node {
	list := make([][]*scope.Node, edges)
	for _, n := range b.nodes {
		at := b.of[n.Index]
		for i := range list {
			if at == shared || int(at) == i+1 {
				list[i] = append(list[i], n)
			}
		}
	}
	return list
}
