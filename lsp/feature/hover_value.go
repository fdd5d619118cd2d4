package feature

import (
	"fmt"
	"strings"

	"iterion/ast"
	"iterion/ast/source"
	"iterion/grammar/expr"
	"iterion/grammar/template"
	"iterion/ir/routes"
	"iterion/ir/tools"
)

// hoverValue describes a word of a closed list: an enum's, a backend, a tool.
func hoverValue(c *point) (string, source.Span) {
	i := c.inner(ast.Ident, ast.String, ast.Raw)
	p, path := c.property()
	if i < 0 || p == nil {
		return "", source.Span{}
	}
	word := strings.Trim(c.tree.Slice(i), "\"`")
	span := c.tree.Nodes[i].Span()
	switch {
	case (p.Name == "backend" || p.Name == "default_backend") && backendText(word) != "":
		return backendText(word) + "\n" + documentation(path+"="+word), span
	case len(p.Values) > 0 && documentation(path+"="+word) != "":
		return "`" + p.Name + ": " + word + "`\n\n" + documentation(path+"="+word), span
	case p.Name == "tools" || p.Name == "tool_policy":
		if t := tools.Lookup(word); t != nil {
			return "**" + word + "**\n\n" + toolText(t.Key), span
		}
	}
	return "", source.Span{}
}

// backendText tells what a backend can enforce and carry.
func backendText(name string) string {
	b, ok := routes.Lookup(name)
	if !ok {
		return ""
	}
	var out strings.Builder
	fmt.Fprintf(&out, "**%s**\n\nPermission modes it enforces: %s. %s\n", b.Name, orNone(b.GateModes), b.Gate)
	switch b.HookNeedsHost {
	case routes.HostForAsk:
		out.WriteString("\nInside of a sandbox it cannot ask.\n")
	case routes.HostAlways:
		out.WriteString("\nInside of a sandbox nothing of it is judged.\n")
	}
	var can []string
	for _, x := range []struct {
		has  bool
		what string
	}{
		{b.ReceivesTools, "`tools:`"}, {b.OwnTools, "tools of its own"}, {b.Memory, "`memory:`"}, {b.AutoMemory, "`auto_memory:`"}, {b.Effort, "`reasoning_effort:`"},
		{b.ProviderChain, "several providers"}, {b.AmbientContext, "`ambient_context:`"}, {b.Command, "`command:`"}, {b.Async, "questions without waiting"},
		{b.PausesSync, "questions in the middle of a step"}, {b.GatewayModel, "models of a gateway"},
	} {
		if x.has {
			can = append(can, x.what)
		}
	}
	fmt.Fprintf(&out, "\nCarries: %s.\n", orNone(can))
	return out.String()
}

func orNone(list []string) string {
	if len(list) == 0 {
		return "none"
	}
	return strings.Join(list, ", ")
}

// hoverFunction describes a function of an expression.
func hoverFunction(c *point) (text string, at source.Span) {
	for _, e := range exprsOf(c.part) {
		expr.Walk(e.Tree, func(n *expr.Node) bool {
			if n.Kind == expr.Call && len(n.Names) > 0 {
				if span := e.At(n.Names[0].Span); !e.Text.Substituted() && span.Contains(c.at) {
					text, at = documentation("function:"+n.Name()), span
				}
			}
			return true
		})
	}
	return text, at
}

// hoverNamespace describes the first word of a reference.
func hoverNamespace(c *point) (string, source.Span) {
	for _, t := range textsOf(c.part) {
		for _, r := range t.Refs {
			if r.Namespace == "" || t.Text.Substituted() || !r.PathSpan.Contains(c.at) {
				continue
			}
			for i := range 1 + len(r.Path) {
				span := r.SegmentSpan(i)
				switch {
				case !span.Contains(c.at):
				case i == 0:
					return template.About(r.Namespace), span
				default:
					return documentation("member:" + r.Namespace + "." + r.Path[i-1]), span
				}
			}
		}
	}
	return "", source.Span{}
}
