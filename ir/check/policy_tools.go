package check

import (
	"slices"
	"strings"

	"iterion/ast"
	"iterion/diagnostics"
	"iterion/ir"
	"iterion/ir/effective"
	"iterion/ir/finding"
	"iterion/ir/routes"
	"iterion/ir/scope"
	"iterion/ir/tools"
)

// checkToolNames: C135, the bare names of a list that our own loop looks up.
func checkToolNames(c *Context, n *scope.Node) {
	switch {
	case n.LLM != nil && len(n.LLM.Tools.V) > 0:
		for _, r := range c.routesOf(n) {
			if facts, _ := routes.Lookup(r.Name); facts.NamesResolved {
				toolNames(c, n, n.LLM.Tools, r.Backend)
				return // one such route is as good as any
			}
		}
	case n.Tool != nil && n.Tool.Recovery != nil && len(n.Tool.Recovery.AgentTools.V) > 0:
		b := effective.DefaultBackend(c.settings())
		if facts, _ := routes.Lookup(b.Name); facts.NamesResolved {
			toolNames(c, n, n.Tool.Recovery.AgentTools, b)
		}
	}
}

func toolNames(c *Context, n *scope.Node, list ir.List, b effective.Backend) {
	wired := c.servers(n)
	for i, item := range list.V {
		if slices.ContainsFunc(list.V[:i], func(earlier ir.Item) bool { return earlier.Text == item.Text }) {
			continue
		}
		fault := judgeName(item.Text)
		if fault == nil {
			continue
		}
		f := c.node("C135", n, item.Span, "%s", fault.message).See(b.Tree, b.At, "looked up by this backend")
		if !fault.mistake || wired {
			f.Warn()
		}
		if fault.suggestion != "" {
			f.Hintf("Write `%s`.", fault.suggestion)
			// A name that is gone may have done less than the shell that took its
			// place: that is for a person to decide.
			if fault.near || !tools.Lookup(fault.suggestion).InClass(tools.Shell) {
				f.Fix(diagnostics.RenameTool, renameAll(n.Tree, list, item.Text, fault.suggestion)...)
			}
		}
	}
}

// renameAll writes another name wherever a list has one.
func renameAll(tree *ast.Declaration, list ir.List, name, with string) []finding.Edit {
	var edits []finding.Edit
	for _, item := range list.V {
		if item.Text == name {
			edits = append(edits, finding.Rename(tree, item.Span, name, with)...)
		}
	}
	return edits
}

// nameFault is what is wrong with the name of a tool.
type nameFault struct {
	message    string
	mistake    bool // surely none that is meant
	near       bool // differs from a tool's by a letter or two
	suggestion string
}

// judgeName looks a bare name up. Qualified names and wildcards are another
// registry's.
func judgeName(name string) *nameFault {
	if strings.Contains(name, "${") || strings.Contains(name, "{{") {
		return &nameFault{message: "`" + name + "` is not replaced by anything: a tool's name is plain text", mistake: true}
	}
	if strings.ContainsAny(name, ".*") || strings.Contains(name, "__") || tools.IsBoard(name) {
		return nil
	}
	if t := tools.Lookup(name); t != nil && t.Claw != "" {
		return nil
	}
	if now, ok := tools.Replacement(name); ok {
		return &nameFault{message: "the tool `" + name + "` is gone; `" + now + "` took its place", mistake: true, suggestion: now}
	}
	fault := &nameFault{message: "no tool is called `" + name + "`"}
	near := diagnostics.Closest(name, tools.ClawNames(), min(2, len(name)/3))
	fault.mistake, fault.near = len(near) > 0, true
	if len(near) == 1 {
		fault.suggestion = near[0]
	}
	return fault
}

// servers tells whether MCP servers may bring tools of any name to a node.
func (c *Context) servers(n *scope.Node) bool {
	if len(c.Program.Servers) > 0 {
		return true
	}
	w := c.settings()
	return w != nil && w.MCP != nil && len(w.MCP.Servers.V) > 0 || n.LLM != nil && n.LLM.MCP != nil && len(n.LLM.MCP.Servers.V) > 0
}

// checkNoTools: C270, an empty list that leaves something all the same.
func checkNoTools(c *Context, n *scope.Node) {
	if n.LLM == nil || !n.LLM.Tools.Set() || len(n.LLM.Tools.V) > 0 {
		return
	}
	at := keyOf(n.Tree, n.LLM.Tools.Span)
	loop := false
	for _, r := range c.routesOf(n) {
		facts, known := routes.Lookup(r.Name)
		loop = loop || r.Name == routes.Claw
		if known && !facts.ReceivesTools {
			c.node("C270", n, at, "the backend `%s` of %s is never told the list: all its tools stay", r.Name, r.Of(n.Node)).
				See(r.Tree, r.At, "the backend")
		}
	}
	if how, tree := c.interactionOf(n); loop && how.Set() && how.V != "none" {
		c.node("C270", n, at, "`%s` holds tools all the same: its interaction brings some of its own", n.Name).
			See(tree, how.Span, "the interaction")
	}
}

// interactionOf is how a node's questions are answered, with its declaration.
func (c *Context) interactionOf(n *scope.Node) (ir.Opt[string], *ast.Declaration) {
	if w := c.settings(); !n.LLM.Interaction.Set() && w != nil {
		return w.Interaction, w.Tree
	}
	return n.LLM.Interaction, n.Tree
}
