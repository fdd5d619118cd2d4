package printer

import (
	"go/format"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"iterion/ast/source"
	"iterion/grammar/parser"
)

// canonical returns the corpus in canonical form: the usual input of a
// formatter, whose output equals it.
func canonical(b *testing.B) (files []*source.File, size int64) {
	for _, s := range samples(b) {
		out, err := Format(s)
		if err != nil {
			continue
		}
		f := source.Load(s.Name, out)
		files, size = append(files, f), size+int64(len(f.Text))
	}
	return files, size
}

// BenchmarkFormat formats the canonical corpus, the parse included.
func BenchmarkFormat(b *testing.B) {
	files, size := canonical(b)
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		for _, f := range files {
			if _, err := Format(f); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// BenchmarkParse is the part of BenchmarkFormat that is the parser's.
func BenchmarkParse(b *testing.B) {
	files, size := canonical(b)
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		for _, f := range files {
			parser.File(f)
		}
	}
}

// BenchmarkFormatChanged formats the corpus as written, of which a third of
// the files changes and is proven.
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
	names, err := filepath.Glob(filepath.Join(runtime.GOROOT(), "src", "net", "*.go"))
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
