package check

import (
	"iterion/ast"
	"iterion/ast/source"
	"iterion/diagnostics"
	"iterion/ir"
	"iterion/ir/expr"
	"iterion/ir/finding"
)

// checkPresetValues: C165, a preset's value keeps to the constraint of its
// variable; C166, of several lines for one variable the last one counts.
// Lines that C070 and C071 refuse are left out.
func checkPresetValues(c *Context) {
	bounds := map[*ir.Var][]constraint{}
	for _, p := range c.Program.Presets {
		if tainted(&p.Decl) {
			continue
		}
		last := map[string]ir.PresetValue{}
		for _, line := range p.Values {
			last[line.Var] = line
		}
		for _, line := range p.Values {
			v := c.Program.Var(line.Var)
			if refused(c, v, line) {
				continue
			}
			if wins := last[line.Var]; wins.VarSpan != line.VarSpan {
				c.add("C166", p.Tree, lineSpan(line), "the preset `%s` sets `%s` again, so this line has no effect", p.Name, line.Var).
					See(p.Tree, lineSpan(wins), "the line that counts").
					Fix(diagnostics.DropShadowedPreset, finding.DropMember(p.Tree, ast.Entry, lineSpan(line))...)
				continue
			}
			if v == nil || v.Tainted {
				continue
			}
			if _, known := bounds[v]; !known {
				bounds[v] = constraintsOf(v)
			}
			checkPresetValue(c, p, line, v, bounds[v])
		}
	}
}

// lineSpan is a preset's line from its key to its value.
func lineSpan(line ir.PresetValue) source.Span {
	return source.Span{Start: line.VarSpan.Start, End: max(line.VarSpan.End, line.Value.Span.End)}
}

// refused tells whether C070 or C071 stands for a line.
func refused(c *Context, v *ir.Var, line ir.PresetValue) bool {
	if v == nil {
		return !c.Incomplete
	}
	return !v.Tainted && line.Value.Set() && !fits(line.Value.V.Kind, v.Type)
}

// checkPresetValue: C165, once for each constraint. What the environment
// changes is judged at launch.
func checkPresetValue(c *Context, p *ir.Preset, line ir.PresetValue, v *ir.Var, bounds []constraint) {
	text := line.Value.V.Text
	if !line.Value.Set() || len(expr.EnvRefs(text)) > 0 {
		return
	}
	for _, b := range bounds {
		if b.admits(text) {
			continue
		}
		c.add("C165", p.Tree, line.Value.Span, "the preset `%s` sets `%s` to %q, which %s", p.Name, v.Name, text, b.noun).
			Near(text, ir.Strings(v.Enum)).See(v.Tree, b.at, "the constraint")
	}
}
