package runtime

import (
	"fmt"
	"slices"
	"strings"

	"iterion/ir"
	"iterion/ir/expr"
)

// schemaMiss is an output that does not match its schema. One question to a
// model can fix a fixable one.
type schemaMiss struct {
	problems []string
	fixable  bool
}

func (m *schemaMiss) Error() string { return strings.Join(m.problems, "; ") }

// conform checks an output against its schema and narrows its numbers. Keys the
// schema does not declare are kept. A nil schema fits all.
func conform(schema *ir.Schema, output map[string]any) (map[string]any, *schemaMiss) {
	if schema == nil {
		return output, nil
	}
	out := merged(output)
	miss := schemaMiss{fixable: true}
	for i := range schema.Fields {
		f := &schema.Fields[i]
		value, present := output[f.Name]
		if !present && f.Type == "file" {
			continue
		}
		if !present || value == nil && f.Type != "json" {
			miss.problems = append(miss.problems, fmt.Sprintf("%s is missing", f.Name))
			continue
		}
		narrowed, problem := fit(f, value)
		if problem != "" {
			miss.problems = append(miss.problems, problem)
			miss.fixable = false
			continue
		}
		out[f.Name] = narrowed
	}
	if len(miss.problems) > 0 {
		return nil, &miss
	}
	return out, nil
}

// fit checks one value: an int takes a float without fraction, a float an int,
// nothing else converts.
func fit(f *ir.Field, value any) (any, string) {
	ok := false
	switch f.Type {
	case "json":
		ok = true
	case "string":
		_, ok = value.(string)
	case "bool":
		_, ok = value.(bool)
	case "int":
		value, ok = integral(value)
	case "float":
		if i, isInt := value.(int64); isInt {
			value = float64(i)
		}
		_, ok = value.(float64)
	case "string[]":
		ok = isStrings(value)
	case "file":
		_, ok = value.(map[string]any)
	}
	if !ok {
		return nil, fmt.Sprintf("%s must be %s, not %s", f.Name, f.Type, shown(value))
	}
	if problem := inEnum(f, value); problem != "" {
		return nil, problem
	}
	return value, ""
}

func integral(value any) (any, bool) {
	if f, ok := value.(float64); ok && f == float64(int64(f)) {
		return int64(f), true
	}
	_, ok := value.(int64)
	return value, ok
}

func isStrings(value any) bool {
	items, ok := value.([]any)
	return ok && !slices.ContainsFunc(items, func(v any) bool { _, ok := v.(string); return !ok })
}

func inEnum(f *ir.Field, value any) string {
	if !f.Enum.Set() {
		return ""
	}
	values, isList := value.([]any)
	if !isList {
		values = []any{value}
	}
	for _, v := range values {
		if s, ok := v.(string); ok && !slices.Contains(ir.Strings(f.Enum), s) {
			return fmt.Sprintf("%s must be one of %s, not %s", f.Name, strings.Join(ir.Strings(f.Enum), ", "), shown(v))
		}
	}
	return ""
}

// shown spells a value in a message, cut to a readable length.
func shown(v any) string {
	s := expr.ScriptLiteral(v)
	if len(s) > 60 {
		s = strings.ToValidUTF8(s[:57], "") + "…"
	}
	return s
}

// zero is the output of a skipped node: the zero value of every field, marked.
func zero(schema *ir.Schema) map[string]any {
	out := map[string]any{"_skipped": true}
	if schema == nil {
		return out
	}
	for _, f := range schema.Fields {
		out[f.Name] = zeroValues[f.Type]
	}
	return out
}

var zeroValues = map[string]any{"string": "", "bool": false, "int": int64(0), "float": 0.0, "string[]": []any{}}

// jsonSchema is the schema as backends are given it.
func jsonSchema(schema *ir.Schema) map[string]any {
	if schema == nil {
		return nil
	}
	properties, required := map[string]any{}, []any{}
	for i := range schema.Fields {
		f := &schema.Fields[i]
		properties[f.Name] = fieldSchema(f)
		if f.Type != "file" {
			required = append(required, f.Name)
		}
	}
	return map[string]any{
		"type": "object", "properties": properties, "required": required, "additionalProperties": false,
	}
}

func fieldSchema(f *ir.Field) map[string]any {
	one := map[string]any{}
	switch f.Type {
	case "json":
	case "int":
		one["type"] = "integer"
	case "float":
		one["type"] = "number"
	case "bool":
		one["type"] = "boolean"
	case "file":
		one["type"] = "object"
	default:
		one["type"] = "string"
		if f.Enum.Set() {
			one["enum"] = anys(ir.Strings(f.Enum))
		}
	}
	if f.Type == "string[]" {
		return map[string]any{"type": "array", "items": one}
	}
	return one
}
