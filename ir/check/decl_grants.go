package check

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"iterion/grammar/schema"
	"iterion/ir"
	"iterion/ir/scope"
)

var capability = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[a-z0-9_]+(\.[a-z0-9_]+)?$`)
})

// checkGrants judges the capabilities of a node: C080, C081, C082.
func checkGrants(c *Context, n *scope.Node) {
	if n.LLM != nil {
		capabilities(c, c.about(n), n.LLM.Capabilities)
	}
}

// checkWorkflowGrants judges those that the workflow gives to every node.
func checkWorkflowGrants(c *Context) {
	if w := c.settings(); w != nil {
		capabilities(c, c.aboutDecl(w.Tree), w.Capabilities)
	}
}

func capabilities(c *Context, r report, list ir.List) {
	if len(list.V) == 0 {
		return
	}
	known := schema.Words(rowOf("workflow", "capabilities").Values)
	board := -1
	for i, item := range list.V {
		switch {
		case !capability().MatchString(item.Text):
			r("C081", item.Span, "%q does not have the form of a capability", item.Text).Near(item.Text, known)
		case !slices.Contains(known, item.Text):
			r("C080", item.Span, "`%s` is none of the known capabilities", item.Text).Near(item.Text, known)
		case board < 0 && strings.HasPrefix(item.Text, "board."):
			board = i
		}
	}
	if s := c.activeSandbox(); s != nil && board >= 0 {
		r("C082", list.V[board].Span, "`%s` is granted while the workflow runs in a sandbox", list.V[board].Text).
			See(c.settings().Tree, modeSpan(s), "the sandbox")
	}
}
