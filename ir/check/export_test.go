package check

import (
	"slices"

	"iterion/ir/finding"
	"iterion/ir/scope"
)

// Elsewhere runs the checks of nodes on those of the kinds that they say they
// do not look at, by the family's name.
func Elsewhere(s *scope.Scope) map[string][]finding.Finding {
	found := map[string][]finding.Finding{}
	for _, r := range rules {
		if r.node == nil || r.kinds == nil {
			continue
		}
		c := New(s, "main.bot")
		c.out = &finding.List{}
		for _, n := range s.Nodes {
			if !n.Tainted && !slices.Contains(r.kinds, n.Kind) {
				r.node(c, n)
			}
		}
		if len(c.out.Items) > 0 {
			found[r.name] = c.out.Items
		}
	}
	return found
}
