package check

import (
	"strings"

	"iterion/ast"
	"iterion/ast/source"
	"iterion/diagnostics"
	"iterion/ir"
	"iterion/ir/finding"
	"iterion/ir/scope"
)

// sound tells whether a sandbox is written and no fault of C044, which stands
// alone for its block.
func sound(tree *ast.Declaration, s *ir.Sandbox) bool {
	if s == nil {
		return false
	}
	var faults finding.List
	sandbox(func(code diagnostics.Code, at source.Span, format string, args ...any) *finding.Finding {
		return faults.Add(code, tree, at, format, args...)
	}, tree, s)
	return len(faults.Items) == 0
}

// optsOut tells whether a sandbox is switched off in writing.
func optsOut(tree *ast.Declaration, s *ir.Sandbox) bool {
	return sound(tree, s) && s.EffectiveMode() == "none"
}

// checkOptOut: C128 of the workflow.
func checkOptOut(c *Context) {
	if w := c.settings(); w != nil && optsOut(w.Tree, w.Sandbox) {
		c.add("C128", w.Tree, modeSpan(w.Sandbox), "the workflow runs without a sandbox, with all that the host may do")
	}
}

// checkNodeOptOut: C128 of a node, which has no effect at all.
func checkNodeOptOut(c *Context, n *scope.Node) {
	w, s := c.settings(), sandboxOf(n)
	if w == nil || !optsOut(n.Tree, s) || w.Sandbox != nil && w.Sandbox.EffectiveMode() == "none" || c.unreadable("sandbox") {
		return
	}
	c.node("C128", n, modeSpan(s), "`%s` asks for no sandbox, which has no effect: only the workflow can leave it", n.Name).
		Hintf("Delete it, or write `sandbox: none` in the workflow.")
}

func sandboxOf(n *scope.Node) *ir.Sandbox {
	switch {
	case n.LLM != nil:
		return n.LLM.Sandbox
	case n.Tool != nil:
		return n.Tool.Sandbox
	}
	return nil
}

// checkPostCreate and checkNodePostCreate: C143.
func checkPostCreate(c *Context) {
	if w := c.settings(); w != nil {
		postCreate(c.aboutDecl(w.Tree), w.Tree, w.Sandbox)
	}
}

func checkNodePostCreate(c *Context, n *scope.Node) {
	postCreate(c.about(n), n.Tree, sandboxOf(n))
}

// postCreate reports an escaped quote that reaches the shell. Where the literal
// has no escapes, it may be what the author wants.
func postCreate(r report, tree *ast.Declaration, s *ir.Sandbox) {
	if !sound(tree, s) || !strings.Contains(s.PostCreate.V.Value(), `\"`) {
		return
	}
	f := r("C143", s.PostCreate.Span, "the shell is given `\\\"`, a quote as plain text, in `post_create:`")
	if s.PostCreate.V.Kind() != ast.String {
		f.Hintf("Delete the backslash, unless the shell is to read the quote as plain text.")
	}
}
