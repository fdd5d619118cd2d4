package feature

import (
	"context"
	"regexp"
	"sync"

	"go.lsp.dev/protocol"

	"iterion/ast"
	"iterion/ast/source"
	"iterion/diagnostics"
	"iterion/grammar/schema"
	"iterion/ir/build"
	"iterion/ir/compile"
	"iterion/ir/symbols"
	"iterion/lsp/session"
)

// Hover is textDocument/hover: what the word at a place means. Of a file that
// several units share, the first that knows tells.
func Hover(_ context.Context, s *session.Snapshot, p *protocol.HoverParams) (*protocol.Hover, error) {
	f, err := s.File(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	offset := f.Offset(p.Position)
	for _, u := range s.UnitsOf(f.Key) {
		c := pointAt(f, u, offset)
		if c == nil {
			continue
		}
		for _, tell := range hovers {
			if text, at := tell(c); text != "" {
				r := f.Range(at.Shift(uint32(c.base)))
				return &protocol.Hover{Contents: protocol.MarkupContent{Kind: protocol.Markdown, Value: text}, Range: &r}, nil
			}
		}
	}
	return nil, nil
}

// point is a place in a declaration that was read.
type point struct {
	unit  *session.Unit
	built *build.Result
	names *symbols.Index
	part  *compile.Part
	tree  *ast.Declaration
	base  int    // where the declaration begins in its file
	at    uint32 // in the declaration
	nodes []int  // those around the place, outermost first
}

func pointAt(f *session.File, u *session.Unit, offset int) *point {
	file := f.Parsed(u)
	if file == nil {
		return nil
	}
	tree, base := session.DeclarationAt(file.AST, offset)
	if tree == nil {
		return nil
	}
	c := &point{unit: u, built: u.Result(), names: Names(u), tree: tree, base: base, at: uint32(offset - base)}
	for _, p := range file.Parts {
		if p.Tree == tree {
			c.part = p
		}
	}
	for i := range tree.Nodes {
		if tree.Nodes[i].Span().Contains(c.at) {
			c.nodes = append(c.nodes, i)
		}
	}
	return c
}

// inner is the innermost node of a kind around the place, -1 for none.
func (c *point) inner(kinds ...ast.Kind) int {
	for i := len(c.nodes) - 1; i >= 0; i-- {
		for _, k := range kinds {
			if c.tree.Nodes[c.nodes[i]].Kind == k {
				return c.nodes[i]
			}
		}
	}
	return -1
}

// property is the row of the property around the place, with its path in the
// table: `agent/fallbacks/*/model`.
func (c *point) property() (p *schema.Property, path string) {
	var kind *schema.Kind
	for _, i := range c.nodes {
		switch n := c.tree.Nodes[i]; {
		case n.Kind == ast.Decl:
			path = c.tree.KeywordOf(i)
			kind, p = schema.Lookup(path), nil
		case kind == nil:
		case n.Kind == ast.Prop && n.Aux > 0 && int(n.Aux) <= len(kind.Props):
			p = &kind.Props[n.Aux-1]
			path += "/" + p.Name
			kind = p.Block
		case n.Kind == ast.Entry && kind.Entry != nil:
			p = nil
			path += "/*"
			kind = kind.Entry.Block
		}
	}
	return p, path
}

// hovers are tried one after the other: from what is most at the place.
var hovers = []func(*point) (string, source.Span){
	hoverDirective, hoverRule, hoverName, hoverFunction, hoverValue, hoverKey, hoverKeyword, hoverNamespace,
}

var codeWord = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b[CEL]\d{3}\b`) })

// hoverDirective shows the page of a code that a comment names.
func hoverDirective(c *point) (string, source.Span) {
	for _, m := range c.tree.Comments {
		for _, at := range codeWord().FindAllStringIndex(c.tree.Text[m.Start:m.End], -1) {
			span := source.Span{Start: m.Start + uint32(at[0]), End: m.Start + uint32(at[1])}
			if !span.Contains(c.at) {
				continue
			}
			if page, ok := diagnostics.Page(diagnostics.Code(c.tree.Text[span.Start:span.End])); ok {
				return page, span
			}
		}
	}
	return "", source.Span{}
}

// hoverKey describes the property whose key is at the place.
func hoverKey(c *point) (string, source.Span) {
	i := c.inner(ast.Key)
	if i < 0 {
		return "", source.Span{}
	}
	_, path := c.property()
	return documentation(path), c.tree.Nodes[i].Span()
}

// hoverKeyword describes a kind of declaration.
func hoverKeyword(c *point) (string, source.Span) {
	i := c.inner(ast.Decl, ast.Use, ast.Import, ast.Header)
	if i < 0 {
		return "", source.Span{}
	}
	word := c.tree.KeywordOf(i)
	start := c.tree.Nodes[i].Start
	span := source.Span{Start: start, End: start + uint32(len(word))}
	if !span.Contains(c.at) {
		return "", source.Span{}
	}
	return documentation(word), span
}
