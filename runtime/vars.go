package runtime

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"iterion/diagnostics"
	"iterion/ir"
	"iterion/ir/expr"
)

// BindVars gives every variable of a program its value: from vars, else from
// the preset ("" for none), else its default. Texts are expanded (`${NAME}`)
// with lookupEnv and read as the variable's type; allowed values and patterns
// are checked. The error names every problem, one a line.
func BindVars(p *ir.Program, vars map[string]string, preset string, lookupEnv func(string) (string, bool)) (map[string]any, error) {
	var problems []error
	for _, name := range sortedKeys(vars) {
		if p.Var(name) == nil {
			problems = append(problems, unknown("variable", name, varNames(p)))
		}
	}
	fromPreset, err := presetValues(p, preset)
	if err != nil {
		problems = append(problems, err)
	}
	out := make(map[string]any, len(p.Vars))
	var missing []string
	for _, name := range varNames(p) {
		v := p.Var(name)
		text, ok := given(v, vars, fromPreset)
		if !ok {
			missing = append(missing, name)
			continue
		}
		value, err := bind(v, text, lookupEnv)
		if err != nil {
			problems = append(problems, fmt.Errorf("variable %s: %w", name, err))
		}
		out[name] = value
	}
	if len(missing) > 0 {
		problems = append(problems, fmt.Errorf("no value for %s: give --var NAME=VALUE or a preset", strings.Join(missing, ", ")))
	}
	if len(problems) > 0 {
		return nil, errors.Join(problems...)
	}
	return out, nil
}

// VarText spells a value as BindVars takes it: text as it is, all else as JSON.
func VarText(value any) (string, error) {
	switch v := value.(type) {
	case nil:
		return "", fmt.Errorf("it has no value")
	case string:
		return v, nil
	}
	text, err := json.Marshal(value)
	return string(text), err
}

func varNames(p *ir.Program) []string {
	var out []string
	for _, v := range p.Vars {
		if !slices.Contains(out, v.Name) {
			out = append(out, v.Name)
		}
	}
	return out
}

func unknown(what, name string, known []string) error {
	if near, ok := diagnostics.Nearest(name, known); ok {
		return fmt.Errorf("there is no %s %s: did you mean %s?", what, name, near)
	}
	return fmt.Errorf("there is no %s %s", what, name)
}

func presetValues(p *ir.Program, name string) (map[string]string, error) {
	if name == "" {
		return nil, nil
	}
	var known []string
	for _, preset := range p.Presets {
		known = append(known, preset.Name)
		if preset.Name != name {
			continue
		}
		values := map[string]string{}
		for _, v := range preset.Values {
			values[v.Var] = v.Value.V.Text
		}
		return values, nil
	}
	return nil, unknown("preset", name, known)
}

// given finds a variable's text: the caller's, the preset's, the default.
func given(v *ir.Var, vars, preset map[string]string) (string, bool) {
	if text, ok := vars[v.Name]; ok {
		return text, true
	}
	if text, ok := preset[v.Name]; ok {
		return text, true
	}
	return v.Default.V.Text, v.Default.Set()
}

func bind(v *ir.Var, text string, lookupEnv func(string) (string, bool)) (any, error) {
	if v.Type == "json" {
		text = expr.ExpandBraced(text, lookupEnv)
	} else {
		text = expr.ExpandEnv(text, lookupEnv)
	}
	value, err := coerce(v.Type, text)
	if err != nil {
		return nil, err
	}
	if problem := inEnum(&ir.Field{Name: "the value", Enum: v.Enum}, value); problem != "" {
		return nil, errors.New(problem)
	}
	return value, matches(v, value)
}

func matches(v *ir.Var, value any) error {
	text, ok := value.(string)
	if !v.Matching.Set() || !ok {
		return nil
	}
	re, err := regexp.Compile(v.Matching.V)
	if err != nil {
		return fmt.Errorf("its pattern cannot be read: %w", err)
	}
	if !re.MatchString(text) {
		return fmt.Errorf("%s does not match %s", shown(text), v.Matching.V)
	}
	return nil
}
