package check

import (
	"strings"

	"iterion/ast/source"
	"iterion/ir"
	"iterion/ir/routes"
	"iterion/ir/scope"
)

// checkModels holds nodes that ask a model against C018: something must say
// which one. The host is never asked.
func checkModels(c *Context, n *scope.Node) {
	switch {
	case n.LLM != nil:
		if !written(n.LLM.Model) && !written(n.LLM.Backend) && !c.suppliesBackend() {
			c.node("C018", n, n.NameSpan, "`%s` names neither a model nor a backend, and the workflow has no default backend", n.Name).
				Hintf("Set `model:` or `backend:` here, or `default_backend:` in the workflow.")
		}
	case n.Router != nil && n.Router.EffectiveMode() == ir.ModeLLM:
		if !written(n.Router.Model) && !written(n.Router.Backend) && !c.suppliesBackend() {
			c.node("C018", n, n.NameSpan, "the router `%s` lets a model choose and names neither a model nor a backend", n.Name).
				Warn().Hintf("Set `model:` or `backend:`.")
		}
	case n.Human != nil:
		checkAnsweringModel(c, n)
	}
}

// checkAnsweringModel wants a model and a form where a model answers a person's
// question or assists in it.
func checkAnsweringModel(c *Context, n *scope.Node) {
	h := n.Human
	switch h.Interaction.V {
	case "llm", "llm_or_human", "review":
	default:
		return
	}
	var missing []string
	if !written(h.Model) && !written(h.InteractionModel) {
		missing = append(missing, "a model")
	}
	if !n.Output.Set() {
		missing = append(missing, "an `output:`")
	}
	if missing == nil {
		return
	}
	c.node("C018", n, n.NameSpan, "`%s` lacks %s, which `interaction: %s` needs", n.Name, strings.Join(missing, " and "), h.Interaction.V).
		Hintf("Add `interaction_model:` (or `model:`) and `output:`.").
		See(n.Tree, h.Interaction.Span, "a model takes part here")
}

// suppliesBackend tells whether the workflow may name a backend for nodes that
// do not. A unit without a workflow is a part of one that may.
func (c *Context) suppliesBackend() bool {
	w := c.settings()
	return w == nil || written(w.DefaultBackend) || c.unreadable("default_backend")
}

// written tells whether a text is present and not empty.
func written(t ir.Opt[ir.Text]) bool { return t.Set() && t.V.Value() != "" }

// checkEffort judges `reasoning_effort:` where a model reads it: C027, C089.
func checkEffort(c *Context, n *scope.Node) {
	var effort, model ir.Opt[ir.Text]
	switch {
	case n.LLM != nil:
		effort, model = n.LLM.ReasoningEffort, n.LLM.Model
	case n.Router != nil && n.Router.EffectiveMode() == ir.ModeLLM:
		effort, model = n.Router.ReasoningEffort, n.Router.Model
	}
	level := effort.V.Value()
	if !effort.Set() || strings.Contains(level, "$") {
		return
	}
	word := ir.Opt[string]{V: level, Span: effort.Span}
	if !oneOf(c.about(n), "C027", word, "agent", "reasoning_effort") {
		return
	}
	id := model.V.Value()
	if level == "ultracode" && id != "" && literalText(id) && !routes.HasUltracode(id) {
		c.node("C089", n, effort.Span, "%q has no `ultracode` effort and runs at `xhigh`", id).See(n.Tree, model.Span, "the model")
	}
}

// checkTokens compares a node's share of tokens with the whole: C037.
func checkTokens(c *Context, n *scope.Node) {
	w := c.settings()
	if n.LLM == nil || w == nil || w.Budget == nil {
		return
	}
	own, all := n.LLM.MaxTokens, w.Budget.MaxTokens
	if own.Set() && all.V > 0 && own.V > all.V {
		c.node("C037", n, own.Span, "`%s` may use %d tokens in one call, the whole run %d", n.Name, own.V, all.V).
			See(w.Tree, all.Span, "the budget")
	}
}

// checkSession refuses a continued conversation where branches meet: C009.
func checkSession(c *Context, n *scope.Node) {
	if n.LLM == nil || !n.Join.Set() {
		return
	}
	switch s := n.LLM.Session; s.V {
	case "inherit", "inherit_if_available", "fork":
		c.node("C009", n, s.Span, "`%s` collects branches, so there is no one conversation for `session: %s`", n.Name, s.V).
			See(n.Tree, n.Join.Span, "branches meet here")
	}
}

// checkRouterProps refuses what only a model's choice uses: C023.
func checkRouterProps(c *Context, n *scope.Node) {
	if n.Router == nil || n.Router.EffectiveMode() == ir.ModeLLM {
		return
	}
	r := n.Router
	for _, p := range []struct {
		name string
		at   source.Span
	}{
		{"model", r.Model.Span},
		{"backend", r.Backend.Span},
		{"system", r.System.Span},
		{"user", r.User.Span},
		{"reasoning_effort", r.ReasoningEffort.Span},
		{"multi", multiSpan(r)},
	} {
		if p.at.IsZero() {
			continue
		}
		f := c.node("C023", n, p.at, "`%s:` needs `mode: llm`; the router `%s` is `%s`", p.name, n.Name, r.EffectiveMode())
		if r.Mode.Set() {
			f.See(n.Tree, r.Mode.Span, "the mode")
		}
	}
}

// multiSpan is where `multi: true` stands; `false` asks for nothing.
func multiSpan(r *ir.Router) source.Span {
	if r.Multi.V {
		return r.Multi.Span
	}
	return source.Span{}
}
