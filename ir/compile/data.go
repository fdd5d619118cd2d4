package compile

import (
	"encoding/json"
	"iter"
	"slices"
	"strings"

	"iterion/ast"
	"iterion/ast/source"
	"iterion/grammar/schema"
	"iterion/ir"
)

func quoteJSON(b *strings.Builder, s string) {
	text, _ := json.Marshal(s) // a string always marshals
	b.Write(text)
}

// entryDecl names an entry of an unnamed block as a declaration of its own.
func (c *compiler) entryDecl(e int) ir.Decl {
	return ir.Decl{Name: c.keyName(e + 1), NameSpan: c.d.Nodes[e+1].Span(), Tree: c.d, Tainted: c.d.Tainted(e)}
}

// entriesOf yields the Entry children of node n.
func (c *compiler) entriesOf(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for e := range c.d.Children(n) {
			if c.d.Nodes[e].Kind == ast.Entry && !yield(e) {
				return
			}
		}
	}
}

// listOf makes an empty list of pointers to values, one for each Entry child of
// node n.
func listOf[T any](c *compiler, n int) (list []*T, values []T) {
	total := c.count(n, ast.Entry)
	if total == 0 {
		return nil, nil
	}
	return make([]*T, 0, total), make([]T, total)
}

func (c *compiler) fieldsOf(n int) []ir.Field {
	list := c.fields.Slice(c.count(n, ast.Entry))[:0]
	for e := range c.d.Children(n) {
		if c.d.Nodes[e].Kind != ast.Entry {
			continue
		}
		f := ir.Field{Name: c.keyName(e + 1), NameSpan: c.d.Nodes[e+1].Span()}
		if t := c.d.First(e, ast.Type); t >= 0 {
			f.Type, f.TypeSpan = c.d.Slice(t), c.d.Nodes[t].Span()
		}
		f.Enum = c.enum(e)
		list = append(list, f)
	}
	return list
}

func (c *compiler) enum(e int) ir.List {
	n := c.d.First(e, ast.Enum)
	if n < 0 {
		return ir.List{}
	}
	return ir.List{V: c.itemsOf(n), Span: c.d.Nodes[n].Span()}
}

// itemsOf reads the children of node n as items.
func (c *compiler) itemsOf(n int) []ir.Item {
	total := 0
	for range c.d.Children(n) {
		total++
	}
	list := c.items.Slice(total)[:0]
	for v := range c.d.Children(n) {
		list = append(list, ir.Item{Text: c.value(v), Span: c.d.Nodes[v].Span()})
	}
	return list
}

func (c *compiler) vars(n int, inWorkflow bool) []*ir.Var {
	list, values := listOf[ir.Var](c, n)
	for e := range c.entriesOf(n) {
		v := &values[len(list)]
		v.Decl, v.Workflow, v.Enum = c.entryDecl(e), inWorkflow, c.enum(e)
		for p := range c.d.Children(e) {
			node := c.d.Nodes[p]
			switch node.Kind {
			case ast.Type:
				v.Type, v.TypeSpan = c.d.Slice(p), node.Span()
			case ast.Matching:
				if s := p + 1; s < int(node.Next) {
					v.Matching = ir.Opt[string]{V: c.value(s), Span: c.d.Nodes[s].Span()}
				}
			case ast.String, ast.Raw, ast.Int, ast.Float, ast.Ident:
				v.Default = ir.Opt[ir.Literal]{V: c.literal(p), Span: node.Span()}
			}
		}
		list = append(list, v)
	}
	return list
}

func (c *compiler) literal(v int) ir.Literal {
	l := ir.Literal{Text: c.value(v)}
	switch c.d.Nodes[v].Kind {
	case ast.Int:
		l.Kind = ir.IntLiteral
	case ast.Float:
		l.Kind = ir.FloatLiteral
	case ast.Ident:
		l.Kind = ir.BoolLiteral
	default:
		l.Kind = ir.StringLiteral
	}
	return l
}

func (c *compiler) presets() []*ir.Preset {
	list, values := listOf[ir.Preset](c, 0)
	for e := range c.entriesOf(0) {
		p := &values[len(list)]
		p.Decl, p.Values = c.entryDecl(e), make([]ir.PresetValue, 0, c.count(e, ast.Entry))
		for line := range c.entriesOf(e) {
			v := ir.PresetValue{Var: c.keyName(line + 1), VarSpan: c.d.Nodes[line+1].Span()}
			if line+2 < int(c.d.Nodes[line].Next) {
				v.Value = ir.Opt[ir.Literal]{V: c.literal(line + 2), Span: c.d.Nodes[line+2].Span()}
			}
			p.Values = append(p.Values, v)
		}
		list = append(list, p)
	}
	return list
}

func (c *compiler) attachments(n int, kind *schema.Kind, inWorkflow bool) []*ir.Attachment {
	list, values := listOf[ir.Attachment](c, n)
	for e := range c.entriesOf(n) {
		a := &values[len(list)]
		a.Decl, a.Workflow = c.entryDecl(e), inWorkflow
		if t := c.d.First(e, ast.Type); t >= 0 {
			a.Type = c.d.Slice(t)
		}
		c.into(e, kind.Entry.Block, a)
		list = append(list, a)
	}
	return list
}

func (c *compiler) secrets(kind *schema.Kind) []*ir.Secret {
	list, values := listOf[ir.Secret](c, 0)
	for e := range c.entriesOf(0) {
		s := &values[len(list)]
		s.Decl = c.entryDecl(e)
		if v := e + 2; v < int(c.d.Nodes[e].Next) && c.d.Nodes[e].Flags&ast.FlagBlock == 0 {
			s.Short = ir.Opt[ir.Text]{V: c.textOf(v), Span: c.d.Nodes[v].Span()}
		}
		c.into(e, kind.Entry.Block, s)
		list = append(list, s)
	}
	return list
}

func (c *compiler) use() *Use {
	u := &Use{}
	names := []*ir.Key{&u.Group, &u.Prefix}
	for n := range c.d.Children(0) {
		node := c.d.Nodes[n]
		switch {
		case node.Kind == ast.Ident && len(names) > 0:
			*names[0] = ir.Key{Name: c.d.Slice(n), NameSpan: node.Span()}
			names = names[1:]
		case node.Kind == ast.With:
			u.With = ir.Bindings{V: c.entries(nil, n), Span: node.Span()}
		}
	}
	return u
}

func (c *compiler) group(p *Part) {
	g := &Group{}
	for n := range c.d.Children(0) {
		node := c.d.Nodes[n]
		switch node.Kind {
		case ast.Param:
			g.Params = append(g.Params, ir.Key{Name: c.d.Slice(n), NameSpan: node.Span()})
		case ast.Decl:
			if kind := schema.Lookup(c.d.KeywordOf(n)); kind != nil {
				g.Nodes = append(g.Nodes, c.node(n, kind))
			}
		case ast.Edge:
			p.Edges = c.edges(p.Decl, p.Edges, n)
		case ast.Bad:
			p.Broken = true
		}
	}
	p.Group = g
}

func (c *compiler) workflow(p *Part, kind *schema.Kind) {
	c.into(0, kind, p.Workflow)
	for n := range c.d.Children(0) {
		if node := c.d.Nodes[n]; node.Kind == ast.Prop && node.Aux > 0 {
			switch row := &kind.Props[node.Aux-1]; row.Name {
			case "vars":
				p.Vars = c.vars(n, true)
			case "attachments":
				p.Attachments = c.attachments(n, row.Block, true)
			}
		}
	}
	p.Texts = c.uses.Cut() // before those of the edges
	p.Edges = make([]EdgePart, 0, c.arrows())
	for n := range c.d.Children(0) {
		switch c.d.Nodes[n].Kind {
		case ast.Edge:
			p.Edges = c.edges(p.Decl, p.Edges, n)
		case ast.Bad:
			p.Broken = true
		}
	}
}

// count returns how many children of a kind node n has.
func (c *compiler) count(n int, kind ast.Kind) int {
	total := 0
	for m := range c.d.Children(n) {
		if c.d.Nodes[m].Kind == kind {
			total++
		}
	}
	return total
}

// arrows returns how many edges the lines of a body make.
func (c *compiler) arrows() int {
	total := 0
	for n := range c.d.Children(0) {
		if c.d.Nodes[n].Kind == ast.Edge {
			total += c.count(n, ast.Target) - 1
		}
	}
	return total
}

// edges adds the edges of one line: one per arrow, the clauses on the last.
func (c *compiler) edges(decl *ir.Decl, list []EdgePart, n int) []EdgePart {
	before := len(list)
	tainted := c.d.Tainted(n)
	from := -1
	for t := range c.d.Children(n) {
		if c.d.Nodes[t].Kind != ast.Target {
			continue
		}
		if from >= 0 {
			list = slices.Grow(list, 1)[:len(list)+1]
			e := &list[len(list)-1]
			e.From, e.FromSpan = c.d.Slice(from), c.d.Nodes[from].Span()
			e.To, e.ToSpan = c.d.Slice(t), c.d.Nodes[t].Span()
			e.Span = source.Span{Start: e.FromSpan.Start, End: e.ToSpan.End}
			e.Tainted, e.Decl = tainted, decl
		}
		from = t
	}
	if len(list) == before {
		return list
	}
	last := &list[len(list)-1]
	for k := range c.d.Children(n) {
		c.clause(&last.Edge, k)
	}
	last.Edge.Span.End = c.d.Nodes[n].End
	last.Texts, last.Exprs = c.uses.Cut(), c.exprs.Cut()
	return list
}

func (c *compiler) clause(e *ir.Edge, k int) {
	node := c.d.Nodes[k]
	child := k + 1
	if child >= int(node.Next) && node.Kind != ast.Else {
		return
	}
	switch node.Kind {
	case ast.When:
		at := c.d.Nodes[child].Span()
		if c.d.Nodes[child].Kind == ast.Ident {
			e.When = ir.Opt[string]{V: c.d.Slice(child), Span: at}
			e.Not = node.Flags&ast.FlagNot != 0
			return
		}
		e.Expr = ir.Opt[ir.Text]{V: c.textOf(child), Span: at}
		c.expression(When, "", e.Expr.V, at)
	case ast.Else:
		e.Else = ir.Opt[bool]{V: true, Span: node.Span()}
	case ast.Loop:
		e.Loop = c.loop(k)
	case ast.Foreach:
		e.Foreach = c.foreach(k)
	case ast.With:
		e.With = ir.Bindings{V: c.entries(withRow, k), Span: node.Span()}
	}
}

// withRow reads the values of an edge's `with` like those of every other.
var withRow = &schema.Property{Name: "with", Form: schema.With, Text: schema.DataText}

func (c *compiler) loop(k int) *ir.LoopUse {
	name := k + 1
	l := &ir.LoopUse{Name: c.d.Slice(name), NameSpan: c.d.Nodes[name].Span(), Span: c.d.Nodes[k].Span()}
	v := name + 1
	if v >= int(c.d.Nodes[k].Next) {
		return l
	}
	at := c.d.Nodes[v].Span()
	switch c.d.Nodes[v].Kind {
	case ast.Int:
		l.Count = ir.Opt[int64]{V: atoi(c.d.Slice(v)), Span: at}
	case ast.Unbounded:
		l.Unbounded = ir.Opt[bool]{V: true, Span: at}
		if f := v + 1; f < int(c.d.Nodes[v].Next) {
			l.Fuel = ir.Opt[int64]{V: atoi(c.d.Slice(f)), Span: c.d.Nodes[f].Span()}
		}
	default:
		l.Cap = ir.Opt[ir.Text]{V: c.textOf(v), Span: at}
		c.cap(l.Cap)
	}
	return l
}

// cap notes a quoted loop cap: one whole reference, or an expression.
func (c *compiler) cap(t ir.Opt[ir.Text]) {
	if strings.Contains(t.V.Value(), "{{") {
		c.text(nil, "loop cap", schema.WholeRef, t.V, t.Span)
		return
	}
	c.expression(LoopCap, "", t.V, t.Span)
}

func (c *compiler) foreach(k int) *ir.ForeachUse {
	name, item, v := k+1, k+2, k+3
	f := &ir.ForeachUse{Name: c.d.Slice(name), NameSpan: c.d.Nodes[name].Span(), Span: c.d.Nodes[k].Span()}
	if v >= int(c.d.Nodes[k].Next) {
		return f
	}
	f.Item = ir.Opt[string]{V: c.d.Slice(item), Span: c.d.Nodes[item].Span()}
	f.Collection = ir.Opt[ir.Text]{V: c.textOf(v), Span: c.d.Nodes[v].Span()}
	c.text(nil, "foreach", schema.WholeRef, f.Collection.V, f.Collection.Span)
	return f
}

func atoi(digits string) int64 {
	var n int64
	for _, d := range []byte(digits) {
		n = n*10 + int64(d-'0')
	}
	return n
}
