package check

import (
	"strings"

	"iterion/ast/source"
	"iterion/ir"
	"iterion/ir/scope"
)

// output judges an output: C301, a node produces it as declared; C304, on a
// run that succeeds.
func (x *contractCheck) output(p *ir.Port) {
	if p.Default.Set() {
		x.r("C301", keyOf(x.k.Tree, p.Default.Span), "the output `%s` is what a node gives: it has no default", p.Name).Hintf("Delete `default:`.")
	}
	x.items(p, "C301")
	if f := p.File; f != nil && f.Schema.Set() && x.c.Schema(f.Schema.V) == nil && !x.c.Incomplete {
		x.r("C301", f.Schema.Span, "no schema is called `%s`", f.Schema.V).
			Hintf("Declare the schema, or correct the name.").Near(f.Schema.V, schemaNames(x.c))
	}
	if !p.From.Set() {
		x.r("C301", p.NameSpan, "the output `%s` has no `from:`", p.Name)
		return
	}
	n, rest := x.c.NodeOf(strings.Split(p.From.V, "."))
	switch {
	case n == nil && (x.c.Incomplete || x.c.MaybeMember(p.From.V)):
	case n == nil:
		x.r("C301", p.From.Span, "no node is called `%s`", p.From.V).
			Hintf("Declare the node, or correct the name.").Near(p.From.V, x.c.NodeIDs())
	case n.Tainted:
	default:
		if x.produced(p, n, rest) && !x.c.succeeds(n) {
			x.r("C304", p.From.Span, "no path leads from `%s` to `done`", n.ID).See(n.Tree, n.NameSpan, "the producer")
		}
	}
}

// produced: C301, what a node gives is what the port promises.
func (x *contractCheck) produced(p *ir.Port, n *scope.Node, field []string) bool {
	at := p.From.Span
	switch {
	case p.File != nil:
		return x.published(p, n, field)
	case len(field) == 0 && n.Output.Set() && n.Output.V == p.Type:
		return true
	case len(field) == 0:
		x.r("C301", at, "`%s` as a whole is no %s", n.ID, "`"+p.Type+"`").
			Hintf("Name a field of `%s`, or type the port with the node's output schema.", n.ID).See(n.Tree, n.NameSpan, "declared here")
		return false
	case n.Kind == ir.KindAwait && len(field) == 1 && field[0] == "answers":
		return x.typed(p, "json", n, n.NameSpan)
	case n.Output.Set() && n.OutputSchema == nil:
		return false // C002, or a schema that could not be read
	}
	name := strings.Join(field, ".")
	if s := n.OutputSchema; s != nil {
		if f := s.Field(name); f != nil {
			return f.Type == "" || x.typedBy(p, f, s)
		}
		x.r("C301", at, "schema `%s`, the output of `%s`, has no field `%s`", s.Name, n.ID, name).
			Near(name, fieldNames(s)).See(s.Tree, s.NameSpan, "declared here")
		return false
	}
	x.r("C301", at, "`%s` has no output schema, so it gives no field `%s`", n.ID, name).
		Hintf("Give the node an `output:` with this field.").See(n.Tree, n.NameSpan, "declared here")
	return false
}

// published: the file behind a port is what a node publishes.
func (x *contractCheck) published(p *ir.Port, n *scope.Node, field []string) bool {
	switch {
	case len(field) > 0:
		x.r("C301", p.From.Span, "the file of `%s` is what a node publishes, not a field", p.Name).Hintf("Write `from: %s`.", n.ID)
	case !n.Publish.Set():
		x.r("C301", p.From.Span, "`%s` publishes nothing, so it gives no file", n.ID).
			Hintf("Add `publish:` to the node, or name another one.").See(n.Tree, n.NameSpan, "declared here")
	default:
		return true
	}
	return false
}

func (x *contractCheck) typedBy(p *ir.Port, f *ir.Field, s *ir.Schema) bool {
	if p.Type == f.Type {
		return true
	}
	x.r("C301", p.From.Span, "`%s` is %s, and the field is %s", p.Name, typeNoun(p.Type), typeNoun(f.Type)).
		See(s.Tree, f.TypeSpan, "the field")
	return false
}

func (x *contractCheck) typed(p *ir.Port, typ string, n *scope.Node, at source.Span) bool {
	if p.Type == typ {
		return true
	}
	x.r("C301", p.From.Span, "`%s` is %s, and what `%s` gives is %s", p.Name, typeNoun(p.Type), n.ID, typeNoun(typ)).
		See(n.Tree, at, "declared here")
	return false
}

// succeeds tells whether a path may lead from a node to `done`. An end that
// names no node may be anything, and so may a graph that lacks edges.
func (c *Context) succeeds(from *scope.Node) bool {
	if c.Workflow == nil || c.Scope.Broken || c.Incomplete || c.Unexpanded() {
		return true
	}
	reached := c.graph().Reachable([]*scope.Node{from})
	for i, n := range c.Nodes {
		if !reached[i] {
			continue
		}
		for _, e := range n.Out {
			if e.To == ir.Done || !c.Known(e.To) {
				return true
			}
		}
	}
	return false
}
