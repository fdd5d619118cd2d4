package check

import (
	"encoding/json"
	"strings"

	"iterion/ast/source"
	"iterion/grammar/template"
	"iterion/ir"
	"iterion/ir/compile"
	"iterion/ir/expr"
)

// routing: C148, a field that chooses a model holds only what is settled
// before the run: variables with one plain value.
func (r *reader) routing(t *compile.TextUse) {
	for _, e := range t.Errs {
		r.report("C148", e.Span, "%s", e.Message)
	}
	for i := range t.Refs {
		x := &t.Refs[i]
		switch {
		case x.Include != "":
		case x.Namespace != "vars":
			r.report("C148", x.Span, "`%s:` is settled before the run and can read nothing but `vars`", t.Name())
		default:
			r.routingVar(t, x)
		}
	}
}

func (r *reader) routingVar(t *compile.TextUse, x *ir.Ref) {
	v := r.c.Program.Var(x.Path[0])
	if v == nil || v.Tainted {
		return
	}
	name := strings.Join(x.Path, ".")
	switch {
	case v.Type == "json" && !plainMember(v, x.Path[1:]):
		r.report("C148", x.Span, "`vars.%s` has no plain value for `%s:`", name, t.Name()).See(v.Tree, v.TypeSpan, "a json value")
	case v.Type == "string[]":
		r.report("C148", x.Span, "`vars.%s` is a list, and `%s:` takes one value", name, t.Name()).See(v.Tree, v.TypeSpan, "the type")
	case v.Type != "json" && len(x.Path) > 1:
		r.report("C148", x.Span, "`vars.%s` is %s and has no `%s`", v.Name, typeNoun(v.Type), strings.Join(x.Path[1:], ".")).
			See(v.Tree, v.TypeSpan, "the type")
	}
}

// plainMember tells whether a json variable's default has a text, a number or
// a bool at a path.
func plainMember(v *ir.Var, path []string) bool {
	value, ok := document(v)
	for _, name := range path {
		m, isMap := value.(map[string]any)
		if !isMap {
			return false
		}
		value = m[name]
	}
	switch value.(type) {
	case nil, []any, map[string]any:
		return false
	}
	return ok
}

// document is the default of a json variable with nothing set in the
// environment; a text that is no JSON stands for itself.
func document(v *ir.Var) (value any, ok bool) {
	if !v.Default.Set() {
		return nil, false
	}
	text := expr.ExpandBraced(v.Default.V.Text, unset)
	if json.Unmarshal([]byte(text), &value) != nil {
		return text, true
	}
	return value, true
}

// unset is an empty environment.
func unset(string) (string, bool) { return "", false }

// checkSupervisorModels: C148, a supervisor's model is a literal.
func checkSupervisorModels(c *Context) {
	for _, s := range c.Program.Supervisors {
		if s.Tainted || !s.Model.Set() {
			continue
		}
		literal := s.Model.Span
		refs, errs := template.Parse(strings.TrimRight(s.Tree.Text[literal.Start:literal.End], "\"`"))
		spans := make([]source.Span, 0, len(refs)+len(errs))
		for _, r := range refs {
			spans = append(spans, r.Span)
		}
		for _, e := range errs {
			spans = append(spans, e.Span)
		}
		for _, at := range spans {
			c.add("C148", s.Tree, at.Shift(literal.Start), "the model of the supervisor `%s` is a literal: nothing fills a template in it", s.Name).
				Hintf("Write the model's name.")
		}
	}
}
