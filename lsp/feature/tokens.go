package feature

import (
	"strings"

	"go.lsp.dev/protocol"

	"iterion/ast"
	"iterion/ast/source"
	"iterion/grammar/expr"
	"iterion/ir"
	"iterion/ir/build"
	"iterion/ir/compile"
	"iterion/ir/symbols"
)

// role is what a byte of the text is for a reader; 0 for nothing worth a colour.
type role uint8

// The roles, in the order of the legend.
const (
	plain role = iota
	comment
	keyword
	property
	class
	typeName
	variable
	parameter
	function
	enumMember
	text
	number
	operator
	namespace
	event
)

// declares is the bit of a name where it is declared.
const declares role = 0x80

// Legend is what the numbers of semantic tokens mean.
var Legend = protocol.SemanticTokensLegend{
	TokenTypes: []protocol.SemanticTokenTypes{
		protocol.SemanticTokenComment, protocol.SemanticTokenKeyword, protocol.SemanticTokenProperty, protocol.SemanticTokenClass,
		protocol.SemanticTokenType, protocol.SemanticTokenVariable, protocol.SemanticTokenParameter, protocol.SemanticTokenFunction,
		protocol.SemanticTokenEnumMember, protocol.SemanticTokenString, protocol.SemanticTokenNumber, protocol.SemanticTokenOperator,
		protocol.SemanticTokenNamespace, protocol.SemanticTokenEvent,
	},
	TokenModifiers: []protocol.SemanticTokenModifiers{protocol.SemanticTokenModifierDeclaration},
}

// roleOf is the role of a name.
func roleOf(k symbols.Kind) role {
	switch k {
	case symbols.Node, symbols.Workflow, symbols.Subbot:
		return class
	case symbols.Schema, symbols.Contract, symbols.Group:
		return typeName
	case symbols.Param, symbols.Argument, symbols.Binding, symbols.Foreach:
		return parameter
	case symbols.Field, symbols.Port, symbols.Criterion, symbols.Effect, symbols.Setting:
		return property
	case symbols.Event, symbols.Loop, symbols.Slot:
		return event
	case symbols.Instance, symbols.Server:
		return namespace
	case symbols.Import, symbols.Include:
		return text
	}
	return variable
}

// canvas is a declaration's text with the role of each of its bytes. What is
// painted later lies above.
type canvas struct {
	text  string
	roles []role
}

func (c *canvas) paint(s source.Span, r role) {
	for i := s.Start; i < min(s.End, uint32(len(c.roles))); i++ {
		c.roles[i] = r
	}
}

// painted gives every byte of a declaration its role.
func painted(p *compile.Part, names *symbols.Index) []role {
	d := p.Tree
	c := &canvas{d.Text, make([]role, len(d.Text))}
	c.words(0, len(d.Text))
	for i := range d.Nodes {
		c.node(d, i)
	}
	for _, t := range textsOf(p) {
		for _, r := range t.Refs {
			c.reference(t, r)
		}
	}
	for _, e := range exprsOf(p) {
		c.expression(e)
	}
	for _, o := range names.In(d) {
		r := roleOf(o.Kind)
		if o.Role == symbols.Declares {
			r |= declares
		}
		c.paint(o.Span, r)
	}
	for _, m := range d.Comments {
		c.paint(source.Span{Start: m.Start, End: m.End}, comment)
	}
	return c.roles
}

// words paints what stands between the parts of a line: the language's own
// words and arrows.
func (c *canvas) words(start, end int) {
	for i := start; i < end; {
		switch w := wordAt(c.text, uint32(i)); {
		case int(w.End) > i:
			c.paint(w, keyword)
			i = int(w.End)
		case strings.HasPrefix(c.text[i:], "->"):
			c.paint(source.Span{Start: uint32(i), End: uint32(i + 2)}, operator)
			i += 2
		default:
			i++
		}
	}
}

// node paints a leaf of the tree. What holds other nodes has been painted by
// them, and by words.
func (c *canvas) node(d *ast.Declaration, i int) {
	n := d.Nodes[i]
	switch n.Kind {
	case ast.Prop, ast.Entry:
		if n.Flags&ast.FlagTainted != 0 {
			c.paint(n.Span(), plain) // words of a half-typed value are none of the language's
		}
	case ast.Key:
		c.paint(n.Span(), property)
	case ast.Param:
		c.paint(n.Span(), parameter)
	case ast.Type:
		c.paint(n.Span(), typeName)
	case ast.Target:
		c.paint(n.Span(), class)
	case ast.Ident:
		c.paint(n.Span(), enumMember)
	case ast.Int, ast.Float, ast.Measure:
		c.paint(n.Span(), number)
	case ast.String, ast.Raw, ast.Scalar:
		c.paint(n.Span(), text)
	case ast.Body, ast.Bad:
		c.paint(n.Span(), plain) // prose is the reader's, and nobody knows the other
	}
}

// reference paints `{{ns.name}}` in a text.
func (c *canvas) reference(t *compile.TextUse, r ir.Ref) {
	if t.Text.Substituted() {
		return // its places are those of the group's text
	}
	c.paint(r.Span, operator)
	if r.Namespace == "" {
		c.paint(r.PathSpan, text)
		return
	}
	if int(r.PathSpan.End-r.PathSpan.Start) < len(r.Namespace) {
		return
	}
	c.paint(r.PathSpan, property)
	c.paint(source.Span{Start: r.PathSpan.Start, End: r.PathSpan.Start + uint32(len(r.Namespace))}, namespace)
}

// expression paints the parts of an expression inside its quotes.
func (c *canvas) expression(e *compile.ExprUse) {
	if e.Text.Substituted() {
		return
	}
	expr.Walk(e.Tree, func(n *expr.Node) bool {
		switch n.Kind {
		case expr.Literal:
			c.paint(e.At(n.Span), literalRole(n.Value))
		case expr.Path:
			c.segments(e, n.Names, property)
			if len(n.Names) > 1 && expr.IsNamespace(n.Names[0].Name) {
				c.paint(e.At(n.Names[0].Span), namespace)
			}
		case expr.Local, expr.Lambda:
			c.segments(e, n.Names, parameter)
		case expr.Call:
			c.segments(e, n.Names, function)
		case expr.Index, expr.Object:
			c.segments(e, n.Names, property)
		}
		for _, o := range n.Ops {
			c.paint(e.At(o.Span), operator)
		}
		return true
	})
}

func (c *canvas) segments(e *compile.ExprUse, names []expr.Segment, r role) {
	for _, s := range names {
		c.paint(e.At(s.Span), r)
	}
}

func literalRole(value any) role {
	switch value.(type) {
	case int64, float64:
		return number
	case string:
		return text
	}
	return keyword
}

// textsOf and exprsOf list what a declaration holds, the members of groups and
// the edges of workflows included.
func textsOf(p *compile.Part) (list []*compile.TextUse) {
	add := func(texts []compile.TextUse) {
		for i := range texts {
			list = append(list, &texts[i])
		}
	}
	add(p.Texts)
	for _, n := range partNodes(p) {
		add(n.Texts)
	}
	for i := range p.Edges {
		add(p.Edges[i].Texts)
	}
	return list
}

func exprsOf(p *compile.Part) (list []*compile.ExprUse) {
	add := func(exprs []compile.ExprUse) {
		for i := range exprs {
			list = append(list, &exprs[i])
		}
	}
	for _, n := range partNodes(p) {
		add(n.Exprs)
	}
	for i := range p.Edges {
		add(p.Edges[i].Exprs)
	}
	return list
}

func partNodes(p *compile.Part) []*compile.NodePart {
	switch {
	case p.Node != nil:
		return []*compile.NodePart{p.Node}
	case p.Group != nil:
		return p.Group.Nodes
	}
	return nil
}

// rolesOf gives every byte of a file its role.
func rolesOf(f *build.File, names *symbols.Index) []role {
	roles := make([]role, len(f.AST.Source.Text))
	for i, p := range f.Parts {
		copy(roles[f.AST.Bases[i]:], painted(p, names))
	}
	for _, m := range f.AST.Tail {
		for i := m.Start; i < m.End; i++ {
			roles[i] = comment
		}
	}
	return roles
}
