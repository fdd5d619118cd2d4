package check

import (
	"slices"
	"strings"

	"iterion/ast/source"
	"iterion/grammar/expr"
	"iterion/grammar/schema"
	"iterion/ir"
	"iterion/ir/compile"
	"iterion/ir/routes"
	"iterion/ir/scope"
)

// skip is the action that completes a node without a model.
const skip = "skip"

// checkFallbacks: C173 for routes that lead nowhere, C175 for triggers that do
// not exist, C177 for settings that a route's backend does not have.
func checkFallbacks(c *Context, n *scope.Node) {
	if n.LLM == nil {
		return
	}
	for i := range n.LLM.Fallbacks {
		r := &n.LLM.Fallbacks[i]
		if repeatedRoute(c, n, i) {
			continue
		}
		found := malformed(c, n, i)
		found = conditions(c, n, r) || found
		if leadsSomewhere(r) {
			triggers(c, n, r)
		}
		if !found {
			drift(c, n, r)
		}
	}
}

// leadsSomewhere tells whether a route says what is to be done.
func leadsSomewhere(r *ir.Route) bool {
	if r.Action.Set() {
		return r.Action.V == skip
	}
	return written(r.Backend) || written(r.Model) || written(r.Provider)
}

func repeatedRoute(c *Context, n *scope.Node, i int) bool {
	r := &n.LLM.Fallbacks[i]
	first := slices.IndexFunc(n.LLM.Fallbacks, func(o ir.Route) bool { return o.Name == r.Name })
	if first == i {
		return false
	}
	c.node("C173", n, r.NameSpan, "the route `%s` of `%s` is written twice", r.Name, n.Name).
		Hintf("Give each route a name of its own.").See(n.Tree, n.LLM.Fallbacks[first].NameSpan, "the first one")
	return true
}

// malformed reports what is wrong with the target of a route.
func malformed(c *Context, n *scope.Node, i int) bool {
	r := &n.LLM.Fallbacks[i]
	switch {
	case r.Action.V == skip:
		return malformedSkip(c, n, i)
	case r.Action.Set():
		c.node("C173", n, r.Action.Span, "%q is no action of a route; the only one is `skip`", r.Action.V).
			Hintf("Write `action: skip`, or delete the line and name a target.").Near(r.Action.V, []string{skip})
	case !leadsSomewhere(r):
		c.node("C173", n, r.NameSpan, "the route `%s` of `%s` names no backend, model, provider or action", r.Name, n.Name)
	case written(r.Backend) && !written(r.Model) && !strings.Contains(r.Backend.V.Value(), "${"):
		c.node("C173", n, r.Backend.Span, "the route `%s` names a backend and no `model:`, and a model's name means something to one backend only", r.Name).
			Hintf("Add `model:` with a model of that backend.")
	default:
		return false
	}
	return true
}

// malformedSkip judges a route that completes the node: it is bare, and the
// last.
func malformedSkip(c *Context, n *scope.Node, i int) bool {
	r := &n.LLM.Fallbacks[i]
	found := false
	for _, p := range []struct {
		name string
		at   source.Span
	}{{"backend", r.Backend.Span}, {"model", r.Model.Span}, {"provider", r.Provider.Span}, {"metered", r.Metered.Span}} {
		if !p.at.IsZero() {
			c.node("C173", n, keyOf(n.Tree, p.at), "`%s:` says nothing on the route `%s`, which calls no model", p.name, r.Name).
				Hintf("Delete `%s:`.", p.name).See(n.Tree, r.Action.Span, "the action")
			found = true
			break
		}
	}
	if i < len(n.LLM.Fallbacks)-1 {
		c.node("C173", n, r.NameSpan, "the route `%s` ends the list, and routes follow it", r.Name).
			Hintf("Move it behind the other routes.").See(n.Tree, n.LLM.Fallbacks[i+1].NameSpan, "never tried")
		found = true
	}
	return found
}

// triggers: C175, the classes of failure that lead to a route.
func triggers(c *Context, n *scope.Node, r *ir.Route) {
	words := schema.Words(rowOf("agent", "fallbacks", "on").Values)
	for _, item := range r.On.V {
		if !slices.Contains(words, item.Text) {
			c.node("C175", n, item.Span, "%q is no trigger; the triggers are %s", item.Text, joined(words, "and")).Near(item.Text, words)
		}
	}
}

// drift: C177, the effort that the node asks for is lost on a route.
func drift(c *Context, n *scope.Node, r *ir.Route) {
	if !n.LLM.ReasoningEffort.Set() || r.Action.Set() || !r.Backend.Set() {
		return
	}
	b := c.routeBackend(n, r)
	if facts, known := routes.Lookup(b.Name); known && !facts.Effort {
		c.node("C177", n, r.Backend.Span, "the backend `%s` of the fallback `%s` has no dial for the effort", b.Name, r.Name).
			See(n.Tree, n.LLM.ReasoningEffort.Span, "the effort")
	}
}

// conditions reports the faults of a route's `when:`: C173.
func conditions(c *Context, n *scope.Node, r *ir.Route) bool {
	if !r.When.Set() {
		return false
	}
	found := false
	for i := range n.Exprs {
		x := &n.Exprs[i]
		if x.Role != compile.RouteWhen || x.Span != r.When.Span {
			continue
		}
		for _, fault := range c.routeFaults(x) {
			c.node("C173", n, fault.at, "%s", fault.message).Hintf("Write a condition over declared `vars`.")
			found = true
		}
	}
	return found
}

// routeFault is what keeps a route's condition from being used.
type routeFault struct {
	at      source.Span
	message string
}

// routeFaults judges the condition of a route, which reads variables only.
func (c *Context) routeFaults(x *compile.ExprUse) []routeFault {
	if x.Err != nil {
		return []routeFault{{x.Err.Span, "the condition cannot be read: " + x.Err.Message}}
	}
	var list []routeFault
	expr.Walk(x.Tree, func(n *expr.Node) bool {
		switch {
		case n.Kind != expr.Path:
		case n.Name() != "vars" || len(n.Names) < 2:
			list = append(list, routeFault{x.At(n.Span), "the condition of a route reads `vars` only, not `" + n.Name() + "`"})
		case c.Program.Var(n.Names[1].Name) == nil && !c.Incomplete:
			list = append(list, routeFault{x.At(n.Span), "no variable is called `" + n.Names[1].Name + "`"})
		}
		return true
	})
	return list
}
