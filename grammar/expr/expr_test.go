package expr

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"iterion/ast/source"
)

// outline writes a tree as an S-expression: paths as $a.b, locals as %v.
func outline(n *Node) string {
	var parts []string
	for _, arg := range n.Args {
		parts = append(parts, outline(arg))
	}
	var names []string
	for _, s := range n.Names {
		names = append(names, s.Name)
	}
	joined, name := strings.Join(parts, " "), strings.Join(names, ".")
	switch n.Kind {
	case Literal:
		return fmt.Sprintf("%#v", n.Value)
	case Path:
		return "$" + name
	case Local:
		return "%" + name
	case Unary, Binary:
		var ops []string
		for _, op := range n.Ops {
			ops = append(ops, op.Op.String())
		}
		return "(" + strings.Join(ops, " ") + " " + joined + ")"
	case Index:
		return strings.TrimSuffix("(at "+joined+" ."+name, " .") + ")"
	case Call:
		return strings.TrimSpace("(call "+name+" "+joined) + ")"
	case Lambda:
		return "(fn " + name + " " + joined + ")"
	case List:
		return "[" + joined + "]"
	case Object:
		return "{" + strings.Join(names, ",") + ": " + joined + "}"
	}
	return "?"
}

var accepted = []struct{ text, tree string }{
	{`1`, `1`},
	{`1.50`, `1.5`},
	{`'it\'s\n\t\q\\'`, `"it's\n\tq\\"`},
	{`"a 'b'"`, `"a 'b'"`},
	{`true`, `true`},
	{`false`, `false`},
	{`9223372036854775807`, `9223372036854775807`},
	{`vars.x.y`, `$vars.x.y`},
	{"  a\n.\tb ", `$a.b`},
	{`outputs.lint.scan.issues`, `$outputs.lint.scan.issues`},
	{`a.not.and.true`, `$a.not.and.true`},
	{`a or b || c`, `(|| || $a $b $c)`},
	{`a and b && c or d`, `(|| (&& && $a $b $c) $d)`},
	{`!a == b`, `(! (== $a $b))`},
	{`not not a && b`, `(&& (! (! $a)) $b)`},
	{`a && !b`, `(&& $a (! $b))`},
	{`(!a) == b`, `(== (! $a) $b)`},
	{`1 + 2 - 3 * 4 / 5 % 6`, `(+ - 1 2 (* / % 3 4 5 6))`},
	{`1 - (2 - 3)`, `(- 1 (- 2 3))`},
	{`a + b < c * 2 && d`, `(&& (< (+ $a $b) (* $c 2)) $d)`},
	{`- -a * b`, `(* (- (- $a)) $b)`},
	{`-xs[0]`, `(- (at $xs 0))`},
	{`xs[i + 1].name.first[0]`, `(at (at $xs (+ $i 1) .name.first) 0)`},
	{`(a)[0]`, `(at $a 0)`},
	{`'abc'[0]`, `(at "abc" 0)`},
	{`f()`, `(call f)`},
	{`length(xs) > 0`, `(> (call length $xs) 0)`},
	{`keys(m)[0].x`, `(at (call keys $m) 0 .x)`},
	{`nope(1, 2)`, `(call nope 1 2)`},
	{`length()`, `(call length)`},
	{`[]`, `[]`},
	{`[1, [a], 'x']`, `[1 [$a] "x"]`},
	{`{}`, `{: }`},
	{`{a: 1, 'b c': {d: 2}}`, `{a,b c: 1 {d: 2}}`},
	{`map(xs, v => v.a + w)`, `(call map $xs (fn v (+ %v.a $w)))`},
	{`reduce(xs, 0, (acc, v) => acc + v)`, `(call reduce $xs 0 (fn acc.v (+ %acc %v)))`},
	{`map(map(a, v => v), w => v)`, `(call map (call map $a (fn v %v)) (fn w $v))`},
	{`map(xs, v => filter(ys, w => w == v))`, `(call map $xs (fn v (call filter $ys (fn w (== %w %v)))))`},
	{`nope(v => v)`, `(call nope (fn v %v))`},
	{`map(xs)`, `(call map $xs)`},
	{`f((a), (b))`, `(call f $a $b)`},
	{`if(outputs.listen.url, outputs.listen.url, 'none')`, `(call if $outputs.listen.url $outputs.listen.url "none")`},
}

func TestParse(t *testing.T) {
	for _, c := range accepted {
		n, err := Parse(c.text)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if got := outline(n); got != c.tree {
			t.Errorf("%s:\n got %s\nwant %s", c.text, got, c.tree)
		}
	}
}

var refused = []struct {
	text, at, message string // at: the text under the error's span
}{
	{``, ``, `the expression is empty`},
	{"  \n", ``, `the expression is empty`},
	{`{{input.x}} > 1`, `{{input.x}}`, `an expression holds no {{…}}: write input.x, not {{input.x}}`},
	{`a > {{ vars.n }}`, `{{ vars.n }}`, `an expression holds no {{…}}: write vars.n, not {{ vars.n }}`},
	{`{{input.x`, `{{`, `an expression holds no {{…}}: write input.x, not {{input.x}}`},
	{`a = 1`, `=`, `= is no operator: compare with ==`},
	{`a & b`, `&`, `& is no operator: write && or and`},
	{`a | b`, `|`, `| is no operator: write || or or`},
	{`a == \"x\"`, `\`, `a backslash has no meaning outside a string: quote strings with '…' to need none`},
	{`é`, `é`, `'é' has no meaning in an expression`},
	{`a == "x`, `"x`, `the string is not closed: it needs another "`},
	{`'x\'`, `'x\'`, `the string is not closed: it needs another '`},
	{`a < b < c`, `<`, `comparisons do not chain: join two of them with && or use parentheses`},
	{`a == !b`, `!`, `! takes a whole comparison and may not stand behind an operator that binds tighter: put it in parentheses`},
	{`a &&`, ``, `a value is missing before the end: a name, number, string, list, map or ( is accepted here`},
	{`a b`, `b`, `expected an operator or the end, found b`},
	{`a)`, `)`, `) closes nothing`},
	{`(a`, ``, `expected ) to close the parenthesis, found the end`},
	{`a[1`, ``, `expected ] behind the index, found the end`},
	{`a[]`, `]`, `a value is missing before ]: a name, number, string, list, map or ( is accepted here`},
	{`a.1`, `1`, `expected a name behind the dot, found 1`},
	{`a.`, ``, `expected a name behind the dot, found the end`},
	{`(a).b`, `.`, `a dot may only stand between names or behind an index`},
	{`a[0](1)`, `(`, `only a function's name may stand before (`},
	{`[1, 2,]`, `,`, `remove the , before ]: a trailing comma is not accepted`},
	{`f(1,)`, `,`, `remove the , before ): a trailing comma is not accepted`},
	{`{a: 1,}`, `,`, `remove the , before }: a trailing comma is not accepted`},
	{`{a: 1, "a": 2}`, `a`, `the key "a" stands twice in this map`},
	{`{1: 2}`, `1`, `a key is missing before 1: a name or a string is accepted here`},
	{`{a 1}`, `1`, `expected : behind the key, found 1`},
	{`[1 2]`, `2`, `expected ] or , behind the element, found 2`},
	{`f(a b)`, `b`, `expected ) or , behind the argument, found b`},
	{`v => v`, `v`, `a function may only stand as an argument of map, filter or reduce`},
	{`length(v => v)`, `v => v`, `argument 1 of length may not be a function: write length(value)`},
	{`map(xs, 1)`, `1`, `argument 2 of map must be a function: write map(list, v => expression)`},
	{`filter(xs, (a, b) => a)`, `(a, b) => a`, `the function given to filter binds 1, not 2: write filter(list, v => condition)`},
	{`map(xs, vars => 1)`, `vars`, `vars is a namespace and cannot name a parameter: choose another word`},
	{`9223372036854775808`, `9223372036854775808`, `9223372036854775808 does not fit in 64 bits`},
	{`1e9`, `e9`, `expected an operator or the end, found e9`},
}

func TestParseErrors(t *testing.T) {
	for _, c := range refused {
		_, err := Parse(c.text)
		var e *Error
		if !errors.As(err, &e) {
			t.Errorf("%s: no error", c.text)
			continue
		}
		if e.Message != c.message {
			t.Errorf("%s:\n got %s\nwant %s", c.text, e.Message, c.message)
		}
		if at := c.text[e.Span.Start:e.Span.End]; at != c.at {
			t.Errorf("%s: error at %q, want %q", c.text, at, c.at)
		}
		if e.Span.Start == 0 && strings.HasSuffix(e.Message, "the end") {
			t.Errorf("%s: an error at the end has offset 0", c.text)
		}
	}
}

func TestDepth(t *testing.T) {
	nest := func(open, inner, shut string, n int) string {
		return strings.Repeat(open, n) + inner + strings.Repeat(shut, n)
	}
	forms := map[string]func(n int) string{
		"parentheses": func(n int) string { return nest("(", "a", ")", n) },
		"lists":       func(n int) string { return nest("[", "a", "]", n) },
		"maps":        func(n int) string { return nest("{k: ", "a", "}", n) },
		"calls":       func(n int) string { return nest("f(", "a", ")", n) },
		"not":         func(n int) string { return nest("!", "a", "", n) },
		"minus":       func(n int) string { return nest("-", "a", "", n) },
		"indexes":     func(n int) string { return "a" + strings.Repeat("[0]", n) },
	}
	for name, form := range forms {
		if _, err := Parse(form(MaxDepth)); err != nil {
			t.Errorf("%s at the limit: %v", name, err)
		}
		if _, err := Parse(form(MaxDepth + 1)); err == nil || err.Error() != tooDeep {
			t.Errorf("%s beyond the limit: %v", name, err)
		}
		if _, err := Parse(form(20_000)); err == nil || err.Error() != tooDeep {
			t.Errorf("%s far beyond the limit: %v", name, err)
		}
	}
}

func TestLongChainsDoNotNest(t *testing.T) {
	n, err := Parse("a" + strings.Repeat(" + a", 100_000))
	if err != nil {
		t.Fatal(err)
	}
	if len(n.Args) != 100_001 || len(n.Ops) != 100_000 {
		t.Errorf("got %d operands and %d operators", len(n.Args), len(n.Ops))
	}
}

func TestSpans(t *testing.T) {
	const text = `(a) + map(xs, v => v.b)[0].c`
	n, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	at := func(s source.Span) string { return text[s.Start:s.End] }
	Walk(n, func(n *Node) bool {
		got = append(got, at(n.Span))
		for _, s := range n.Names {
			got = append(got, "name "+at(s.Span))
		}
		for _, op := range n.Ops {
			got = append(got, "op "+at(op.Span))
		}
		return n.Kind != Lambda
	})
	want := []string{
		text, "op +", "a", "name a", "map(xs, v => v.b)[0].c", "name c",
		"map(xs, v => v.b)", "name map", "xs", "name xs", "v => v.b", "name v", "0",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestFunctionTable(t *testing.T) {
	for i, f := range Functions {
		if i > 0 && Functions[i-1].Name >= f.Name {
			t.Errorf("%s is out of order", f.Name)
		}
		if got := LookupFunction(f.Name); got == nil || got.Name != f.Name {
			t.Errorf("LookupFunction(%s) = %v", f.Name, got)
		}
		if f.Accepts(f.Min-1) || !f.Accepts(f.Min) || f.Max != Many && f.Accepts(f.Max+1) {
			t.Errorf("%s accepts a wrong count", f.Name)
		}
	}
	if LookupFunction("nope") != nil {
		t.Error("nope is a function")
	}
	if a, b, c := LookupFunction("concat").Arity(), LookupFunction("sort").Arity(), LookupFunction("if").Arity(); a != "1 argument or more" || b != "1 argument" || c != "3 arguments" {
		t.Errorf("arities: %q, %q, %q", a, b, c)
	}
}
