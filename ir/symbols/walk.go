package symbols

import (
	"cmp"
	"slices"
	"strings"

	"iterion/ast"
	"iterion/ast/source"
	"iterion/grammar/schema"
	"iterion/ir/compile"
	"iterion/ir/tools"
)

// builder finds the occurrences of one declaration after the other.
type builder struct {
	*names
	tree *ast.Declaration
	list []Occurrence // of tree, in the order in which they were found
}

// part returns the occurrences of a declaration, sorted. Words are found by
// walking its tree along the property table, references inside of texts among
// those that were compiled.
func (b *builder) part(p *compile.Part) []Occurrence {
	b.tree, b.list = p.Tree, nil
	switch p.Tree.Root().Kind {
	case ast.Import:
		if path := p.Tree.First(0, ast.String); path >= 0 {
			b.word(Import, "", Refers, path)
		}
	case ast.Use:
		b.use(p)
	case ast.Decl:
		if kind := schema.Lookup(p.Keyword); kind != nil && p.Tree.Nodes[0].Next > 1 {
			b.declaration(0, kind, p)
		}
	}
	b.references(p)
	return b.sorted()
}

// sorted puts what was found in order. A word that was found twice stands
// once; one that names several things names them together.
func (b *builder) sorted() []Occurrence {
	slices.SortStableFunc(b.list, func(x, y Occurrence) int { return cmp.Compare(x.Span.Start, y.Span.Start) })
	out := b.list[:0]
	for _, o := range b.list {
		if n := len(out); n > 0 && out[n-1].Span == o.Span {
			if last := &out[n-1]; !last.Names(o.Symbol) {
				last.Also = append(last.Also, o.Symbol)
			}
			continue
		}
		out = append(out, o)
	}
	return slices.Clip(out)
}

// add notes a word. One that is not spelled as the symbol's name is none of it:
// the place is a guess then, in a text that was pasted or included.
func (b *builder) add(s Symbol, role Role, form Form, at source.Span) {
	if s.Name == "" || at.Start > at.End || int(at.End) > len(b.tree.Text) || b.tree.Text[at.Start:at.End] != s.Name {
		return
	}
	b.list = append(b.list, Occurrence{Symbol: s, Role: role, Form: form, Tree: b.tree, Span: at})
}

// leaf returns the name at node n, without quotes.
func (b *builder) leaf(n int) (name string, at source.Span, form Form) {
	node := b.tree.Nodes[n]
	name, at = b.tree.Slice(n), node.Span()
	if len(name) > 1 && (name[0] == '"' || name[0] == '`') {
		return name[1 : len(name)-1], source.Span{Start: at.Start + 1, End: at.End - 1}, Quoted
	}
	return name, at, Word
}

// word notes the name at node n.
func (b *builder) word(kind Kind, owner string, role Role, n int) {
	name, at, form := b.leaf(n)
	if kind.File() {
		form = Path
	}
	b.add(Symbol{kind, owner, name}, role, form, at)
}

// holder is the declaration around what is walked.
type holder struct {
	group *group            // around a member, or the group itself
	node  *compile.NodePart // nil elsewhere
	name  string            // of what it declares, as an owner
}

// declared says what a declaration of a keyword declares.
func declared(kind *schema.Kind) Kind {
	if kind.Node {
		return Node
	}
	switch kind.Name {
	case "prompt":
		return Prompt
	case "schema":
		return Schema
	case "mcp_server":
		return Server
	case "cursor":
		return Cursor
	case "supervisor":
		return Supervisor
	case "group":
		return Group
	case "contract":
		return Contract
	case "workflow":
		return Workflow
	}
	return 0
}

// declaration walks a named declaration or an unnamed block.
func (b *builder) declaration(n int, kind *schema.Kind, p *compile.Part) {
	name, at := b.tree.Name(n)
	if at >= 0 {
		b.word(declared(kind), "", Declares, at)
	}
	h := holder{node: p.Node, name: name}
	if p.Group != nil {
		h.group = b.groupOf(p)
	}
	b.body(n, kind, h)
}

// groupOf is the group that a part declares, also when its name is taken.
func (b *builder) groupOf(p *compile.Part) *group {
	if g := b.groups[p.Decl.Name]; g != nil && g.part == p {
		return g
	}
	return groupOf(p)
}

// member walks the i-th node of a group.
func (b *builder) member(n int, kind *schema.Kind, g *group, i int) {
	name, at := b.tree.Name(n)
	if at >= 0 {
		b.word(Node, g.name(), Declares, at)
	}
	h := holder{group: g, name: owner(g, name)}
	if i < len(g.part.Group.Nodes) {
		h.node = g.part.Group.Nodes[i]
	}
	b.body(n, kind, h)
}

// body walks the members below node n.
func (b *builder) body(n int, kind *schema.Kind, h holder) {
	nodes := 0
	for m := range b.tree.Children(n) {
		switch node := &b.tree.Nodes[m]; node.Kind {
		case ast.Prop:
			if row := int(node.Aux) - 1; row >= 0 && row < len(kind.Props) {
				b.property(m, &kind.Props[row], h)
			}
		case ast.Entry:
			b.entry(m, kind, h)
		case ast.Edge:
			b.edgeLine(m, h.group)
		case ast.Param:
			b.word(Param, h.name, Declares, m)
		case ast.Decl:
			if inner := schema.Lookup(b.tree.KeywordOf(m)); inner != nil && h.group != nil {
				b.member(m, inner, h.group, nodes)
				nodes++
			}
		}
	}
}

// property walks a property: its names, then the block below.
func (b *builder) property(m int, row *schema.Property, h holder) {
	if row.Ref != schema.NoRef {
		b.each(m, func(v int) { b.reference(row, v, h) })
	}
	switch row.Name {
	case "publish":
		b.each(m, func(v int) { b.word(Artifact, "", Declares, v) })
	case "session_slot":
		b.each(m, func(v int) { b.word(Slot, "", Declares, v) })
	case "event":
		role := Refers
		if h.node != nil && h.node.Emit != nil {
			role = Declares
		}
		b.each(m, func(v int) { b.word(Event, "", role, v) })
	case "as":
		if row.Form == schema.Name {
			b.each(m, func(v int) { b.word(Binding, h.name, Declares, v) })
		}
	case "source":
		b.each(m, func(v int) { b.word(Subbot, "", Refers, v) })
	case "port":
		b.each(m, func(v int) { b.port(v, h) })
	case "tools", "tool_policy", "agent_tools", "allow", "ask", "deny":
		b.each(m, b.server)
	case "with":
		if with := b.tree.First(m, ast.With); with >= 0 && h.node != nil {
			b.handed(with, h.node)
		}
	}
	if row.Block != nil && b.tree.Nodes[m].Flags&ast.FlagBlock != 0 {
		b.body(m, row.Block, h)
	}
}

// each visits the words and strings of a property's value.
func (b *builder) each(m int, visit func(v int)) {
	for v, end := m+2, int(b.tree.Nodes[m].Next); v < end; v++ {
		switch b.tree.Nodes[v].Kind {
		case ast.Ident, ast.String, ast.Raw:
			visit(v)
		}
	}
}

// referred says what a value of the property table names.
func referred(ref schema.Ref) Kind {
	switch ref {
	case schema.RefSchema:
		return Schema
	case schema.RefPrompt:
		return Prompt
	case schema.RefResource:
		return Resource
	case schema.RefContract:
		return Contract
	case schema.RefServer:
		return Server
	case schema.RefVar:
		return Var
	case schema.RefCursor:
		return Cursor
	case schema.RefGroup:
		return Group
	}
	return 0
}

// reference notes the name at node v.
func (b *builder) reference(row *schema.Property, v int, h holder) {
	switch {
	case row.Ref == schema.RefNode:
		name, at, form := b.leaf(v)
		b.path(h.group, name, at, form)
	case row.Form == schema.Prompt && b.tree.Nodes[v].Kind != ast.Ident: // the text itself
	default:
		b.word(referred(row.Ref), "", Refers, v)
	}
}

// path notes a dotted name of a node, with a field of its output behind it.
func (b *builder) path(g *group, name string, at source.Span, form Form) found {
	parts := strings.Split(name, ".")
	f := b.find(g, parts)
	for i, part := range parts {
		here := source.Span{Start: at.Start, End: at.Start + uint32(len(part))}
		switch {
		case i < f.used:
			b.add(f.symbols[i], Refers, form, here)
		case i == f.used:
			b.output(f, part, here, form)
		}
		at.Start = here.End + 1
	}
	return f
}

// port notes the `input.NAME` or `output.NAME` of a criterion.
func (b *builder) port(v int, h holder) {
	name, at, form := b.leaf(v)
	side, port, _ := strings.Cut(name, ".")
	at.Start += uint32(len(side)) + 1
	switch side {
	case "input":
		b.add(Symbol{Kind: Var, Name: port}, Refers, form, at)
	case "output":
		b.add(Symbol{Port, h.name, port}, Refers, form, at)
	}
}

// server notes the declared MCP server in the name of a tool, or of a rule's.
func (b *builder) server(v int) {
	name, at, form := b.leaf(v)
	start := len(name) - len(strings.TrimLeft(name, " \t"))
	subject, _, _ := strings.Cut(name[start:], "(")
	tool, ok := tools.SplitMCP(subject)
	if !ok || !b.servers[tool.Server] {
		return
	}
	at.Start += uint32(start + strings.Index(subject, tool.Server))
	at.End = at.Start + uint32(len(tool.Server))
	b.add(Symbol{Kind: Server, Name: tool.Server}, Refers, form, at)
}
