package check

import (
	"regexp/syntax"
	"slices"
	"strings"

	"iterion/ast/source"
	"iterion/ir"
	"iterion/ir/expr"
)

// constraint is one bound on the texts of a variable.
type constraint struct {
	at     source.Span
	noun   string
	admits func(string) bool
}

// constraintsOf lists the bounds of a variable that can be judged.
func constraintsOf(v *ir.Var) []constraint {
	var list []constraint
	if v.Type != "string" {
		return nil
	}
	if v.Enum.Set() {
		values := ir.Strings(v.Enum)
		list = append(list, constraint{v.Enum.Span, "is none of its values", func(text string) bool { return slices.Contains(values, text) }})
	}
	if !v.Matching.Set() {
		return list
	}
	if _, err := syntax.Parse(v.Matching.V, syntax.Perl); err == nil {
		list = append(list, constraint{v.Matching.Span, "does not match its pattern", func(text string) bool { return matches(v.Matching.V, text) }})
	}
	return list
}

// engineNames are variables of the environment that the engine sets itself.
var engineNames = []string{
	"PROJECT_DIR", "PROJECT_SCRATCH_DIR", "PROJECT_MEMORY_DIR", "BUNDLE_DIR", "BUNDLE_SKILLS_DIR",
}

// checkConstrained judges a default that reads the environment: C181 when it
// depends on it, C182 when what is written for an empty one is not admitted.
func checkConstrained(c *Context, v *ir.Var) {
	refs := expr.EnvRefs(v.Default.V.Text)
	if len(refs) == 0 {
		return
	}
	bounds := constraintsOf(v)
	if len(bounds) == 0 || v.Default.V.Kind != ir.StringLiteral {
		return
	}
	for _, ref := range refs {
		if !ref.HasDefault || ref.Computed || slices.Contains(engineNames, ref.Name) {
			c.add("C181", v.Tree, envSpan(v, ref), "nobody knows before the run whether `%s` is a value of `%s`", ref.Name, v.Name).
				See(v.Tree, bounds[0].at, "the constraint")
			return
		}
	}
	text := expr.ExpandEnv(v.Default.V.Text, unset)
	for _, b := range bounds {
		if !b.admits(text) {
			c.add("C182", v.Tree, v.Default.Span, "with nothing set, `%s` is %q, which %s", v.Name, text, b.noun).
				See(v.Tree, b.at, "the constraint")
			return
		}
	}
}

// envSpan is where a default holds a reference to the environment.
func envSpan(v *ir.Var, ref expr.EnvRef) source.Span {
	at := v.Default.Span
	text := v.Tree.Text[at.Start:at.End]
	start, size := strings.Index(text, "${"+ref.Name), len("${"+ref.Name)
	if start < 0 {
		if start, size = strings.Index(text, "$"+ref.Name), len("$"+ref.Name); start < 0 {
			return at
		}
	} else if end := strings.IndexByte(text[start+size:], '}'); end >= 0 {
		size += end + 1
	}
	return source.Span{Start: at.Start + uint32(start), End: at.Start + uint32(start+size)}
}

// checkRedeclared: C164, a workflow that replaces a constrained variable keeps
// a constraint.
func checkRedeclared(c *Context) {
	if c.Workflow == nil || len(c.Workflow.Vars) == 0 {
		return
	}
	outside := fileVars(c)
	for _, v := range c.Workflow.Vars {
		first := outside[v.Name]
		if first == nil || tainted(&first.Decl) || tainted(&v.Decl) || v.Enum.Set() || v.Matching.Set() ||
			first.Type != "string" || !first.Enum.Set() && !first.Matching.Set() {
			continue
		}
		c.add("C164", v.Tree, v.NameSpan, "`%s` loses the constraint that the file gives it", v.Name).
			See(first.Tree, first.NameSpan, "declared here")
	}
}

// fileVars are the variables that stand outside of the workflow; of several of
// one name the first.
func fileVars(c *Context) map[string]*ir.Var {
	list := map[string]*ir.Var{}
	for _, u := range c.Units {
		for _, p := range u.Parts {
			for _, v := range p.Vars {
				if list[v.Name] == nil && !v.Workflow {
					list[v.Name] = v
				}
			}
		}
	}
	return list
}
