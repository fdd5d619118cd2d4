package scope

import (
	"slices"

	"iterion/ast"
	"iterion/ir"
)

// Export makes the whole program: copies of everything declared, each with
// its origin, the nodes and edges in order, and the loops with their bodies.
func (s *Scope) Export() *ir.Program {
	x := exporter{at: map[*ast.Declaration]ir.Origin{}}
	for f, u := range s.Units {
		for i, d := range u.File.Decls {
			x.at[d] = ir.Origin{File: f, Offset: u.File.Bases[i]}
		}
	}
	from := s.Program
	p := &ir.Program{
		Files:       from.Files,
		Frontmatter: s.Frontmatter(),
		Nodes:       make([]*ir.Node, 0, len(s.Nodes)),
		Edges:       make([]*ir.Edge, 0, len(s.Edges)),
		Schemas:     each(from.Schemas, func(v *ir.Schema) { x.place(&v.Decl) }),
		Prompts:     each(from.Prompts, func(v *ir.Prompt) { x.place(&v.Decl) }),
		Vars:        each(from.Vars, func(v *ir.Var) { x.place(&v.Decl) }),
		Presets:     each(from.Presets, func(v *ir.Preset) { x.place(&v.Decl) }),
		Attachments: each(from.Attachments, func(v *ir.Attachment) { x.place(&v.Decl) }),
		Secrets:     each(from.Secrets, func(v *ir.Secret) { x.place(&v.Decl) }),
		Cursors:     each(from.Cursors, func(v *ir.Cursor) { x.place(&v.Decl) }),
		Servers:     each(from.Servers, func(v *ir.Server) { x.place(&v.Decl) }),
		Supervisors: each(from.Supervisors, func(v *ir.Supervisor) { x.place(&v.Decl) }),
		Contracts:   each(from.Contracts, func(v *ir.Contract) { x.place(&v.Decl) }),
	}
	if from.Workflow != nil {
		w := *from.Workflow
		x.place(&w.Decl)
		p.Workflow = &w
	}
	for _, n := range s.Nodes {
		node := *n.Node
		x.place(&node.Decl)
		node.Instance = x.instance(node.Instance)
		p.Nodes = append(p.Nodes, &node)
	}
	for _, e := range s.Edges {
		edge := e.Edge
		edge.Origin = x.at[edge.Decl.Tree]
		p.Edges = append(p.Edges, &edge)
	}
	p.Loops = s.loops()
	return p.Seal()
}

type exporter struct {
	at map[*ast.Declaration]ir.Origin
}

func (x exporter) place(d *ir.Decl) { d.Origin = x.at[d.Tree] }

func (x exporter) instance(i *ir.Instance) *ir.Instance {
	if i == nil {
		return nil
	}
	copied := *i
	copied.Origin = x.at[i.Tree]
	return &copied
}

// each copies a list of declarations.
func each[T any](list []*T, fix func(*T)) []*T {
	var out []*T
	for _, v := range list {
		copied := *v
		fix(&copied)
		out = append(out, &copied)
	}
	return out
}

// loops lists the loops in the order of their first edges, then the foreaches.
func (s *Scope) loops() []*ir.Loop {
	var list []*ir.Loop
	add := func(name string, edges []*Edge, foreach bool) {
		l := &ir.Loop{Name: name, Foreach: foreach, Body: []string{}}
		for _, e := range edges {
			if !slices.Contains(l.Entries, e.To) {
				l.Entries = append(l.Entries, e.To)
			}
		}
		for id := range s.Body(edges) {
			if !s.Terminal(id) {
				l.Body = append(l.Body, id)
			}
		}
		slices.Sort(l.Body)
		list = append(list, l)
	}
	for _, e := range s.Edges {
		if e.Loop != nil && s.Loops[e.Loop.Name][0] == e {
			add(e.Loop.Name, s.Loops[e.Loop.Name], false)
		}
	}
	for _, e := range s.Edges {
		if e.Foreach != nil && s.Foreaches[e.Foreach.Name][0] == e {
			add(e.Foreach.Name, s.Foreaches[e.Foreach.Name], true)
		}
	}
	return list
}
