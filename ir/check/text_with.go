package check

import (
	"strings"

	"iterion/grammar/template"
	"iterion/ir"
	"iterion/ir/scope"
)

// checkMappings holds what edges map into their targets against the fields
// there: C152, C180.
func checkMappings(c *Context) {
	for _, e := range c.Edges {
		if e.Tainted || e.Target == nil || e.Target.Tainted || e.Target.InputSchema == nil {
			continue
		}
		for _, b := range e.With.V {
			if f := e.Target.InputSchema.Field(b.Key); f != nil {
				checkMapping(c, e, b, f)
			}
		}
	}
}

func checkMapping(c *Context, e *scope.Edge, b ir.Binding, f *ir.Field) {
	text := b.Value.Value()
	refs, errs := template.Parse(text)
	if len(errs) > 0 {
		return // C004
	}
	s := e.Target.InputSchema
	if ref, whole := template.Whole(text, refs); whole {
		if v := wholeVar(c, ref); v != nil && f.Type == "string" && listed(v) {
			c.edge("C180", e, b.Span, "`vars.%s` is a list or a map, and `%s` takes a text", v.Name, f.Name).
				See(v.Tree, v.NameSpan, "the variable").See(s.Tree, f.NameSpan, "the field")
		}
		return
	}
	switch f.Type {
	case "bool", "int", "float", "string[]":
	case "json":
		if reads(refs) || !encoded(text) {
			return
		}
	default:
		return
	}
	c.edge("C152", e, b.Span, "`%s` is %s, and this arrives as a text", f.Name, typeNoun(f.Type)).
		See(s.Tree, f.NameSpan, "the field")
}

// wholeVar is the variable of a reference to nothing but a variable.
func wholeVar(c *Context, ref ir.Ref) *ir.Var {
	if ref.Namespace != "vars" || len(ref.Path) != 1 {
		return nil
	}
	if v := c.Program.Var(ref.Path[0]); v != nil && !v.Tainted {
		return v
	}
	return nil
}

// listed tells whether a variable holds, or may well hold, several values.
func listed(v *ir.Var) bool {
	if v.Type != "json" {
		return v.Type == "string[]"
	}
	value, ok := document(v)
	switch value.(type) {
	case []any, map[string]any:
		return true
	}
	return !ok
}

// reads tells whether one of the templates is a reference.
func reads(refs []ir.Ref) bool {
	for _, r := range refs {
		if r.Namespace != "" {
			return true
		}
	}
	return false
}

// encoded tells whether a text looks like a value that was written as JSON.
func encoded(text string) bool {
	text = strings.TrimSpace(text)
	switch text {
	case "":
		return false
	case "null", "true", "false":
		return true
	}
	return strings.IndexByte("[{\"'", text[0]) >= 0 || strings.IndexByte("]}\"", text[len(text)-1]) >= 0
}
