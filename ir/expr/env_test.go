package expr

import (
	"reflect"
	"strings"
	"testing"
)

func env(name string) (string, bool) {
	v, ok := map[string]string{"A": "one", "EMPTY": "", "NAME": "A", "LOOP": "${A}", "X-y": "dash"}[name]
	return v, ok
}

func TestExpandEnv(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{``, ``}, {`plain`, `plain`}, {`${A}`, `one`}, {`<$A>`, `<one>`}, {`$A1 $A.b`, ` one.b`},
		{`${NONE}`, ``}, {`${NONE:-d}`, `d`}, {`${EMPTY:-d}`, `d`}, {`${EMPTY}`, ``}, {`${A:-d}`, `one`}, {`${NONE:-}`, ``},
		{`${NONE:-${EMPTY:-${A}}}`, `one`}, {`${NONE:-a $A b}`, `a one b`}, {`${NONE:-a:-b}`, `a:-b`},
		{`${${NAME}}`, `one`}, {`${${NAME}:-d}`, `one`}, {`${${NONE:-A}}`, `one`},
		{`${LOOP}`, `${A}`}, {`${X-y}`, `dash`}, {`${A:+b}`, ``}, {`${A-b}`, ``},
		{`100$`, `100$`}, {`x${`, `x${`}, {`${}`, `${}`}, {`$1 $$A $ A`, `$1 $one $ A`},
		{`${A`, `${A`}, {`${NONE:-${A}`, `${NONE:-one`}, {`${NONE:-{"k":1}}`, `{"k":1}`}, {`}${A}}`, `}one}`},
	} {
		if got := ExpandEnv(c.text, env); got != c.want {
			t.Errorf("ExpandEnv(%s) = %q, want %q", c.text, got, c.want)
		}
	}
	if got := ExpandBraced(`$A ${A} ${NONE:-$A}`, env); got != `$A one $A` {
		t.Errorf("ExpandBraced gives %q", got)
	}
}

func TestEnvNesting(t *testing.T) {
	nest := func(n int) string { return strings.Repeat("${N:-", n) + "x" + strings.Repeat("}", n) }
	if got := ExpandEnv(nest(maxEnvDepth), env); got != "x" {
		t.Errorf("at the limit: %q", got)
	}
	if got := ExpandEnv(nest(maxEnvDepth+2), env); got != "${N:-${N:-x}}" {
		t.Errorf("beyond the limit: %q", got)
	}
	if n := len(EnvRefs(nest(maxEnvDepth + 2))); n != maxEnvDepth {
		t.Errorf("%d references beyond the limit", n)
	}
	if got := ExpandEnv(nest(300_000), env); !strings.HasPrefix(got, "${N:-") {
		t.Errorf("far beyond the limit: %.20q", got)
	}
}

func TestEnvRefs(t *testing.T) {
	for text, want := range map[string][]EnvRef{
		`plain 100$ x${ ${}`: nil,
		`$A ${B} ${C:-}`:     {{Name: "A"}, {Name: "B"}, {Name: "C", HasDefault: true}},
		`${A:-${B}$C}`:       {{Name: "A", HasDefault: true}, {Name: "B"}, {Name: "C"}},
		`${${B}:-x}`:         {{Name: "${B}", HasDefault: true, Computed: true}, {Name: "B"}},
		`${A:+b} ${A-b}`:     {{Name: "A:+b"}, {Name: "A-b"}},
		`${A:-{x}} ${B`:      {{Name: "A", HasDefault: true}},
	} {
		if got := EnvRefs(text); !reflect.DeepEqual(got, want) {
			t.Errorf("EnvRefs(%s) = %+v, want %+v", text, got, want)
		}
	}
}

func FuzzExpandEnv(f *testing.F) {
	for _, text := range []string{`${A:-${B}}`, `$A$`, `${${NAME}:-x}`, `}}${${`} {
		f.Add(text)
	}
	none := func(string) (string, bool) { return "", false }
	f.Fuzz(func(t *testing.T, text string) {
		got := ExpandEnv(text, none)
		if len(got) > len(text) {
			t.Fatalf("%q grows to %q in an empty environment", text, got)
		}
		if len(EnvRefs(text)) == 0 && got != text {
			t.Fatalf("%q has no references and becomes %q", text, got)
		}
	})
}
