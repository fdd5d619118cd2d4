package check

import (
	"strings"

	"iterion/ast"
	"iterion/ast/source"
	"iterion/ir"
	"iterion/ir/effective"
	"iterion/ir/scope"
)

// checkNodeSandbox judges the sandbox of a node: C044.
func checkNodeSandbox(c *Context, n *scope.Node) {
	switch {
	case n.LLM != nil:
		sandbox(c.about(n), n.Tree, n.LLM.Sandbox)
	case n.Tool != nil:
		sandbox(c.about(n), n.Tree, n.Tool.Sandbox)
	}
}

// checkSandbox judges the sandbox of the workflow: C044.
func checkSandbox(c *Context) {
	if w := c.settings(); w != nil {
		sandbox(c.aboutDecl(w.Tree), w.Tree, w.Sandbox)
	}
}

// sandbox judges the words of a sandbox and the source of its image.
func sandbox(r report, tree *ast.Declaration, s *ir.Sandbox) {
	if s == nil {
		return
	}
	oneOf(r, "C044", s.HostState, "workflow", "sandbox", "host_state")
	if s.Network != nil {
		oneOf(r, "C044", s.Network.Mode, "workflow", "sandbox", "network", "mode")
		oneOf(r, "C044", s.Network.Inherit, "workflow", "sandbox", "network", "inherit")
	}
	if !oneOf(r, "C044", s.Mode, "workflow", "sandbox", "mode") {
		return
	}
	switch s.Word.V {
	case "", "none", "auto", "inline":
	default:
		r("C044", s.Word.Span, "%q is no sandbox; write `auto`, `none` or a block", s.Word.V).
			Hintf("Use `auto` or `none`, or write a block.").Near(s.Word.V, []string{"auto", "none"})
		return
	}
	switch image := written(s.Image); {
	case s.EffectiveMode() != "inline" || image != (s.Build != nil):
	case image:
		r("C044", s.Build.KeySpan, "an inline sandbox has an image or a build, not both").
			Hintf("Keep one of `image:` and `build:`.").See(tree, s.Image.Span, "the image")
	default:
		r("C044", modeSpan(s), "an inline sandbox needs `image:` or `build:`").
			Hintf("Write a `sandbox:` block with `image:` or `build:`, or `sandbox: auto`.")
	}
}

// modeSpan is where a sandbox says what it is: its word, its mode, its key.
func modeSpan(s *ir.Sandbox) source.Span {
	switch {
	case s.Word.Set():
		return s.Word.Span
	case s.Mode.Set():
		return s.Mode.Span
	}
	return s.KeySpan
}

// activeSandbox is the workflow's sandbox when it is written, on and no fault
// of C044, else nil.
func (c *Context) activeSandbox() *ir.Sandbox {
	w := c.settings()
	if w == nil || w.Sandbox == nil {
		return nil
	}
	switch s := w.Sandbox; s.EffectiveMode() {
	case "auto":
		return s
	case "inline":
		if written(s.Image) != (s.Build != nil) {
			return s
		}
	}
	return nil
}

// checkBrowserImage wants a browser in the sandbox of a Playwright server: C060.
func checkBrowserImage(c *Context) {
	s := c.activeSandbox()
	if s == nil {
		return
	}
	image, ok := effective.Settled(s.Image.V.Value())
	if !ok || strings.Contains(image, "sandbox-browser") || strings.Contains(image, "sandbox-full-browser") {
		return
	}
	for _, server := range c.Program.Servers {
		if server.Tainted || !isPlaywright(server) {
			continue
		}
		at := s.Image.Span
		if !s.Image.Set() {
			at = modeSpan(s)
		}
		c.add("C060", c.settings().Tree, at, "the server `%s` drives a browser, and this sandbox names no image with one", server.Name).
			See(server.Tree, server.NameSpan, "the server")
		return
	}
}

// isPlaywright tells whether a server is Playwright's, by what starts it.
func isPlaywright(s *ir.Server) bool {
	texts := append(ir.Strings(s.Args), s.Name, s.Command.V, s.URL.V)
	for _, text := range texts {
		if strings.Contains(strings.ToLower(text), "playwright") {
			return true
		}
	}
	return false
}
