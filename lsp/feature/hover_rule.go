package feature

import (
	"fmt"
	"strings"

	"iterion/ast"
	"iterion/ast/source"
	"iterion/diagnostics/shown"
	"iterion/ir"
	"iterion/ir/effective"
	"iterion/ir/facts"
	"iterion/ir/gate"
	"iterion/ir/tools"
)

// hoverRule tells what a rule of a permission list matches, and how a call comes
// to it.
func hoverRule(c *point) (string, source.Span) {
	i := c.inner(ast.String, ast.Raw, ast.Ident)
	p, _ := c.property()
	kind, ok := listKind(p != nil && i >= 0, func() string { return p.Name })
	if !ok {
		return "", source.Span{}
	}
	span := c.tree.Nodes[i].Span()
	rule, written := c.ruleAt(kind, span)
	if !written {
		return "", source.Span{}
	}
	parsed, err := gate.ParseRule(rule)
	if err != nil {
		return inline(rule) + " cannot be read: " + shown.Line(err.Error()), span
	}
	return ruleText(kind, &parsed) + c.path(kind, rule), span
}

// listKind is the list that a property holds.
func listKind(known bool, name func() string) (gate.Kind, bool) {
	if !known {
		return 0, false
	}
	for _, k := range gate.Kinds() {
		if k.String() == name() {
			return k, true
		}
	}
	return 0, false
}

// ruleAt is the value of the rule that is written at a place.
func (c *point) ruleAt(kind gate.Kind, span source.Span) (rule string, ok bool) {
	var lists [][3]ir.List
	for _, n := range partNodes(c.part) {
		if n.LLM != nil {
			lists = append(lists, effective.ListsOf(n.LLM))
		}
	}
	if w := c.part.Workflow; w != nil {
		lists = append(lists, [3]ir.List{gate.DenyList: w.Deny, gate.AskList: w.Ask, gate.AllowList: w.Allow})
	}
	for _, l := range lists {
		for _, item := range l[kind].V {
			if item.Span == span {
				return item.Text, true
			}
		}
	}
	return "", false
}

// ruleText says which calls a rule is about.
func ruleText(kind gate.Kind, r *gate.Rule) string {
	verb := map[gate.Kind]string{gate.DenyList: "Denies", gate.AskList: "Asks for", gate.AllowList: "Allows"}[kind]
	what := "every call"
	switch text, prefix := r.IsPrefix(); {
	case !r.Scoped:
	case prefix:
		what = "calls whose argument begins with " + inline(text)
	case r.IsWild():
		what = "calls whose argument matches " + inline(r.Pattern)
	default:
		what = "calls whose argument is " + inline(r.Pattern)
	}
	var held []string
	for _, t := range tools.All() {
		if kind == gate.AllowList && r.Opens(&t) || kind != gate.AllowList && r.Covers(&t) {
			held = append(held, t.Key)
		}
	}
	text := fmt.Sprintf("%s %s of %s.\n", verb, what, subjectText(r))
	if r.Kind != gate.OneTool {
		text += "\nTools it is about here: " + orNone(held) + ".\n"
	}
	return text
}

func subjectText(r *gate.Rule) string {
	switch r.Kind {
	case gate.Glob:
		return "the tools named " + inline(r.Subject)
	case gate.Class:
		return "the tools of the class " + inline(r.Subject)
	}
	return inline(r.Subject)
}

// path shows the rows in force in the order in which a call meets them, with
// this one marked; or says that the list is not in force.
func (c *point) path(kind gate.Kind, rule string) string {
	permissions := effective.NewPermissions(facts.Workflow(c.built.Scope))
	policy := permissions.Workflow()
	if nodes := partNodes(c.part); len(nodes) > 0 {
		policy = permissions.Of(nodes[0].Node)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\nA call meets, from top to bottom, until one matches:\n\n")
	for _, k := range gate.Kinds() {
		for _, row := range policy.Rows[k] {
			mark := ""
			if k == kind && row.Text == rule {
				mark = " ← this"
			}
			fmt.Fprintf(&b, "1. %s %s (%s)%s\n", k, inline(row.Text), row.From, mark)
		}
	}
	fmt.Fprintf(&b, "1. mode `%s` (%s)\n", policy.Mode, policy.ModeFrom)
	if !policy.Gated() {
		b.WriteString("\nThe mode judges nothing: no rule is read.\n")
	}
	return b.String()
}
