package build_test

import (
	"fmt"
	gobuild "go/build"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
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
