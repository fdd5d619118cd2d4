package check

import (
	"slices"
	"strings"

	"iterion/ast/source"
	syntax "iterion/grammar/expr"
	"iterion/ir"
	"iterion/ir/compile"
	"iterion/ir/expr"
)

// judge holds an expression against what its operands are declared as. What
// has no known class is never held against the author.
func (r *reader) judge(x *compile.ExprUse) {
	typed := x.Role == compile.ComputeField || x.Role == compile.When
	syntax.Walk(x.Tree, func(n *syntax.Node) bool {
		switch {
		case n.Kind == syntax.Call:
			r.arity(x, n)
		case n.Kind == syntax.Index:
			r.indexed(x, n)
		case typed && n.Kind == syntax.Binary && n.Op().IsComparison():
			if !r.collections(x, n) {
				r.comparison(x, n)
			}
			r.enumerated(x, n)
		}
		return true
	})
	switch x.Role {
	case compile.When:
		r.condition(x)
	case compile.ComputeField:
		r.division(x)
		r.literals(x)
	}
}

// arity: C138.
func (r *reader) arity(x *compile.ExprUse, call *syntax.Node) {
	if f := syntax.LookupFunction(call.Name()); !f.Accepts(len(call.Args)) {
		r.report("C138", x.At(call.Span), "`%s` takes %s, and is given %d", f.Name, f.Arity(), len(call.Args)).
			Hintf("Write %s.", "`"+f.Signature+"`")
	}
}

// indexed: C120, at the brackets.
func (r *reader) indexed(x *compile.ExprUse, n *syntax.Node) {
	class := expr.ClassOf(n.Args[0], r.classIn(x))
	if !class.Scalar() {
		return
	}
	at := source.Span{Start: n.Args[0].Span.End, End: n.Args[1].Span.End}
	text := x.Parsed()
	at.Start += uint32(strings.IndexByte(text[at.Start:], '['))
	at.End += uint32(strings.IndexByte(text[at.End:], ']')) + 1
	r.report("C120", x.At(at), "what stands before `[` is %s and has no elements", classNoun(class))
}

// comparison: C107.
func (r *reader) comparison(x *compile.ExprUse, n *syntax.Node) {
	left, right := r.operand(x, n.Args[0]), r.operand(x, n.Args[1])
	if !left.Comparable(right) {
		r.report("C107", x.At(n.Span), "`%s` compares %s with %s", n.Op(), classNoun(left), classNoun(right))
	}
}

// operand is the class of one side of a comparison. Lists that are put
// together from others count as unknown there.
func (r *reader) operand(x *compile.ExprUse, n *syntax.Node) expr.Class {
	if n.Kind == syntax.Call && (n.Name() == "concat" || n.Name() == "unique") {
		return expr.Unknown
	}
	return expr.ClassOf(n, r.classIn(x))
}

// enumerated: C121, a literal that the field it is compared with never holds.
func (r *reader) enumerated(x *compile.ExprUse, n *syntax.Node) {
	if op := n.Op(); op != syntax.Eq && op != syntax.Ne {
		return
	}
	for i, side := range n.Args {
		literal := n.Args[1-i]
		word, isText := literal.Value.(string)
		if side.Kind != syntax.Path || literal.Kind != syntax.Literal || !isText {
			continue
		}
		s, f := r.fieldAt(x, expr.PathOf(side))
		if f == nil || f.Type != "string" || !f.Enum.Set() {
			continue
		}
		values := ir.Strings(f.Enum)
		if !slices.Contains(values, word) {
			r.report("C121", x.At(literal.Span), "`%s` is never %q; it is %s", f.Name, word, alternatives(values)).
				Near(word, values).See(s.Tree, f.Enum.Span, "its values")
		}
	}
}

// condition: C108, a number as a condition.
func (r *reader) condition(x *compile.ExprUse) {
	if x.Tree.Kind != syntax.Path {
		return
	}
	if class := expr.ClassOf(x.Tree, r.classIn(x)); class.Numeric() {
		text := x.Parsed()[x.Tree.Span.Start:x.Tree.Span.End]
		r.report("C108", x.Span, "the condition `%s` is %s: it holds for every number but 0", text, classNoun(class)).
			Hintf("Write the comparison that is meant, such as `%s > 0`.", text)
	}
}

// division: C146, a fraction that goes into a whole number.
func (r *reader) division(x *compile.ExprUse) {
	s := r.node.OutputSchema
	if s == nil {
		return
	}
	f := s.Field(x.Key)
	if f == nil || f.Type != "int" {
		return
	}
	syntax.Walk(x.Tree, func(n *syntax.Node) bool {
		if n.Kind == syntax.Call && (n.Name() == "floor" || n.Name() == "round") {
			return false
		}
		for i, op := range n.Ops {
			if op.Op == syntax.Div && r.fraction(x, n, i) {
				r.report("C146", x.At(divisionSpan(n, i)), "a division of floats goes into `%s`, which is an int", f.Name).
					See(s.Tree, f.NameSpan, "declared here")
			}
		}
		return true
	})
}

// fraction tells whether an operand of a node's i-th operator is surely a
// float. What stands before the operand on the left is arithmetic, of which
// nothing is known.
func (r *reader) fraction(x *compile.ExprUse, n *syntax.Node, i int) bool {
	class := r.classIn(x)
	return i == 0 && expr.ClassOf(n.Args[0], class) == expr.Float || expr.ClassOf(n.Args[i+1], class) == expr.Float
}

func divisionSpan(n *syntax.Node, i int) source.Span {
	at := n.Span
	if i+1 < len(n.Ops) {
		at.End = n.Args[i+1].Span.End
	}
	return at
}

// classIn finds the declared class of the paths of an expression.
func (r *reader) classIn(x *compile.ExprUse) func(path []string) expr.Class {
	return func(path []string) expr.Class {
		if path[0] == "vars" {
			if len(path) != 2 {
				return expr.Unknown
			}
			if v := r.c.Program.Var(path[1]); v != nil && !v.Tainted {
				return classOfType(v.Type)
			}
			return expr.Unknown
		}
		if _, f := r.fieldAt(x, path); f != nil {
			return classOfType(f.Type)
		}
		return expr.Unknown
	}
}

// fieldAt is the declared field that a path of an expression reads, with its
// schema; nil when nothing is known of it.
func (r *reader) fieldAt(x *compile.ExprUse, path []string) (*ir.Schema, *ir.Field) {
	var s *ir.Schema
	switch path[0] {
	case "outputs":
		n, rest := r.c.NodeOf(path[1:])
		if n == nil || n.Tainted || len(rest) == 1 && rest[0] == "history" {
			return nil, nil
		}
		s, path = n.OutputSchema, rest
	case "input":
		path = path[1:]
		switch {
		case r.node == nil || r.node.Tainted:
		case x.Role == compile.ComputeField:
			s = r.node.InputSchema
		case x.Role == compile.When:
			s = r.node.OutputSchema
		}
	}
	if s == nil || len(path) != 1 || strings.HasPrefix(path[0], "_") {
		return nil, nil
	}
	return s, s.Field(path[0])
}

// classOfType is the class of a declared type; a json value may be anything.
func classOfType(typ string) expr.Class {
	switch typ {
	case "bool":
		return expr.Bool
	case "int":
		return expr.Int
	case "float":
		return expr.Float
	case "string":
		return expr.String
	case "string[]":
		return expr.List
	}
	return expr.Unknown
}

func classNoun(c expr.Class) string {
	if c == expr.Int {
		return "an int"
	}
	return "a " + c.String()
}
