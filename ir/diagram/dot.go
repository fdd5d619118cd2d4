package diagram

import (
	"fmt"
	"strings"

	"iterion/ir"
)

var dotShapes = [...]string{
	model: "box", branch: "diamond", person: "parallelogram", work: "component",
	signal: "cds", failure: "octagon", end: "oval",
}

// DOT returns the program as a Graphviz graph.
func DOT(p *ir.Program) string {
	g := graphOf(p)
	var b strings.Builder
	fmt.Fprintf(&b, "digraph %s {\n  node [fontname=\"sans-serif\"];\n  edge [fontname=\"sans-serif\"];\n", dotText(g.name))
	for _, c := range g.clusters {
		indent := "  "
		if c.prefix != "" {
			fmt.Fprintf(&b, "  subgraph %s {\n    label=%s;\n", dotText("cluster_"+c.prefix), dotText(c.title))
			indent = "    "
		}
		for _, n := range c.nodes {
			fmt.Fprintf(&b, "%s%s [label=%s, shape=%s];\n", indent, dotText(n.id), dotText(n.label), dotShapes[n.shape])
		}
		if c.prefix != "" {
			b.WriteString("  }\n")
		}
	}
	if g.entry != "" {
		// No node has this name: an id never begins with a blank.
		fmt.Fprintf(&b, "  \" entry\" [label=\"\", shape=point];\n  \" entry\" -> %s;\n", dotText(g.entry))
	}
	for _, e := range g.edges {
		fmt.Fprintf(&b, "  %s -> %s%s;\n", dotText(e.from), dotText(e.to), dotAttributes(e))
	}
	b.WriteString("}\n")
	return b.String()
}

func dotAttributes(e edge) string {
	var list []string
	if e.label != "" {
		list = append(list, "label="+dotText(e.label))
	}
	if e.back {
		list = append(list, "style=dashed")
	}
	if len(list) == 0 {
		return ""
	}
	return " [" + strings.Join(list, ", ") + "]"
}

var dotEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\r", "", "\n", `\n`)

func dotText(s string) string { return `"` + dotEscapes.Replace(s) + `"` }
