package reference

import (
	"fmt"
	"strings"
)

// outline is the shape of a tree in lines of text, a level of indentation for
// each level of the tree. Both parsers' trees have one; what only the property
// table can tell (a property from an entry, a type from a word) is left out.
type outline struct {
	b     strings.Builder
	depth int
}

// add writes a line, and what inside writes one level deeper.
func (o *outline) add(inside func(), kind string, texts ...string) {
	fmt.Fprintf(&o.b, "%s%s", strings.Repeat("  ", o.depth), kind)
	for _, t := range texts {
		fmt.Fprintf(&o.b, " %q", t)
	}
	o.b.WriteByte('\n')
	if inside != nil {
		o.depth++
		inside()
		o.depth--
	}
}

// outlineOf returns the outline of a file's declarations.
func outlineOf(decls []*Declaration) string {
	o := &outline{}
	for _, d := range decls {
		switch {
		case d.Import != nil:
			o.add(nil, "import", d.Import.Path)
		case d.Use != nil:
			o.add(func() { o.with(d.Use.With) }, "use", d.Use.Group, d.Use.Prefix)
		case d.Group != nil:
			o.add(func() {
				for _, p := range d.Group.Params {
					o.add(nil, "param", p)
				}
				o.members(d.Group.Body)
			}, "declare", "group", d.Group.Name)
		case d.Named != nil:
			o.named(d.Named)
		default:
			o.block(d.Line)
		}
	}
	return o.b.String()
}

func (o *outline) named(n *Named) {
	o.add(func() {
		if n.Text != nil {
			o.add(nil, "text", *n.Text)
		}
		o.members(n.Body)
	}, "declare", strings.Fields(strings.TrimSuffix(n.Head, ":"))...)
}

// block is a top-level line.
func (o *outline) block(l *Line) {
	o.add(func() { o.below(l) }, "declare", o.key(l.Key))
}

func (o *outline) key(k *Key) string {
	if k.Quoted != "" {
		return k.Quoted
	}
	return strings.TrimRight(strings.TrimSuffix(k.Name, ":"), " \t")
}

func (o *outline) below(l *Line) {
	if l.Value != nil {
		o.value(l.Value)
	}
	if len(l.Items) > 0 {
		o.add(func() {
			for _, item := range l.Items {
				o.element(item.Value)
			}
		}, "dashes")
	}
	o.members(l.Body)
}

func (o *outline) members(list []*Member) {
	for _, m := range list {
		switch {
		case m.Edge != nil:
			o.edge(m.Edge)
		case m.With != nil:
			o.add(func() { o.with(m.With) }, "line", "with")
		case m.Nested != nil:
			o.named(m.Nested)
		default:
			o.add(func() { o.below(m.Line) }, "line", o.key(m.Line.Key))
		}
	}
}

func (o *outline) value(v *Value) {
	switch {
	case v.Scalar != nil:
		o.add(nil, "text", *v.Scalar)
	case v.List != nil:
		o.list(v.List)
	case v.Map != nil:
		o.pairs(v.Map)
	case v.Typed != nil:
		o.add(nil, "word", v.Typed.Word.Text+v.Typed.Levels)
		for _, c := range v.Typed.Constraints {
			if c.Matching != "" {
				o.add(nil, "matching", c.Matching)
			} else {
				o.add(nil, "enum", c.Enum...)
			}
		}
		if v.Typed.Default != nil {
			o.literal(v.Typed.Default)
		}
	default:
		o.scalar(v.Text, v.Number, "")
	}
}

func (o *outline) scalar(text, number, word string) {
	switch {
	case text != "":
		o.add(nil, "text", text)
	case number != "":
		o.add(nil, "number", number)
	default:
		o.add(nil, "word", word)
	}
}

func (o *outline) literal(l *Literal) { o.scalar(l.Text, l.Number, l.Word) }

func (o *outline) element(e *Element) {
	switch {
	case e.List != nil:
		o.list(e.List)
	case e.Map != nil:
		o.pairs(e.Map)
	case e.Word != nil:
		o.scalar("", "", e.Word.Text)
	default:
		o.scalar(e.Text, e.Number, "")
	}
}

func (o *outline) list(l *List) {
	o.add(func() {
		for _, e := range l.Items {
			o.element(e)
		}
	}, "list")
}

func (o *outline) pairs(m *Map) {
	o.add(func() {
		for _, p := range m.Pairs {
			o.add(func() { o.element(p.Value) }, "line", p.Key)
		}
	}, "map")
}

func (o *outline) with(w *With) {
	if w == nil {
		return
	}
	o.add(func() {
		for _, e := range w.Entries {
			o.add(func() { o.literal(e.Value) }, "line", e.Key)
		}
	}, "with")
}

func (o *outline) edge(e *Edge) {
	ends := []string{strings.TrimRight(strings.TrimSuffix(e.Source, "->"), " \t")}
	for _, t := range e.Targets {
		ends = append(ends, t.Text)
	}
	o.add(func() {
		for _, c := range e.Clauses {
			o.clause(c)
		}
	}, "edge", ends...)
}

func (o *outline) clause(c *Clause) {
	switch {
	case c.Else:
		o.add(nil, "else")
	case c.With != nil:
		o.with(c.With)
	case c.Foreach != nil:
		o.add(nil, "foreach", c.Foreach.Name, c.Foreach.Item, c.Foreach.List)
	case c.When != nil && c.When.Not:
		o.add(nil, "when not", c.When.Field)
	case c.When != nil:
		o.add(nil, "when", c.When.Field+c.When.Text)
	case c.Loop.Unbounded:
		o.add(nil, "loop", c.Loop.Name, "unbounded", c.Loop.Fuel)
	default:
		o.add(nil, "loop", c.Loop.Name, c.Loop.Count+c.Loop.Text)
	}
}
