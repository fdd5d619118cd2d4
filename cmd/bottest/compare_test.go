package bottest

import (
	"strings"
	"testing"

	"iterion/ir/expr"
)

// An object may have more fields, a list is compared as a whole, numbers by
// value.
func TestDiffer(t *testing.T) {
	got := map[string]any{
		"n": int64(3), "f": 0.5, "s": "3", "nil": nil, "list": []any{int64(1), map[string]any{"a": "x", "b": "y"}},
		"deep": map[string]any{"in": map[string]any{"x": true}}, "_model": "m",
	}
	for _, c := range []struct {
		want any
		at   string // of the one problem, "" for none
	}{
		{map[string]any{}, ""},
		{map[string]any{"n": 3, "f": 0.5, "s": "3", "nil": nil, "deep": map[string]any{"in": map[string]any{}}}, ""},
		{map[string]any{"n": 3.0}, ""},
		{map[string]any{"n": "3"}, "o.n:"},
		{map[string]any{"s": 3}, "o.s:"},
		{map[string]any{"nil": false}, "o.nil:"},
		{map[string]any{"gone": nil}, "o.gone:"},
		{map[string]any{"list": []any{1, map[string]any{"a": "x"}}}, ""},
		{map[string]any{"list": []any{1}}, "o.list:"},
		{map[string]any{"list": []any{2, map[string]any{}}}, "o.list[0]:"},
		{map[string]any{"list": []any{1, map[string]any{"b": "z"}}}, "o.list[1].b:"},
		{map[string]any{"deep": map[string]any{"in": 1}}, "o.deep.in:"},
		{[]any{}, "o:"},
	} {
		want, err := expr.Normalize(c.want)
		if err != nil {
			t.Fatal(err)
		}
		list := differ("o", want, got)
		if (c.at == "") != (len(list) == 0) || len(list) > 1 || c.at != "" && !strings.HasPrefix(list[0], c.at) {
			t.Errorf("%v: %q, want one at %q", c.want, list, c.at)
		}
		if strings.Contains(strings.Join(list, ""), "_model") && c.at == "o.gone:" {
			t.Errorf("a field of the engine is offered: %q", list)
		}
	}
}

func TestFollows(t *testing.T) {
	for _, c := range []struct {
		want, path string
		ok         bool
	}{
		{"", "", true}, {"", "a", false}, {"a", "", false}, {"a b", "a b", true}, {"a b", "a b c", false},
		{"…", "", true}, {"…", "a b", true}, {"a …", "a b c", true}, {"... c", "a b c", true}, {"a … c", "a c", true},
		{"a … b", "a b c", false}, {"… b … d", "a b c d", true}, {"a … b a", "a b a b a", true}, {"… x", "a b", false},
	} {
		if got := follows(strings.Fields(c.want), strings.Fields(c.path)); got != c.ok {
			t.Errorf("%q on %q: %v", c.want, c.path, got)
		}
	}
}

// The input of a call is searched as the model meant it, not as it was spelt.
func TestMatches(t *testing.T) {
	for part, want := range map[string]bool{
		"": true, `echo "a" && b`: true, "line\ntwo": true, "deep": true, "command": true, "absent": false,
	} {
		if got := matches(`{"command":"echo \"a\" \u0026\u0026 b","list":["line\ntwo",{"x":"deep"}]}`, part); got != want {
			t.Errorf("%q: %v", part, got)
		}
	}
	if !matches("not json", "json") || matches("not json", "x") {
		t.Error("an input that is no JSON")
	}
}
