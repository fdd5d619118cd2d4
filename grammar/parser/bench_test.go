package parser

import (
	"fmt"
	gobuild "go/build"
	goparser "go/parser"
	gotoken "go/token"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"iterion/ast/source"
	"iterion/grammar/lexer"
	"iterion/grammar/reference/sample"
	"iterion/grammar/token"
)

// bots returns the corpus' real-life files, repeated to at least 1.5 MB.
func bots(tb testing.TB, change func(string) string) (files []*source.File, size int64) {
	var once []*source.File
	for _, file := range sample.Files(tb) {
		if strings.HasPrefix(file.Name, "bots/") {
			once = append(once, source.New(file.Name, change(content(file))))
		}
	}
	for size < 1_500_000 {
		for _, f := range once {
			files = append(files, f)
			size += int64(len(f.Text))
		}
	}
	return files, size
}

// structure drops what costs a parser next to nothing: lines of comment, and
// the text of prompts down to a word.
func structure(text string) string {
	var b strings.Builder
	lex := lexer.New()
	for base := 0; ; {
		end, ok := lex.Next(text[base:])
		at := base
		cut := func(start, end int) {
			b.WriteString(text[at : base+start])
			at = base + end
		}
		tokens, comments := lex.Tokens(), lex.Comments
		for i, t := range tokens {
			for len(comments) > 0 && int(comments[0].Token) <= i {
				if c := comments[0]; !c.Trailing {
					cut(int(c.Start), int(c.End))
				}
				comments = comments[1:]
			}
			if t.Type == token.Body {
				cut(t.Pos.Offset, t.Pos.Offset+len(t.Value))
				b.WriteString("  x")
			}
		}
		if !ok {
			return b.String()
		}
		b.WriteString(text[at : base+end])
		base += end
	}
}

func BenchmarkParse(b *testing.B) {
	asIs := func(text string) string { return text }
	for _, variant := range []struct {
		name   string
		change func(string) string
	}{{"bots", asIs}, {"structure", structure}} {
		b.Run(variant.name, func(b *testing.B) {
			files, size := bots(b, variant.change)
			p := New()
			b.SetBytes(size)
			b.ReportAllocs()
			for b.Loop() {
				for _, f := range files {
					p.File(f)
				}
			}
		})
	}
}

// BenchmarkGoParser is the yardstick: Go's own parser on its package net.
func BenchmarkGoParser(b *testing.B) {
	names, err := filepath.Glob(filepath.Join(gobuild.Default.GOROOT, "src", "net", "*.go"))
	if err != nil || len(names) == 0 {
		b.Fatal("no sources of package net", err)
	}
	var texts [][]byte
	var size int64
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			b.Fatal(err)
		}
		texts, size = append(texts, text), size+int64(len(text))
	}
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		set := gotoken.NewFileSet()
		for i, text := range texts {
			if _, err := goparser.ParseFile(set, names[i], text, goparser.ParseComments); err != nil {
				b.Fatal(err)
			}
		}
	}
}

func TestStructureIsClean(t *testing.T) {
	files, _ := bots(t, structure)
	for _, f := range files[:20] {
		if found := problems(File(f)); len(found) > 0 || strings.Contains(f.Text, "\n#") {
			t.Errorf("%s: %q in\n%s", f.Name, found, f.Text)
		}
	}
}

// TestGrowth: twice the declarations take twice the memory, not more.
func TestGrowth(t *testing.T) {
	measure := func(n int) (allocs, bytes uint64) {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "tool t%d:\n  command: \"run {{vars.x}}\"\n  needs: [a, b]\n\n", i)
		}
		src := source.New("a.bot", b.String())
		p := New()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		p.File(src)
		runtime.ReadMemStats(&after)
		return after.Mallocs - before.Mallocs, after.TotalAlloc - before.TotalAlloc
	}
	for _, n := range []int{5_000, 10_000} {
		allocs, bytes := measure(n)
		allocs2, bytes2 := measure(2 * n)
		const most = 2.3
		if float64(allocs2) > most*float64(allocs) || float64(bytes2) > most*float64(bytes) {
			t.Errorf("%d declarations: %d allocations, %d bytes; twice as many: %d and %d", n, allocs, bytes, allocs2, bytes2)
		}
	}
}
