package check

import (
	"slices"

	"iterion/diagnostics"
	"iterion/ir"
	"iterion/ir/effective"
	"iterion/ir/finding"
	"iterion/ir/gate"
	"iterion/ir/routes"
	"iterion/ir/scope"
)

// checkRoutes: C176 for routes on which the node's bounds do not hold, and
// C136 for those whose gate needs the host. A route of the first kind is none
// of the second.
func checkRoutes(c *Context, n *scope.Node) {
	if n.LLM == nil {
		return
	}
	list := c.routesOf(n)
	p := c.permissions().Of(n.Node)
	refused := make([]bool, len(list))
	for i := range list {
		r := &list[i]
		if r.Name == "" {
			continue
		}
		if refused[i] = unsafe(c, n, p, &list[0], r); !refused[i] && !r.At.IsZero() {
			unknownBackend(c, n, r)
		}
	}
	if p.Gated() && !c.withoutSandbox(n) {
		hosts(c, n, p, list, refused)
	}
}

// unknownBackend: L112, a backend that is nearly one that is known. Any other
// name may be one of a later version.
func unknownBackend(c *Context, n *scope.Node, r *effective.Route) {
	if _, known := routes.Lookup(r.Name); known || r.Name == routes.Auto {
		return
	}
	if near, ok := diagnostics.Nearest(r.Name, routes.Names()); ok {
		c.routeAt("L112", n, r, "`%s` of %s is no backend that is known, and nearly `%s`", r.Name, r.Of(n.Node), near).
			Hintf("Write `%s`, if that is meant.", near)
	}
}

// unsafe reports each bound of the node that does not hold on a route.
func unsafe(c *Context, n *scope.Node, p *effective.Permission, primary, r *effective.Route) bool {
	found := ungated(c, n, p, r)
	if r == primary || primary.Name == "" || primary.Name == r.Name {
		return found
	}
	if refusesTools(c, n, primary, r) {
		found = true
	}
	switch s := n.LLM.Session; s.V {
	case "inherit", "inherit_if_available", "fork", "persist":
		c.routeAt("C176", n, r, "`session: %s` ends at %s: the conversation of `%s` cannot go on with `%s`", s.V, r.Of(n.Node), primary.Name, r.Name).
			Hintf("Stay on one backend, or begin with `session: fresh`.").See(n.Tree, s.Span, "the session")
		found = true
	}
	return found
}

// ungated: C176 for a backend that does not enforce the node's permission.
func ungated(c *Context, n *scope.Node, p *effective.Permission, r *effective.Route) bool {
	if !p.Gated() {
		return false
	}
	facts, known := routes.Lookup(r.Name)
	asks := &p.Lists[gate.AskList]
	switch {
	case !known:
		f := c.routeAt("C176", n, r, "`%s` of %s is no backend that is known, so nothing enforces `permission: %s`", r.Name, r.Of(n.Node), p.Mode).
			Hintf("Use the backend %s.", alternatives(enforcing(p.Mode)))
		if near, ok := diagnostics.Nearest(r.Name, routes.Names()); ok {
			f.Hintf("Write `%s`.", near)
		}
		seeMode(f, p)
	case !facts.Enforces(p.Mode.String()):
		f := c.routeAt("C176", n, r, "the backend `%s` of %s does not enforce `permission: %s`", r.Name, r.Of(n.Node), p.Mode)
		if modes := facts.GateModes; len(modes) > 0 {
			f.Hintf("Use `permission: %s`, or the backend %s.", modes[0], alternatives(enforcing(p.Mode)))
		} else {
			f.Hintf("Use the backend %s.", alternatives(enforcing(p.Mode)))
		}
		seeMode(f, p)
	case !facts.Enforces(gate.Ask.String()) && asksAny(p):
		c.routeAt("C176", n, r, "the backend `%s` of %s cannot ask, and an `ask:` rule asks in every mode", r.Name, r.Of(n.Node)).
			Hintf("Use the backend %s, or move the rules to `deny:`.", alternatives(enforcing(gate.Ask))).
			See(asks.Tree, keyOf(asks.Tree, asks.Span), "the rules")
	default:
		return false
	}
	return true
}

// asksAny tells whether an `ask:` rule is about a tool that a backend other
// than our own loop may call.
func asksAny(p *effective.Permission) bool {
	return slices.ContainsFunc(p.Rows[gate.AskList], func(row gate.Row) bool {
		t := row.Tool()
		return t == nil || !t.ClawAlias
	})
}

// enforcing lists the backends that enforce a mode.
func enforcing(m gate.Mode) []string {
	return slices.DeleteFunc(routes.Names(), func(name string) bool {
		facts, _ := routes.Lookup(name)
		return !facts.Enforces(m.String())
	})
}

// refusesTools: C176 for a route on which `tools:` means something else than on
// the primary one.
func refusesTools(c *Context, n *scope.Node, primary, r *effective.Route) bool {
	var f *finding.Finding
	switch {
	case primary.Name == routes.Claw:
		f = c.routeAt("C176", n, r, "%s holds other tools than `%s`: `%s` reads `tools:` in its own way", r.Of(n.Node), n.Name, r.Name).
			Hintf("Keep the fallback on `claw`.")
	case r.Name == routes.Claw && !n.LLM.Tools.Set():
		f = c.routeAt("C176", n, r, "%s holds no tools: `claw` has those that `tools:` lists", r.Of(n.Node)).
			Hintf("Add `tools:` with the tools that the node needs.")
	default:
		return false
	}
	if n.LLM.Tools.Set() {
		f.See(n.Tree, keyOf(n.Tree, n.LLM.Tools.Span), "the list")
	}
	return true
}

// withoutSandbox tells whether the workflow or the node turns the sandbox off,
// or writes something of which nobody can tell.
func (c *Context) withoutSandbox(n *scope.Node) bool {
	w := c.settings()
	boxes := []*ir.Sandbox{n.LLM.Sandbox}
	if w != nil {
		boxes = append(boxes, w.Sandbox)
	}
	return c.unreadable("sandbox") || slices.ContainsFunc(boxes, func(s *ir.Sandbox) bool {
		return s != nil && (s.EffectiveMode() == "none" || !knownSandbox(s))
	})
}

// knownSandbox tells whether the words of a sandbox are none of C044's.
func knownSandbox(s *ir.Sandbox) bool {
	switch s.EffectiveMode() {
	case "none", "auto", "inline":
		return true
	}
	return false
}

// hosts: C136 for the routes whose gate does not work inside a sandbox, one
// finding for those that always need the host and one for those that need it
// for a question.
func hosts(c *Context, n *scope.Node, p *effective.Permission, list []effective.Route, refused []bool) {
	for _, need := range []routes.Host{routes.HostAlways, routes.HostForAsk} {
		if need == routes.HostForAsk && !p.CanAsk() {
			continue
		}
		var names []string
		var first *effective.Route
		for i := range list {
			facts, _ := routes.Lookup(list[i].Name)
			if facts.HookNeedsHost != need || refused[i] {
				continue
			}
			if first == nil {
				first = &list[i]
			}
			if !slices.Contains(names, list[i].Name) {
				names = append(names, list[i].Name)
			}
		}
		if first == nil {
			continue
		}
		what := "enforce `permission: " + p.Mode.String() + "`"
		if need == routes.HostForAsk {
			what = "ask"
		}
		f := c.routeAt("C136", n, first, "inside a sandbox %s cannot %s, and `%s` may run in one", joined(names, "and"), what, n.Name)
		seeMode(f, p)
		if asks := &p.Lists[gate.AskList]; need == routes.HostForAsk && len(asks.Items) > 0 {
			f.See(asks.Tree, keyOf(asks.Tree, asks.Span), "the rules")
			f.Hintf("Write `sandbox: none` on the workflow, or drop what asks and use `permission: deny`.")
		}
	}
}
