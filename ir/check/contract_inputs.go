package check

import (
	"encoding/json"
	"reflect"
	"strings"

	"iterion/ir"
	"iterion/ir/expr"
)

// input judges an input: C300, it says the same as the variable it stands for;
// C302, its default is a value of its type.
func (x *contractCheck) input(p *ir.Port) {
	tree := x.k.Tree
	if p.From.Set() {
		x.r("C300", keyOf(tree, p.From.Span), "the input `%s` comes from who starts the run, not from a node", p.Name).Hintf("Delete `from:`.")
	}
	if p.File != nil {
		x.r("C300", p.File.KeySpan, "the input `%s` is a variable's value, not a file", p.Name).Hintf("Delete `file:`.")
	}
	x.items(p, "C300")
	fitting := x.defaultFits(p)
	v := x.c.Program.Var(p.Name)
	switch {
	case v == nil && x.c.Incomplete:
	case v == nil:
		x.r("C300", p.NameSpan, "no variable is called `%s`, so nothing takes this input", p.Name).
			Hintf("Declare the variable, or correct the name.").Near(p.Name, varNames(x.c))
	case v.Tainted || v.Type == "":
	case v.Type != p.Type:
		x.r("C300", p.TypeSpan, "`%s` is %s, and the variable is %s", p.Name, typeNoun(p.Type), typeNoun(v.Type)).
			Hintf("Write `%s`.", v.Type).See(v.Tree, v.TypeSpan, "the variable")
	default:
		x.mirrors(p, v, fitting)
	}
}

// mirrors: whether a value must be given, and what stands in for it, are the
// variable's.
func (x *contractCheck) mirrors(p *ir.Port, v *ir.Var, fitting bool) {
	at := p.NameSpan
	if p.Required.Set() {
		at = p.Required.Span
	}
	switch required := p.Required.Or(true); {
	case required && v.Default.Set():
		x.r("C300", at, "`%s` is required here, and the variable has a default", p.Name).
			Hintf("Write `required: false`.").See(v.Tree, v.Default.Span, "the default")
	case !required && !v.Default.Set() && !p.Nullable.V:
		x.r("C300", at, "`%s` is optional here, and the variable has no default", p.Name).
			Hintf("Drop `required: false`, add `nullable: true`, or give the variable a default.").See(v.Tree, v.NameSpan, "the variable")
	}
	switch d := p.Default; {
	case !d.Set() || !fitting || d.V == "null" && p.Nullable.V && !v.Default.Set():
	case !v.Default.Set():
		x.r("C300", d.Span, "`%s` has a default here, and the variable has none", p.Name).
			Hintf("Delete `default:`, or give the variable this default.").See(v.Tree, v.NameSpan, "the variable")
	case !sameValue(v, string(d.V)):
		x.r("C300", d.Span, "`%s` has another default than the variable", p.Name).
			Hintf("Write the variable's default, or delete `default:`.").See(v.Tree, v.Default.Span, "the variable's default")
	}
}

// sameValue compares a variable's default with a JSON text. What the
// environment decides may be anything.
func sameValue(v *ir.Var, text string) bool {
	own := v.Default.V.Text
	switch v.Type {
	case "string":
		var s string
		return json.Unmarshal([]byte(text), &s) == nil && (s == own || len(expr.EnvRefs(own)) > 0)
	case "json", "string[]":
		if len(expr.EnvRefs(own)) > 0 {
			return true
		}
	}
	var a, b any
	if json.Unmarshal([]byte(own), &a) != nil {
		return true
	}
	return json.Unmarshal([]byte(text), &b) == nil && reflect.DeepEqual(a, b)
}

// defaultFits: C302, a port's default is of its type.
func (x *contractCheck) defaultFits(p *ir.Port) bool {
	d := p.Default
	if !d.Set() {
		return true
	}
	var v any
	decoder := json.NewDecoder(strings.NewReader(string(d.V)))
	decoder.UseNumber()
	switch err := decoder.Decode(&v); {
	case err != nil:
		return true // a fault of the text's form
	case v == nil && p.Nullable.V:
		return true
	case v == nil:
		x.r("C302", d.Span, "the default of `%s` is null, and the port is not nullable", p.Name).
			Hintf("Write a value, or add `nullable: true`.").See(x.k.Tree, p.TypeSpan, "the type")
		return false
	case !valueFits(v, p.Type):
		x.r("C302", d.Span, "the default of `%s` is not %s", p.Name, typeNoun(p.Type)).
			Hintf("Write a default of the port's type.").See(x.k.Tree, p.TypeSpan, "the type")
		return false
	}
	return true
}

// valueFits tells whether a JSON value may be of a port's type: a builtin, a
// schema, or a list of either.
func valueFits(v any, typ string) bool {
	if element, list := strings.CutSuffix(typ, "[]"); list {
		values, ok := v.([]any)
		for _, e := range values {
			ok = ok && valueFits(e, element)
		}
		return ok
	}
	switch x := v.(type) {
	case json.Number:
		return typ == "float" || typ == "json" || typ == "int" && !strings.ContainsAny(x.String(), ".eE")
	case string:
		return typ == "string" || typ == "json" || typ == "file"
	case bool:
		return typ == "bool" || typ == "json"
	case []any:
		return typ == "json"
	case map[string]any:
		switch typ {
		case "string", "int", "float", "bool", "file":
			return false
		}
		return true
	}
	return typ == "json" // null inside of a value
}
