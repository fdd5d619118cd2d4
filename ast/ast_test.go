package ast_test

import (
	"slices"
	"testing"

	"iterion/ast"
)

// tree is the declaration of
//
//	agent a:
//	  model: m
//	  tools: [x, y]
func tree() *ast.Declaration {
	return &ast.Declaration{
		Text: "\nagent a:\n  model: m\n  tools: [x, y]\n",
		Nodes: []ast.Node{
			{Kind: ast.Decl, Start: 1, End: 36, Next: 9, Flags: ast.FlagTainted},
			{Kind: ast.Ident, Start: 7, End: 8, Next: 2},
			{Kind: ast.Prop, Start: 12, End: 20, Next: 5},
			{Kind: ast.Key, Start: 12, End: 17, Next: 4},
			{Kind: ast.Ident, Start: 19, End: 20, Next: 5},
			{Kind: ast.Prop, Start: 23, End: 36, Next: 9, Flags: ast.FlagTainted},
			{Kind: ast.Key, Start: 23, End: 28, Next: 7},
			{Kind: ast.List, Start: 30, End: 36, Next: 9},
			{Kind: ast.Ident, Start: 31, End: 32, Next: 9},
		},
	}
}

func TestNavigation(t *testing.T) {
	d := tree()
	if got := slices.Collect(d.Children(0)); !slices.Equal(got, []int{1, 2, 5}) {
		t.Errorf("children of the root: %v", got)
	}
	if got := slices.Collect(d.Children(5)); !slices.Equal(got, []int{6, 7}) {
		t.Errorf("children of tools: %v", got)
	}
	if got := slices.Collect(d.Children(8)); len(got) != 0 {
		t.Errorf("children of a leaf: %v", got)
	}
	for range d.Children(0) {
		break // an early end must not go on
	}
	for _, c := range []struct {
		node, want int
		kind       ast.Kind
	}{{0, 2, ast.Prop}, {0, -1, ast.Key}, {5, 7, ast.List}, {8, -1, ast.Ident}} {
		if got := d.First(c.node, c.kind); got != c.want {
			t.Errorf("first child of %d of kind %d: %d, want %d", c.node, c.kind, got, c.want)
		}
	}
}

func TestTexts(t *testing.T) {
	d := tree()
	name, at := d.Name(0)
	if d.Keyword() != "agent" || name != "a" || at != 1 || d.KeywordOf(5) != "tools" {
		t.Errorf("%q %q at %d, %q", d.Keyword(), name, at, d.KeywordOf(5))
	}
	if name, at := d.Name(5); name != "" || at != -1 {
		t.Errorf("a property has the name %q at %d", name, at)
	}
	if d.Slice(5) != "tools: [x, y]" || d.Root().Span() != d.Nodes[0].Span() || d.Nodes[8].Span().End != 32 {
		t.Errorf("%q %v", d.Slice(5), d.Root())
	}
	if !d.Tainted(0) || d.Tainted(2) || !d.Tainted(5) {
		t.Error("taint is not where it was put")
	}
}
