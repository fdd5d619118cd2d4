package check

import (
	"strings"

	"iterion/ast/source"
	"iterion/ir"
	"iterion/ir/scope"
)

// recipe is one way in which a tool says what it runs.
type recipe struct {
	prop string
	at   source.Span
}

// recipesOf lists the recipes that a tool has, in the order of the table.
func recipesOf(t *ir.Tool) []recipe {
	list := make([]recipe, 0, 1) // more are a fault
	for _, r := range [...]recipe{{"command", t.Command.Span}, {"script", t.Script.Span}, {"action", t.Action.Span}} {
		if !r.at.IsZero() {
			list = append(list, r)
		}
	}
	return list
}

// checkRecipe wants exactly one recipe, and a language that fits it: the part
// of C004 that is about tools.
func checkRecipe(c *Context, n *scope.Node) {
	if n.Tool == nil {
		return
	}
	recipes := recipesOf(n.Tool)
	if len(recipes) == 0 {
		c.node("C004", n, n.NameSpan, "the tool `%s` has nothing to run", n.Name).
			Hintf("Add one of `command:`, `script:` and `action:`.")
		return
	}
	for _, r := range recipes[1:] {
		c.node("C004", n, r.at, "the tool `%s` has both `%s:` and `%s:`", n.Name, recipes[0].prop, r.prop).
			Hintf("Keep one of the two.").See(n.Tree, recipes[0].at, "the other recipe")
	}
	language := n.Tool.Language
	if language.Set() && !n.Tool.Script.Set() {
		c.node("C004", n, language.Span, "`language:` is for `script:`, and the tool `%s` has a `%s:`", n.Name, recipes[0].prop).
			Hintf("Delete `language:`, or write a `script:`.").See(n.Tree, recipes[0].at, "the recipe")
		return
	}
	oneOf(c.about(n), "C004", language, "tool", "language")
}

// checkVerified judges the properties of a verified command: C103, C104, C105.
// Other rules hold for an action.
func checkVerified(c *Context, n *scope.Node) {
	t := n.Tool
	if t == nil || t.Action.Set() {
		return
	}
	oneOf(c.about(n), "C103", t.Policy, "tool", "policy")
	at, label := recoverySpan(t)
	if at.IsZero() {
		return
	}
	if !written(t.Postcondition) {
		c.node("C104", n, at, "the tool `%s` may recover, but has no `postcondition:` to tell whether it did", n.Name)
		return
	}
	body := t.Command
	if !body.Set() {
		body = t.Script
	}
	if body.Set() && strings.TrimSpace(body.V.Value()) == strings.TrimSpace(t.Postcondition.V.Value()) {
		c.node("C105", n, at, "the tool `%s` runs nothing but its own postcondition, so %s would soften the gate", n.Name, label).
			See(n.Tree, t.Postcondition.Span, "the same command")
	}
}

// recoverySpan is where a tool asks for a recovery, and in which words; the
// span is zero when it does not.
func recoverySpan(t *ir.Tool) (source.Span, string) {
	switch {
	case t.Policy.V == "recover":
		return t.Policy.Span, "`policy: recover`"
	case hasBounds(t.Recovery):
		return t.Recovery.KeySpan, "`recovery:`"
	}
	return source.Span{}, ""
}

// hasBounds tells whether a `recovery:` block bounds a recovery; an empty one
// and one of zeros do not.
func hasBounds(r *ir.Recovery) bool {
	return r != nil && (r.MaxRepairAttempts.V > 0 || r.MaxAgentAttempts.V > 0 || written(r.Model) || len(r.AgentTools.V) > 0)
}

// checkCompute wants something to compute: C039.
func checkCompute(c *Context, n *scope.Node) {
	if n.Compute != nil && len(n.Compute.Expr.V) == 0 {
		c.node("C039", n, n.NameSpan, "`%s` has no entry under `expr:`", n.Name)
	}
}
