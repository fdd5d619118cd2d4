// Package diagram draws a program as text for a graph tool. Same program, same
// text: nothing but the source decides the order.
package diagram

import (
	"fmt"
	"strings"

	"iterion/ir"
)

// graph is what both forms draw.
type graph struct {
	name     string
	entry    string
	clusters []cluster // the nodes outside any group come first, without a title
	edges    []edge
}

type cluster struct {
	prefix string // of the `use`; "" for the nodes outside any group
	title  string
	nodes  []node
}

type node struct {
	id    string
	label string // lines
	shape shape
}

type edge struct {
	from, to string
	label    string
	back     bool // a loop or foreach edge
}

// shape is a family of nodes that look alike.
type shape int

const (
	model  shape = iota // agent, judge
	branch              // router
	person              // human
	work                // tool, compute, subbot
	signal              // emit, wait, await_answers
	failure
	end
)

var shapeOf = map[ir.Kind]shape{
	ir.KindAgent: model, ir.KindJudge: model, ir.KindRouter: branch, ir.KindHuman: person,
	ir.KindTool: work, ir.KindCompute: work, ir.KindSubbot: work,
	ir.KindEmit: signal, ir.KindWait: signal, ir.KindAwait: signal, ir.KindFail: failure,
}

func graphOf(p *ir.Program) graph {
	g := graph{clusters: []cluster{{}}}
	if w := p.Workflow; w != nil {
		g.name, g.entry = w.Name, w.Entry.V
	}
	at := map[string]int{"": 0}
	for _, n := range p.Nodes {
		i := 0
		if in := n.Instance; in != nil {
			var known bool
			if i, known = at[in.Prefix]; !known {
				i = len(g.clusters)
				at[in.Prefix] = i
				g.clusters = append(g.clusters, cluster{prefix: in.Prefix, title: in.Prefix + ": " + in.Group})
			}
		}
		g.clusters[i].nodes = append(g.clusters[i].nodes, nodeOf(n))
	}
	ends := map[string]bool{}
	for _, e := range p.Edges {
		g.edges = append(g.edges, edge{e.From, e.To, labelOf(e), e.Loop != nil || e.Foreach != nil})
		if (e.To == ir.Done || e.To == ir.Fail) && p.Node(e.To) == nil {
			ends[e.To] = true
		}
	}
	for _, id := range []string{ir.Done, ir.Fail} {
		if ends[id] {
			g.clusters[0].nodes = append(g.clusters[0].nodes, node{id, id, endShape(id)})
		}
	}
	return g
}

func endShape(id string) shape {
	if id == ir.Fail {
		return failure
	}
	return end
}

func nodeOf(n *ir.Node) node {
	name := n.ID
	if n.Instance != nil {
		name = n.Instance.Member
	}
	kind := string(n.Kind)
	switch {
	case n.Router != nil && n.Router.Mode.Set():
		kind += " " + n.Router.Mode.V
	case n.FailNode != nil && n.FailNode.Code.Set():
		kind += " " + n.FailNode.Code.V
	}
	return node{n.ID, name + "\n" + kind, shapeOf[n.Kind]}
}

// labelOf spells an edge's clauses as they stand in the source, without `with`.
func labelOf(e *ir.Edge) string {
	var parts []string
	switch {
	case e.When.Set() && e.Not:
		parts = append(parts, "when not "+e.When.V)
	case e.When.Set():
		parts = append(parts, "when "+e.When.V)
	case e.Expr.Set():
		parts = append(parts, "when "+e.Expr.V.Value())
	case e.Else.Set():
		parts = append(parts, "else")
	}
	if e.Loop != nil {
		parts = append(parts, "as "+e.Loop.Name+"("+capOf(e.Loop)+")")
	}
	if f := e.Foreach; f != nil {
		parts = append(parts, fmt.Sprintf("as foreach %s(%s in %s)", f.Name, f.Item.V, f.Collection.V.Value()))
	}
	return strings.Join(parts, "\n")
}

func capOf(l *ir.LoopUse) string {
	switch {
	case l.Count.Set():
		return fmt.Sprint(l.Count.V)
	case l.Cap.Set():
		return l.Cap.V.Value()
	case l.Fuel.Set():
		return fmt.Sprintf("unbounded, fuel %d", l.Fuel.V)
	}
	return "unbounded"
}
