package migrate

import (
	"fmt"

	"iterion/ast"
	"iterion/grammar/literal"
	"iterion/grammar/parser"
)

// prove compares a file with what was made of it: the same trees with the same
// values, under its own profile each, and the same comments but directives.
func prove(before, after *ast.File) error {
	decls := after.Decls
	if !before.Header && len(decls) > 0 {
		decls = decls[1:]
	}
	if faulty(after) || after.Profile != 2 || !after.Header || len(decls) != len(before.Decls) {
		return fmt.Errorf("the result is no file of profile 2")
	}
	p := proof{before: literal.ModeOf(before), after: literal.ModeOf(after)}
	for i, d := range before.Decls {
		if !p.same(d, decls[i]) {
			return fmt.Errorf("the declaration at line %d would change", before.Source.Position(int(before.Bases[i]+d.Root().Start)).Line)
		}
	}
	if !sameComments(comments(before), comments(after)) {
		return fmt.Errorf("a comment would be lost")
	}
	return nil
}

// proof holds how each of the two files reads literals.
type proof struct{ before, after literal.Mode }

func (p proof) same(a, b *ast.Declaration) bool {
	if len(a.Nodes) != len(b.Nodes) || a.Keyword() != b.Keyword() {
		return false
	}
	for i := range a.Nodes {
		x, y := a.Nodes[i], b.Nodes[i]
		if x.Kind != y.Kind || x.Aux != y.Aux || x.Next != y.Next || x.Flags&^ast.FlagEscape != y.Flags&^ast.FlagEscape {
			return false
		}
		leaf := int(x.Next) == i+1
		if leaf && a.Root().Kind != ast.Header && literal.Value(x.Kind, a.Slice(i), p.before) != literal.Value(y.Kind, b.Slice(i), p.after) {
			return false
		}
	}
	return true
}

func comments(f *ast.File) []string {
	var list []string
	for _, d := range f.Decls {
		for _, c := range d.Comments {
			list = append(list, d.Text[c.Start:c.End])
		}
	}
	for _, c := range f.Tail {
		list = append(list, f.Source.Text[c.Start:c.End])
	}
	return list
}

// sameComments tells whether the second list is the first but for directives.
func sameComments(before, after []string) bool {
	for _, text := range before {
		switch {
		case len(after) > 0 && after[0] == text:
			after = after[1:]
		case parser.Directive(text) == "":
			return false
		}
	}
	return len(after) == 0
}
