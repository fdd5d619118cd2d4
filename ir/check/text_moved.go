package check

import (
	"encoding/json"

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
	seen := map[string]bool{}
	for _, x := range t.Refs {
		if x.Namespace != "vars" || seen[x.Path[0]] {
			continue
		}
		v := r.c.Program.Var(x.Path[0])
		if v == nil || v.Type == "json" && t.Kind != schema.ScriptText && !x.Raw {
			continue
		}
		seen[v.Name] = true
		r.movedVar(v, x.Span)
	}
}

// movedExpr is moved for an expression.
func (r *reader) movedExpr(x *compile.ExprUse) {
	seen := map[string]bool{}
	syntax.Walk(x.Tree, func(n *syntax.Node) bool {
		if n.Kind != syntax.Path || n.Name() != "vars" || len(n.Names) < 2 {
			return true
		}
		name := n.Names[1].Name
		if v := r.c.Program.Var(name); v != nil && !seen[name] {
			seen[name] = true
			r.movedVar(v, x.At(n.Span))
		}
		return true
	})
}

func (r *reader) movedVar(v *ir.Var, at source.Span) {
	if v.Tainted || !typedDefault(v) {
		return
	}
	r.report("C155", at, "the default of `%s` is read as %s here, not as the text that it is written as", v.Name, typeNoun(v.Type)).
		See(v.Tree, v.Default.Span, "the default")
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
