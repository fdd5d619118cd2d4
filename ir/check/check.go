// Package check holds the static checks, one file for each family, over the
// linked unit. A check reads the Context and adds findings; it changes nothing.
package check

import (
	"maps"
	"slices"

	"iterion/ast"
	"iterion/ast/source"
	"iterion/diagnostics"
	"iterion/ir"
	"iterion/ir/compile"
	"iterion/ir/effective"
	"iterion/ir/finding"
	"iterion/ir/scope"
)

// Context is what a check sees.
type Context struct {
	*scope.Scope
	Main string // path of the main file, slash-separated
	out  *finding.List
	g    *scope.Graph

	policies *effective.Permissions // made on first use
	routes   routed
	edited   map[string]*compile.Part // prompts that replace the scope's
	bundle   *Bundle                  // of the checks of a bundle
}

// WithPrompt returns a context in which a prompt's text is replaced.
func (c *Context) WithPrompt(p *compile.Part) *Context {
	next := *c
	next.routes = routed{} // their buffer is not shared
	next.edited = maps.Clone(c.edited)
	if next.edited == nil {
		next.edited = map[string]*compile.Part{}
	}
	next.edited[p.Decl.Name] = p
	return &next
}

// graph is the unit's graph, made on first use.
func (c *Context) graph() *scope.Graph {
	if c.g == nil {
		c.g = c.Scope.Graph()
	}
	return c.g
}

// rule is one check: of each node, of the unit as a whole, or both.
type rule struct {
	name  string // of the family, for benchmarks and tests
	kinds kinds  // of the nodes that node looks at; none for all
	node  func(*Context, *scope.Node)
	unit  func(*Context)
}

// New returns the context of a linked unit. main is the path of its main file.
// A declaration of no known kind may declare any name, as a missing import may.
func New(s *scope.Scope, main string) *Context {
	if !s.Incomplete && slices.ContainsFunc(s.Units, unread) {
		open := *s
		open.Incomplete = true
		s = &open
	}
	return &Context{Scope: s, Main: main}
}

func unread(u scope.Unit) bool {
	return slices.ContainsFunc(u.File.Decls, func(d *ast.Declaration) bool { return d.Root().Kind == ast.Bad })
}

// All runs every check.
func All(s *scope.Scope, main string, out *finding.List) {
	c := New(s, main)
	c.CheckUnit(out)
	for _, n := range s.Nodes {
		c.CheckNode(n, out)
	}
}

// CheckUnit runs the checks that look at the unit as a whole.
func (c *Context) CheckUnit(out *finding.List) {
	c.out = out
	for _, r := range rules {
		if r.unit != nil {
			r.unit(c)
		}
	}
}

// CheckPrompt runs the checks of a prompt's text by itself.
func (c *Context) CheckPrompt(name string, out *finding.List) {
	c.out = out
	c.promptForm(name)
}

// CheckNode runs the checks of a single node. What they find depends on the
// node's own text, the prompts it uses, and of other declarations only on what
// is no private text of theirs; package build relies on it.
func (c *Context) CheckNode(n *scope.Node, out *finding.List) {
	c.out = out
	if n.Tainted {
		return
	}
	for _, check := range nodeChecks()[n.Kind] {
		check(c, n)
	}
}

// add reports at a place in a declaration.
func (c *Context) add(code diagnostics.Code, tree *ast.Declaration, at source.Span, format string, args ...any) *finding.Finding {
	return c.out.Add(code, tree, at, format, args...)
}

// node reports at a place in a node's declaration, with the node's id.
func (c *Context) node(code diagnostics.Code, n *scope.Node, at source.Span, format string, args ...any) *finding.Finding {
	f := c.out.Add(code, n.Tree, at, format, args...)
	f.NodeID = n.ID
	instance(f, n.Instance)
	return f
}

// edge reports at a place in an edge's line, with the edge's ends.
func (c *Context) edge(code diagnostics.Code, e *scope.Edge, at source.Span, format string, args ...any) *finding.Finding {
	f := c.out.Add(code, e.Decl.Tree, at, format, args...)
	f.EdgeID = e.ID()
	instance(f, e.Instance)
	return f
}

// instance adds the `use` line of a group's member.
func instance(f *finding.Finding, i *ir.Instance) {
	if i != nil {
		f.Use = i.Tree
		f.See(i.Tree, i.Span, "instance here")
	}
}
