package check

import (
	"encoding/json"
	"slices"

	"iterion/ast/source"
	syntax "iterion/grammar/expr"
	"iterion/grammar/schema"
	"iterion/ir"
	"iterion/ir/compile"
	"iterion/ir/expr"
)

// moved: C155, once for each variable that a tool's text reads by its value.
// A word of a command shows a json value as it was written.
func (r *reader) moved(t *compile.TextUse) {
	if t.Row == nil || r.node == nil || r.node.Tool == nil {
		return
	}
	switch t.Row.Name {
	case "script", "command", "postcondition":
	default:
		return
	}
	var seen []*ir.Var
	for i := range t.Refs {
		x := &t.Refs[i]
		if x.Namespace != "vars" {
			continue
		}
		v := r.c.Program.Var(x.Path[0])
		if v == nil || v.Type == "json" && t.Kind != schema.ScriptText && !x.Raw {
			continue
		}
		seen = r.movedVar(seen, v, x.Span)
	}
}

// movedExpr is moved for an expression.
func (r *reader) movedExpr(x *compile.ExprUse) {
	var seen []*ir.Var
	syntax.Walk(x.Tree, func(n *syntax.Node) bool {
		if n.Kind != syntax.Path || n.Name() != "vars" || len(n.Names) < 2 {
			return true
		}
		if v := r.c.Program.Var(n.Names[1].Name); v != nil {
			seen = r.movedVar(seen, v, x.At(n.Span))
		}
		return true
	})
}

// movedVar reports a variable unless it was seen, and adds it to those.
func (r *reader) movedVar(seen []*ir.Var, v *ir.Var, at source.Span) []*ir.Var {
	if v.Tainted || !typedDefault(v) || slices.Contains(seen, v) {
		return seen
	}
	r.report("C155", at, "the default of `%s` is read as %s here, not as the text that it is written as", v.Name, typeNoun(v.Type)).
		See(v.Tree, v.Default.Span, "the default")
	return append(seen, v)
}

// typedDefault tells whether a default is a text that stands for something
// else: a list always is, a json text that holds JSON.
func typedDefault(v *ir.Var) bool {
	if !v.Default.Set() || v.Default.V.Kind != ir.StringLiteral {
		return false
	}
	switch v.Type {
	case "string[]":
		return true
	case "json":
		return json.Valid([]byte(expr.ExpandBraced(v.Default.V.Text, unset)))
	}
	return false
}
