package build_test

import (
	"fmt"
	gobuild "go/build"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"iterion/ast"
	"iterion/ast/source"
	"iterion/corpus"
	botparser "iterion/grammar/parser"
	"iterion/ir/build"
)

// texts returns the realistic bots, repeated to at least 1.5 MB; structure
// leaves out prompt bodies and full-line comments.
func texts(structure bool) (list []string, size int) {
	for size < 1_500_000 {
		for _, f := range corpus.Bots() {
			text := string(f.Data)
			if structure {
				text = structureOf(text)
			}
			list = append(list, text)
			size += len(text)
		}
	}
	return list, size
}

func structureOf(text string) string {
	f := botparser.File(source.New("a.bot", text))
	keep := []byte(text)
	cut := func(start, end uint32) {
		for i := start; i < end; i++ {
			keep[i] = 0
		}
	}
	for i, d := range f.Decls {
		base := f.Bases[i]
		for _, c := range d.Comments {
			if !c.Trailing {
				start := strings.LastIndexByte(text[:base+c.Start], '\n') + 1
				cut(uint32(start), min(base+c.End+1, uint32(len(text))))
			}
		}
		for n := range d.Nodes {
			if d.Nodes[n].Kind == ast.Body {
				cut(base+d.Nodes[n].Start, base+d.Nodes[n].End)
			}
		}
	}
	return strings.ReplaceAll(string(keep), "\x00", "")
}

func benchmark(b *testing.B, structure bool) {
	list, size := texts(structure)
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		for _, text := range list {
			build.Text("main.bot", text)
		}
	}
}

// The whole way from text to diagnostics, one file after the other.
func BenchmarkBuild(b *testing.B)          { benchmark(b, false) }
func BenchmarkBuildStructure(b *testing.B) { benchmark(b, true) }

// What Go's own parser does with the sources of package net in the same run.
func BenchmarkGoParser(b *testing.B) {
	files, _ := filepath.Glob(filepath.Join(gobuild.Default.GOROOT, "src", "net", "*.go"))
	var sources [][]byte
	size := 0
	for _, name := range files {
		raw, err := os.ReadFile(name)
		if err != nil {
			b.Fatal(err)
		}
		sources = append(sources, raw)
		size += len(raw)
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		for i, raw := range sources {
			if _, err := parser.ParseFile(token.NewFileSet(), fmt.Sprint(i), raw, parser.ParseComments); err != nil {
				b.Fatal(err)
			}
		}
	}
}

func benchmarkParse(b *testing.B, structure bool) {
	list, size := texts(structure)
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		for _, text := range list {
			botparser.File(source.New("a.bot", text))
		}
	}
}

// The front end alone.
func BenchmarkParse(b *testing.B)          { benchmarkParse(b, false) }
func BenchmarkParseStructure(b *testing.B) { benchmarkParse(b, true) }

// many is a program of about n declarations: a chain of agents, each with a
// schema and a prompt that reads the agent before it and the first one, and a
// loop every hundredth step.
func many(n int) string {
	var b, edges strings.Builder
	b.WriteString("dsl: 2\n\n")
	steps := n / 3
	for i := range steps {
		fmt.Fprintf(&b, "schema out_%d:\n  text: string\n  ok: bool\n\nprompt task_%d:\n  Go on from {{outputs.step_%d.text}} and {{outputs.step_0.text}}.\n\n", i, i, max(i-1, 0))
		fmt.Fprintf(&b, "agent step_%d:\n  model: \"m/x\"\n  output: out_%d\n  system: \"Be brief.\"\n", i, i)
		if i > 0 {
			fmt.Fprintf(&b, "  user: task_%d\n", i)
			fmt.Fprintf(&edges, "  step_%d -> step_%d\n", i-1, i)
		}
		if i%100 == 99 {
			fmt.Fprintf(&edges, "  step_%d -> step_%d when ok as again_%d(3)\n", i, i-1, i)
		}
		b.WriteByte('\n')
	}
	return b.String() + "workflow big:\n  entry: step_0\n\n" + edges.String() + fmt.Sprintf("  step_%d -> done\n", steps-1)
}

// The whole way for files of 5,000 to 20,000 declarations.
func BenchmarkGrowth(b *testing.B) {
	for _, n := range []int{5000, 10000, 20000} {
		text := many(n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if r := build.Text("big.bot", text); len(r.Diagnostics) > 0 {
					b.Fatal(r.Diagnostics[0])
				}
			}
		})
	}
}

// Twice the declarations allocate at most 2.2 times as much.
func TestGrowth(t *testing.T) {
	allocs := func(n int) float64 {
		text := many(n)
		return testing.AllocsPerRun(3, func() { build.Text("big.bot", text) })
	}
	for _, n := range []int{5000, 10000} {
		if small, large := allocs(n), allocs(2*n); large > 2.2*small {
			t.Errorf("%d declarations: %.0f allocations, twice as many: %.0f", n, small, large)
		}
	}
}

// A keystroke allocates the same in a file ten times as long. The median of
// many leaves out those that found a pool empty.
func TestKeystrokeDoesNotGrow(t *testing.T) {
	bytes := func(kb int) uint64 {
		text := large(kb)
		doc := build.Open("big.bot", text)
		at := strings.Index(text[len(text)/2:], "Read the change") + len(text)/2 + 4
		var costs []uint64
		for range 101 {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			doc.Edit(at, at, "x").Diagnostics()
			runtime.ReadMemStats(&after)
			costs = append(costs, after.TotalAlloc-before.TotalAlloc)
		}
		slices.Sort(costs)
		return costs[len(costs)/2]
	}
	if small, large := bytes(120), bytes(1200); large > 3*small/2 {
		t.Errorf("%d bytes, in a file ten times as long %d", small, large)
	}
}
