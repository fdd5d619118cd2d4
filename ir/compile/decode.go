package compile

import (
	"crypto/sha256"
	"encoding/hex"
	"reflect"
	"strconv"
	"strings"
	"sync"

	"iterion/ast"
	"iterion/ast/source"
	"iterion/grammar/literal"
	"iterion/grammar/schema"
	"iterion/ir"
)

// into decodes the body of node n by the property table: a row goes to the
// field whose `dsl` tag names it, in the first of targets that has one.
func (c *compiler) into(n int, kind *schema.Kind, targets ...any) {
	plan := planOf(kind, targets)
	var structs [2]reflect.Value // more targets there never are
	for i, t := range targets {
		structs[i] = reflect.ValueOf(t).Elem()
	}
	d := c.d
	for m, end := n+1, int(d.Nodes[n].Next); m < end; m = int(d.Nodes[m].Next) {
		node := &d.Nodes[m]
		if node.Kind != ast.Prop || node.Aux == 0 || node.Flags&ast.FlagTainted != 0 && d.Nodes[n].Kind == ast.Decl && kind.Members != 0 {
			continue
		}
		row := int(node.Aux) - 1
		f := plan[row]
		if f.index < 0 {
			continue
		}
		c.set(structs[f.target].Field(f.index).Addr().Interface(), &kind.Props[row], m)
	}
}

type fieldOf struct{ target, index int }

// plans caches per kind which field each row goes to: a *[]fieldOf by
// *schema.Kind. A kind always decodes into the same types.
var plans sync.Map

func planOf(kind *schema.Kind, targets []any) []fieldOf {
	if p, ok := plans.Load(kind); ok {
		return *p.(*[]fieldOf)
	}
	plan := make([]fieldOf, len(kind.Props))
	for row := range plan {
		plan[row] = fieldOf{-1, -1}
		for t, target := range targets {
			typ := reflect.TypeOf(target).Elem()
			for i := range typ.NumField() {
				if typ.Field(i).Tag.Get("dsl") == kind.Props[row].Name && plan[row].index < 0 {
					plan[row] = fieldOf{t, i}
				}
			}
		}
	}
	plans.Store(kind, &plan)
	return plan
}

// set decodes property node m into a field.
func (c *compiler) set(field any, row *schema.Property, m int) {
	v := m + 2 // behind the key
	at, has := c.valueSpan(m)
	if !has && c.d.Nodes[m].Flags&ast.FlagBlock == 0 {
		return
	}
	switch f := field.(type) {
	case *ir.Opt[string]:
		*f = ir.Opt[string]{V: c.value(v), Span: at}
	case *ir.Opt[ir.Text]:
		*f = ir.Opt[ir.Text]{V: c.textOf(v), Span: at}
		c.note(row, row.Name, row.Text, f.V, at)
	case *ir.Opt[bool]:
		*f = ir.Opt[bool]{V: c.value(v) == "true", Span: at}
	case *ir.Opt[int64]:
		n, _ := strconv.ParseInt(c.value(v), 10, 64) // the parser refused what does not fit
		*f = ir.Opt[int64]{V: n, Span: at}
	case *ir.Opt[float64]:
		n, _ := strconv.ParseFloat(c.value(v), 64)
		*f = ir.Opt[float64]{V: n, Span: at}
	case *ir.List:
		*f = c.list(v, at)
	case *ir.Texts:
		*f = c.texts(row, v, at)
	case *ir.Opt[ir.PromptUse]:
		*f = ir.Opt[ir.PromptUse]{V: c.promptUse(row, v), Span: at}
	case *ir.Bindings:
		*f = c.bindingsOf(row, m, v, at)
	case *ir.Opt[ir.JSON]:
		*f = ir.Opt[ir.JSON]{V: ir.JSON(c.json(v)), Span: at}
	default:
		c.setBlock(field, row, m)
	}
}

// valueSpan is the range of a property's value, its block included.
func (c *compiler) valueSpan(m int) (source.Span, bool) {
	node := c.d.Nodes[m]
	v := m + 2
	if v >= int(node.Next) {
		return c.d.Nodes[m+1].Span(), false
	}
	if node.Flags&ast.FlagBlock != 0 {
		return source.Span{Start: c.d.Nodes[v].Start, End: node.End}, true
	}
	return c.d.Nodes[v].Span(), true
}

// setBlock decodes a nested block into a pointer or slice of IR.
func (c *compiler) setBlock(field any, row *schema.Property, m int) {
	switch f := field.(type) {
	case **ir.Sandbox:
		*f = c.sandbox(row, m)
	case *[]ir.Route:
		*f = c.routes(row, m)
	case *[]ir.Port:
		*f = c.ports(row, m)
	case *[]ir.Criterion:
		*f = eachEntry(c, row, m, func(k ir.Key, e int) ir.Criterion {
			v := ir.Criterion{Key: k}
			c.into(e, row.Block.Entry.Block, &v)
			return v
		})
	case *[]ir.Effect:
		*f = eachEntry(c, row, m, func(k ir.Key, e int) ir.Effect {
			v := ir.Effect{Key: k}
			c.into(e, row.Block.Entry.Block, &v)
			return v
		})
	case *[]ir.Resource:
		*f = c.resources(row, m)
	case **ir.CursorUse:
		*f = &ir.CursorUse{Block: c.block(m), Settings: c.entries(nil, m)}
		c.into(m, row.Block, *f)
	case **ir.Auth:
		nested(c, row, m, f)
	case **ir.PortFile:
		nested(c, row, m, f)
	case **ir.Recovery:
		nested(c, row, m, f)
	case **ir.Budget:
		nested(c, row, m, f)
	case **ir.WorkflowMCP:
		nested(c, row, m, f)
	case **ir.NodeMCP:
		nested(c, row, m, f)
	case **ir.Compaction:
		nested(c, row, m, f)
	case **ir.Memory:
		nested(c, row, m, f)
	case **ir.Build:
		nested(c, row, m, f)
	case **ir.Network:
		nested(c, row, m, f)
	}
}

// nested decodes a block that has nothing but properties.
func nested[T any, P interface {
	*T
	Place(ir.Block)
}](c *compiler, row *schema.Property, m int, field **T) {
	*field = new(T)
	P(*field).Place(c.block(m))
	c.into(m, row.Block, *field)
}

func (c *compiler) block(m int) ir.Block {
	return ir.Block{KeySpan: c.d.Nodes[m+1].Span(), Span: c.d.Nodes[m].Span()}
}

// value decodes the scalar at node v.
func (c *compiler) value(v int) string {
	return literal.Value(c.d.Nodes[v].Kind, c.d.Slice(v), c.mode)
}

func (c *compiler) textOf(v int) ir.Text {
	return ir.NewText(c.d.Nodes[v].Kind, c.d.Slice(v), c.mode)
}

// note hands a text to the sink by its kind.
func (c *compiler) note(row *schema.Property, key string, kind schema.Text, t ir.Text, at source.Span) {
	switch kind {
	case schema.Plain, schema.EnvText:
	case schema.Expression:
		role := ComputeField
		if key == "when" {
			role = RouteWhen
		}
		c.expression(role, key, t, at)
	default:
		c.text(row, key, kind, t, at)
	}
}

func (c *compiler) list(v int, at source.Span) ir.List {
	if c.d.Nodes[v].Kind != ast.List { // name|[name] written as one name
		return ir.List{V: []ir.Item{{Text: c.value(v), Span: at}}, Span: at}
	}
	return ir.List{V: c.itemsOf(v), Span: at}
}

func (c *compiler) texts(row *schema.Property, v int, at source.Span) ir.Texts {
	l := ir.Texts{V: []ir.TextItem{}, Span: at}
	for e := range c.d.Children(v) {
		item := ir.TextItem{Text: c.textOf(e), Span: c.d.Nodes[e].Span()}
		l.V = append(l.V, item)
		c.text(row, row.Name, row.Text, item.Text, item.Span)
	}
	return l
}

// promptUse reads a prompt's name, or makes a prompt of an inline text.
func (c *compiler) promptUse(row *schema.Property, v int) ir.PromptUse {
	n := c.d.Nodes[v]
	if n.Kind == ast.Ident {
		return ir.PromptUse{Name: c.d.Slice(v)}
	}
	p := c.prompts.New()
	*p = ir.Prompt{Text: c.textOf(v), TextSpan: n.Span()}
	p.Decl = ir.Decl{Name: InlineName(p.Text.Value()), NameSpan: n.Span(), Tree: c.d}
	c.inlines.Add(Inline{Prompt: p, Prop: row.Name})
	c.text(row, row.Name, schema.PromptText, p.Text, n.Span())
	return ir.PromptUse{Name: p.Name, Inline: true}
}

// InlineName is the name that an inline prompt gets from its text: `_inline_`
// and the first 12 hex digits of its SHA-256.
func InlineName(text string) string {
	sum := sha256.Sum256([]byte(text))
	var name [20]byte
	return string(hex.AppendEncode(append(name[:0], "_inline_"...), sum[:6]))
}

// bindings reads a `with` group, a map or a block of entries.
func (c *compiler) bindingsOf(row *schema.Property, m, v int, at source.Span) ir.Bindings {
	group := m
	switch {
	case c.d.Nodes[m].Flags&ast.FlagBlock != 0:
	case v < int(c.d.Nodes[m].Next):
		group = v
	}
	return ir.Bindings{V: c.entries(row, group), Span: at}
}

// entries reads the author-named entries below node n.
func (c *compiler) entries(row *schema.Property, n int) []ir.Binding {
	list := c.bindings.Slice(c.count(n, ast.Entry))[:0]
	for e := range c.d.Children(n) {
		if c.d.Nodes[e].Kind != ast.Entry || e+2 >= int(c.d.Nodes[e].Next) {
			continue
		}
		b := ir.Binding{Key: c.keyName(e + 1), KeySpan: c.d.Nodes[e+1].Span(), Value: c.textOf(e + 2), Span: c.d.Nodes[e+2].Span()}
		list = append(list, b)
		if row != nil {
			c.note(row, b.Key, entryText(row), b.Value, b.Span)
		}
	}
	return list
}

// entryText is how the values of a row's entries are read.
func entryText(row *schema.Property) schema.Text {
	if row.Block != nil && row.Block.Entry != nil {
		return row.Block.Entry.Text
	}
	return row.Text
}

func (c *compiler) keyName(k int) string {
	return literal.Value(ast.Key, c.d.Slice(k), c.mode)
}

// eachEntry maps the entries of a block.
func eachEntry[T any](c *compiler, _ *schema.Property, m int, f func(ir.Key, int) T) []T {
	var list []T
	for e := range c.d.Children(m) {
		if c.d.Nodes[e].Kind == ast.Entry {
			list = append(list, f(c.entryKey(e), e))
		}
	}
	return list
}

func (c *compiler) entryKey(e int) ir.Key {
	return ir.Key{Name: c.keyName(e + 1), NameSpan: c.d.Nodes[e+1].Span()}
}

func (c *compiler) routes(row *schema.Property, m int) []ir.Route {
	return eachEntry(c, row, m, func(k ir.Key, e int) ir.Route {
		r := ir.Route{Key: k}
		c.into(e, row.Block.Entry.Block, &r)
		return r
	})
}

func (c *compiler) ports(row *schema.Property, m int) []ir.Port {
	return eachEntry(c, row, m, func(k ir.Key, e int) ir.Port {
		p := ir.Port{Key: k}
		if t := c.d.First(e, ast.Type); t >= 0 {
			p.Type, p.TypeSpan = c.d.Slice(t), c.d.Nodes[t].Span()
		}
		c.into(e, row.Block.Entry.Block, &p)
		return p
	})
}

func (c *compiler) resources(row *schema.Property, m int) []ir.Resource {
	return eachEntry(c, row, m, func(k ir.Key, e int) ir.Resource {
		r := ir.Resource{Key: k}
		v := e + 2
		if v >= int(c.d.Nodes[e].Next) { // tainted
			return r
		}
		at := c.d.Nodes[v].Span()
		if c.d.Nodes[v].Kind == ast.List {
			r.Members = c.list(v, at)
		} else {
			n, _ := strconv.ParseInt(c.value(v), 10, 64)
			r.Count = ir.Opt[int64]{V: n, Span: at}
		}
		return r
	})
}

func (c *compiler) sandbox(row *schema.Property, m int) *ir.Sandbox {
	s := &ir.Sandbox{Block: c.block(m)}
	if c.d.Nodes[m].Flags&ast.FlagBlock == 0 {
		s.Word = ir.Opt[string]{V: c.value(m + 2), Span: c.d.Nodes[m+2].Span()}
		return s
	}
	c.into(m, row.Block, s)
	return s
}

// json writes the JSON value at node v in canonical text.
func (c *compiler) json(v int) string {
	var b strings.Builder
	c.writeJSON(&b, v)
	return b.String()
}

func (c *compiler) writeJSON(b *strings.Builder, v int) {
	n := c.d.Nodes[v]
	switch n.Kind {
	case ast.List, ast.Map:
		open, shut := byte('['), byte(']')
		if n.Kind == ast.Map {
			open, shut = '{', '}'
		}
		b.WriteByte(open)
		first := true
		for e := range c.d.Children(v) {
			if !first {
				b.WriteByte(',')
			}
			first = false
			if c.d.Nodes[e].Kind != ast.Entry {
				c.writeJSON(b, e)
				continue
			}
			quoteJSON(b, c.keyName(e+1))
			b.WriteByte(':')
			if e+2 < int(c.d.Nodes[e].Next) { // else tainted
				c.writeJSON(b, e+2)
			}
		}
		b.WriteByte(shut)
	case ast.String:
		quoteJSON(b, c.value(v))
	default:
		b.WriteString(c.d.Slice(v))
	}
}
