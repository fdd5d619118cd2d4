package check

import (
	"slices"
	"strings"

	"iterion/ast"
	"iterion/ast/source"
	"iterion/diagnostics"
	"iterion/grammar/schema"
	"iterion/ir"
	"iterion/ir/finding"
	"iterion/ir/scope"
)

// report adds a finding about one declaration; it lets a check serve nodes and
// the workflow alike.
type report func(code diagnostics.Code, at source.Span, format string, args ...any) *finding.Finding

// about reports on a node.
func (c *Context) about(n *scope.Node) report {
	return func(code diagnostics.Code, at source.Span, format string, args ...any) *finding.Finding {
		return c.node(code, n, at, format, args...)
	}
}

// aboutDecl reports on a declaration that is no node.
func (c *Context) aboutDecl(tree *ast.Declaration) report {
	return func(code diagnostics.Code, at source.Span, format string, args ...any) *finding.Finding {
		return c.add(code, tree, at, format, args...)
	}
}

// settings is the workflow, or nil. A member that could not be read is absent.
func (c *Context) settings() *ir.Workflow {
	if c.Workflow == nil {
		return nil
	}
	return c.Workflow.Workflow
}

// unreadable tells whether the workflow may hold a property of this name in
// what could not be read: it is set, and nobody knows to what. A fault that
// lies in no member cut the body short.
func (c *Context) unreadable(prop string) bool {
	if c.Workflow == nil || !c.Workflow.Tree.Tainted(0) {
		return false
	}
	d := c.Workflow.Tree
	elsewhere := false
	for m := range d.Children(0) {
		switch kind := d.Nodes[m].Kind; {
		case !d.Tainted(m):
		case kind == ast.Edge, kind == ast.Prop && d.Slice(m+1) != prop:
			elsewhere = true
		default:
			return true
		}
	}
	return !elsewhere
}

// namedProp is a property with its name, for checks that go through several.
type namedProp struct {
	prop  string
	value ir.Opt[string]
}

// rowOf is the row of a property, by the path of its blocks; of a block of
// author-named entries the properties of an entry count.
func rowOf(kind string, path ...string) *schema.Property {
	k := schema.Lookup(kind)
	var row *schema.Property
	for _, name := range path {
		if row = k.Prop(name); row == nil {
			row = k.Entry.Block.Prop(name)
		}
		k = row.Block
	}
	return row
}

// oneOf reports a written word that the property at the path does not list. It
// tells whether the word is absent or fine.
func oneOf(r report, code diagnostics.Code, word ir.Opt[string], kind string, path ...string) bool {
	if !word.Set() {
		return true
	}
	row := rowOf(kind, path...)
	if slices.ContainsFunc(row.Values, func(v schema.Value) bool { return v.Word == word.V }) {
		return true
	}
	words := schema.Words(row.Values)
	r(code, word.Span, "%q is no value of `%s:`; it takes %s", word.V, row.Name, alternatives(words)).
		Hintf("Use %s.", alternatives(words)).Near(word.V, words)
	return false
}

// alternatives writes words as a choice: `a`, `b` or `c`.
func alternatives(words []string) string { return joined(words, "or") }

// joined writes words in backticks, the last two with a conjunction.
func joined(words []string, conjunction string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = "`" + w + "`"
	}
	n := len(quoted) - 1
	if n < 1 {
		return strings.Join(quoted, "")
	}
	return strings.Join(quoted[:n], ", ") + " " + conjunction + " " + quoted[n]
}

// inside is the place of a byte range of the text that Scan returns.
func inside(t ir.Opt[ir.Text], start, end int) source.Span {
	if t.V.Substituted() {
		return t.Span
	}
	_, base := t.V.Scan()
	return t.V.At(base, source.Span{Start: uint32(start), End: uint32(end)}).Shift(t.Span.Start)
}

// names lists what look-up tables hold, for suggestions.
func names[T any](m map[string]T) []string {
	list := make([]string, 0, len(m))
	for name := range m {
		list = append(list, name)
	}
	slices.Sort(list)
	return list
}
