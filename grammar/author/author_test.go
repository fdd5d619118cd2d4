package author_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"iterion/diagnostics"
	"iterion/grammar/author"
	"iterion/grammar/printer"
)

// errorsOf are the codes and places of a document's errors, those of the
// parser included.
func errorsOf(d *author.Document) []string {
	var list []string
	for _, p := range d.Problems {
		if p.Severity == diagnostics.Error {
			at := d.Source.Position(int(p.Span.Start))
			list = append(list, fmt.Sprintf("%d:%d %s", at.Line, at.Column, p.Code))
		}
	}
	for i, decl := range d.AST.Decls {
		for _, p := range decl.Problems {
			at := d.Source.Position(int(d.Place(p.Span.Shift(d.AST.Bases[i])).Start))
			list = append(list, fmt.Sprintf("%d:%d %s", at.Line, at.Column, p.Code))
		}
	}
	return list
}

// What is too large, too deep or made to be expensive is refused at once, by
// one finding.
func TestLimits(t *testing.T) {
	rep := strings.Repeat
	keys := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "  k%d: string\n", i)
		}
		return b.String()
	}
	steps := func(n int, key string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(rep(" ", i) + key + ":\n")
		}
		return b.String()
	}
	laughs := "dsl: 2\na: &a [x]\n"
	for c := 'b'; c < 'j'; c++ {
		laughs += fmt.Sprintf("%c: &%c [%s*%c]\n", c, c, rep(fmt.Sprintf("*%c, ", c-1), 9), c-1)
	}
	for name, text := range map[string]string{
		"size":              "dsl: 2\nx: |\n" + rep("  text\n", 200_000),
		"brackets":          "dsl: 2\nx: " + rep("[", 500_000),
		"closed brackets":   "dsl: 2\nx: " + rep("[", 101) + rep("]", 101) + "\n",
		"braces":            "dsl: 2\nx: " + rep("{a: ", 200_000) + "\n",
		"blocks":            "dsl: 2\n" + steps(120, "a"),
		"many blocks":       "dsl: 2\n" + steps(1_300, "a"),
		"dashes":            "dsl: 2\nx:\n" + rep("- ", 400_000) + "a\n",
		"keys":              "dsl: 2\nvars:\n" + keys(60_000),
		"keys in a row":     "dsl: 2\nx: {" + rep("a: b, ", 100_000) + "}\n",
		"nothings":          "dsl: 2\nx: [" + rep(",", 500_000) + "]\n",
		"empty entries":     "dsl: 2\nx: {" + rep("b,", 400_000) + "}\n",
		"tabs":              "dsl: 2\nx: \"" + rep("\ta", 500_000) + "\"\n",
		"merge marks":       "dsl: 2\nx: " + rep("<", 1_000_000) + "\n",
		"blank lines":       "dsl: 2\nx: |\n  text" + rep("\n", 900_000) + "y: z\n",
		"blank lines of CR": "dsl: 2\nx: |\n  text" + rep("\r", 900_000) + "\ny: z\n",
	} {
		if got := errorsOf(author.Read("a.bot.yaml", text)); len(got) != 1 || !strings.HasSuffix(got[0], "E050") {
			t.Errorf("%s: found %.200q", name, got)
		}
	}
	if got := errorsOf(author.Read("a.bot.yaml", laughs)); len(got) == 0 || slices.ContainsFunc(got, func(s string) bool { return !strings.HasSuffix(s, "E050") }) {
		t.Errorf("laughs: found %q", got)
	}
}

// What lies within the bounds is read.
func TestWithinLimits(t *testing.T) {
	rep := strings.Repeat
	contract := "dsl: 2\ncontracts:\n  c:\n    inputs:\n      p:\n        type: json\n        default: "
	for name, text := range map[string]string{
		"depth":      contract + rep("[", 60) + rep("]", 60) + "\n",
		"brackets":   "dsl: 2\nprompts:\n  p: |\n    " + rep("[{", 100_000) + "\n",
		"long lines": "dsl: 2\nprompts:\n  p: \"" + rep("word ", 100_000) + "end\"\n",
		"many lines": "dsl: 2\nprompts:\n  p: |\n" + rep("    - a: b\n", 60_000),
		"paragraphs": "dsl: 2\nprompts:\n  p: |\n" + rep("    A line.\n\n\n", 20_000) + "    End.\n",
	} {
		d := author.Read("a.bot.yaml", text)
		if got := errorsOf(d); len(got) > 0 || !d.Valid() {
			t.Errorf("%s: found %.200q", name, got)
		}
	}
}

// The spellings of YAML that are not a `.bot`'s are refused where they stand,
// and read where they are texts.
func TestScalars(t *testing.T) {
	for _, c := range []struct{ property, want string }{
		{"max_tokens: 010", "5:17 E051"},
		{"max_tokens: 0x10", "5:17 E051"},
		{"max_tokens: +3", "5:17 E051"},
		{"max_tokens: 1_000", "5:17 E051"},
		{"max_tokens: 1e2", "5:17 E051"},
		{"max_tokens: \"3\"", "5:17 E051"},
		{"max_tokens: 99999999999999999999", "5:17 E020"},
		{"max_tokens: ~", "5:17 E051"},
		{"max_tokens:", "5:5 E051"},
		{"max_tokens: 12", ""},
		{"compaction: {threshold: .5}", "5:29 E051"},
		{"compaction: {threshold: 0.5}", ""},
		{"readonly: True", ""},
		{"readonly: yes", "5:15 E051"},
		{"description: True", "5:18 E051"},
		{"description: 08", "5:18 E051"},
		{"description: null", "5:18 E051"},
		{"description: yes", ""},
		{"description: 2026-01-02", ""},
		{"description: '010'", ""},
		{"description: !!str 3", "5:18 E050"},
		{"description: ! x", "5:18 E050"},
		{"description: [a]", "5:18 E051"},
		{"model: |\n      x", "5:12 E051"},
		{"model: |-\n      x", ""},
		{"session: 'fork'", ""},
		{"session: forks", "5:14 E020"},
		{"tools: [read_file, 3]", "5:24 E051"},
		{"needs: {a: b}", "5:12 E051"},
		{"with: x", "5:5 E012"},
		{"bad key: x", "5:5 E051"},
		{"? x", "5:5 E050"},
	} {
		text := "dsl: 2\nnodes:\n  - agent: a\n    user: \"u\"\n    " + c.property + "\nworkflow:\n  name: w\n"
		if got := strings.Join(errorsOf(author.Read("a.bot.yaml", text)), ", "); got != c.want {
			t.Errorf("%s: found %q, want %q", c.property, got, c.want)
		}
	}
}

// Texts of every style say in the `.bot` what they say in the document.
func TestTexts(t *testing.T) {
	for _, c := range []struct{ written, want string }{
		{"plain text", `"plain text"`},
		{"plain\n      and on\n\n      and more", `"plain and on\nand more"`},
		{`'it''s'`, `"it's"`},
		{`"a\tb\u00e9\U0001F600\x41\"\\"`, `"a	bé😀A\"\\"`},
		{"\"a\n      b\\\n      c\"", `"a bc"`},
		{"|\n      x\n        y", "|\n    x\n      y"},
		{"|-\n      x\n      y", `"x\ny"`},
		{">\n      x\n      y\n\n      z", "|\n    x y\n    z"},
		{"|2\n        x", `"  x\n"`},
		{"|+\n      x\n", `"x\n\n"`},
		{"''", `""`},
		{"http://x/y#z", `"http://x/y#z"`},
		{"a#b", `"a#b"`},
		{"\"x\\r\\ny\"", `"x\r\ny"`},
	} {
		text := "dsl: 2\nnodes:\n  - tool: t\n    command: " + c.written + "\n    goal: g\n"
		d := author.Read("a.bot.yaml", text)
		bot, err := printer.Tree(d.AST)
		if want := "dsl: 2\n\ntool t:\n  command: " + c.want + "\n  goal: \"g\"\n"; err != nil || !d.Valid() || string(bot) != want {
			t.Errorf("%q: %v %v\n%s", c.written, d.Problems, err, bot)
		}
	}
}

// A document of CRLF lines, or behind a byte order mark, is the same document.
func TestLineEnds(t *testing.T) {
	const text = "dsl: 2\nprompts:\n  p: |\n    One.\n    Two {{x}}.\nnodes:\n  - tool: t\n    comand: \"a\n      b\"\n"
	want := errorsOf(author.Read("a.bot.yaml", text))
	for _, other := range []string{strings.ReplaceAll(text, "\n", "\r\n"), "\uFEFF" + text} {
		if got := errorsOf(author.Read("a.bot.yaml", other)); !slices.Equal(got, want) || len(want) == 0 {
			t.Errorf("%q: found %q, want %q", other, got, want)
		}
	}
}
