package diagram

import (
	"fmt"
	"strings"

	"iterion/ir"
)

// mermaidShapes holds what stands before and behind a node's label.
var mermaidShapes = [...][2]string{
	model: {"[", "]"}, branch: {"{", "}"}, person: {"[/", "/]"}, work: {"[[", "]]"},
	signal: {">", "]"}, failure: {"(((", ")))"}, end: {"([", "])"},
}

// Mermaid returns the program as a Mermaid flow chart.
func Mermaid(p *ir.Program) string {
	g := graphOf(p)
	var b strings.Builder
	b.WriteString("flowchart TD\n")
	for _, c := range g.clusters {
		indent := "  "
		if c.prefix != "" {
			fmt.Fprintf(&b, "  subgraph g_%s[%s]\n", c.prefix, mermaidText(c.title))
			indent = "    "
		}
		for _, n := range c.nodes {
			s := mermaidShapes[n.shape]
			fmt.Fprintf(&b, "%sn_%s%s%s%s\n", indent, n.id, s[0], mermaidText(n.label), s[1])
		}
		if c.prefix != "" {
			b.WriteString("  end\n")
		}
	}
	if g.entry != "" {
		fmt.Fprintf(&b, "  start(( )) --> n_%s\n", g.entry)
	}
	for _, e := range g.edges {
		arrow := "-->"
		if e.back {
			arrow = "-.->"
		}
		if e.label != "" {
			arrow += "|" + mermaidText(e.label) + "|"
		}
		fmt.Fprintf(&b, "  n_%s %s n_%s\n", e.from, arrow, e.to)
	}
	return b.String()
}

// mermaidEscapes are the characters that mean something in a quoted label:
// markup, entities, Markdown, and the backslash of older versions.
var mermaidEscapes = strings.NewReplacer(
	"#", "#35;", `"`, "#quot;", "&", "#amp;", "<", "#lt;", ">", "#gt;",
	"`", "#96;", `\`, "#92;", "\r", "", "\n", "<br/>",
)

func mermaidText(s string) string { return `"` + mermaidEscapes.Replace(s) + `"` }
