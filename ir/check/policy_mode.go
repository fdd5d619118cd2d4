package check

import (
	"strings"

	"iterion/ast"
	"iterion/diagnostics"
	"iterion/ir"
	"iterion/ir/finding"
	"iterion/ir/gate"
	"iterion/ir/scope"
)

// checkPermission: C110, the mode of a node is one; and C112, a tool's mode
// decides nothing.
func checkPermission(c *Context, n *scope.Node) {
	switch {
	case n.LLM != nil:
		permissionMode(c.about(n), n.LLM.Permission)
	case n.Tool != nil:
		word := n.Tool.Permission
		if mode, ok := permissionMode(c.about(n), word); ok && mode != gate.Off {
			c.node("C112", n, keyOf(n.Tree, word.Span), "`permission:` of the tool `%s` is never read: the tool is the action itself", n.Name).
				Fix(diagnostics.DropToolPermission, finding.DropMember(n.Tree, ast.Prop, word.Span)...)
		}
	}
}

// checkWorkflowPermission: C110 for the mode that nodes inherit.
func checkWorkflowPermission(c *Context) {
	if w := c.settings(); w != nil {
		permissionMode(c.aboutDecl(w.Tree), w.Permission)
	}
}

// permissionMode reads a mode and reports one that does not exist.
func permissionMode(r report, word ir.Opt[string]) (gate.Mode, bool) {
	if strings.TrimSpace(word.V) == "" {
		return gate.Off, true
	}
	mode, ok := gate.ParseMode(word.V)
	if !ok {
		words := gate.ModeNames()
		r("C110", word.Span, "permission is %q; it takes %s", word.V, alternatives(words)).
			Hintf("Write %s.", alternatives(words)).Near(word.V, words)
	}
	return mode, ok
}
