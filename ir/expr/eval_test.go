package expr

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	syntax "iterion/grammar/expr"
)

// tree is an Env over nested maps.
type tree map[string]any

func (t tree) Lookup(path []string) (any, bool) {
	v := Member(map[string]any(t), path...)
	return v, v != nil
}

func parse(t interface {
	Helper()
	Fatalf(string, ...any)
}, text string) *syntax.Node {
	t.Helper()
	n, err := syntax.Parse(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return n
}

var world = tree{
	"vars": map[string]any{"n": int64(3), "json": map[string]any{"a": map[string]any{"b": "deep"}}, "ratio": 0.5},
	"input": map[string]any{
		"ok": true, "count": int64(2), "name": "ann", "empty": "",
		"xs": []any{int64(3), int64(1), int64(2)}, "m": map[string]any{"b": int64(2), "a": int64(1)},
		"rows": []any{map[string]any{"id": int64(1), "ok": true}, map[string]any{"id": int64(2), "ok": false}},
	},
	"outputs":   map[string]any{"lint": map[string]any{"scan": map[string]any{"issues": []any{"x"}}}},
	"artifacts": map[string]any{"plan": map[string]any{"title": "t"}},
	"loop":      map[string]any{"fix": map[string]any{"iteration": int64(1)}},
	"run":       map[string]any{"id": "r1", "odd": int32(7), "number": json.Number("1.5")},
}

// show spells a result with its kind: ints bare, floats with a trailing f,
// strings quoted.
func show(v any) string {
	switch v := v.(type) {
	case nil:
		return "nil"
	case float64:
		return fmt.Sprintf("%gf", v)
	case string:
		return fmt.Sprintf("%q", v)
	case []any:
		var parts []string
		for _, e := range v {
			parts = append(parts, show(e))
		}
		return "[" + strings.Join(parts, " ") + "]"
	case map[string]any:
		var parts []string
		for _, k := range sortedKeys(v) {
			parts = append(parts, k+":"+show(v[k]))
		}
		return "{" + strings.Join(parts, " ") + "}"
	}
	return fmt.Sprint(v)
}

var evaluations = []struct{ text, want string }{
	// names
	{`vars.n`, `3`},
	{`vars.json.a.b`, `"deep"`},
	{`input.name`, `"ann"`},
	{`name`, `"ann"`},
	{`m.a`, `1`},
	{`outputs.lint.scan.issues`, `["x"]`},
	{`artifacts.plan.title`, `"t"`},
	{`loop.fix.iteration`, `1`},
	{`run.id`, `"r1"`},
	{`run.odd + run.number`, `8.5f`},
	{`vars.none`, `nil`},
	{`vars.none.deeper`, `nil`},
	{`name.deeper`, `nil`},
	{`each.q.item`, `nil`},
	// and, or, not
	{`ok and count`, `true`},
	{`0 or ''`, `false`},
	{`false && 1 / 0`, `false`},
	{`true || 1 / 0`, `true`},
	{`not none`, `true`},
	{`!ok == true`, `false`},
	// equality
	{`1 == 1.0`, `true`},
	{`1 != 1.5`, `true`},
	{`9007199254740993 == 9007199254740992.0`, `false`},
	{`'a' == 'a'`, `true`},
	{`true == true`, `true`},
	{`none == vars.none`, `true`},
	{`none == ''`, `false`},
	{`1 == '1'`, `false`},
	{`1 == true`, `false`},
	{`xs == xs`, `false`},
	{`xs != xs`, `true`},
	{`{} == {}`, `false`},
	// order
	{`1 < 1.5`, `true`},
	{`2 <= 2.0`, `true`},
	{`'a' < 'b'`, `true`},
	{`'B' < 'a'`, `true`},
	{`'a' >= 'ab'`, `false`},
	{`3 > 2`, `true`},
	{`9007199254740993 > 9007199254740992.0`, `true`},
	// arithmetic
	{`1 + 2`, `3`},
	{`1 + 2.0`, `3`},
	{`1 + 0.5`, `1.5f`},
	{`2.5 * 2`, `5f`},
	{`4.0 * 2.0`, `8`},
	{`7 / 2`, `3`},
	{`-7 / 2`, `-3`},
	{`7 / 2.5`, `2.8f`},
	{`7.0 / 2.0`, `3`},
	{`7 % 4`, `3`},
	{`-7 % 4`, `-3`},
	{`7.0 % 4`, `3`},
	{`10 - 2 - 3`, `5`},
	{`2 * 3 / 4`, `1`},
	{`-count`, `-2`},
	{`-0.5`, `-0.5f`},
	{`'a' + 'b'`, `"ab"`},
	{`'n' + 1`, `"n1"`},
	{`1.5 + 'n'`, `"1.5n"`},
	{`'a' + 1 + 2`, `"a12"`},
	// index
	{`xs[0]`, `3`},
	{`xs[1.0]`, `1`},
	{`xs[3]`, `nil`},
	{`xs[0 - 1]`, `nil`},
	{`m['a']`, `1`},
	{`m['z']`, `nil`},
	{`rows[1].id`, `2`},
	{`rows[9].id.x`, `nil`},
	{`none[0]`, `nil`},
	{`[[1], [2]][1][0]`, `2`},
	{`{a: {b: 1}}['a'].b`, `1`},
	// collections
	{`[1, 'a', none]`, `[1 "a" nil]`},
	{`{a: 1, 'b c': [2]}`, `{a:1 b c:[2]}`},
	// functions
	{`length(none)`, `0`},
	{`length('é')`, `2`},
	{`length(xs)`, `3`},
	{`length(m)`, `2`},
	{`concat(xs, none, [9])`, `[3 1 2 9]`},
	{`unique([1, '1', 1.0, 2, none, ''])`, `[1 2 nil]`},
	{`unique(none)`, `[]`},
	{`contains(xs, 2)`, `true`},
	{`contains(xs, '2')`, `true`},
	{`contains([[1]], [1])`, `true`},
	{`contains(none, 1)`, `false`},
	{`join(xs, ', ')`, `"3, 1, 2"`},
	{`join(['a', none, {k: 1}], '-')`, `"a--{\"k\":1}"`},
	{`join(none, ',')`, `""`},
	{`tail(xs, 2)`, `[1 2]`},
	{`tail(xs, 9)`, `[3 1 2]`},
	{`tail(xs, 0)`, `[]`},
	{`tail(xs, -1)`, `[]`},
	{`tail(none, 2)`, `[]`},
	{`slice(xs, 0, 2)`, `[3 1]`},
	{`slice(xs, -2, 3)`, `[1 2]`},
	{`slice(xs, 0, -1)`, `[3 1]`},
	{`slice(xs, -9, 9)`, `[3 1 2]`},
	{`slice(xs, 2, 1)`, `[]`},
	{`slice(none, 0, 1)`, `[]`},
	{`sort(xs)`, `[1 2 3]`},
	{`sort([2, 1.5, 1])`, `[1 1.5f 2]`},
	{`sort(['b', 10, 9, 'a'])`, `[10 9 "a" "b"]`},
	{`sort(none)`, `[]`},
	{`xs`, `[3 1 2]`},
	{`keys(m)`, `["a" "b"]`},
	{`values(m)`, `[1 2]`},
	{`sum(xs)`, `6`},
	{`sum([1, 0.5])`, `1.5f`},
	{`sum([])`, `0`},
	{`min(xs)`, `1`},
	{`max(xs)`, `3`},
	{`min(4, [2.5, 3])`, `2.5f`},
	{`max(1, 2)`, `2`},
	{`min([])`, `nil`},
	{`max(none)`, `nil`},
	{`flatten([1, [2, [3]], []])`, `[1 2 [3]]`},
	{`floor(1.9)`, `1`},
	{`floor(-1.1)`, `-2`},
	{`floor(5)`, `5`},
	{`round(1.5)`, `2`},
	{`round(-1.5)`, `-2`},
	{`round(2.4)`, `2`},
	{`if(ok, 1, 1 / 0)`, `1`},
	{`if('no', 1 / 0, 'b')`, `"b"`},
	{`map(xs, v => v * 2)`, `[6 2 4]`},
	{`map(rows, r => r.id)`, `[1 2]`},
	{`map(none, v => v)`, `[]`},
	{`filter(rows, r => r.ok)`, `[{id:1 ok:true}]`},
	{`reduce(xs, 0, (acc, v) => acc + v)`, `6`},
	{`reduce(none, 'x', (acc, v) => acc)`, `"x"`},
	{`reduce(xs, [], (acc, v) => concat([v], acc))`, `[2 1 3]`},
	{`map(xs, v => map([v], v => v + 1)[0] + v)`, `[7 3 5]`},
	{`map(xs, name => name)`, `[3 1 2]`},
	{`map([[1, 2]], v => v[1])`, `[2]`},
}

func TestEval(t *testing.T) {
	for _, c := range evaluations {
		got, err := Eval(parse(t, c.text), world)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
		} else if show(got) != c.want {
			t.Errorf("%s = %s, want %s", c.text, show(got), c.want)
		}
	}
}

var failures = []struct{ text, at, message string }{
	{`1 < 'a'`, `1 < 'a'`, `< takes two numbers or two strings, not an int and a string`},
	{`ok > 1`, `ok > 1`, `> takes two numbers or two strings, not a bool and an int`},
	{`none < 1`, `none < 1`, `< takes two numbers or two strings, not nil and an int`},
	{`'a' + ok`, `'a' + ok`, `+ takes numbers, or a string and a string or number, not a string and a bool`},
	{`1 + xs + 2`, `1 + xs`, `+ takes numbers, or a string and a string or number, not an int and a list`},
	{`'a' - 1`, `'a' - 1`, `- takes numbers, not a string and an int`},
	{`true && 1 / 0`, `1 / 0`, `division by zero`},
	{`1 % 0`, `1 % 0`, `division by zero`},
	{`1.5 / 0`, `1.5 / 0`, `division by zero`},
	{`1.5 / 0.0`, `1.5 / 0.0`, `division by zero`},
	{`1.5 % 2`, `1.5 % 2`, `% takes ints, not a number with a fraction`},
	{`9223372036854775807 + 1`, `9223372036854775807 + 1`, `the result does not fit in 64 bits`},
	{`-9223372036854775807 - 2`, `-9223372036854775807 - 2`, `the result does not fit in 64 bits`},
	{`4611686018427387904 * 2`, `4611686018427387904 * 2`, `the result does not fit in 64 bits`},
	{`(-9223372036854775807 - 1) / -1`, `(-9223372036854775807 - 1) / -1`, `the result does not fit in 64 bits`},
	{`(-9223372036854775807 - 1) * -1`, `(-9223372036854775807 - 1) * -1`, `the result does not fit in 64 bits`},
	{`-(-9223372036854775807 - 1)`, `-(-9223372036854775807 - 1)`, `the result does not fit in 64 bits`},
	{`-name`, `-name`, `- takes a number, not a string`},
	{`xs['a']`, `'a'`, `a list is indexed by an int, not a string`},
	{`m[0]`, `0`, `a map is indexed by a string, not an int`},
	{`'abc'[0]`, `'abc'[0]`, `a string has no elements`},
	{`nope(1)`, `nope(1)`, `there is no function nope`},
	{`length()`, `length()`, `length takes 1 argument, not 0`},
	{`concat()`, `concat()`, `concat takes 1 argument or more, not 0`},
	{`length(1)`, `1`, `length takes a string, list or map, not an int`},
	{`concat(xs, 'a')`, `'a'`, `concat takes a list, not a string`},
	{`contains('abc', 'a')`, `'abc'`, `contains takes a list, not a string`},
	{`join(xs, 1)`, `1`, `the separator of join must be a string, not an int`},
	{`tail(xs, 'a')`, `'a'`, `argument 2 of tail must be an int, not a string`},
	{`slice(xs, 0, 1.5)`, `1.5`, `argument 3 of slice must be an int, not a float`},
	{`keys(xs)`, `xs`, `keys takes a map, not a list`},
	{`sum([1, 'a'])`, `[1, 'a']`, `sum takes numbers, but element 1 is a string`},
	{`sum([9223372036854775807, 1])`, `[9223372036854775807, 1]`, `the result does not fit in 64 bits`},
	{`min(['a'])`, `['a']`, `min takes numbers, not a string`},
	{`max(1)`, `1`, `max takes a list, not an int`},
	{`floor('a')`, `'a'`, `floor takes a number, not a string`},
	{`map(m, v => v)`, `m`, `map takes a list, not a map`},
	{`1 + map(xs, v => v / 0)[0]`, `v / 0`, `division by zero`},
}

func TestEvalErrors(t *testing.T) {
	for _, c := range failures {
		v, err := Eval(parse(t, c.text), world)
		var e *Error
		if !errors.As(err, &e) {
			t.Errorf("%s = %s, want an error", c.text, show(v))
			continue
		}
		if e.Message != c.message {
			t.Errorf("%s:\n got %s\nwant %s", c.text, e.Message, c.message)
		}
		if at := c.text[e.Span.Start:e.Span.End]; at != c.at {
			t.Errorf("%s fails at %q, want %q", c.text, at, c.at)
		}
	}
}

func TestBudgets(t *testing.T) {
	list := func(n int) []any {
		out := make([]any, n)
		for i := range out {
			out[i] = int64(i)
		}
		return out
	}
	env := tree{"input": map[string]any{"some": list(300), "most": list(MaxVisits), "over": list(MaxVisits + 1), "long": strings.Repeat("x", MaxText)}}
	for text, message := range map[string]string{
		`map(most, v => v)`:     "",
		`sum(most)`:             "",
		`length(over)`:          "",
		`if(true, over, 1)`:     "",
		`map(over, v => v)`:     "the evaluation visits more than 100000 elements",
		`sum(over)`:             "the evaluation visits more than 100000 elements",
		`sum(most) + sum(most)`: "the evaluation visits more than 100000 elements",
		`map(some, v => map(some, w => map(some, x => x)))`:    "the evaluation visits more than 100000 elements",
		`reduce(some, [1], (acc, v) => [acc, acc])`:            "the evaluation visits more than 100000 elements",
		`reduce(some, {}, (acc, v) => {a: acc, b: acc})`:       "the evaluation visits more than 100000 elements",
		`reduce(some, [1], (acc, v) => concat(acc, acc))`:      "the evaluation visits more than 100000 elements",
		`reduce(some, [1], (acc, v) => map([1, 2], w => acc))`: "the evaluation visits more than 100000 elements",
		`reduce(some, 'x', (acc, v) => acc + acc)`:             "the text grows beyond 5242880 bytes",
		`long + 'x'`:            "the text grows beyond 5242880 bytes",
		`join([long, 'x'], '')`: "the text grows beyond 5242880 bytes",
	} {
		_, err := Eval(parse(t, text), env)
		if got := fmt.Sprint(err); got != message && !(err == nil && message == "") {
			t.Errorf("%s: %v, want %q", text, err, message)
		}
	}
}

func TestDeepestTree(t *testing.T) {
	deep := strings.Repeat("(", syntax.MaxDepth-1) + "1" + strings.Repeat(" + 1)", syntax.MaxDepth-1)
	if v, err := Eval(parse(t, deep), nil); err != nil || v != int64(syntax.MaxDepth) {
		t.Errorf("got %v, %v", v, err)
	}
	if v, err := Eval(parse(t, "1"+strings.Repeat(" + 1", 50_000)), nil); err != nil || v != int64(50_001) {
		t.Errorf("got %v, %v", v, err)
	}
}

func TestTruthy(t *testing.T) {
	for _, v := range []any{nil, false, int64(0), 0.0, "", " ", "false", " No\n", "0", "FALSE", []any{}, map[string]any{}} {
		if Truthy(v) {
			t.Errorf("%#v is true", v)
		}
	}
	for _, v := range []any{true, int64(-1), 0.1, "yes", "00", "off", "nil", []any{nil}, map[string]any{"": nil}} {
		if !Truthy(v) {
			t.Errorf("%#v is false", v)
		}
	}
}

func TestSpelledOut(t *testing.T) {
	for _, c := range []struct {
		v    any
		want string
	}{
		{nil, ``}, {"a\n", "a\n"}, {true, `true`}, {int64(-3), `-3`}, {1.5, `1.5`}, {3.0, `3`}, {1e21, `1e+21`},
		{[]any{}, `[]`}, {[]any{nil, "<a>", int64(1)}, `[null,"<a>",1]`},
		{map[string]any{"b": int64(1), "a": []any{true}}, `{"a":[true],"b":1}`}, {math.Inf(1), ``},
	} {
		if got := SpelledOut(c.v); got != c.want {
			t.Errorf("SpelledOut(%#v) = %q, want %q", c.v, got, c.want)
		}
	}
}

func TestNormalize(t *testing.T) {
	in := map[string]any{
		"a": []any{int(1), int8(2), uint16(3), uint64(4), float32(0.5), json.Number("5"), json.Number("5.5"), json.Number("1e2")},
		"b": []string{"x"}, "c": map[string]string{"k": "v"}, "d": []map[string]any{{"e": nil}},
	}
	got, err := Normalize(in)
	if want := `{a:[1 2 3 4 0.5f 5 5.5f 100f] b:["x"] c:{k:"v"} d:[{e:nil}]}`; err != nil || show(got) != want {
		t.Errorf("got %s, %v; want %s", show(got), err, want)
	}
	cycle := []any{nil}
	cycle[0] = cycle
	for _, bad := range []any{struct{}{}, math.NaN(), math.Inf(-1), json.Number("x"), []any{[]any{make(chan int)}}, cycle} {
		if v, err := Normalize(bad); err == nil {
			t.Errorf("Normalize(%T) = %v", bad, v)
		}
	}
	if v, err := Normalize(uint64(math.MaxUint64)); err != nil || v != float64(math.MaxUint64) {
		t.Errorf("a large uint64 gives %v, %v", v, err)
	}
}

// strange answers every look-up with something that is no value.
type strange struct{ v any }

func (s strange) Lookup([]string) (any, bool) { return s.v, true }

// TestEvalIsTotal evaluates random trees, among them such as no parser makes,
// under random values: there is a value or an error with a place, no panic.
func TestEvalIsTotal(t *testing.T) {
	cycle := map[string]any{}
	cycle["a"] = []any{cycle, nil}
	values := []any{
		nil, true, int64(-1), int64(math.MinInt64), 1.5, math.NaN(), math.Inf(1), "a", "0", []any{int64(1), "b", nil, []any{}},
		map[string]any{"a": int64(1)}, cycle, json.Number("7"), struct{}{}, []any{struct{}{}, int8(1)},
	}
	rapid.Check(t, func(t *rapid.T) {
		n := drawNode(t, 4)
		env := strange{rapid.SampledFrom(values).Draw(t, "env")}
		v, err := Eval(n, env)
		if err != nil && (v != nil || err.Error() == "") {
			t.Fatalf("got %v with %v", v, err)
		}
		Truthy(v)
		SpelledOut(v)
	})
}

func drawNode(t *rapid.T, depth int) *syntax.Node {
	kinds := []syntax.Kind{syntax.Literal, syntax.Path, syntax.Local}
	if depth > 0 {
		kinds = append(kinds, syntax.Unary, syntax.Binary, syntax.Index, syntax.Call, syntax.Call, syntax.Lambda, syntax.List, syntax.Object, syntax.Invalid, syntax.Object+1)
	}
	n := &syntax.Node{Kind: rapid.SampledFrom(kinds).Draw(t, "kind")}
	if n.Kind == syntax.Literal {
		n.Value = rapid.SampledFrom([]any{true, int64(0), int64(2), 1.5, "a"}).Draw(t, "value")
		return n
	}
	for range rapid.IntRange(0, 3).Draw(t, "names") {
		n.Names = append(n.Names, syntax.Segment{Name: rapid.SampledFrom([]string{"a", "b", "vars"}).Draw(t, "name")})
	}
	if depth == 0 {
		return n
	}
	if n.Kind == syntax.Call {
		f := rapid.SampledFrom(syntax.Functions).Draw(t, "function")
		n.Names = []syntax.Segment{{Name: f.Name}}
	}
	for range rapid.IntRange(0, 3).Draw(t, "args") {
		n.Args = append(n.Args, drawNode(t, depth-1))
	}
	for range rapid.IntRange(0, 2).Draw(t, "ops") {
		n.Ops = append(n.Ops, syntax.Operator{Op: syntax.Op(rapid.IntRange(0, 20).Draw(t, "op"))})
	}
	return n
}

func FuzzEval(f *testing.F) {
	for _, c := range evaluations {
		f.Add(c.text)
	}
	for _, c := range failures {
		f.Add(c.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		n, err := syntax.Parse(text)
		if err != nil {
			return
		}
		v, err := Eval(n, world)
		class := ClassOf(n, func([]string) Class { return Unknown })
		if err != nil {
			if e := err.(*Error); e.Span.Start >= e.Span.End || int(e.Span.End) > len(text) {
				t.Fatalf("%q fails at %v: %v", text, e.Span, e)
			}
			return
		}
		if _, err := Normalize(v); err != nil {
			t.Fatalf("%q gives no value: %v", text, err)
		}
		if got := classOfResult(v); class != Unknown && got != class {
			t.Fatalf("%q has class %v and gives %v", text, class, got)
		}
	})
}

// classOfResult is the class of a value found at run time.
func classOfResult(v any) Class {
	switch v.(type) {
	case []any:
		return List
	case map[string]any:
		return Map
	}
	return classOfValue(v)
}
