package printer

import (
	"errors"
	"strings"
	"testing"

	"iterion/ast"
	"iterion/ast/source"
	"iterion/corpus"
	"iterion/grammar/literal"
	"iterion/grammar/parser"
)

// TestBytes covers what a golden cannot hold: marks, line ends, empty files.
func TestBytes(t *testing.T) {
	const plain = "tool t:\n  command: \"true\"\n"
	tests := map[string]struct{ in, want string }{
		"empty":                {"", ""},
		"only blank lines":     {"\n \n\t\n", ""},
		"only a comment":       {"#x", "## x\n"},
		"only comments":        {"\n#x\n\n\n#y\n\n", "## x\n\n## y\n"},
		"byte order mark":      {"\uFEFF" + plain, plain},
		"CRLF":                 {strings.ReplaceAll(plain, "\n", "\r\n"), plain},
		"no newline":           {strings.TrimSuffix(plain, "\n"), plain},
		"newlines at the end":  {plain + "\n\n \n", plain},
		"tabs and blanks":      {"tool\tt\t:\t\n  command:\t\"true\" \t\n", plain},
		"CR in a prompt":       {"prompt p:\n  a\rb\n", "prompt p:\n  a\rb\n"},
		"CR before CRLF":       {"prompt p:\n  a\r\r\n", "prompt p:\n  a\r\r\n"},
		"CR at the very end":   {"prompt p:\n  a\r", "prompt p:\n  a\r\r\n"},
		"comment with last CR": {"#x\r", "## x\r\r\n"},
		"space-only lines":     {"prompt p:\n  a\n   \t\n  b\n", "prompt p:\n  a\n\n  b\n"},
		"bare at the end":      {"schema s:", "schema s:\n"},
		"frontmatter alone":    {"## ---\n#a: b\n## ---\n#x\n", "## ---\n## a: b\n## ---\n\n## x\n"},
		"comma on its own line": {
			"use g as p with {\n  a: \"1\"  # one\n  ,  # two\n  b: \"2\"\n}\n",
			"use g as p with {\n  a: \"1\",  ## one\n  ## two\n  b: \"2\",\n}\n",
		},
	}
	for name, test := range tests {
		got, err := check(source.Load("x.bot", []byte(test.in)))
		if err != nil || string(got) != test.want {
			t.Errorf("%s: %q, %v, want %q", name, got, err, test.want)
		}
	}
}

// TestWidth cuts at 100 code points and not before, the comment not counted.
func TestWidth(t *testing.T) {
	line := func(before, after, letter string, n int) string {
		return before + strings.Repeat(letter, n-len(before)-len(after)) + after
	}
	for _, letter := range []string{"x", "é"} {
		for n, cut := range map[int]bool{width: false, width + 1: true} {
			list := line(`  skills: ["`, `"]`, letter, n)
			with := line(`  a -> b with { k: "`, `" }`, letter, n)
			for text, opener := range map[string]string{
				"agent a:\n" + list + "  ## behind\n": "skills:  ## behind\n    - \"",
				"workflow w:\n" + with + "\n":         "with {\n    k: \"",
			} {
				got, err := check(source.New("x.bot", text))
				if err != nil || got == nil || strings.Contains(string(got), opener) != cut {
					t.Errorf("%d code points: cut %v, %v\n%s", n, !cut, err, got)
				}
				if !cut && string(got) != text {
					t.Errorf("a line of %d code points changed:\n%s", n, got)
				}
			}
		}
	}
}

// TestBroken gives no text for a file with a syntax problem.
func TestBroken(t *testing.T) {
	refused := 0
	for _, c := range corpus.Cases() {
		src := source.Load(c.Name, c.Files[0].Data)
		if len(syntax(parser.File(src))) == 0 {
			continue // a fault of another stage
		}
		refused++
		out, err := Format(src)
		var want *SyntaxError
		if out != nil || !errors.As(err, &want) {
			t.Errorf("%s: %d bytes, %v", c.Name, len(out), err)
		}
	}
	if refused < 30 {
		t.Errorf("only %d broken texts", refused)
	}
}

func TestSyntaxError(t *testing.T) {
	out, err := Format(source.New("x.bot", "vars:\n  a: int = 1\n\nagent a:\n  tools: [a,\n  readonly: true\n  nope: 1\n"))
	if out != nil || err == nil {
		t.Fatalf("formatted %q", out)
	}
	const want = "x.bot:5:10: E002: this `[` is never closed (and 1 more)"
	if err.Error() != want {
		t.Errorf("%q, want %q", err, want)
	}
	var list *SyntaxError
	if !errors.As(err, &list) || len(list.Problems) != 2 || list.Source.Position(int(list.Problems[1].Span.Start)).Line != 7 {
		t.Errorf("problems %+v", list)
	}
}

// TestDirectiveMoves refuses a file whose directive would begin to count.
func TestDirectiveMoves(t *testing.T) {
	text := strings.Repeat("\n", 40) + "## strict-escape: on\ntool t:\n  command: \"a\\n\"\n"
	out, err := Format(source.New("x.bot", text))
	var unsafe *UnsafeError
	if out != nil || !errors.As(err, &unsafe) || unsafe.Reason != profileChanges {
		t.Errorf("%q, %v", out, err)
	}
}

// TestProof finds every kind of damage between two texts.
func TestProof(t *testing.T) {
	const before = `dsl: 2

## leads a
agent a:
  ## leads model
  model: "m/x"  ## behind model
  description: word
  session: "fresh"
  tools: [one, two]
  compaction:
    threshold: 0.5
    ## last in the block
  ## last in the agent

prompt p:
  text

workflow w:
  a -> b when ok with { x: "1", y: "2" }
  ## leads the edge
  b -> c as l(2)
`
	file := func(text string) *ast.File { return parser.File(source.New("x.bot", text)) }
	old := file(before)
	swap := func(from, to string) string {
		if !strings.Contains(before, from) {
			t.Fatalf("the text has no %q", from)
		}
		return strings.Replace(before, from, to, 1)
	}
	same := []string{
		before,
		swap(`description: word`, `description: "word"`),
		swap(`session: "fresh"`, `session: fresh`),
		swap("tools: [one, two]\n", "tools:\n    - one\n    - two\n"),
		swap("  session: \"fresh\"\n  tools: [one, two]\n", "  tools: [one, two]\n  session: \"fresh\"\n"),
		swap(`when ok with { x: "1", y: "2" }`, "with {\n x: \"1\"\n y: \"2\"\n} when ok"),
		swap("## leads model", "##leads model"),
	}
	for _, text := range same {
		if err := prove(old, file(text)); err != nil {
			t.Errorf("%v\n%s", err, text)
		}
	}
	damage := map[string]struct {
		text string
		line int
	}{
		"comment lost":         {swap("  ## leads model\n", ""), 6},
		"comment changed":      {swap("leads model", "leads models"), 6},
		"comment moved":        {swap("  ## last in the block\n  ##", "  ##"), 4},
		"comment left a block": {swap("    ## last in the block", "  ## last in the block"), 4},
		"comment behind lost":  {swap("  ## behind model", ""), 6},
		"comment on its line":  {swap("  ## behind model", "\n  ## behind model"), 6},
		"loose comment lost":   {swap("## leads a\n", ""), 22},
		"value changed":        {swap("m/x", "m/y"), 6},
		"text changed":         {swap("  text", "  text\n\n  more"), 16},
		"word for a string":    {swap(`"m/x"`, "mx"), 6},
		"quoted list element":  {swap("one", `"one"`), 9},
		"list order":           {swap("one, two", "two, one"), 9},
		"property lost":        {swap("  session: \"fresh\"\n", ""), 4},
		"edge turned":          {swap("b -> c", "c -> b"), 21},
		"clause lost":          {swap(" as l(2)", ""), 21},
		"entry order":          {swap(`x: "1", y: "2"`, `y: "2", x: "1"`), 19},
		"negated":              {swap("when ok", "when not ok"), 19},
		"declaration lost":     {swap("prompt p:\n  text\n", ""), 1},
		"other kind":           {swap("agent", "judge"), 4},
		"other profile":        {swap("dsl: 2", "dsl: 1"), 1},
		"does not parse":       {swap("tools: [one", "tools: one"), 1},
	}
	for name, d := range damage {
		err := prove(old, file(d.text))
		var unsafe *UnsafeError
		if !errors.As(err, &unsafe) {
			t.Errorf("%s: not seen", name)
		} else if unsafe.Line != d.line {
			t.Errorf("%s: %v, want line %d", name, err, d.line)
		}
	}
}

// TestLiteral reads every written literal back.
func TestLiteral(t *testing.T) {
	tests := []struct{ value, loose, strict string }{
		{"", `""`, `""`},
		{"plain #text", `"plain #text"`, `"plain #text"`},
		{"ü\ttab", "\"ü\ttab\"", "\"ü\ttab\""},
		{`say "x"`, "`say \"x\"`", `"say \"x\""`},
		{`a\b`, "`a\\b`", `"a\\b"`},
		{"two\nlines", "`two\nlines`", `"two\nlines"`},
		{"a\r\nb\x00", "", `"a\r\nb\0"`},
		{"tick ` and \\\n", "|\n    tick ` and \\", "\"tick ` and \\\\\\n\""},
		{"`\n\n  deeper\n", "|\n    `\n\n      deeper", "\"`\\n\\n  deeper\\n\""},
		{"`\"", "", "\"`\\\"\""},
		{"  `\n", "", "\"  `\\n\""},
		{"\n`\n", "", "\"\\n`\\n\""},
		{"`\n  \nx\n", "", "\"`\\n  \\nx\\n\""},
		{"`\n\n", "", "\"`\\n\\n\""},
		{"\xff", "", ""},
	}
	for _, test := range tests {
		for profile, want := range map[string]string{"dsl: 1": test.loose, "dsl: 2": test.strict} {
			got, ok := literal.Spell(test.value, profile == "dsl: 2", 1)
			if got != want || ok != (want != "") {
				t.Errorf("%q in %s: %s, want %s", test.value, profile, got, want)
			}
			if !ok {
				continue
			}
			f := parser.File(source.Load("x.bot", []byte(profile+"\n\ntool t:\n  command: "+got+"\n")))
			d := f.Decls[1]
			value := len(d.Nodes) - 1
			if read := literal.Value(d.Nodes[value].Kind, d.Slice(value), literal.ModeOf(f)); read != test.value {
				t.Errorf("%q in %s reads back as %q", test.value, profile, read)
			}
		}
	}
}
