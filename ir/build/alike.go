package build

import (
	"iterion/ast"
	"iterion/grammar/schema"
)

// alike tells whether two trees of one declaration say the same to everyone
// but the declaration's own checks: they differ only in comments, layout, and
// the words of texts and expressions that nobody else reads.
func alike(a, b *ast.Declaration) bool {
	kind := schema.Lookup(a.Keyword())
	if kind == nil || !kind.Node && kind.Name != "prompt" || len(a.Nodes) != len(b.Nodes) || a.Keyword() != b.Keyword() {
		return false
	}
	// Tainted declarations are known by name only, and so are their texts.
	if a.Tainted(0) || b.Tainted(0) {
		return false
	}
	own := 0 // behind the last node of a private text
	for i := range a.Nodes {
		x, y := &a.Nodes[i], &b.Nodes[i]
		if x.Kind != y.Kind || x.Flags&^ast.FlagEscape != y.Flags&^ast.FlagEscape || x.Aux != y.Aux || x.Next != y.Next {
			return false
		}
		if x.Kind == ast.Prop && i >= own && private(kind, a, i) {
			own = int(x.Next)
		}
		leaf := int(x.Next) == i+1
		if leaf && !(x.Kind == ast.Body || i < own && isText(x.Kind)) && a.Slice(i) != b.Slice(i) {
			return false
		}
	}
	return true
}

func isText(k ast.Kind) bool { return k == ast.String || k == ast.Raw || k == ast.Scalar }

// private tells whether the property at node i holds a text that only its own
// node's checks read.
func private(kind *schema.Kind, d *ast.Declaration, i int) bool {
	row := int(d.Nodes[i].Aux) - 1
	if row < 0 || row >= len(kind.Props) {
		return false
	}
	switch p := &kind.Props[row]; p.Text {
	case schema.PromptText, schema.ShellText, schema.ScriptText, schema.Expression:
		return true
	case schema.DataText:
		return p.Form != schema.With
	default:
		return p.Name == "description" || p.Name == "expr"
	}
}
