package check

import (
	"iterion/diagnostics"
	"iterion/ir/bundle"
)

// checkManifestVars: C200 to C204, what a manifest hands to the program goes
// to variables that the program has.
func checkManifestVars(c *Context) {
	if c.Incomplete {
		return
	}
	for _, place := range []struct {
		code diagnostics.Code
		path []string
	}{
		{"C200", []string{"dispatch_vars"}},
		{"C201", []string{"invocations", "context_vars"}},
		{"C202", []string{"invocations", "schedule", "default_vars"}},
		{"C203", []string{"forge", "webhook", "launch_vars"}},
	} {
		for _, values := range c.root().All(place.path...) {
			for i := range values.Entries {
				if e := &values.Entries[i]; c.Program.Var(e.Key) == nil {
					c.key(place.code, e, "no variable is called `%s`", e.Key).Near(e.Key, varNames(c))
				}
			}
		}
	}
	for _, v := range c.root().All("invocations", "args_var") {
		if v.Text != "" && c.Program.Var(v.Text) == nil {
			c.at("C204", v, "no variable is called `%s`, so nothing takes the arguments of a command", v.Text).Near(v.Text, varNames(c))
		}
	}
}

// checkTextVar judges the name of a variable that must take a text.
func checkTextVar(c *Context, code diagnostics.Code, v *bundle.Value, what string) {
	if v.Str() == "" {
		return
	}
	switch declared := c.Program.Var(v.Text); {
	case declared == nil:
		c.at(code, v, "no variable is called `%s`, so nothing takes %s", v.Text, what).Near(v.Text, varNames(c))
	case !declared.Tainted && declared.Type != "string" && declared.Type != "":
		c.at(code, v, "`%s` is %s, and %s is a text", v.Text, typeNoun(declared.Type), what).
			See(declared.Tree, declared.TypeSpan, "the type")
	}
}
