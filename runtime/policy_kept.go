package runtime

import (
	"cmp"
	"fmt"
	"slices"

	"iterion/ir/gate"
)

// over is what the operator says now on top of what was said before. A run that
// goes on keeps the rules it was started with: a command line that leaves them
// out opens nothing.
func (p Permission) over(old Permission) Permission {
	p.Environment = cmp.Or(p.Environment, old.Environment)
	p.Flag.Mode = cmp.Or(p.Flag.Mode, old.Flag.Mode)
	for _, k := range gate.Kinds() {
		rules := slices.Clone(old.Flag.Lists[k])
		for _, rule := range p.Flag.Lists[k] {
			if !slices.Contains(rules, rule) {
				rules = append(rules, rule)
			}
		}
		p.Flag.Lists[k] = rules
	}
	return p
}

// data is the part that a run keeps, nil when there is nothing to keep.
func (p Permission) data() map[string]any {
	out := map[string]any{}
	for key, word := range map[string]string{"mode": p.Flag.Mode, "environment": p.Environment} {
		if word != "" {
			out[key] = word
		}
	}
	for _, k := range gate.Kinds() {
		var texts []any
		for _, rule := range p.Flag.Lists[k] {
			texts = append(texts, rule.Text)
		}
		if texts != nil {
			out[k.String()] = texts
		}
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// permissionOf reads what data wrote. A rule that cannot be read is an error:
// without it the run would be less bound than it was.
func permissionOf(d map[string]any) (Permission, error) {
	p := Permission{Environment: text(d, "environment")}
	p.Flag.Mode = text(d, "mode")
	for _, k := range gate.Kinds() {
		for _, entry := range list(d, k.String()) {
			words, _ := entry.(string)
			rule, err := gate.ParseRule(words)
			if err != nil {
				return p, fmt.Errorf("a %s rule of the run, %q, cannot be read: %w", k, words, err)
			}
			p.Flag.Lists[k] = append(p.Flag.Lists[k], rule)
		}
	}
	return p, nil
}
