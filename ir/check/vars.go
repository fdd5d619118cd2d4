package check

import (
	"iterion/diagnostics"
	"iterion/ir"
	"iterion/ir/expr"
	"iterion/ir/finding"
)

// checkVars judges the types, values and defaults of variables: C109, C125,
// C126, C127.
func checkVars(c *Context) {
	for _, v := range c.Program.Vars {
		if tainted(&v.Decl) || v.Type == "" {
			continue
		}
		checkDefault(c, v)
		if v.Enum.Set() && v.Type != "string" {
			c.add("C125", v.Tree, v.Enum.Span, "`%s` is %s, and only a `string` may list its values", v.Name, typeNoun(v.Type)).
				See(v.Tree, v.TypeSpan, "the type")
			continue
		}
		checkVarValues(c, v)
	}
}

// checkDefault: C109. The values of `json` and `string[]` are read at launch.
func checkDefault(c *Context, v *ir.Var) {
	if !v.Default.Set() || v.Type == "json" || v.Type == "string[]" || fits(v.Default.V.Kind, v.Type) {
		return
	}
	c.add("C109", v.Tree, v.Default.Span, "`%s` is %s, and its default is %s", v.Name, typeNoun(v.Type), literalNoun(v.Default.V.Kind)).
		See(v.Tree, v.TypeSpan, "the type")
}

// checkVarValues: C127 for each value that stands again, C126 for a default
// that is none of them. A default that reads the environment is known at launch.
func checkVarValues(c *Context, v *ir.Var) {
	first := map[string]ir.Item{}
	for _, item := range v.Enum.V {
		if before, twice := first[item.Text]; twice {
			c.add("C127", v.Tree, item.Span, "%q stands twice among the values of `%s`", item.Text, v.Name).
				See(v.Tree, before.Span, "first written here").
				Fix(diagnostics.DropRepeatedEnumValue, finding.DropElement(v.Tree, item.Span)...)
			continue
		}
		first[item.Text] = item
	}
	d := v.Default
	if !v.Enum.Set() || !d.Set() || d.V.Kind != ir.StringLiteral || len(expr.EnvRefs(d.V.Text)) > 0 {
		return
	}
	if _, listed := first[d.V.Text]; !listed {
		values := ir.Strings(v.Enum)
		c.add("C126", v.Tree, d.Span, "%q is no value of `%s`, which is %s", d.V.Text, v.Name, alternatives(values)).
			Near(d.V.Text, values).See(v.Tree, v.Enum.Span, "the values")
	}
}

// checkFieldEnums: C125 of schemas. A list's values are those of its elements.
func checkFieldEnums(c *Context) {
	for _, s := range c.Program.Schemas {
		if tainted(&s.Decl) {
			continue
		}
		for _, f := range s.Fields {
			if f.Enum.Set() && f.Type != "" && f.Type != "string" && f.Type != "string[]" {
				c.add("C125", s.Tree, f.Enum.Span, "`%s` is %s, and only a `string` or a `string[]` may list its values", f.Name, typeNoun(f.Type)).
					See(s.Tree, f.TypeSpan, "the type").Hintf("Type the field `string` or `string[]`, or drop the values.")
			}
		}
	}
}
