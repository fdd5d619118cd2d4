package parser

import (
	"fmt"
	"strings"
	"testing"

	"iterion/ast"
)

// check holds a tree against what every tree promises, whatever the text.
func check(f *ast.File) error {
	end, text := 0, f.Source.Text
	for i, d := range f.Decls {
		base := int(f.Bases[i])
		if base != end || base+len(d.Text) > len(text) || text[base:base+len(d.Text)] != d.Text {
			return fmt.Errorf("declaration %d does not follow the one before", i)
		}
		end += len(d.Text)
		if err := checkDeclaration(d); err != nil {
			return fmt.Errorf("declaration %d: %w", i, err)
		}
	}
	if rest := text[end:]; !f.Stopped && strings.TrimSpace(withoutComments(rest, f.Tail, end)) != "" {
		return fmt.Errorf("text behind the last declaration: %q", rest)
	}
	for _, p := range f.Problems {
		if p.Code == "" || p.Message == "" || p.Span.Start > p.Span.End || int(p.Span.End) > len(text) {
			return fmt.Errorf("problem %+v", p)
		}
	}
	return nil
}

func checkDeclaration(d *ast.Declaration) error {
	if len(d.Nodes) == 0 || int(d.Nodes[0].Next) != len(d.Nodes) || int(d.Nodes[0].End) > len(d.Text) {
		return fmt.Errorf("root: %+v of %d nodes", d.Nodes, len(d.Nodes))
	}
	for i := range d.Nodes {
		if err := checkChildren(d, i); err != nil {
			return err
		}
		if d.Nodes[i].Kind == ast.Bad && len(d.Problems) == 0 {
			return fmt.Errorf("a bad node without a problem: %q", d.Slice(i))
		}
	}
	for _, p := range d.Problems {
		if p.Code == "" || p.Message == "" || p.Span.Start > p.Span.End || int(p.Span.End) > len(d.Text) {
			return fmt.Errorf("problem %+v", p)
		}
	}
	if (len(d.Problems) > 0) != d.Tainted(0) {
		return fmt.Errorf("tainted is %v with the problems %v", d.Tainted(0), d.Problems)
	}
	last := uint32(0)
	for _, c := range d.Comments {
		if c.Start < last || c.End < c.Start || int(c.End) > len(d.Text) || d.Text[c.Start] != '#' {
			return fmt.Errorf("comment %+v", c)
		}
		last = c.End
	}
	return nil
}

// checkChildren wants the children of node i inside it, in order.
func checkChildren(d *ast.Declaration, i int) error {
	n := d.Nodes[i]
	if n.Start > n.End || int(n.Next) <= i {
		return fmt.Errorf("node %d is %+v", i, n)
	}
	at, next := n.Start, i+1
	for c := range d.Children(i) {
		child := d.Nodes[c]
		if c != next || child.Start < at || child.End > n.End || child.Next > n.Next {
			return fmt.Errorf("node %d %+v in node %d %+v", c, child, i, n)
		}
		at, next = child.End, int(child.Next)
	}
	if next != int(n.Next) {
		return fmt.Errorf("the children of node %d %+v end at %d", i, n, next)
	}
	return nil
}

func withoutComments(text string, comments []ast.Comment, base int) string {
	var b strings.Builder
	at := 0
	for _, c := range comments {
		b.WriteString(text[at : int(c.Start)-base])
		at = int(c.End) - base
	}
	return b.String() + text[at:]
}

// mustHold parses text and fails the test when its tree breaks a promise.
func mustHold(tb testing.TB, text string) *ast.File {
	tb.Helper()
	f := parseText(text)
	if err := check(f); err != nil {
		tb.Fatalf("%v in\n%s", err, text)
	}
	return f
}
