package scope

import (
	"slices"
	"strings"

	"iterion/ast"
	"iterion/ast/source"
	"iterion/diagnostics"
	"iterion/grammar/slab"
	"iterion/ir"
	"iterion/ir/compile"
	"iterion/ir/finding"
)

// linker builds a Scope. It copies nothing that is compiled: the scope points
// into the parts.
type linker struct {
	s     *Scope
	out   *finding.List
	units []Unit
	names map[name]*ir.Decl // of what has no table of its own
	uses  []*compile.Part
	nodes slab.Of[Node]
}

type name struct{ space, name string }

// Link joins the files of a unit. It reports duplicate names and uses that
// cannot be expanded. incomplete tells that an import is missing.
func Link(units []Unit, incomplete bool, out *finding.List) *Scope {
	n := count(units)
	l := &linker{out: out, units: units, s: &Scope{
		Units:      units,
		Incomplete: incomplete,
		Program:    ir.NewProgram(n.Sizes),
		Nodes:      make([]*Node, 0, n.nodes),
		byID:       make(map[string]*Node, n.nodes),
	}}
	l.nodes.Reserve(n.nodes)
	for _, u := range units {
		l.s.Program.Files = append(l.s.Program.Files, ir.File{Name: u.File.Source.Name, Profile: u.File.Profile})
		for _, p := range u.Parts {
			l.part(p)
		}
	}
	for _, p := range l.uses {
		l.expand(p)
	}
	l.workflowMembers()
	l.collisions()
	l.bind()
	return l.s
}

// counts tells how much of each kind there is, without what groups expand to.
type counts struct {
	ir.Sizes
	nodes int
}

func count(units []Unit) (n counts) {
	n.Files = len(units)
	for _, u := range units {
		for _, p := range u.Parts {
			switch {
			case p.Node != nil:
				n.nodes++
				n.Prompts += len(p.Node.Inlines)
			case p.Schema != nil:
				n.Schemas++
			case p.Prompt != nil:
				n.Prompts++
			default:
				n.Vars += len(p.Vars)
				n.Prompts += len(p.Inlines)
			}
		}
	}
	return n
}

// codes of a name that is declared twice in one file.
var codes = map[string]diagnostics.Code{
	"node": "C041", "schema": "C041", "prompt": "C041",
	"group": "E010", "mcp_server": "C024", "cursor": "C086", "supervisor": "C192", "contract": "C300",
	"var": "E010", "preset": "C072", "attachment": "C050", "secret": "C090",
}

// declare notes a name of a space without a table of its own, and tells
// whether it was free.
func (l *linker) declare(space string, d *ir.Decl) bool {
	first := l.names[name{space, d.Name}]
	if first == nil {
		if l.names == nil {
			l.names = map[name]*ir.Decl{}
		}
		l.names[name{space, d.Name}] = d
		return true
	}
	return l.free(space, d, first)
}

// free reports a second declaration of a name. About one that could not be
// read nothing is said.
func (l *linker) free(space string, d, first *ir.Decl) bool {
	if first == nil {
		return true
	}
	if d.Tainted {
		return false
	}
	code := codes[space]
	if l.fileOf(first.Tree) != l.fileOf(d.Tree) {
		code = "E010"
	} else if code == "E010" && first.Tree == d.Tree {
		return false // the parser reported a key twice in one block
	}
	f := l.out.Add(code, d.Tree, d.NameSpan, "%s `%s` is declared twice", space, d.Name)
	f.See(first.Tree, first.NameSpan, "first declared here")
	if space == "node" {
		f.NodeID = d.Name
	}
	return false
}

func (l *linker) fileOf(tree *ast.Declaration) int {
	return slices.IndexFunc(l.units, func(u Unit) bool { return slices.Contains(u.File.Decls, tree) })
}

// part files one declaration by its kind. All names are declared here, so
// that forward references bind.
func (l *linker) part(p *compile.Part) {
	s, prog := l.s, l.s.Program
	switch {
	case l.repeated(p):
		l.known(p)
	case p.Node != nil:
		if p.Decl.Name != "" && l.freeNode(&p.Node.Node.Decl, p.Decl.Name) {
			l.node(p.Node)
		}
	case p.Use != nil:
		l.uses = append(l.uses, p)
	case p.Schema != nil:
		if first := prog.AddSchema(p.Schema); first != nil {
			l.free("schema", &p.Schema.Decl, &first.Decl)
		}
	case p.Prompt != nil:
		l.prompt(p.Prompt, p.Texts)
	case p.Group != nil && l.declare("group", p.Decl):
		set(&s.Groups, p.Decl.Name, p)
	case p.Cursor != nil && l.declare("cursor", p.Decl):
		prog.Cursors = append(prog.Cursors, p.Cursor)
		set(&s.Cursors, p.Decl.Name, p.Cursor)
	case p.Server != nil && l.declare("mcp_server", p.Decl):
		prog.Servers = append(prog.Servers, p.Server)
		set(&s.Servers, p.Decl.Name, p.Server)
	case p.Supervisor != nil && l.declare("supervisor", p.Decl):
		prog.Supervisors = append(prog.Supervisors, p.Supervisor)
		s.Supervisors = append(s.Supervisors, p)
		l.texts(p)
		l.inlines(p.Inlines)
	case p.Contract != nil && l.declare("contract", p.Decl):
		prog.Contracts = append(prog.Contracts, p.Contract)
		set(&s.Contracts, p.Decl.Name, p.Contract)
	case p.Workflow != nil:
		l.workflow(p)
	default:
		l.data(p)
	}
}

// set adds to a table that is made on first use: most units lack most kinds.
func set[T any](m *map[string]T, key string, v T) {
	if *m == nil {
		*m = map[string]T{}
	}
	(*m)[key] = v
}

func (l *linker) freeNode(d *ir.Decl, id string) bool {
	if first := l.s.byID[id]; first != nil {
		return l.free("node", d, &first.Node.Decl)
	}
	return true
}

// repeated tells whether a block is a second one of its kind in the file; the
// first stands alone.
func (l *linker) repeated(p *compile.Part) bool {
	return slices.ContainsFunc(p.Tree.Problems, func(pr ast.Problem) bool { return pr.Code == "E014" })
}

// known keeps the names of a block that is not read.
func (l *linker) known(d *compile.Part) {
	for _, v := range d.Vars {
		named := *v
		named.Tainted = true
		l.s.Program.AddVar(&named)
	}
	for _, v := range d.Attachments {
		if named := *v; l.s.Attachments[v.Name] == nil {
			named.Tainted = true
			set(&l.s.Attachments, v.Name, &named)
		}
	}
	for _, v := range d.Secrets {
		if named := *v; l.s.Secrets[v.Name] == nil {
			named.Tainted = true
			set(&l.s.Secrets, v.Name, &named)
		}
	}
}

// data files the entries of vars, presets, attachments and secrets blocks.
func (l *linker) data(p *compile.Part) {
	s, prog := l.s, l.s.Program
	for _, v := range p.Vars {
		if first := prog.AddVar(v); first != nil {
			l.free("var", &v.Decl, &first.Decl)
		}
	}
	for _, v := range p.Presets {
		if l.declare("preset", &v.Decl) {
			prog.Presets = append(prog.Presets, v)
		}
	}
	for _, v := range p.Secrets {
		if l.declare("secret", &v.Decl) {
			prog.Secrets = append(prog.Secrets, v)
			set(&s.Secrets, v.Name, v)
		}
	}
	l.attachments(p.Attachments)
}

func (l *linker) attachments(list []*ir.Attachment) {
	for _, v := range list {
		if l.declare("attachment", &v.Decl) {
			l.s.Program.Attachments = append(l.s.Program.Attachments, v)
			set(&l.s.Attachments, v.Name, v)
		}
	}
}

// collisions reports attachments and secrets that share a variable's name.
func (l *linker) collisions() {
	clash := func(code diagnostics.Code, what string, d ir.Decl) {
		if v := l.s.Program.Var(d.Name); v != nil {
			l.out.Add(code, d.Tree, d.NameSpan, "%s `%s` has the name of a variable", what, d.Name).See(v.Tree, v.NameSpan, "variable declared here")
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
	if first := l.s.Program.AddPrompt(p); first != nil {
		l.free("prompt", &p.Decl, &first.Decl)
		return
	}
	if len(texts) > 0 {
		set(&l.s.PromptTexts, p.Name, texts)
	}
}

// inlines adds inline prompts; equal texts share one.
func (l *linker) inlines(list []compile.Inline) {
	for _, i := range list {
		l.s.Program.AddPrompt(i.Prompt)
	}
}

func (l *linker) texts(p *compile.Part) {
	l.s.Texts = slices.Grow(l.s.Texts, len(p.Texts))
	for _, t := range p.Texts {
		l.s.Texts = append(l.s.Texts, DeclText{p, t})
	}
}

func (l *linker) node(p *compile.NodePart) {
	n := l.nodes.New()
	*n = Node{NodePart: p, Index: len(l.s.Nodes)}
	if n.Instance != nil {
		first, _, _ := strings.Cut(n.Instance.Prefix, ".")
		set(&l.s.inside, first, true)
	}
	l.s.Nodes = append(l.s.Nodes, n)
	l.s.byID[n.ID] = n
	l.inlines(p.Inlines)
}

// workflow takes the first workflow of the unit.
func (l *linker) workflow(p *compile.Part) {
	if first := l.s.Workflow; first != nil {
		l.out.Add("C007", p.Tree, p.Decl.NameSpan, "a second workflow, `%s`", p.Decl.Name).
			See(first.Tree, first.Decl.NameSpan, "first workflow here")
		return
	}
	l.s.Workflow = p
	l.s.Program.Workflow = p.Workflow
	l.s.Broken = l.s.Broken || lacksEdge(p)
	for i := range p.Workflow.Resources {
		r := &p.Workflow.Resources[i]
		set(&l.s.Resources, r.Name, r)
	}
	l.attachments(p.Attachments)
	l.texts(p)
}

// workflowMembers adds the workflow's vars and edges, after every file's own.
// Of a var declared in both places the workflow's replaces the file's.
func (l *linker) workflowMembers() {
	p := l.s.Workflow
	if p == nil {
		return
	}
	for _, v := range p.Vars {
		l.s.Program.ReplaceVar(v)
	}
	l.edges(p.Edges, nil)
}

// edges adds the edges of a workflow, or of an instance of a group.
func (l *linker) edges(parts []compile.EdgePart, i *ir.Instance) {
	edges := make([]Edge, len(parts))
	l.s.Edges = slices.Grow(l.s.Edges, len(parts))
	for k := range parts {
		edges[k] = Edge{EdgePart: &parts[k], Instance: i}
		l.s.Edges = append(l.s.Edges, &edges[k])
	}
}

// bind resolves the ends of edges and what nodes name.
func (l *linker) bind() {
	s := l.s
	for _, n := range s.Nodes {
		n.InputSchema, n.OutputSchema = l.schema(n.Common.Input), l.schema(n.Common.Output)
		if n.Publish.Set() {
			set(&s.Publishers, n.Publish.V, append(s.Publishers[n.Publish.V], n))
		}
	}
	degrees := make([]int32, 2*len(s.Nodes))
	in, out := degrees[:len(s.Nodes)], degrees[len(s.Nodes):]
	for _, e := range s.Edges {
		if e.Source = s.byID[e.From]; e.Source != nil {
			out[e.Source.Index]++
		}
		if e.Target = s.byID[e.To]; e.Target != nil {
			in[e.Target.Index]++
		}
		if e.Loop != nil {
			set(&s.Loops, e.Loop.Name, append(s.Loops[e.Loop.Name], e))
		}
		if e.Foreach != nil {
			set(&s.Foreaches, e.Foreach.Name, append(s.Foreaches[e.Foreach.Name], e))
		}
	}
	ends := make([]*Edge, 2*len(s.Edges)) // backs every In and Out
	for i, n := range s.Nodes {
		n.In, ends = ends[:0:in[i]], ends[in[i]:]
		n.Out, ends = ends[:0:out[i]], ends[out[i]:]
	}
	for _, e := range s.Edges {
		if e.Source != nil {
			e.Source.Out = append(e.Source.Out, e)
		}
		if e.Target != nil {
			e.Target.In = append(e.Target.In, e)
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

// span is the whole of a declaration.
func span(d *ast.Declaration) source.Span { return d.Root().Span() }
