package parser

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"iterion/ast"
	"iterion/ast/source"
	"iterion/grammar/reference/sample"
)

// dump shows a file's tree and problems for people who read a failed test.
func dump(f *ast.File) string {
	var b strings.Builder
	for i, d := range f.Decls {
		var ends []uint32
		for n := range d.Nodes {
			for len(ends) > 0 && uint32(n) >= ends[len(ends)-1] {
				ends = ends[:len(ends)-1]
			}
			fmt.Fprintf(&b, "%s%s%s %q\n", strings.Repeat("  ", len(ends)), kinds[d.Nodes[n].Kind], flagged(d.Nodes[n]), d.Slice(n))
			ends = append(ends, d.Nodes[n].Next)
		}
		for _, p := range d.Problems {
			fmt.Fprintln(&b, problem(f.Source, p, f.Bases[i]))
		}
	}
	for _, p := range f.Problems {
		fmt.Fprintln(&b, problem(f.Source, p, 0))
	}
	return b.String()
}

var kinds = [...]string{
	"Bad", "Decl", "Header", "Import", "Use", "Prop", "Entry", "Edge", "When", "Else", "Loop", "Foreach", "With",
	"Key", "Param", "Target", "Type", "Enum", "Matching", "Unbounded",
	"Ident", "Int", "Float", "Measure", "String", "Raw", "Scalar", "Body", "List", "Map",
}

// flagged shows a node's flags by their first letters.
func flagged(n ast.Node) string {
	s := ""
	for i, letter := range "ndetbq" {
		if n.Flags&(1<<i) != 0 {
			s += string(letter)
		}
	}
	if s != "" {
		s = "/" + s
	}
	return s
}

func problem(src *source.File, p ast.Problem, base uint32) string {
	at := src.Position(int(p.Span.Start + base))
	return fmt.Sprintf("%d:%d %s %s (%s)", at.Line, at.Column, p.Code, p.Message, p.Hint)
}

// problems lists what a file's parse found, in source order of declarations.
func problems(f *ast.File) []string {
	var list []string
	for i, d := range f.Decls {
		for _, p := range d.Problems {
			list = append(list, problem(f.Source, p, f.Bases[i]))
		}
	}
	for _, p := range f.Problems {
		list = append(list, problem(f.Source, p, 0))
	}
	return list
}

func parseText(text string) *ast.File { return File(source.New("a.bot", text)) }

func TestCorpusIsClean(t *testing.T) {
	for _, file := range sample.Files(t) {
		if found := problems(File(source.Load(file.Name, file.Raw))); len(found) > 0 {
			t.Errorf("%s: %s", file.Name, strings.Join(found, "\n"))
		}
	}
}

func TestTree(t *testing.T) {
	raw, err := os.ReadFile("testdata/tree.bot")
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("testdata/tree.txt")
	if err != nil {
		t.Fatal(err)
	}
	if got := dump(File(source.Load("tree.bot", raw))); got != string(want) {
		t.Errorf("the tree is\n%s", got)
	}
}
