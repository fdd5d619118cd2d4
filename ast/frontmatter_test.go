package ast_test

import (
	"strings"
	"testing"

	"iterion/ast"
)

// comments cuts a text of comment lines into comments.
func comments(text string) (list []ast.Comment) {
	at := uint32(0)
	for line := range strings.Lines(text) {
		list = append(list, ast.Comment{Start: at, End: at + uint32(len(strings.TrimRight(line, "\n")))})
		at += uint32(len(line))
	}
	return list
}

func TestFrontmatter(t *testing.T) {
	for text, want := range map[string]int{
		"":                                   0,
		"## a\n":                             0,
		"## a\n## ---\n## b\n## ---\n":       0,
		"## ---\n## a\n## ---\n## b\n":       3,
		"## ---\n## ---\n":                   2,
		"## ---\n## a\n## b\n":               3,
		"# ---\n## a\n":                      0,
		"## ---\n## a\n# ---\n## ---\n## b":  4,
		"## ---\n## a\n## ----\n## ---\n##b": 4,
	} {
		if got := ast.Frontmatter(text, comments(text)); got != want {
			t.Errorf("%q: %d comments, want %d", text, got, want)
		}
	}
}

func TestHead(t *testing.T) {
	d := &ast.Declaration{
		Text:     "# a\n# b\nx y: # c\n  # d\n",
		Nodes:    []ast.Node{{Kind: ast.Decl, Start: 8, End: 12, Next: 1}},
		Comments: []ast.Comment{{Start: 0, End: 3}, {Start: 4, End: 7}, {Start: 13, End: 16, Trailing: true}, {Start: 19, End: 22}},
	}
	if got := d.Head(); len(got) != 2 {
		t.Errorf("%d comments stand above", len(got))
	}
	d.Comments = d.Comments[:2]
	if got := d.Head(); len(got) != 2 {
		t.Errorf("%d comments stand above when there are no others", len(got))
	}
}
