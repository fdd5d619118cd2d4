package effective

import (
	"iterion/ir"
	"iterion/ir/tools"
)

// Bounds is what a backend makes of a node's `tools:`.
type Bounds struct {
	OwnTools  bool // a node without the line holds tools all the same
	ListHolds bool // a node with the line holds no others
}

// MayWrite says why a node may change the workspace, so that it cannot run
// beside another that may; "" when it does not. replayed tells that it would
// run beside itself.
func MayWrite(n *ir.Node, b Bounds, replayed bool) string {
	switch {
	case n.Tool != nil && replayed && n.Tool.ParallelSafe.V:
		return ""
	case n.Tool != nil && replayed:
		return "it is a tool without `parallel_safe: true`"
	case n.Tool != nil:
		return "it is a tool"
	case n.Subbot != nil && !n.Subbot.Isolated.V:
		return "it runs a program of its own without `isolated: true`"
	case n.LLM == nil || n.LLM.Readonly.V:
		return ""
	case !n.LLM.Tools.Set() && b.OwnTools:
		return "it has no `tools:`, and its backend has a set of its own"
	case !n.LLM.Tools.Set():
		return ""
	case !b.ListHolds:
		return "its backend may hold tools that `tools:` does not list"
	}
	for _, item := range n.LLM.Tools.V {
		if t := tools.Lookup(item.Text); t == nil || t.Mutates() {
			return "its tool `" + item.Text + "` may write"
		}
	}
	return addedTools(n, b)
}

// addedTools: a backend with tools of its own counts what the run adds to the
// list as no longer bound by it.
func addedTools(n *ir.Node, b Bounds) string {
	switch {
	case !b.OwnTools:
	case n.LLM.Interaction.Set() && n.LLM.Interaction.V != "none":
		return "its interaction adds tools to the list"
	case len(n.LLM.Capabilities.V) > 0:
		return "its capabilities add tools to the list"
	}
	return ""
}
