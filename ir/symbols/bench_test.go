package symbols_test

import (
	"fmt"
	"strings"
	"testing"

	"iterion/ir/symbols"
)

// long is a program of that many steps, 11 lines each.
func long(steps int) string {
	var b, edges strings.Builder
	b.WriteString("dsl: 2\n\nvars:\n  goal: string\n\n")
	for i := range steps {
		fmt.Fprintf(&b, "schema out_%d:\n  text: string\n\nprompt task_%d:\n  Step %d of {{vars.goal}}: {{outputs.step_%d.text}}\n\n", i, i, i, max(i-1, 0))
		fmt.Fprintf(&b, "agent step_%d:\n  output: out_%d\n  user: task_%d\n\n", i, i, i)
		fmt.Fprintf(&edges, "  step_%d -> step_%d\n", i, i+1)
	}
	return b.String() + "workflow big:\n  entry: step_0\n\n" + edges.String()
}

func BenchmarkOf(b *testing.B) {
	text := long(180)
	r := linked("a.bot", text)
	b.ReportMetric(float64(strings.Count(text, "\n")), "lines")
	b.ReportAllocs()
	for b.Loop() {
		symbols.Of(r)
	}
}
