package check

import (
	"strings"

	"iterion/diagnostics"
	"iterion/ir"
	"iterion/ir/finding"
	"iterion/ir/routes"
	"iterion/ir/scope"
)

// route is one way in which a node asks a model.
type route struct {
	fallback string // its name; "" for the node's own route
	backend         // as the route names it; a fallback may name none
	model    ir.Opt[ir.Text]
	provider ir.Opt[ir.Text]
}

// of says whose route it is, for messages.
func (r route) of(n *scope.Node) string {
	if r.fallback == "" {
		return "`" + n.Name + "`"
	}
	return "the fallback `" + r.fallback + "` of `" + n.Name + "`"
}

// routesOf lists the routes of a node: its own, then the fallbacks that ask a
// model. One whose action could not be understood is not among them.
func (c *Context) routesOf(n *scope.Node) []route {
	if n.LLM == nil && n.Router == nil {
		return nil
	}
	if c.routes.of != n { // several checks in a row ask about one node
		c.routes.of, c.routes.list = n, c.addRoutes(c.routes.list[:0], n)
	}
	return c.routes.list
}

// routed is what routesOf said last; the list is used again for the next node.
type routed struct {
	of   *scope.Node
	list []route
}

func (c *Context) addRoutes(list []route, n *scope.Node) []route {
	switch {
	case n.LLM != nil:
		list = append(list, route{"", c.backendOf(n), n.LLM.Model, n.LLM.Provider})
		for i := range n.LLM.Fallbacks {
			f := &n.LLM.Fallbacks[i]
			if f.Action.Set() {
				continue
			}
			r := route{fallback: f.Name, model: f.Model, provider: f.Provider}
			if f.Backend.Set() {
				r.backend = c.routeBackend(n, f)
			}
			list = append(list, r)
		}
		return list
	case mode(n) == ir.ModeLLM:
		list = append(list, route{"", c.backendOf(n), n.Router.Model, n.Router.Provider})
	}
	return list
}

// step is an element of a `provider:` with its place in the text.
type step struct {
	text  string // without spaces around it
	start int
}

// steps lists the elements of a literal `provider:`; none when a run decides.
func steps(provider ir.Opt[ir.Text]) []step {
	text, _ := provider.V.Scan()
	if !provider.Set() || !literalText(text) {
		return nil
	}
	var list []step
	at := 0
	for element := range strings.SplitSeq(text, ",") {
		if word := strings.TrimSpace(element); word != "" {
			list = append(list, step{word, at + strings.Index(element, word)})
		}
		at += len(element) + 1
	}
	return list
}

// checkProviderSteps: C172, an element with a colon has two halves.
func checkProviderSteps(c *Context, n *scope.Node) {
	for _, r := range c.routesOf(n) {
		for _, s := range steps(r.provider) {
			hint, model, parted := strings.Cut(s.text, ":")
			switch {
			case !parted:
			case strings.TrimSpace(hint) == "":
				c.node("C172", n, inside(r.provider, s.start, s.start+len(s.text)), "%q names no provider before the colon", s.text)
			case strings.TrimSpace(model) == "":
				c.node("C172", n, inside(r.provider, s.start, s.start+len(s.text)), "%q names no model after the colon", s.text)
			}
		}
	}
}

// gateway is the family of models behind an OpenAI-compatible gateway.
const gateway = "openai_compatible"

// checkGatewayModels: C186, a gateway's models are reached in one way.
func checkGatewayModels(c *Context, n *scope.Node) {
	for _, r := range c.routesOf(n) {
		id, provider := r.model.V.Value(), r.provider.V.Value()
		if !strings.HasPrefix(id, gateway+"/") || !literalText(id) || !literalText(provider) {
			continue
		}
		if word, at, found := otherProvider(r.provider); found {
			c.node("C186", n, r.model.Span, "the provider `%s` of %s does not reach the gateway of %q", word, r.of(n), id).
				See(n.Tree, inside(r.provider, at, at+len(word)), "the provider")
			continue
		}
		if facts, _ := routes.Lookup(r.Name); r.Name != "" && r.Name != routes.Auto && !facts.GatewayModel {
			c.node("C186", n, r.model.Span, "the backend `%s` of %s does not reach the gateway of %q", r.Name, r.of(n), id).
				See(r.Tree, r.At, "the backend")
		}
	}
}

// otherProvider finds the first provider that is not the gateway's, with its
// offset in the text.
func otherProvider(provider ir.Opt[ir.Text]) (word string, at int, found bool) {
	for _, s := range steps(provider) {
		hint, _, _ := strings.Cut(s.text, ":")
		if hint = strings.TrimSpace(hint); hint != "" && hint != routes.Auto && hint != gateway {
			return hint, s.start, true
		}
	}
	return "", 0, false
}

// checkAmbient: C184, and C185 for each route that cannot hold the setting.
func checkAmbient(c *Context, n *scope.Node) {
	if n.LLM == nil || !n.LLM.AmbientContext.Set() {
		return
	}
	word := n.LLM.AmbientContext
	if !oneOf(c.about(n), "C184", word, "agent", "ambient_context") {
		return
	}
	for _, r := range c.routesOf(n) {
		if facts, known := routes.Lookup(r.Name); known && !facts.AmbientContext {
			c.node("C185", n, keyOf(n.Tree, word.Span), "the backend `%s` of %s does not enforce `ambient_context:`", r.Name, r.of(n)).
				See(r.Tree, r.At, "the backend")
		}
	}
}

// checkAmbientDefault: the same of the workflow's setting, which is in vain
// only when it is so for every node.
func checkAmbientDefault(c *Context) {
	w := c.settings()
	if w == nil || !w.AmbientContext.Set() || !oneOf(c.aboutDecl(w.Tree), "C184", w.AmbientContext, "workflow", "ambient_context") {
		return
	}
	if c.Incomplete || c.Unexpanded() {
		return
	}
	var one backend
	for _, n := range c.Nodes {
		if n.LLM == nil {
			continue
		}
		if n.Tainted {
			return
		}
		for _, r := range c.routesOf(n) {
			facts, known := routes.Lookup(r.Name)
			if facts.AmbientContext || !known && (r.fallback == "" || r.Name != "") {
				return
			}
			if one.Name == "" {
				one = r.backend
			}
		}
	}
	if one.Name != "" {
		c.add("C185", w.Tree, keyOf(w.Tree, w.AmbientContext.Span), "no agent or judge runs on a backend that enforces `ambient_context:`").
			See(one.Tree, one.At, "such a backend")
	}
}

// checkAsking: C267 and C271, whether the backend of each route can ask a
// question as the node's interaction wants it.
func checkAsking(c *Context, n *scope.Node) {
	if n.LLM == nil {
		return
	}
	how, tree := n.LLM.Interaction, n.Tree
	if w := c.settings(); !how.Set() && w != nil {
		how, tree = w.Interaction, w.Tree
	}
	for _, r := range c.routesOf(n) {
		facts, known := routes.Lookup(r.Name)
		if !known {
			continue
		}
		switch how.V {
		case "async":
			if !facts.Async {
				c.routeAt("C267", n, r, "the backend `%s` of %s cannot ask without waiting", r.Name, r.of(n)).See(tree, how.Span, "the interaction")
			}
		case "human", "llm", "llm_or_human", "human_or_host":
			if !facts.PausesSync {
				c.routeAt("C271", n, r, "the backend `%s` of %s asks no question in the middle of its work", r.Name, r.of(n)).
					See(tree, how.Span, "the interaction")
			}
		}
	}
}

// routeAt reports on a node at the backend of one of its routes, which may
// stand in the workflow.
func (c *Context) routeAt(code diagnostics.Code, n *scope.Node, r route, format string, args ...any) *finding.Finding {
	f := c.add(code, r.Tree, r.At, format, args...)
	f.NodeID = n.ID
	instance(f, n.Instance)
	return f
}
