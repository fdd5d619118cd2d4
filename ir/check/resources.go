package check

import "iterion/ir/scope"

// checkWorktree: C142.
func checkWorktree(c *Context) {
	if w := c.settings(); w != nil {
		oneOf(c.aboutDecl(w.Tree), "C142", w.Worktree, "workflow", "worktree")
	}
}

// checkResources: C194, a resource that nobody could ever hold.
func checkResources(c *Context) {
	w := c.settings()
	if w == nil {
		return
	}
	for _, r := range w.Resources {
		switch {
		case r.Count.Set() && r.Count.V < 1:
			c.add("C194", w.Tree, r.Count.Span, "the resource `%s` has a count of %d", r.Name, r.Count.V)
		case r.Members.Set() && len(r.Members.V) == 0:
			c.add("C194", w.Tree, r.Members.Span, "the resource `%s` has no member", r.Name)
		}
	}
}

// checkNeeds: C195, once for each name that a node needs.
func checkNeeds(c *Context, n *scope.Node) {
	if !n.Needs.Set() || c.settings() == nil || c.unreadable("resources") {
		return
	}
	seen := map[string]bool{}
	for _, item := range n.Needs.V {
		if c.Resources[item.Text] == nil && !seen[item.Text] {
			c.node("C195", n, item.Span, "`%s` needs `%s`, which is no resource of the workflow", n.Name, item.Text).
				Near(item.Text, names(c.Resources))
		}
		seen[item.Text] = true
	}
}
