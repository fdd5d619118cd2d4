package check

import (
	"iterion/ast"
	"iterion/diagnostics"
	"iterion/ir/finding"
	"iterion/ir/routes"
	"iterion/ir/scope"
)

// checkSwitches judges the words of the workflow's switches: C131, C133, C134,
// C139.
func checkSwitches(c *Context) {
	w := c.settings()
	if w == nil {
		return
	}
	r := c.aboutDecl(w.Tree)
	oneOf(r, "C131", w.AutoMemory, "workflow", "auto_memory")
	oneOf(r, "C133", w.LoopBudgetGuard, "workflow", "loop_budget_guard")
	oneOf(r, "C134", w.RepoDevbox, "workflow", "repo_devbox")
	oneOf(r, "C139", w.WorkspaceCheckpoint, "workflow", "workspace_checkpoint")
}

// checkAutoMemory: C131, and C132 for notes that the node's backend cannot
// keep. What a node inherits is no wish of its own.
func checkAutoMemory(c *Context, n *scope.Node) {
	if n.LLM == nil || !oneOf(c.about(n), "C131", n.LLM.AutoMemory, "agent", "auto_memory") || n.LLM.AutoMemory.V != "on" {
		return
	}
	b := c.backendOf(n)
	if facts, _ := routes.Lookup(b.Name); b.Name != "" && !facts.AutoMemory {
		c.node("C132", n, keyOf(n.Tree, n.LLM.AutoMemory.Span), "the backend `%s` of `%s` keeps no notes of its own", b.Name, n.Name).
			See(b.Tree, b.At, "the backend").
			Fix(diagnostics.DropInertProperty, finding.DropMember(n.Tree, ast.Prop, n.LLM.AutoMemory.Span)...)
	}
}

// checkReviewWords: C156.
func checkReviewWords(c *Context, n *scope.Node) {
	if n.Human == nil || n.Human.Interaction.V != "review" {
		return
	}
	oneOf(c.about(n), "C156", n.Human.Posture, "human", "posture")
	oneOf(c.about(n), "C156", n.Human.MergeStrategy, "human", "merge_strategy")
}
