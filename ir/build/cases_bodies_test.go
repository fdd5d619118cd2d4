package build_test

import (
	"strings"
	"testing"

	"iterion/grammar/schema"
)

// body is a place that holds properties: a declaration, or a block in one.
type body struct {
	path  string // agent/compaction
	kind  *schema.Kind
	above string // the lines of the headers
	level int    // of its members
	below string // what makes the text a program
}

// with is a program whose body holds some lines; multi-line members are
// indented as a whole. It returns the number of each member's first line too.
func (b body) with(members ...string) (text string, at []int) {
	text = b.above
	indent := strings.Repeat("  ", b.level)
	for _, m := range members {
		at = append(at, strings.Count(text, "\n")+1)
		for line := range strings.Lines(strings.TrimRight(m, "\n") + "\n") {
			if strings.TrimSpace(line) != "" {
				text += indent
			}
			text += line
		}
	}
	return text + b.below, at
}

// bodies lists every body of the language.
func bodies(t *testing.T) []body {
	t.Helper()
	var list []body
	var visit func(b body)
	visit = func(b body) {
		list = append(list, b)
		indent := strings.Repeat("  ", b.level)
		for _, p := range b.kind.Props {
			if p.Block != nil {
				visit(body{b.path + "/" + p.Name, p.Block, b.above + indent + p.Name + ":\n", b.level + 1, b.below})
			}
		}
		if e := b.kind.Entry; e != nil && e.Block != nil {
			header := indent + "entry_1:"
			if e.Typed != nil {
				header += " " + e.Typed.Types[0]
			}
			visit(body{b.path + "/entry", e.Block, b.above + header + "\n", b.level + 1, b.below})
		}
	}
	for _, k := range schema.Kinds() {
		b := body{k.Name, k, k.Name + " x:\n", 1, "\n" + plainTool + plainFlow}
		switch {
		case k.Name == "use":
			continue // one line without a body
		case k.Name == "workflow":
			b.above, b.below = strings.Replace(plainTool, "t:", "plan:", 1)+"\nworkflow w:\n", "\n  plan -> done\n"
		case !k.Named:
			b.above = k.Name + ":\n"
		}
		visit(b)
	}
	if len(list) < 50 {
		t.Fatalf("only %d bodies", len(list))
	}
	return list
}
