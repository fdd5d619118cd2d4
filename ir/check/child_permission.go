package check

import (
	"iterion/ir/compile"
	"iterion/ir/effective"
	"iterion/ir/finding"
	"iterion/ir/scope"
)

// Gated returns the permission that a unit's nodes inherit when that judges
// calls, else nil.
func Gated(s *scope.Scope) *effective.Permission {
	if s.Workflow == nil || s.Workflow.Workflow == nil {
		return nil
	}
	if p := effective.NewPermissions(s.Workflow.Workflow).Workflow(); p.Gated() {
		return p
	}
	return nil
}

// UngatedChild: L106, a subbot whose own file says nothing about permissions,
// under a parent that does. parts are the child's declarations.
func UngatedChild(n *scope.Node, gate *effective.Permission, parts []*compile.Part, out *finding.List) {
	found := false
	for _, p := range parts {
		switch {
		case p.Tree.Tainted(0):
			return // it may say so in what could not be read
		case p.Workflow != nil:
			found = true
			if p.Workflow.Permission.Set() {
				return
			}
		case p.Node != nil && p.Node.LLM != nil && p.Node.LLM.Permission.Set():
			return
		}
	}
	if !found {
		return
	}
	f := out.Add("L106", n.Tree, n.Subbot.Source.Span, "%q sets no permission of its own, and the rules of this program do not reach it", n.Subbot.Source.V)
	f.NodeID = n.ID
	f.See(gate.Tree, gate.At, "the permission here")
}
