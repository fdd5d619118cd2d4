package scope

import (
	"slices"

	"iterion/ast"
	"iterion/ast/source"
	"iterion/diagnostics"
	"iterion/ir"
	"iterion/ir/compile"
	"iterion/ir/finding"
)

// linker builds a Scope.
type linker struct {
	s     *Scope
	out   *finding.List
	file  int
	names map[name]place
	uses  []*compile.Part
	at    map[*compile.Part]ir.Origin // of groups and uses
}

type name struct{ space, name string }

type place struct {
	tree *ast.Declaration
	at   source.Span
	file int
}

// Link joins the files of a unit. It reports duplicate names and uses that
// cannot be expanded. incomplete tells that an import is missing.
func Link(units []Unit, incomplete bool, out *finding.List) *Scope {
	l := &linker{out: out, names: map[name]place{}, at: map[*compile.Part]ir.Origin{}, s: &Scope{
		Incomplete:  incomplete,
		Program:     &ir.Program{Nodes: []*ir.Node{}, Edges: []*ir.Edge{}},
		Prompts:     map[string]*Prompt{},
		Attachments: map[string]*ir.Attachment{},
		Secrets:     map[string]*ir.Secret{},
		Cursors:     map[string]*ir.Cursor{},
		Servers:     map[string]*ir.Server{},
		Contracts:   map[string]*ir.Contract{},
		Groups:      map[string]*compile.Part{},
		Resources:   map[string]*ir.Resource{},
		Publishers:  map[string][]*Node{},
		Loops:       map[string][]*Edge{},
		Foreaches:   map[string][]*Edge{},
		byID:        map[string]*Node{},
		prefixes:    map[string]bool{},
	}}
	for i, u := range units {
		l.file = i
		l.s.Program.Files = append(l.s.Program.Files, ir.File{Name: u.File.Source.Name, Profile: u.File.Profile})
		for d, p := range u.Parts {
			l.part(p, ir.Origin{File: i, Offset: u.File.Bases[d]})
		}
	}
	for _, p := range l.uses {
		l.expand(p)
	}
	l.workflowEdges()
	l.collisions()
	l.s.Program.Index()
	l.bind()
	return l.s
}

// codes of a name that is declared twice in one file.
var codes = map[string]diagnostics.Code{
	"node": "C041", "schema": "C041", "prompt": "C041",
	"group": "E010", "mcp_server": "C024", "cursor": "C086", "supervisor": "C192", "contract": "C300",
	"var": "E010", "preset": "C072", "attachment": "C050", "secret": "C090",
}

// declare notes a name and tells whether it was free.
func (l *linker) declare(space string, d ir.Decl) bool {
	first, taken := l.names[name{space, d.Name}]
	if !taken {
		l.names[name{space, d.Name}] = place{d.Tree, d.NameSpan, l.file}
		return true
	}
	code := codes[space]
	if first.file != l.file {
		code = "E010"
	} else if code == "E010" && first.tree == d.Tree {
		return false // the parser reported a key twice in one block
	}
	what := space
	if space == "node" {
		what = "a node"
	}
	f := l.out.Add(code, d.Tree, d.NameSpan, "`%s` is declared twice as %s", d.Name, article(what))
	f.See(first.tree, first.at, "first declared here")
	if space == "node" {
		f.NodeID = d.Name
	}
	return false
}

func article(what string) string {
	switch what {
	case "a node":
		return what
	case "attachment", "mcp_server":
		return "an " + what
	}
	return "a " + what
}

// part files one declaration by its kind. All names are declared here, so
// that forward references bind.
func (l *linker) part(p *compile.Part, at ir.Origin) {
	s, prog := l.s, l.s.Program
	switch {
	case l.repeated(p):
	case p.Node != nil:
		if p.Decl.Name != "" && l.declare("node", p.Decl) {
			l.node(p.Node, at)
		}
	case p.Use != nil:
		l.uses = append(l.uses, p)
		l.at[p] = at
	case p.Schema != nil && l.declare("schema", p.Decl):
		copied := *p.Schema
		copied.Origin = at
		prog.Schemas = append(prog.Schemas, &copied)
	case p.Prompt != nil && l.declare("prompt", p.Decl):
		copied := *p.Prompt
		copied.Origin = at
		l.prompt(&copied, p.Texts)
	case p.Group != nil && l.declare("group", p.Decl):
		s.Groups[p.Decl.Name] = p
		l.at[p] = at
	case p.Cursor != nil && l.declare("cursor", p.Decl):
		copied := *p.Cursor
		copied.Origin = at
		prog.Cursors = append(prog.Cursors, &copied)
		s.Cursors[p.Decl.Name] = &copied
	case p.Server != nil && l.declare("mcp_server", p.Decl):
		copied := *p.Server
		copied.Origin = at
		prog.Servers = append(prog.Servers, &copied)
		s.Servers[p.Decl.Name] = &copied
	case p.Supervisor != nil && l.declare("supervisor", p.Decl):
		copied := *p.Supervisor
		copied.Origin = at
		prog.Supervisors = append(prog.Supervisors, &copied)
		s.Supervisors = append(s.Supervisors, p)
		l.texts(p)
		l.inlines(p.Inlines, at)
	case p.Contract != nil && l.declare("contract", p.Decl):
		copied := *p.Contract
		copied.Origin = at
		prog.Contracts = append(prog.Contracts, &copied)
		s.Contracts[p.Decl.Name] = &copied
	case p.Workflow != nil:
		l.workflow(p, at)
	default:
		l.data(p, at)
	}
}

// repeated tells whether a block is a second one of its kind in the file; the
// first stands alone.
func (l *linker) repeated(p *compile.Part) bool {
	return slices.ContainsFunc(p.Tree.Problems, func(pr ast.Problem) bool { return pr.Code == "E014" })
}

// data files the entries of vars, presets, attachments and secrets blocks.
func (l *linker) data(p *compile.Part, at ir.Origin) {
	s, prog := l.s, l.s.Program
	for _, v := range p.Vars {
		if l.declare("var", v.Decl) {
			copied := *v
			copied.Origin = at
			prog.Vars = append(prog.Vars, &copied)
		}
	}
	for _, v := range p.Presets {
		if l.declare("preset", v.Decl) {
			copied := *v
			copied.Origin = at
			prog.Presets = append(prog.Presets, &copied)
		}
	}
	for _, v := range p.Secrets {
		if l.declare("secret", v.Decl) {
			copied := *v
			copied.Origin = at
			prog.Secrets = append(prog.Secrets, &copied)
			s.Secrets[v.Name] = &copied
		}
	}
	l.attachments(p.Attachments, at)
}

func (l *linker) attachments(list []*ir.Attachment, at ir.Origin) {
	for _, v := range list {
		if l.declare("attachment", v.Decl) {
			copied := *v
			copied.Origin = at
			l.s.Program.Attachments = append(l.s.Program.Attachments, &copied)
			l.s.Attachments[v.Name] = &copied
		}
	}
}

// collisions reports attachments and secrets that share a variable's name.
func (l *linker) collisions() {
	clash := func(code diagnostics.Code, what string, d ir.Decl) {
		if v, taken := l.names[name{"var", d.Name}]; taken {
			l.out.Add(code, d.Tree, d.NameSpan, "%s `%s` has the name of a variable", what, d.Name).See(v.tree, v.at, "variable declared here")
		}
	}
	if w := l.s.Workflow; w != nil {
		for _, v := range w.Vars {
			if _, taken := l.names[name{"var", v.Name}]; !taken {
				l.names[name{"var", v.Name}] = place{v.Tree, v.NameSpan, 0}
			}
		}
	}
	for _, a := range l.s.Program.Attachments {
		clash("C051", "attachment", a.Decl)
	}
	for _, s := range l.s.Program.Secrets {
		clash("C091", "secret", s.Decl)
	}
}

func (l *linker) prompt(p *ir.Prompt, texts []compile.TextUse) {
	l.s.Program.Prompts = append(l.s.Program.Prompts, p)
	l.s.Prompts[p.Name] = &Prompt{p, texts}
}

// inlines adds inline prompts; equal texts share one.
func (l *linker) inlines(list []compile.Inline, at ir.Origin) {
	for _, i := range list {
		if l.s.Prompts[i.Prompt.Name] == nil {
			copied := *i.Prompt
			copied.Origin = at
			l.prompt(&copied, nil)
		}
	}
}

func (l *linker) texts(p *compile.Part) {
	for _, t := range p.Texts {
		l.s.Texts = append(l.s.Texts, DeclText{p, t})
	}
}

func (l *linker) node(p *compile.NodePart, at ir.Origin) *Node {
	one := &struct {
		node Node
		ir   ir.Node
	}{ir: *p.Node}
	one.ir.Origin = at
	one.node = Node{Node: &one.ir, Texts: p.Texts, Exprs: p.Exprs, Inlines: p.Inlines, Index: len(l.s.Nodes)}
	n := &one.node
	l.s.Nodes = append(l.s.Nodes, n)
	l.s.Program.Nodes = append(l.s.Program.Nodes, &one.ir)
	l.s.byID[n.ID] = n
	l.inlines(p.Inlines, at)
	return n
}

// workflow takes the first workflow of the unit. Of a var declared in both
// places the workflow's replaces the file's.
func (l *linker) workflow(p *compile.Part, at ir.Origin) {
	if first := l.s.Workflow; first != nil {
		l.out.Add("C007", p.Tree, p.Decl.NameSpan, "a second workflow, `%s`", p.Decl.Name).
			See(first.Tree, first.Decl.NameSpan, "first workflow here")
		return
	}
	l.s.Workflow = p
	w := *p.Workflow
	w.Origin = at
	l.s.Program.Workflow = &w
	l.s.Broken = l.s.Broken || p.Broken
	for i := range w.Resources {
		l.s.Resources[w.Resources[i].Name] = &w.Resources[i]
	}
	l.attachments(p.Attachments, at)
	l.texts(p)
}

// workflowEdges adds the workflow's vars and edges, after every file's own.
func (l *linker) workflowEdges() {
	p := l.s.Workflow
	if p == nil {
		return
	}
	prog := l.s.Program
	byName := map[string]int{}
	for i, v := range prog.Vars {
		byName[v.Name] = i
	}
	for _, v := range p.Vars {
		copied := *v
		copied.Origin = prog.Workflow.Origin
		if i, ok := byName[v.Name]; ok {
			prog.Vars[i] = &copied
			continue
		}
		byName[v.Name] = len(prog.Vars)
		prog.Vars = append(prog.Vars, &copied)
	}
	decl := prog.Workflow.Decl
	l.s.Edges = slices.Grow(l.s.Edges, len(p.Edges))
	prog.Edges = slices.Grow(prog.Edges, len(p.Edges))
	for i := range p.Edges {
		l.edge(&p.Edges[i], &decl, nil)
	}
}

func (l *linker) edge(p *compile.EdgePart, decl *ir.Decl, i *ir.Instance) {
	one := &struct {
		edge Edge
		ir   ir.Edge
	}{ir: p.Edge}
	one.ir.Decl, one.ir.Origin = decl, decl.Origin
	one.edge = Edge{Edge: &one.ir, Texts: p.Texts, Exprs: p.Exprs, Instance: i}
	l.s.Program.Edges = append(l.s.Program.Edges, &one.ir)
	l.s.Edges = append(l.s.Edges, &one.edge)
}

// bind resolves the ends of edges and what nodes name.
func (l *linker) bind() {
	s := l.s
	for _, n := range s.Nodes {
		n.InputSchema, n.OutputSchema = l.schema(n.Common.Input), l.schema(n.Common.Output)
		if n.Publish.Set() {
			s.Publishers[n.Publish.V] = append(s.Publishers[n.Publish.V], n)
		}
	}
	for _, e := range s.Edges {
		e.Source, e.Target = s.byID[e.From], s.byID[e.To]
		if e.Source != nil {
			e.Source.Out = append(e.Source.Out, e)
		}
		if e.Target != nil {
			e.Target.In = append(e.Target.In, e)
		}
		if e.Loop != nil {
			s.Loops[e.Loop.Name] = append(s.Loops[e.Loop.Name], e)
		}
		if e.Foreach != nil {
			s.Foreaches[e.Foreach.Name] = append(s.Foreaches[e.Foreach.Name], e)
		}
	}
}

func (l *linker) schema(name ir.Opt[string]) *ir.Schema {
	if !name.Set() {
		return nil
	}
	if s := l.s.Program.Schema(name.V); s != nil && !s.Tainted {
		return s
	}
	return nil
}
