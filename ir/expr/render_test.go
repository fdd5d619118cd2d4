package expr

import (
	"os/exec"
	"strings"
	"testing"
)

func TestShellRender(t *testing.T) {
	list, mixed := []any{"a b", int64(1)}, []any{"a", []any{}}
	for _, c := range []struct {
		v        any
		declared string
		want     string
		ok       bool
	}{
		{"it's", "", `'it'\''s'`, true},
		{"", "string", `''`, true},
		{int64(3), "int", `'3'`, true},
		{0.5, "", `'0.5'`, true},
		{true, "bool", `'true'`, true},
		{nil, "", ``, false},
		{nil, "string", ``, false},
		{nil, "string[]", ``, false},
		{nil, "json", `'null'`, true},
		{[]any{}, "json", `'[]'`, true},
		{list, "json", `'["a b",1]'`, true},
		{"x'y", "json", `'x'\''y'`, true},
		{map[string]any{"b": "'", "a": int64(1)}, "json", `'{"a":1,"b":"'\''"}'`, true},
		{list, "string[]", `'a b' '1'`, true},
		{[]any{}, "string[]", ``, true},
		{list, "", `'a b' '1'`, true},
		{mixed, "", `'["a",[]]'`, true},
		{mixed, "string[]", `'a' '[]'`, true},
		{map[string]any{}, "", `'{}'`, true},
	} {
		if got, ok := ShellRender(c.v, c.declared); got != c.want || ok != c.ok {
			t.Errorf("ShellRender(%v, %q) = %s, %v; want %s, %v", c.v, c.declared, got, ok, c.want, c.ok)
		}
	}
}

// TestShellWordsArriveWhole hands hostile strings to a real shell.
func TestShellWordsArriveWhole(t *testing.T) {
	words := []any{
		"", " ", "'", "''", `\`, `\'`, `"`, "$HOME", "$(echo x)", "`echo x`", "a\nb", "\n", "*", "~", "!!", "-n", ";exit 1", "é🚀", "\t", "%s", "\x01", "a'b\"c$d`e\\",
	}
	line, _ := ShellRender(words, "string[]")
	out, err := exec.Command("bash", "-c", `printf '%s\0' `+line).Output()
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	if len(got) != len(words) {
		t.Fatalf("%d words arrive as %d: %q", len(words), len(got), got)
	}
	for i, w := range words {
		if got[i] != w {
			t.Errorf("%q arrives as %q", w, got[i])
		}
	}
}

func TestScriptLiteral(t *testing.T) {
	for want, v := range map[string]any{
		`null`: nil, `"a\n\"<"`: "a\n\"<", `3`: int64(3), `[1,"x"]`: []any{int64(1), "x"}, `{"a":null}`: map[string]any{"a": nil},
	} {
		if got := ScriptLiteral(v); got != want {
			t.Errorf("ScriptLiteral(%v) = %s, want %s", v, got, want)
		}
	}
}

func TestTextRender(t *testing.T) {
	for want, v := range map[string]any{``: nil, `as is`: "as is", `[1,null]`: []any{int64(1), nil}} {
		if got := TextRender(v); got != want {
			t.Errorf("TextRender(%v) = %s, want %s", v, got, want)
		}
	}
}
