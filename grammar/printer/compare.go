package printer

import (
	"slices"
	"strings"

	"iterion/ast"
	"iterion/grammar/literal"
	"iterion/grammar/schema"
)

// context is what the nodes above say about a node: the kind of its members,
// and the property whose value it is.
type context struct {
	kind *schema.Kind
	row  *schema.Property
}

// asWritten is the row of values whose quotes never change.
var asWritten = &schema.Property{Form: schema.Literal}

// same compares the subtrees of node a of the old and node b of the new
// declaration and returns the old node where they differ, or -1.
func (p *proof) same(c context, a, b int) int {
	const free = ast.FlagDashes | ast.FlagEscape
	x, y := p.old.d.Nodes[a], p.new.d.Nodes[b]
	p.pair[a] = b
	if x.Kind != y.Kind {
		if p.requoted(c, a, b) {
			return -1
		}
		return a
	}
	if x.Aux != y.Aux || x.Flags&^free != y.Flags&^free || !p.sameText(a, b) {
		return a
	}
	as, bs := children(p.old.d, a), children(p.new.d, b)
	if len(as) != len(bs) {
		return a
	}
	c = c.inside(p.old.d, a)
	for i := range as {
		if n := p.same(c, as[i], bs[i]); n >= 0 {
			return n
		}
	}
	return -1
}

// inside is the context of the children of node n.
func (c context) inside(d *ast.Declaration, n int) context {
	switch node := d.Nodes[n]; node.Kind {
	case ast.Decl:
		return context{kind: schema.Lookup(d.KeywordOf(n)), row: asWritten}
	case ast.Prop:
		row := &c.kind.Props[node.Aux-1]
		return context{kind: row.Block, row: row}
	case ast.Entry:
		if c.kind == nil || c.kind.Entry == nil {
			return c
		}
		e := c.kind.Entry
		return context{kind: e.Block, row: &schema.Property{Form: e.Form}}
	case ast.List, ast.Map:
		return context{row: &schema.Property{Form: element(c.row.Form)}}
	}
	return context{row: asWritten}
}

// requoted tells whether b is a with the quotes that its form asks for.
func (p *proof) requoted(c context, a, b int) bool {
	old, text := p.old.d.Slice(a), p.new.d.Slice(b)
	switch p.old.d.Nodes[a].Kind {
	case ast.Ident:
		return quotes(c.row.Form) && p.new.d.Nodes[b].Kind == ast.String && text == `"`+old+`"`
	case ast.String, ast.Raw:
		return p.new.d.Nodes[b].Kind == ast.Ident && old[1:len(old)-1] == text && bares(c.row, text)
	}
	return false
}

// sameText compares what two nodes of one kind say themselves.
func (p *proof) sameText(a, b int) bool {
	old, text := p.old.d.Slice(a), p.new.d.Slice(b)
	switch kind := p.old.d.Nodes[a].Kind; kind {
	case ast.Decl:
		return p.old.d.KeywordOf(a) == p.new.d.KeywordOf(b)
	case ast.String, ast.Raw, ast.Scalar, ast.Body:
		return literal.Value(kind, old, p.old.mode) == literal.Value(kind, text, p.new.mode)
	case ast.Type:
		return unspaced(old) == unspaced(text)
	case ast.Key, ast.Param, ast.Target, ast.Ident, ast.Int, ast.Float, ast.Measure:
		return old == text
	}
	return true
}

// children returns the children of a node with what the printer may sort in
// one fixed order: runs of properties, and the clauses of an edge.
func children(d *ast.Declaration, n int) []int {
	list := slices.Collect(d.Children(n))
	for i := 0; i < len(list); i++ {
		j := i
		for j < len(list) && d.Nodes[list[j]].Kind == ast.Prop {
			j++
		}
		slices.SortFunc(list[i:j], func(a, b int) int { return int(d.Nodes[a].Aux) - int(d.Nodes[b].Aux) })
		i = j
	}
	if d.Nodes[n].Kind == ast.Edge {
		slices.SortStableFunc(list, func(a, b int) int {
			return clauseRank(d.Nodes[a].Kind) - clauseRank(d.Nodes[b].Kind)
		})
	}
	return list
}

// unspaced drops the blanks that may stand in a type.
func unspaced(s string) string {
	if strings.IndexByte(s, ' ') < 0 && strings.IndexByte(s, '\t') < 0 {
		return s
	}
	return strings.NewReplacer(" ", "", "\t", "").Replace(s)
}
