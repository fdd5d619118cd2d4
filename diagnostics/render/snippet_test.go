package render

import (
	"strings"
	"testing"
	"unicode"

	"iterion/ast/source"
	"iterion/diagnostics"
)

func span(line, column, endLine, endColumn int) diagnostics.Range {
	return diagnostics.Range{Start: source.Position{Line: line, Column: column},
		End: source.Position{Line: endLine, Column: endColumn}}
}

func TestDraw(t *testing.T) {
	long := strings.Repeat("0123456789", 20)
	for name, c := range map[string]struct {
		line        string
		r           diagnostics.Range
		code, below string
	}{
		"exact":           {`a: b`, span(7, 4, 7, 5), `a: b`, `   ^`},
		"empty range":     {`abc`, span(7, 2, 7, 2), `abc`, ` ^`},
		"end of line":     {`abc`, span(7, 4, 7, 4), `abc`, `   ^`},
		"past the line":   {`abc`, span(7, 9, 7, 12), `abc`, `   ^`},
		"several lines":   {`abc`, span(7, 2, 9, 1), `abc`, ` ^^ …`},
		"tab":             {"\tab", span(7, 2, 7, 3), `    ab`, `    ^`},
		"wide":            {`日本x`, span(7, 2, 7, 4), `日本x`, `  ^^^`},
		"combining":       {"e\u0301x", span(7, 3, 7, 4), "e\u0301x", ` ^`},
		"bidi":            {"a\u202eb", span(7, 3, 7, 4), `a\u202eb`, `       ^`},
		"not UTF-8":       {"a\xffb", span(7, 2, 7, 3), `a\xffb`, ` ^^^^`},
		"byte order mark": {source.BOM + "dsl", span(1, 1, 1, 4), `dsl`, `^^^`},
		"long, at start":  {long, span(7, 3, 7, 5), long[:100] + `…`, `  ^^`},
		"long, inside":    {long, span(7, 101, 7, 103), `…` + long[60:160] + `…`, strings.Repeat(` `, 41) + `^^`},
		"long, at end":    {long, span(7, 201, 7, 201), `…` + long[160:], strings.Repeat(` `, 41) + `^`},
		"longer than the window": {long, span(7, 1, 7, 201), long[:100] + `…`,
			strings.Repeat(`^`, 100) + ` …`},
	} {
		d := draw(c.line, c.r)
		if d.code != c.code || d.indent+d.marks != c.below {
			t.Errorf("%s:\n%s\n%s\nwant\n%s\n%s", name, d.code, d.indent+d.marks, c.code, c.below)
		}
		if len(d.gutter) != len(d.margin) {
			t.Errorf("%s: the two rows start at different columns", name)
		}
	}
}

func TestEscape(t *testing.T) {
	for in, want := range map[string]string{
		"plain é 日本 ✔\ufe0f":       "plain é 日本 ✔\ufe0f",
		"a\nb\r\tc\x00\x7f":        `a\nb\r\tc\u0000\u007f`,
		"\x1b[31m":                 `\u001b[31m`,
		"\u202e\u2066\u200b\u00ad": `\u202e\u2066\u200b\u00ad`,
		"\u2028\ufeff\u3164":       `\u2028\ufeff\u3164`,
		"\U000e0041\U000e0101":     `\U000e0041\U000e0101`,
		"\xff\ufffd":               `\xff` + "\ufffd",
	} {
		if got := escape(in); got != want {
			t.Errorf("escape(%q) = %s, want %s", in, got, want)
		}
	}
}

func FuzzDraw(f *testing.F) {
	f.Add("a\tb\u202e日", 1, 2, 1, 4)
	f.Fuzz(func(t *testing.T, line string, l, c, el, ec int) {
		d := draw(line, span(l, c, el, ec))
		for _, r := range d.gutter + d.code + d.margin + d.indent + d.marks {
			if unicode.IsControl(r) {
				t.Errorf("%q shows the control %U", line, r)
			}
		}
		if !strings.Contains(d.marks, "^") {
			t.Errorf("%q has no underline", line)
		}
	})
}
