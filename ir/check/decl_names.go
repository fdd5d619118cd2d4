package check

import (
	"strings"

	"iterion/ir"
	"iterion/ir/scope"
)

// checkSchemas looks up the schemas of a node: C002.
func checkSchemas(c *Context, n *scope.Node) {
	if c.Incomplete {
		return
	}
	for _, use := range [...]namedProp{{"input", n.Input}, {"output", n.Output}} {
		if use.value.Set() && c.Schema(use.value.V) == nil {
			c.node("C002", n, use.value.Span, "`%s:` of `%s` names the schema `%s`, which nobody declares", use.prop, n.Name, use.value.V).
				Near(use.value.V, schemaNames(c))
		}
	}
}

func schemaNames(c *Context) []string {
	list := make([]string, len(c.Program.Schemas))
	for i, s := range c.Program.Schemas {
		list[i] = s.Name
	}
	return list
}

// checkPrompts looks up the prompts of a node: C003.
func checkPrompts(c *Context, n *scope.Node) {
	if c.Incomplete {
		return
	}
	for _, use := range promptsOf(n) {
		if use.value.Set() && c.Program.Prompt(use.value.V) == nil {
			c.node("C003", n, use.value.Span, "`%s:` of `%s` names the prompt `%s`, which nobody declares", use.prop, n.Name, use.value.V).
				Near(use.value.V, promptNames(c))
		}
	}
}

// promptsOf lists the properties that name prompts, set or not; the rest of the
// array is empty.
func promptsOf(n *scope.Node) [3]namedProp {
	switch {
	case n.LLM != nil:
		return [3]namedProp{
			{"system", promptName(n.LLM.System)},
			{"user", promptName(n.LLM.User)},
			{"interaction_prompt", n.LLM.InteractionPrompt},
		}
	case n.Router != nil:
		return [3]namedProp{
			{"system", promptName(n.Router.System)},
			{"user", promptName(n.Router.User)},
		}
	case n.Human != nil:
		return [3]namedProp{
			{"instructions", promptName(n.Human.Instructions)},
			{"system", promptName(n.Human.System)},
			{"interaction_prompt", n.Human.InteractionPrompt},
		}
	}
	return [3]namedProp{}
}

// promptName is the name that a property holds; an inline text has none.
func promptName(use ir.Opt[ir.PromptUse]) ir.Opt[string] {
	if use.V.Inline {
		return ir.Opt[string]{}
	}
	return ir.Opt[string]{V: use.V.Name, Span: use.Span}
}

// promptNames lists the prompts that an author has named.
func promptNames(c *Context) []string {
	var list []string
	for _, p := range c.Program.Prompts {
		if !strings.HasPrefix(p.Name, "_inline_") {
			list = append(list, p.Name)
		}
	}
	return list
}

// checkReserved refuses the names of the built-in terminals, which the parser
// lets through on some kinds: C042.
func checkReserved(c *Context, n *scope.Node) {
	if n.Name == ir.Done || n.Name == ir.Fail {
		c.node("C042", n, n.NameSpan, "a `%s` cannot be named `%s`, which is a built-in terminal", n.Kind, n.Name)
	}
}

// checkLabels wants an artifact for labels: C049.
func checkLabels(c *Context, n *scope.Node) {
	if len(n.ArtifactLabels.V) > 0 && !n.Publish.Set() {
		c.node("C049", n, n.ArtifactLabels.Span, "`%s` labels an artifact and publishes none", n.Name)
	}
}
