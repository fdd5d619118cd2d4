package check

import (
	"strings"
	"time"

	"iterion/ir"
	"iterion/ir/effective"
)

// checkSupervisors: C190, C191 and C193.
func checkSupervisors(c *Context) {
	for _, p := range c.Supervisors {
		if !tainted(p.Decl) {
			checkSupervisor(c, p.Supervisor)
		}
	}
}

func checkSupervisor(c *Context, s *ir.Supervisor) {
	r := c.aboutDecl(s.Tree)
	if !s.Watches.Set() && !s.Model.Set() && !s.System.Set() && !s.Cooldown.Set() && !s.MaxEvals.Set() && !s.Monitors.Set() {
		r("C191", s.NameSpan, "the supervisor `%s` is empty and watches nothing", s.Name).Hintf("Add `watches:` and `model:`, or delete the supervisor.")
	}
	if s.Cooldown.Set() && !isDuration(s.Cooldown.V) {
		r("C191", s.Cooldown.Span, "%q is no duration", s.Cooldown.V)
	}
	for _, item := range s.Watches.V {
		checkWatched(c, r, item)
	}
	system := promptName(s.System)
	if system.Set() && c.Program.Prompt(system.V) == nil && !c.Incomplete {
		r("C193", system.Span, "`system:` of `%s` names the prompt `%s`, which nobody declares", s.Name, system.V).
			Near(system.V, promptNames(c))
	}
}

// checkWatched: C190, a supervisor talks to agents only.
func checkWatched(c *Context, r report, item ir.Item) {
	n := c.Node(item.Text)
	switch {
	case n == nil && (c.Incomplete || c.MaybeMember(item.Text)):
	case n == nil:
		r("C190", item.Span, "`watches:` names no node: `%s`", item.Text).Near(item.Text, agentNames(c))
	case n.Kind != ir.KindAgent && !n.Tainted:
		r("C190", item.Span, "`%s` is a %s, and a supervisor talks to agents", item.Text, n.Kind).
			See(n.Tree, n.NameSpan, "declared here")
	}
}

func agentNames(c *Context) []string {
	var list []string
	for _, n := range c.Nodes {
		if n.Kind == ir.KindAgent {
			list = append(list, n.ID)
		}
	}
	return list
}

// isDuration tells whether a text is a duration, or one that the environment
// of a run names.
func isDuration(text string) bool {
	value, ok := effective.Settled(text)
	if !ok {
		return !strings.Contains(text, "{{")
	}
	_, err := time.ParseDuration(strings.TrimSpace(value))
	return err == nil
}
