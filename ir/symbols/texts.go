package symbols

import (
	"strings"

	"iterion/ast/source"
	"iterion/grammar/expr"
	"iterion/grammar/template"
	"iterion/ir"
	"iterion/ir/compile"
)

// texts follows the references in the texts of a declaration.
func (b *builder) references(p *compile.Part) {
	switch {
	case p.Node != nil:
		b.nodeTexts(nil, p.Node)
	case p.Prompt != nil:
		b.promptTexts(p)
	case p.Group != nil:
		g := b.groupOf(p)
		for _, member := range p.Group.Nodes {
			b.nodeTexts(g, member)
		}
		b.edgeTexts(g, p.Edges)
	default:
		for i := range p.Texts {
			b.text(&p.Texts[i], place{})
		}
		b.edgeTexts(nil, p.Edges)
	}
}

func (b *builder) nodeTexts(g *group, node *compile.NodePart) {
	inside := b.inside(g, node)
	inside.launch = inside.launch || node.Subbot != nil || node.Emit != nil
	for i := range node.Texts {
		b.text(&node.Texts[i], inside)
	}
	for i := range node.Exprs {
		b.expression(&node.Exprs[i], inside)
	}
}

// promptTexts follows the references of a prompt for each of its readers. The
// prompt of a file of its own is declared by the file's name.
func (b *builder) promptTexts(p *compile.Part) {
	if p.Decl.NameSpan.IsZero() && p.Decl.Name != "" && p.Tree.Nodes[0].Next == 1 {
		b.list = append(b.list, Occurrence{Symbol: Symbol{Kind: Prompt, Name: p.Decl.Name}, Role: Declares, Form: FileName, Tree: p.Tree})
	}
	for _, at := range b.readers(p.Decl.Name) {
		for i := range p.Texts {
			b.text(&p.Texts[i], at)
		}
	}
}

func (b *builder) edgeTexts(g *group, edges []compile.EdgePart) {
	for i := range edges {
		e := &edges[i]
		if len(e.Texts)+len(e.Exprs) == 0 {
			continue
		}
		at := b.along(g, b.find(g, strings.Split(e.From, ".")))
		for k := range e.Texts {
			b.text(&e.Texts[k], at)
		}
		for k := range e.Exprs {
			b.expression(&e.Exprs[k], at)
		}
	}
}

// text follows the references of one text.
func (b *builder) text(t *compile.TextUse, at place) {
	for i := range t.Refs {
		x := &t.Refs[i]
		switch {
		case x.Include != "":
			b.add(Symbol{Kind: Include, Name: x.Include}, Refers, Path, x.PathSpan)
		case x.Namespace != "":
			b.follow(x.Namespace, x.Path, x.SegmentSpan, at, Template)
		}
	}
}

// expression follows the paths of an expression. One that pastes parameters is
// read with a name of the same length in their place.
func (b *builder) expression(x *compile.ExprUse, at place) {
	tree := x.Tree
	if tree == nil && at.group != nil {
		tree = b.pasted(x, at.group)
	}
	if x.Role == compile.LoopCap || x.Role == compile.RouteWhen { // there is no input there
		at.input, at.binding = nil, Symbol{}
	}
	expr.Walk(tree, func(n *expr.Node) bool {
		if n.Kind == expr.Path {
			b.exprPath(x, n.Names, at)
		}
		return true
	})
}

// pasted parses an expression around the parameters in it, which it notes.
func (b *builder) pasted(x *compile.ExprUse, g *group) *expr.Node {
	text := x.Parsed()
	refs, _ := template.Parse(text)
	filled := []byte(text)
	for _, r := range refs {
		if r.Namespace != "params" {
			return nil
		}
		b.add(Symbol{Param, g.name(), r.Path[0]}, Refers, Template, x.At(r.SegmentSpan(1)))
		copy(filled[r.Span.Start:r.Span.End], strings.Repeat("_", int(r.Span.End-r.Span.Start)))
	}
	tree, err := expr.Parse(string(filled))
	if err != nil {
		return nil
	}
	return tree
}

func (b *builder) exprPath(x *compile.ExprUse, names []expr.Segment, at place) {
	segment := func(i int) source.Span { return x.At(names[i].Span) }
	if expr.IsNamespace(names[0].Name) {
		if len(names) > 1 {
			path := make([]string, len(names)-1)
			for i := range path {
				path[i] = names[i+1].Name
			}
			b.follow(names[0].Name, path, segment, at, Expression)
		}
		return
	}
	b.inputField(names[0].Name, segment(0), at, Shorthand)
}

// follow notes what a reference names. segment gives the place of its i-th
// part, 0 being the namespace.
func (b *builder) follow(namespace string, path []string, segment func(int) source.Span, at place, form Form) {
	name, here := path[0], segment(1)
	unit := func(kind Kind) { b.add(Symbol{Kind: kind, Name: name}, Refers, form, here) }
	switch namespace {
	case "vars":
		unit(Var)
	case "input":
		b.inputField(name, here, at, form)
	case "outputs":
		b.outputs(path, segment, at, form)
	case "artifacts":
		unit(Artifact)
		if len(path) > 1 {
			b.fieldOf(b.publishers[name], path[1], segment(2), form)
		}
	case "attachments":
		unit(Attachment)
	case "secrets":
		unit(Secret)
	case "loop":
		b.loop(path, segment, form)
	case "each":
		unit(Foreach)
	case "params":
		if at.group != nil {
			b.add(Symbol{Param, at.group.name(), name}, Refers, form, here)
		}
	}
}

// loop notes a loop, which may be a foreach, and the field of what its source
// gave before.
func (b *builder) loop(path []string, segment func(int) source.Span, form Form) {
	kind := Loop
	if b.foreaches[path[0]] && b.loops[path[0]] == nil {
		kind = Foreach
	}
	b.add(Symbol{Kind: kind, Name: path[0]}, Refers, form, segment(1))
	if len(path) > 2 && path[1] == "previous_output" {
		b.fieldOf(b.loops[path[0]], path[2], segment(3), form)
	}
}

// outputs notes the node of an `outputs` reference and the field behind it.
func (b *builder) outputs(path []string, segment func(int) source.Span, at place, form Form) {
	f := b.find(at.group, path)
	for i, s := range f.symbols[:f.used] {
		b.add(s, Refers, form, segment(i+1))
	}
	if len(path) > f.used {
		b.output(f, path[f.used], segment(f.used+1), form)
	}
}

// output notes a field of what a node gives, or the item of a router.
func (b *builder) output(f found, name string, at source.Span, form Form) {
	if f.node == nil || name == "history" && form != Word {
		return
	}
	if binding := bindingOf(f); binding.Name == name {
		b.add(binding, Refers, form, at)
		return
	}
	b.field(b.schema(f.node.Common.Output), name, at, form)
}

// inputField notes a field of what a text reads as `input`.
func (b *builder) inputField(name string, here source.Span, at place, form Form) {
	if at.binding.Name == name {
		b.add(at.binding, Refers, form, here)
		return
	}
	b.field(at.input, name, here, form)
	if at.launch && b.vars[name] {
		b.add(Symbol{Kind: Var, Name: name}, Refers, form, here)
	}
}

// field notes a field of a schema. Names that begin with `_` are the engine's,
// unless the schema has them; one of them holds the name of a resource.
func (b *builder) field(s *ir.Schema, name string, at source.Span, form Form) {
	if s != nil && (s.Field(name) != nil || !strings.HasPrefix(name, "_")) {
		b.add(Symbol{Field, s.Name, name}, Refers, form, at)
		return
	}
	if resource, ok := strings.CutPrefix(name, "_lease_"); ok {
		at.Start = at.End - uint32(len(resource))
		b.add(Symbol{Kind: Resource, Name: resource}, Refers, form, at)
	}
}

// fieldOf notes a field that may come from several schemas.
func (b *builder) fieldOf(schemas []*ir.Schema, name string, at source.Span, form Form) {
	for _, s := range schemas {
		if s != nil && s.Field(name) != nil {
			b.add(Symbol{Field, s.Name, name}, Refers, form, at)
		}
	}
}
