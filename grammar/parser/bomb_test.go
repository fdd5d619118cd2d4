package parser

import (
	"strings"
	"testing"
	"time"
)

// TestBombs: huge and hostile texts end in few findings, quickly.
func TestBombs(t *testing.T) {
	const in = "dsl: 2\n\ncontract c:\n  inputs:\n    p: json\n      default: "
	steps := func(n int) string {
		var b strings.Builder
		b.WriteString("agent a:\n")
		for i := range n {
			b.WriteString(strings.Repeat(" ", i+1) + "mcp:\n")
		}
		return b.String()
	}
	for name, text := range map[string]string{
		"brackets":         in + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000) + "\n",
		"braces":           in + strings.Repeat("{a:", 100_000) + "\n",
		"bracket lines":    in + strings.Repeat("[\n           ", 100_000) + "\n",
		"brackets at once": strings.Repeat("[", 10<<20),
		"closers":          strings.Repeat("]", 10<<20),
		"levels":           steps(200),
		"long line":        "agent a:\n  model: " + strings.Repeat("x", 1<<20) + " y\n",
		"long string":      "agent a:\n  model: \"" + strings.Repeat("x\\\"", 1<<20) + "\n",
		"dashes":           "agent a:\n  tools:\n" + strings.Repeat("    -\n", 1_000_000/4),
		"dash run":         "agent a:\n  tools: " + strings.Repeat("-", 1_000_000) + "\n",
		"quotes":           "agent a:\n  model: " + strings.Repeat("\"", 1<<20+1) + "\n",
		"backticks":        strings.Repeat("agent a:\n  model: `\n", 20_000),
		"open withs":       "workflow w:\n" + strings.Repeat("  a -> b with {\n", 20_000),
		"with at margin":   "workflow w:\n  a -> b with {\n" + strings.Repeat("k:\n", 100_000),
		"clauses":          "workflow w:\n  a -> b " + strings.Repeat("when x ", 100_000) + "\n",
		"words":            strings.Repeat("agent\n", 100_000),
		"tabs":             "agent a:\n" + strings.Repeat("\tmodel: x\n", 200_000),
		"headers":          strings.Repeat("dsl: 1\n", 100_000),
		"comments":         strings.Repeat("#\n", 1_000_000),
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			f := parseText(text)
			took := time.Since(start)
			if err := check(f); err != nil {
				t.Fatalf("%.500s", err)
			}
			t.Logf("%d bytes, %d problems, %v", len(text), len(problems(f)), took)
			if took > time.Second {
				t.Errorf("took %v", took)
			}
		})
	}
}
