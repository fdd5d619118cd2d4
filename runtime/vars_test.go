package runtime

import (
	"testing"

	"iterion/ir"
	"iterion/ir/expr"
)

func TestBindVars(t *testing.T) {
	mode := variable("mode", "string", "fast")
	mode.Enum = words("fast", "slow")
	branch := variable("branch", "string", "main")
	branch.Matching = set("^[a-z]+$")
	preset := &ir.Preset{Values: []ir.PresetValue{{Var: "count", Value: set(ir.Literal{Text: "7"})}, {Var: "mode", Value: set(ir.Literal{Text: "slow"})}}}
	preset.Name = "big"
	p := program(compute("a", "x", "1"), mode, branch, variable("count", "int", ""), variable("ratio", "float", "1"),
		variable("dry", "bool", "false"), variable("data", "json", `{"a": "${HOME_DIR}", "b": "$HOME_DIR"}`), variable("tags", "string[]", "${TAGS:-x, y}"))
	p.Presets = []*ir.Preset{preset}
	env := func(name string) (string, bool) {
		v, ok := map[string]string{"HOME_DIR": "/h"}[name]
		return v, ok
	}
	for _, c := range []struct {
		name   string
		vars   map[string]string
		preset string
		want   string
		err    string
	}{
		{"preset over default", nil, "big", `{"branch":"main","count":7,"data":{"a":"/h","b":"$HOME_DIR"},"dry":false,"mode":"slow","ratio":1,"tags":["x","y"]}`, ""},
		{"var over preset", map[string]string{"count": "1", "data": "no json", "tags": `["z"]`, "dry": "true", "branch": "x"}, "big",
			`{"branch":"x","count":1,"data":"no json","dry":true,"mode":"slow","ratio":1,"tags":["z"]}`, ""},
		{"missing", nil, "", "", "no value for count: give --var NAME=VALUE or a preset"},
		{"unknown", map[string]string{"coutn": "1", "count": "1"}, "", "", "there is no variable coutn: did you mean count?"},
		{"unknown preset", map[string]string{"count": "1"}, "bigg", "", "there is no preset bigg: did you mean big?"},
		{"wrong type", map[string]string{"count": "many"}, "", "", `variable count: "many" is no int`},
		{"enum", map[string]string{"count": "1", "mode": "odd"}, "", "", `variable mode: the value must be one of fast, slow, not "odd"`},
		{"pattern", map[string]string{"count": "1", "branch": "A1"}, "", "", `variable branch: "A1" does not match ^[a-z]+$`},
		{"all problems", map[string]string{"dry": "x", "ratio": "y"}, "", "", "variable ratio: \"y\" is no number\nvariable dry: \"x\" is no bool: write true or false\nno value for count: give --var NAME=VALUE or a preset"},
	} {
		got, err := BindVars(p, c.vars, c.preset, env)
		message := ""
		if err != nil {
			message = err.Error()
		}
		if message != c.err {
			t.Errorf("%s: error %q, want %q", c.name, message, c.err)
		} else if err == nil && expr.ScriptLiteral(got) != c.want {
			t.Errorf("%s: %s", c.name, expr.ScriptLiteral(got))
		}
	}
}

func TestConform(t *testing.T) {
	s := schema("s", "i", "int", "f", "float", "t", "string", "l", "string[]", "j", "json", "b", "bool", "att", "file")
	s.Fields[2].Enum, s.Fields[3].Enum = words("x", "y"), words("p", "q")
	base := map[string]any{"i": int64(1), "f": 1.5, "t": "x", "l": []any{"p"}, "j": nil, "b": true}
	for _, c := range []struct {
		change  map[string]any
		err     string
		fixable bool
	}{
		{nil, "", false},
		{map[string]any{"i": 2.0, "f": int64(2), "extra": "kept"}, "", false},
		{map[string]any{"i": 2.5}, "i must be int, not 2.5", false},
		{map[string]any{"t": nil}, "t is missing", true},
		{map[string]any{"t": int64(1)}, "t must be string, not 1", false},
		{map[string]any{"t": "z"}, `t must be one of x, y, not "z"`, false},
		{map[string]any{"l": []any{"p", "z"}}, `l must be one of p, q, not "z"`, false},
		{map[string]any{"l": []any{int64(1)}}, "l must be string[], not [1]", false},
		{map[string]any{"b": "true"}, `b must be bool, not "true"`, false},
		{map[string]any{"att": "x"}, `att must be file, not "x"`, false},
	} {
		out, miss := conform(s, merged(base, c.change))
		if c.err == "" {
			if miss != nil || out["f"] == nil {
				t.Errorf("%v: %v", c.change, miss)
			}
			continue
		}
		if miss == nil || miss.Error() != c.err || miss.fixable != c.fixable {
			t.Errorf("%v: %+v", c.change, miss)
		}
	}
	if got := expr.ScriptLiteral(jsonSchema(schema("s", "i", "int", "l", "string[]", "a", "file"))); got !=
		`{"additionalProperties":false,"properties":{"a":{"type":"object"},"i":{"type":"integer"},"l":{"items":{"type":"string"},"type":"array"}},"required":["i","l"],"type":"object"}` {
		t.Errorf("JSON Schema %s", got)
	}
}
