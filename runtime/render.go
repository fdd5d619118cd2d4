package runtime

import (
	"iterion/ir"
	"iterion/ir/expr"
)

// text renders a prompt, a message or a mapping with text around references.
func (v view) text(t ir.Text) string {
	return t.Render(func(r ir.Ref) (string, bool) {
		value, ok := v.ref(r)
		return expr.TextRender(value), ok
	})
}

// value renders a mapping's entry: a lone reference keeps its type.
func (v view) value(t ir.Text) any {
	if ref, ok := t.Whole(); ok {
		value, _ := v.ref(ref)
		return value
	}
	return v.text(t)
}

// mapping renders a group of entries.
func (v view) mapping(b ir.Bindings) map[string]any {
	if len(b.V) == 0 {
		return nil
	}
	out := make(map[string]any, len(b.V))
	for _, entry := range b.V {
		out[entry.Key] = v.value(entry.Value)
	}
	return out
}

// shell renders a command: every reference becomes quoted words. A secret
// becomes a variable that the shell reads, so it stands in no argument list;
// used takes the names of those.
func (v view) shell(t ir.Text, n *ir.Node, used func(secret string) (variable string, ok bool)) string {
	return t.Render(func(r ir.Ref) (string, bool) {
		if r.Namespace == "secrets" && len(r.Path) == 1 {
			variable, ok := used(r.Path[0])
			return `"$` + variable + `"`, ok
		}
		value, ok := v.ref(r)
		if !ok {
			return "", false
		}
		if r.Raw {
			return expr.SpelledOut(value), true
		}
		return expr.ShellRender(value, v.p.declared(n, r))
	})
}

// script renders a script: every reference is a JSON literal. A secret stands in
// the file that the interpreter reads, which nobody else can.
func (v view) script(t ir.Text, secrets map[string]string) string {
	return t.Render(func(r ir.Ref) (string, bool) {
		value, _ := v.ref(r)
		if secret, ok := secrets[r.Path[0]]; ok && r.Namespace == "secrets" && len(r.Path) == 1 {
			value = secret
		}
		if r.Raw {
			return expr.SpelledOut(value), true
		}
		return expr.ScriptLiteral(value), true
	})
}

// declared is the type that the declaration of a reference names, "" for none:
// a var's, the node's own input field's, a producer's output field's.
func (p *plan) declared(n *ir.Node, r ir.Ref) string {
	var schema *ir.Schema
	field := r.Path
	switch r.Namespace {
	case "vars":
		if decl := p.Var(r.Path[0]); decl != nil && len(r.Path) == 1 {
			return decl.Type
		}
		return ""
	case "input":
		schema = p.schema(n.Input)
	case "outputs":
		id, rest, ok := nodeAt(p.Program, r.Path)
		if !ok {
			return ""
		}
		schema, field = p.schema(p.Node(id).Output), rest
	}
	if schema == nil || len(field) != 1 {
		return ""
	}
	if f := schema.Field(field[0]); f != nil {
		return f.Type
	}
	return ""
}

// routing renders a model, backend or provider name: templates, then the
// environment.
func (v view) routing(t ir.Opt[ir.Text], lookupEnv func(string) (string, bool)) string {
	if !t.Set() {
		return ""
	}
	return expr.ExpandEnv(v.text(t.V), lookupEnv)
}
