package parser

import (
	"strings"
	"testing"

	"iterion/ast"
)

// bomb is a hostile text with the most findings it may have: a few where the
// mistake is one, or one for each line where every line is wrong.
type bomb struct {
	name, text string
	most       int
}

func bombs() []bomb {
	const value = "dsl: 2\n\ncontract c:\n  inputs:\n    p: json\n      default: "
	rep := strings.Repeat
	var steps strings.Builder
	for i := range 200 {
		steps.WriteString(rep(" ", i) + "mcp:\n")
	}
	return []bomb{
		{"brackets", value + rep("[", 100_000) + rep("]", 100_000) + "\n", 1},
		{"braces", value + rep("{a:", 100_000) + "\n", 1},
		{"bracket lines", value + rep("[\n           ", 100_000) + "\n", 200},
		{"openers", rep("[", 10<<20), 1},
		{"closers", rep("]", 10<<20), 1},
		{"levels", "agent a:\n" + steps.String(), 2},
		{"long line", "agent a:\n  model: " + rep("x", 1<<20) + " y\n", 1},
		{"long string", "agent a:\n  model: \"" + rep("x\\\"", 1<<20) + "\n", 1},
		{"dash lines", "agent a:\n  tools:\n" + rep("    -\n", 250_000), 250_000},
		{"dashes", "agent a:\n  tools: " + rep("-", 1_000_000) + "\n", 1},
		{"quotes", "agent a:\n  model: " + rep("\"", 1<<20+1) + "\n", 1},
		{"backticks", rep("agent a:\n  model: `\n", 20_000), 20_000},
		{"open withs", "workflow w:\n" + rep("  a -> b with {\n", 20_000), 20_000},
		{"with at the margin", "workflow w:\n  a -> b with {\n" + rep("k:\n", 100_000), 100_001},
		{"clauses", "workflow w:\n  a -> b " + rep("when x ", 100_000) + "\n", 1},
		{"words", rep("agent\n", 100_000), 100_000},
		{"tabs", "agent a:\n" + rep("\tmodel: x\n", 200_000), 1},
		{"headers", rep("dsl: 1\n", 100_000), 100_000},
		{"comments", rep("#\n", 1_000_000), 0},
	}
}

// TestBombs: huge and hostile texts end, in few findings. BenchmarkBombs shows
// how soon.
func TestBombs(t *testing.T) {
	for _, b := range bombs() {
		t.Run(b.name, func(t *testing.T) {
			f := parseText(b.text)
			if n := count(f); n > b.most {
				t.Errorf("%d findings, want at most %d", n, b.most)
			}
			if err := check(f); err != nil {
				t.Errorf("%.500s", err)
			}
		})
	}
}

func count(f *ast.File) int {
	n := len(f.Problems)
	for _, d := range f.Decls {
		n += len(d.Problems)
	}
	return n
}

// BenchmarkBombs reads each hostile text once; none may take a second.
func BenchmarkBombs(b *testing.B) {
	for _, bomb := range bombs() {
		b.Run(bomb.name, func(b *testing.B) {
			b.SetBytes(int64(len(bomb.text)))
			for b.Loop() {
				parseText(bomb.text)
			}
		})
	}
}
