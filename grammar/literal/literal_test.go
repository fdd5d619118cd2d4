package literal

import (
	"testing"

	"iterion/ast"
)

func TestValue(t *testing.T) {
	cases := []struct {
		kind ast.Kind
		src  string
		mode Mode
		want string
	}{
		{ast.String, `"a\"b\n"`, 0, `a\"b\n`},
		{ast.String, `"a\"b\n\\\t\r\0"`, Strict, "a\"b\n\\\t\r\x00"},
		{ast.Raw, "`a\\n\"`", Strict, `a\n"`},
		{ast.Scalar, "    a\n\n      b\n   \n    c", 0, "a\n\n  b\n\nc\n"},
		{ast.Body, "  a\n\n    b  ", 0, "a\n  b  "},
		{ast.Body, "  a\n   \n    b", KeepBlanks, "a\n\n  b"},
		{ast.Ident, "claw", Strict, "claw"},
	}
	for _, c := range cases {
		if got := Value(c.kind, c.src, c.mode); got != c.want {
			t.Errorf("Value(%q) = %q, want %q", c.src, got, c.want)
		}
	}
}

// Every byte of a value that stands in the source as itself maps to itself.
func TestOffset(t *testing.T) {
	for _, c := range []struct {
		kind ast.Kind
		src  string
		mode Mode
	}{
		{ast.String, `"abc"`, 0}, {ast.String, `"a\"b\\c"`, Strict}, {ast.String, `"a\"b"`, 0}, {ast.Raw, "`a\nb`", 0},
		{ast.Scalar, "    a\n\n      b\n    c", 0}, {ast.Body, "  a\n\n    b c", 0}, {ast.Body, "  a\n \n    b c", KeepBlanks},
	} {
		value := Value(c.kind, c.src, c.mode)
		for i := range value {
			o := Offset(c.kind, c.src, c.mode, i)
			if value[i] == '\n' {
				continue
			}
			got := c.src[o]
			if got == '\\' && c.mode&Strict != 0 {
				got = c.src[o+1]
			}
			if got != value[i] {
				t.Errorf("%q: value byte %d %q maps to %q", c.src, i, value[i], got)
			}
		}
	}
}
