package check

import (
	"slices"
	"strings"
	"time"

	"iterion/ir"
	"iterion/ir/effective"
	"iterion/ir/scope"
)

// checkTimeouts: C122, C197 and C241, a limit of time is a positive duration.
// Whoever waits for others must have one.
func checkTimeouts(c *Context, n *scope.Node) {
	switch {
	case n.LLM != nil && n.LLM.Timeout.Set() && !lasts(n.LLM.Timeout.V):
		c.node("C122", n, n.LLM.Timeout.Span, "%q is no positive duration", n.LLM.Timeout.V)
	case n.Wait != nil && !n.Wait.Timeout.Set():
		c.node("C197", n, n.NameSpan, "`%s` has no `timeout:` and could wait forever", n.Name)
	case n.Wait != nil && !lasts(n.Wait.Timeout.V):
		c.node("C197", n, n.Wait.Timeout.Span, "%q is no positive duration", n.Wait.Timeout.V)
	case n.Await != nil && !n.Await.Timeout.Set():
		c.node("C241", n, n.NameSpan, "`%s` has no `timeout:` and could wait forever", n.Name)
	case n.Await != nil && !lasts(n.Await.Timeout.V):
		c.node("C241", n, n.Await.Timeout.Span, "%q is no positive duration", n.Await.Timeout.V)
	}
}

// lasts tells whether a text is a positive duration, or may be one: a variable
// of the environment without a default leaves it to the run.
func lasts(text string) bool {
	value, ok := effective.Settled(text)
	if !ok {
		return !strings.Contains(text, "{{")
	}
	d, err := time.ParseDuration(strings.TrimSpace(value))
	return err == nil && d > 0
}

// event is the name of the event that a node sends or waits for.
func event(n *scope.Node) (name ir.Opt[string], ok bool) {
	switch {
	case n.Emit != nil:
		return n.Emit.Event, true
	case n.Wait != nil:
		return n.Wait.Event, true
	}
	return name, false
}

// checkEvents: C196, an event has a name; C198, it has two sides. A node that
// could not be read may be the other side of any event.
func checkEvents(c *Context) {
	if !slices.ContainsFunc(c.Nodes, func(n *scope.Node) bool { return n.Emit != nil || n.Wait != nil }) {
		return
	}
	sides := map[ir.Kind]map[string]bool{ir.KindEmit: {}, ir.KindWait: {}}
	unread := map[ir.Kind]bool{}
	for _, n := range c.Nodes {
		if name, ok := event(n); ok {
			if name.V != "" {
				sides[n.Kind][name.V] = true
			}
			unread[n.Kind] = unread[n.Kind] || n.Tainted
		}
	}
	for _, n := range c.Nodes {
		name, ok := event(n)
		if !ok || n.Tainted {
			continue
		}
		other, verb := ir.KindWait, "no `wait` reads"
		if n.Wait != nil {
			other, verb = ir.KindEmit, "no `emit` sends"
		}
		switch {
		case name.V == "":
			c.node("C196", n, n.NameSpan, "the %s `%s` names no event", n.Kind, n.Name)
		case !sides[other][name.V] && !unread[other] && !c.Incomplete:
			c.node("C198", n, name.Span, "%s the event `%s`", verb, name.V).Near(name.V, names(sides[other]))
		}
	}
}

// checkFrom: C242, answers come from a node that asks without waiting.
func checkFrom(c *Context, n *scope.Node) {
	if n.Await == nil || !n.Await.From.Set() {
		return
	}
	from := n.Await.From
	asker := c.Node(from.V)
	switch {
	case asker == nil && (c.Incomplete || c.MaybeMember(from.V)):
	case asker == nil:
		c.node("C242", n, from.Span, "`from:` names no node: `%s`", from.V).Near(from.V, c.NodeIDs())
	case asker.Tainted || c.asks(asker):
	default:
		c.node("C242", n, from.Span, "`%s` asks no question without waiting for the answer, so nothing is awaited", asker.ID).
			See(asker.Tree, asker.NameSpan, "declared here")
	}
}

// asks tells whether a node may ask without waiting. A human that is told to
// has a fault of its own, C240.
func (c *Context) asks(n *scope.Node) bool {
	switch {
	case n.Human != nil:
		return n.Human.Interaction.V == "async"
	case n.LLM == nil:
		return false
	case n.LLM.Interaction.Set():
		return n.LLM.Interaction.V == "async"
	}
	w := c.settings()
	return w != nil && (w.Interaction.V == "async" || c.unreadable("interaction"))
}
