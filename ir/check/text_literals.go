package check

import (
	"slices"

	syntax "iterion/grammar/expr"
	"iterion/ir"
	"iterion/ir/compile"
	"iterion/ir/expr"
)

// collections: C306, two collections are never told to be equal. It tells
// whether that is what the comparison does.
func (r *reader) collections(x *compile.ExprUse, n *syntax.Node) bool {
	if op := n.Op(); op != syntax.Eq && op != syntax.Ne {
		return false
	}
	left, right := expr.ClassOf(n.Args[0], r.classIn(x)), expr.ClassOf(n.Args[1], r.classIn(x))
	literal := isCollection(n.Args[0]) && right == expr.Unknown || isCollection(n.Args[1]) && left == expr.Unknown
	if !literal && !(left.Collection() && right.Collection()) {
		return false
	}
	r.report("C306", x.At(n.Span), "`%s` has the same result for all lists and maps", n.Op())
	return true
}

func isCollection(n *syntax.Node) bool { return n.Kind == syntax.List || n.Kind == syntax.Object }

// literals holds a constant against the field that it is computed for: C183
// for a value that the field does not list, C307 for a form it cannot hold.
func (r *reader) literals(x *compile.ExprUse) {
	s := r.node.OutputSchema
	if s == nil {
		return
	}
	f := s.Field(x.Key)
	if f == nil || f.Type == "" || f.Type == "json" {
		return
	}
	switch x.Tree.Kind {
	case syntax.Literal:
		if f.Type == "string" {
			r.member(x, x.Tree, s, f)
		}
	case syntax.Object:
		r.misfit(x, x.Tree, s, f, "a map")
	case syntax.List:
		if f.Type != "string[]" {
			r.misfit(x, x.Tree, s, f, "a list")
			return
		}
		r.elements(x, s, f)
	}
}

// elements judges the elements of a list; one of a type that is not known may
// fit.
func (r *reader) elements(x *compile.ExprUse, s *ir.Schema, f *ir.Field) {
	for _, e := range x.Tree.Args {
		if class := expr.ClassOf(e, r.classIn(x)); class != expr.Unknown && class != expr.String {
			r.misfit(x, e, s, f, "a list with "+classNoun(class))
			return
		}
	}
	for _, e := range x.Tree.Args {
		r.member(x, e, s, f)
	}
}

func (r *reader) misfit(x *compile.ExprUse, at *syntax.Node, s *ir.Schema, f *ir.Field, what string) {
	r.report("C307", x.At(at.Span), "`%s` is %s and cannot hold %s", f.Name, typeNoun(f.Type), what).
		See(s.Tree, f.TypeSpan, "the type")
}

func (r *reader) member(x *compile.ExprUse, n *syntax.Node, s *ir.Schema, f *ir.Field) {
	word, isText := n.Value.(string)
	values := ir.Strings(f.Enum)
	if n.Kind != syntax.Literal || !isText || !f.Enum.Set() || slices.Contains(values, word) {
		return
	}
	r.report("C183", x.At(n.Span), "%q is no value of `%s`, which is %s", word, f.Name, alternatives(values)).
		Near(word, values).See(s.Tree, f.Enum.Span, "its values")
}
