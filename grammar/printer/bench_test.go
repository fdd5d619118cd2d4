package printer

import (
	gobuild "go/build"
	"go/format"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"iterion/ast"
	"iterion/ast/source"
	"iterion/corpus"
	"iterion/grammar/parser"
)

// overCorpus runs f over the canonical form of every corpus file, the usual
// input of a formatter, and over the realistic bots alone: most of the other
// files are a few lines long.
func overCorpus(b *testing.B, f func(*source.File)) {
	for name, from := range map[string][]corpus.File{"bots": corpus.Bots(), "structure": structure(), "all": corpus.Files()} {
		b.Run(name, func(b *testing.B) {
			var files []*source.File
			size := 0
			for _, c := range from {
				out, err := Format(source.Load(c.Name, c.Data))
				if err != nil {
					b.Fatal(err)
				}
				files, size = append(files, source.Load(c.Name, out)), size+len(out)
			}
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				for _, file := range files {
					f(file)
				}
			}
		})
	}
}

// structure is the bots without prompt bodies and full-line comments: what is
// left is all tokens.
func structure() []corpus.File {
	var list []corpus.File
	for _, c := range corpus.Bots() {
		f := parser.File(source.Load(c.Name, c.Data))
		text := []byte(f.Source.Text)
		cut := func(start, end uint32) {
			for i := start; i < end; i++ {
				text[i] = 0
			}
		}
		for i, d := range f.Decls {
			base := f.Bases[i]
			for _, c := range d.Comments {
				if !c.Trailing {
					line := strings.LastIndexByte(f.Source.Text[:base+c.Start], '\n') + 1
					cut(uint32(line), base+c.End+1)
				}
			}
			for _, n := range d.Nodes {
				if n.Kind == ast.Body {
					cut(base+n.Start, base+n.End)
				}
			}
		}
		list = append(list, corpus.File{Name: c.Name, Data: []byte(strings.ReplaceAll(string(text), "\x00", ""))})
	}
	return list
}

// BenchmarkFormat formats canonical text, the parse included.
func BenchmarkFormat(b *testing.B) {
	overCorpus(b, func(f *source.File) {
		if _, err := Format(f); err != nil {
			b.Fatal(err)
		}
	})
}

// BenchmarkParse is the part of BenchmarkFormat that is the parser's.
func BenchmarkParse(b *testing.B) {
	overCorpus(b, func(f *source.File) { parser.File(f) })
}

// BenchmarkFormatChanged formats the corpus as written, of which some of
// the files change and are proven.
func BenchmarkFormatChanged(b *testing.B) {
	files, size := samples(b), int64(0)
	for _, f := range files {
		size += int64(len(f.Text))
	}
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		for _, f := range files {
			_, _ = Format(f)
		}
	}
}

// BenchmarkGofmt is the yardstick: go/format on package net.
func BenchmarkGofmt(b *testing.B) {
	names, err := filepath.Glob(filepath.Join(gobuild.Default.GOROOT, "src", "net", "*.go"))
	if err != nil || len(names) == 0 {
		b.Fatal("package net has no source here: ", err)
	}
	var files [][]byte
	var size int64
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			b.Fatal(err)
		}
		files, size = append(files, text), size+int64(len(text))
	}
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		for _, text := range files {
			if _, err := format.Source(text); err != nil {
				b.Fatal(err)
			}
		}
	}
}
