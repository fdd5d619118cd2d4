package check

import (
	"math"

	"iterion/ir"
	"iterion/ir/routes"
	"iterion/ir/scope"
)

// checkMemory judges a node's durable memory: C047, C048.
func checkMemory(c *Context, n *scope.Node) {
	if n.LLM == nil || n.LLM.Memory == nil || !n.LLM.Memory.Enabled.V {
		return
	}
	m := n.LLM.Memory
	if m.Scope.V == "" {
		c.node("C048", n, m.KeySpan, "the memory of `%s` is on and has no `scope:`", n.Name)
	}
	b := c.backendOf(n)
	if facts, _ := routes.Lookup(b.Name); b.Name != "" && !facts.Memory {
		c.node("C047", n, m.Enabled.Span, "the backend `%s` of `%s` has no such memory", b.Name, n.Name).
			See(b.Tree, b.At, "the backend")
	}
}

// checkCompaction judges the compaction of a node: C043.
func checkCompaction(c *Context, n *scope.Node) {
	if n.LLM != nil {
		compaction(c.about(n), n.LLM.Compaction)
	}
}

// checkSettings judges the workflow's own numbers and words: C043, C046, C102.
func checkSettings(c *Context) {
	w := c.settings()
	if w == nil {
		return
	}
	r := c.aboutDecl(w.Tree)
	compaction(r, w.Compaction)
	compress(r, w.Compress, w.RTK)
	if w.Budget == nil {
		return
	}
	if cost := w.Budget.MaxCostUSD; cost.Set() && !(cost.V >= 0 && cost.V <= math.MaxFloat64) {
		r("C046", cost.Span, "`max_cost_usd:` is no finite amount of 0 or more")
	}
}

func compaction(r report, k *ir.Compaction) {
	if k == nil {
		return
	}
	if t := k.Threshold; t.Set() && !(t.V > 0 && t.V <= 1) {
		r("C043", t.Span, "`threshold:` is a share above 0 and up to 1, not %v", t.V).
			Hintf("Write a share such as `0.8`.")
	}
	if p := k.PreserveRecent; p.Set() && p.V < 1 {
		r("C043", p.Span, "`preserve_recent:` keeps at least 1 message, not %d", p.V).
			Hintf("Write 1 or more, or leave it out.")
	}
}

// checkCompress judges the compression of a node's tool output: C102.
func checkCompress(c *Context, n *scope.Node) {
	switch {
	case n.LLM != nil:
		compress(c.about(n), n.LLM.Compress, n.LLM.RTK)
	case n.Tool != nil:
		compress(c.about(n), n.Tool.Compress, n.Tool.RTK)
	}
}

// compress judges the property and its old name.
func compress(r report, word, old ir.Opt[string]) {
	oneOf(r, "C102", word, "workflow", "compress")
	oneOf(r, "C102", old, "workflow", "rtk")
}

// checkReview wants a worktree to show in a review: C100.
func checkReview(c *Context, n *scope.Node) {
	w := c.settings()
	if n.Human == nil || n.Human.Interaction.V != "review" || w == nil || w.Worktree.V != "none" {
		return
	}
	c.node("C100", n, n.Human.Interaction.Span, "`%s` reviews a worktree, and the workflow has none", n.Name).
		See(w.Tree, w.Worktree.Span, "no worktree")
}
