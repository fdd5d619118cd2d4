package check

import (
	"slices"
	"strings"

	"iterion/ir"
	"iterion/ir/effective"
	"iterion/ir/routes"
	"iterion/ir/scope"
)

// checkProviders judges the `provider:` of every route of a node: C087, C088.
func checkProviders(c *Context, n *scope.Node) {
	switch {
	case n.LLM != nil:
		checkProvider(c, n, n.LLM.Provider, func() effective.Backend { return c.backendOf(n) })
		for i := range n.LLM.Fallbacks {
			route := &n.LLM.Fallbacks[i]
			checkProvider(c, n, route.Provider, func() effective.Backend { return c.routeBackend(n, route) })
		}
	case n.Router != nil && n.Router.EffectiveMode() == ir.ModeLLM:
		checkProvider(c, n, n.Router.Provider, func() effective.Backend { return c.backendOf(n) })
	}
}

func checkProvider(c *Context, n *scope.Node, provider ir.Opt[ir.Text], on func() effective.Backend) {
	elements := steps(provider)
	known := routes.Providers()
	for _, s := range elements {
		hint, _, _ := strings.Cut(s.text, ":")
		word := strings.TrimSpace(hint)
		if word != "" && !slices.Contains(known, word) {
			c.node("C087", n, inside(provider, s.start, s.start+len(word)), "%q is no known provider; known are %s", word, joined(known, "and")).
				Near(word, known)
		}
	}
	if len(elements) < 2 {
		return
	}
	b := on()
	if facts, ok := routes.Lookup(b.Name); ok && !facts.ProviderChain {
		c.node("C088", n, provider.Span, "the backend `%s` uses one provider, and `%s` lists %d", b.Name, n.Name, len(elements)).
			See(b.Tree, b.At, "the backend")
	}
}
