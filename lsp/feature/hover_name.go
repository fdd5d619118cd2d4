package feature

import (
	"fmt"
	"strings"

	"iterion/ast"
	"iterion/ast/source"
	"iterion/ir"
	"iterion/ir/effective"
	"iterion/ir/facts"
	"iterion/ir/scope"
	"iterion/ir/symbols"
)

// hoverName tells what a name stands for.
func hoverName(c *point) (string, source.Span) {
	o, ok := c.names.At(c.tree, c.at)
	if !ok {
		return "", source.Span{}
	}
	var texts []string
	for _, s := range named(o) {
		if text := c.about(s); text != "" {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, "\n---\n"), o.Span
}

func (c *point) about(s symbols.Symbol) string {
	scope := c.built.Scope
	switch s.Kind {
	case symbols.Node:
		if nodes := nodesOf(c.unit, s); len(nodes) > 0 {
			return c.node(nodes[0])
		}
	case symbols.Prompt:
		if p := scope.Program.Prompt(s.Name); p != nil {
			return title(s) + "\n\n" + fenced("markdown", excerpt(p.Text.Value()))
		}
	case symbols.Field:
		if o := scope.Program.Schema(s.Owner); o != nil && o.Field(s.Name) != nil {
			return fmt.Sprintf("%s of schema %s: %s", title(s), inline(s.Owner), inline(typeOf(o.Field(s.Name))))
		}
	}
	if text := c.declared(s); text != "" {
		return title(s) + "\n\n" + fenced("bot", text)
	}
	return ""
}

func title(s symbols.Symbol) string { return s.Kind.String() + " " + inline(s.Name) }

func typeOf(f *ir.Field) string {
	if !f.Enum.Set() {
		return f.Type
	}
	return f.Type + " [enum: " + strings.Join(ir.Strings(f.Enum), ", ") + "]"
}

// declared is the text that declares a symbol: the declaration, or the line of
// it that does.
func (c *point) declared(s symbols.Symbol) string {
	o, ok := c.names.Declaration(s)
	if !ok {
		return ""
	}
	if s.Kind.File() || o.Form == symbols.FileName {
		return ""
	}
	best := o.Tree.Root()
	for _, n := range o.Tree.Nodes {
		member := n.Kind == ast.Decl || n.Kind == ast.Entry || n.Kind == ast.Prop || n.Kind == ast.Edge || n.Kind == ast.Use
		if member && n.Start <= o.Span.Start && o.Span.End <= n.End {
			best = n
		}
	}
	return excerpt(undented(o.Tree.Text, best.Span()))
}

// mostLines is how much of a text is shown.
const mostLines = 24

func excerpt(text string) string {
	lines := strings.Split(strings.TrimRight(text, " \t\n"), "\n")
	if len(lines) > mostLines {
		lines = append(lines[:mostLines], "…")
	}
	return strings.Join(lines, "\n")
}

// undented is a range of a text without the margin that its first line has.
func undented(text string, s source.Span) string {
	margin := text[strings.LastIndexByte(text[:s.Start], '\n')+1 : s.Start]
	return strings.ReplaceAll(text[s.Start:s.End], "\n"+margin, "\n")
}

// node describes a node: what it reads and gives, what it may do, and its edges.
func (c *point) node(n *scope.Node) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s\n\n", n.Kind, inline(n.ID))
	if n.Instance != nil {
		fmt.Fprintf(&b, "- one of the nodes that `use %s as %s` makes\n", n.Instance.Group, n.Instance.Prefix)
	}
	schema := func(label string, s *ir.Schema) {
		if s != nil {
			var fields []string
			for _, f := range s.Fields {
				fields = append(fields, f.Name+": "+typeOf(&f))
			}
			fmt.Fprintf(&b, "- %s: %s\n", label, inline(s.Name+" { "+strings.Join(fields, ", ")+" }"))
		}
	}
	schema("input", n.InputSchema)
	schema("output", n.OutputSchema)
	w := facts.Workflow(c.built.Scope)
	for _, r := range effective.Routes(w, n.Node) {
		if route := routeText(&r); route != "" {
			fmt.Fprintf(&b, "- %s\n", route)
		}
	}
	if effective.Reader(n.Node) {
		fmt.Fprintf(&b, "- permission: %s\n", permissionText(effective.NewPermissions(w).Of(n.Node)))
	}
	for _, e := range n.In {
		fmt.Fprintf(&b, "- from %s\n", edgeText(e.From, e))
	}
	for _, e := range n.Out {
		fmt.Fprintf(&b, "- to %s\n", edgeText(e.To, e))
	}
	return b.String()
}

func routeText(r *effective.Route) string {
	var parts []string
	if r.Fallback != "" {
		parts = append(parts, "fallback "+inline(r.Fallback))
	}
	if r.Name != "" {
		parts = append(parts, "backend "+inline(r.Name))
	}
	if m := r.Model.V.Value(); m != "" {
		parts = append(parts, "model "+inline(m))
	}
	return strings.Join(parts, ", ")
}

// permissionText is the mode in force, where it comes from, and the rules by
// list.
func permissionText(p *effective.Permission) string {
	mode := p.Mode.String()
	if p.Unknown {
		mode = "unreadable"
	}
	text := fmt.Sprintf("`%s` (%s)", mode, p.ModeFrom)
	if rules := ruleCount(p); rules > 0 {
		text += fmt.Sprintf(", %d %s", rules, plural(rules, "rule"))
	}
	return text
}

func ruleCount(p *effective.Permission) (n int) {
	for _, rows := range p.Rows {
		n += len(rows)
	}
	return n
}

func plural(n int, word string) string {
	if n == 1 {
		return word
	}
	return word + "s"
}

// edgeText is an end of an edge with what decides whether it is taken.
func edgeText(end string, e *scope.Edge) string {
	clauses := ""
	if e.Decl != nil && !e.Bare() && e.ToSpan.End < e.Span.End {
		clauses = strings.Join(strings.Fields(e.Decl.Tree.Text[e.ToSpan.End:e.Span.End]), " ")
	}
	if clauses == "" {
		return inline(end)
	}
	return inline(end) + ": " + inline(clauses)
}
