package build_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"iterion/ast"
	"iterion/corpus"
	"iterion/diagnostics"
	"iterion/grammar/schema"
	"iterion/ir"
	"iterion/ir/build"
)

// A tool that needs nothing, and the workflow around it.
const (
	plainTool = "tool t:\n  command: \"true\"\n"
	plainFlow = "\nworkflow w:\n  entry: t\n\n  t -> done\n"
)

// errorsOf builds a text and returns what makes it invalid; what else may be
// said of so small a text is the matter of other tests.
func errorsOf(text string) []diagnostics.Diagnostic {
	return slices.DeleteFunc(build.Text("a.bot", text).Diagnostics, func(d diagnostics.Diagnostic) bool { return d.Severity != diagnostics.Error })
}

// findings lists the errors of a text, as `line:column code`.
func findings(text string) []string {
	list := []string{}
	for _, d := range errorsOf(text) {
		list = append(list, fmt.Sprintf("%d:%d %s", d.Range.Start.Line, d.Range.Start.Column, d.Code))
	}
	return list
}

// expect wants exactly the errors of want, which are parted by commas.
func expect(t *testing.T, name, text, want string) {
	t.Helper()
	if got := strings.Join(findings(text), ", "); got != want {
		t.Errorf("%s: found %q, want %q\n%s", name, got, want, text)
	}
}

// A tab ends one block: the rest of it is passed over, later ones are checked.
func TestTabs(t *testing.T) {
	const rest = plainTool + plainFlow
	tests := []struct{ name, text, want string }{
		{"first line of a body", "agent a:\n\tmodel: \"m\"\n  system: s\n\n" + rest, "2:1 E003"},
		{"last line of a body", "agent a:\n  model: \"m\"\n\treadonly: true\n\n" + rest, "3:1 E003"},
		{"behind spaces", "agent a:\n  \tmodel: \"m\"\n\n" + rest, "2:3 E003"},
		{"in a nested block", "agent a:\n  compaction:\n\t\tthreshold: 7\n    preserve_recent: 0\n\n" + rest, "3:1 E003"},
		{"the whole body", "agent a:\n\tmodel: \"m\"\n\ttools: [x]\n\treadonly: true\n\n" + rest, "2:1 E003"},
		{"a prompt's body", "prompt p:\n\tHello\n\tyou\n\n" + rest, "2:1 E003"},
		{"a header", "\ttool u:\n  command: \"true\"\n\n" + rest, "1:1 E003"},
		{"an edge", plainTool + "\nworkflow w:\n  entry: t\n\tt -> nowhere\n  t -> done\n", "6:1 E003"},
		{"between the braces of a with", plainTool + "\nworkflow w:\n  entry: t\n  t -> done with {\n\ta: \"1\"\n  }\n", "7:1 E003"},
		{"a later block", "agent a:\n\tmodel: \"m\"\n\ntool u:\n  comand: \"x\"\n\n" + rest, "2:1 E003, 5:3 E012"},
		{"an earlier block", "tool u:\n  comand: \"x\"\n\nagent a:\n\tmodel: \"m\"\n\n" + rest, "2:3 E012, 5:1 E003"},
		{"behind the first token", "tool\tt:\n  command:\t\"true\"\n" + plainFlow, ""},
		{"inside a string", "tool t:\n  command: \"a\tb\"\n" + plainFlow, ""},
		{"inside a block scalar", "tool t:\n  command: |\n    a\n    \tb\n" + plainFlow, ""},
		{"a blank line", "tool t:\n  command: \"true\"\n\t\n" + plainFlow, ""},
		{"before a comment", "tool t:\n\t## why\n  command: \"true\"\n" + plainFlow, ""},
	}
	for _, test := range tests {
		expect(t, test.name, test.text, test.want)
	}
	for _, d := range errorsOf(tests[0].text) {
		if d.Message != "tabs are not allowed for indentation" {
			t.Errorf("message %q", d.Message)
		}
	}
}

// CRLF is folded before anything else: trees, findings, places and values are
// those of the LF text, and no value holds a carriage return.
func TestCarriageReturns(t *testing.T) {
	texts := []corpus.File{{Name: "two_lines.bot", Data: []byte("prompt p:\n  One.\n  Two {{vars.nope}}\n\nhuman h:\n  instructions: p\n\n" +
		"tool t:\n  command: \"echo hi\"\n\nworkflow w:\n  entry: t\n\n  t -> h with {\n    a: `x\n    y`,\n  }\n  h -> done\n")}}
	texts = append(texts, corpus.Files()...)
	for _, c := range corpus.Cases() {
		texts = append(texts, corpus.File{Name: c.Name, Data: c.Files[0].Data})
	}
	for _, f := range texts {
		if bytes.ContainsRune(f.Data, '\r') {
			continue
		}
		lf, crlf := build.Text(f.Name, f.Data), build.Text(f.Name, bytes.ReplaceAll(f.Data, []byte("\n"), []byte("\r\n")))
		if a, b := lines(lf.Diagnostics), lines(crlf.Diagnostics); a != b {
			t.Errorf("%s: the findings differ:\n%s\n%s", f.Name, a, b)
		}
		if !slices.EqualFunc(lf.Files[0].AST.Decls, crlf.Files[0].AST.Decls, sameTree) {
			t.Errorf("%s: the trees differ", f.Name)
		}
		a, errA := lf.Program().Encode()
		b, errB := crlf.Program().Encode()
		if errA != nil || errB != nil || !bytes.Equal(a, b) || bytes.Contains(b, []byte(`\r`)) && !bytes.Contains(f.Data, []byte(`\r`)) {
			t.Errorf("%s: the programs differ, or a value holds a carriage return", f.Name)
		}
	}
}

func sameTree(a, b *ast.Declaration) bool {
	return a.Text == b.Text && slices.Equal(a.Nodes, b.Nodes) && slices.Equal(a.Comments, b.Comments)
}

// One mark at the start is no part of the text; any other is a character.
func TestByteOrderMark(t *testing.T) {
	const mark, rest = "\uFEFF", plainTool + plainFlow
	tests := []struct{ name, text, want string }{
		{"an unknown word", mark + "agnt a:\n", "1:1 E001"},
		{"an unknown word with a body", mark + "agnt a:\n  model: \"m\"\n\n" + rest, "1:1 E001"},
		{"a fault further on line 1", mark + "vars: 3\n\n" + rest, "1:7 E002"},
		{"a valid file", mark + rest, ""},
		{"with CRLF", mark + strings.ReplaceAll(rest, "\n", "\r\n"), ""},
		{"alone", mark, "1:1 C006"},
		{"twice", mark + mark + rest, "1:1 E001"},
		{"at the start of a declaration", "schema s:\n  a: bool\n" + mark + rest, "3:1 E001"},
		{"at the start of a line", "schema s:\n  a: bool\n  " + mark + "b: bool\n\n" + rest, "3:3 E001"},
		{"in a line", "schema s:\n  a: bool\n  b: " + mark + "bool\n\n" + rest, "3:6 E002"},
		{"behind a value", "schema s:\n  a: bool\n  b: bool" + mark + "\n\n" + rest, "3:10 E002"},
		{"in a string", "tool t:\n  command: \"a" + mark + "b\"\n" + plainFlow, ""},
	}
	for _, test := range tests {
		expect(t, test.name, test.text, test.want)
	}
}

// A file in another encoding is one finding.
func TestOtherEncodings(t *testing.T) {
	const text = plainTool + plainFlow
	wide := func(order string) string {
		b := []byte(order)
		for _, u := range utf16.Encode([]rune(text)) {
			hi, lo := byte(u>>8), byte(u)
			if order[0] == 0xFF {
				hi, lo = lo, hi
			}
			b = append(b, hi, lo)
		}
		return string(b)
	}
	tests := []struct{ name, text, want string }{
		{"UTF-16, little end first", wide("\xFF\xFE"), "1:1 E006"},
		{"UTF-16, big end first", wide("\xFE\xFF"), "1:1 E006"},
		{"Latin-1 in a comment", "## caf\xE9\n" + text, "1:7 E006"},
		{"a surrogate", "## \xED\xA0\x80\n" + text, "1:4 E006"},
		{"a cut character at the end", text + "## \xE2\x82", "8:4 E006"},
		{"behind wide characters", "## 漢字 \xFF \xFF\n" + text, "1:7 E006"},
	}
	for _, test := range tests {
		expect(t, test.name, test.text, test.want)
	}
}

// A header without its colon is one error at the end of its line. What stands
// below is passed over, and the name is known.
func TestHeaderWithoutColon(t *testing.T) {
	expect(t, "an agent that is used", "agent reviewer\n  model: \"m\"\n  tools: [read_file]\n  readonly: true\n\n"+
		"workflow w:\n  entry: reviewer\n\n  reviewer -> done\n", "1:15 E002")
	expect(t, "a workflow", plainTool+strings.Replace(plainFlow, "w:", "w", 1), "4:11 E002")
	for _, k := range schema.Kinds() {
		header, body, ok := strings.Cut(k.Example, ":\n")
		if !ok || k.Name == "workflow" {
			continue
		}
		text := header + "\n" + body + "\n" + plainTool + plainFlow
		expect(t, k.Name, text, fmt.Sprintf("1:%d E002", len(header)+1))
	}
}

// A name that nothing declares properly is not reported by those who use it.
func TestOneFaultOneFinding(t *testing.T) {
	flow := func(name string) string {
		return "\nworkflow w:\n  entry: " + name + "\n\n  " + name + " -> done\n"
	}
	tests := []struct{ name, text, want string }{
		{"a misspelt kind", "agnet a:\n  model: \"m\"\n  tools: [read_file]\n" + flow("a"), "1:1 E001"},
		{"a misspelt workflow", plainTool + "\nworkflw w:\n  entry: t\n\n  t -> done\n", "4:1 E001"},
		{"a misspelt schema", "schem s:\n  ok: bool\n\ntool t:\n  command: \"true\"\n  output: s\n" + plainFlow, "1:1 E001"},
		{"no name", "agent:\n  model: \"m\"\n  readonly: true\n\n" + plainTool + plainFlow, "1:6 E002"},
		{"an unclosed list", "agent t:\n  tools: [read_file, grep\n  readonly: true\n" + plainFlow, "2:10 E002"},
		{"an unclosed string", "agent t:\n  model: \"m\n  readonly: true\n" + plainFlow, "2:10 E004"},
		{"an unclosed with", plainTool + "\nworkflow w:\n  entry: t\n\n  t -> done with { a: \"1\"\n", "7:18 E002"},
		{"a schema field", "schema s:\n  ok bool\n\ntool t:\n  command: \"true\"\n  output: s\n\nworkflow w:\n  entry: t\n\n  t -> done when ok\n  t -> fail else\n", "2:6 E002"},
		{"an entry without colon", plainTool + "\nworkflow w:\n  entry t\n\n  t -> done\n", "5:9 E002"},
		{"an edge to nowhere", plainTool + "\ntool u:\n  command: \"true\"\n\nworkflow w:\n  entry: t\n\n  t -> v\n  v -> u -> done\n", "10:8 C001, 11:3 C001"},
	}
	for _, test := range tests {
		expect(t, test.name, test.text, test.want)
	}
}

// An empty tools list is not an absent one: it survives the JSON form.
func TestEmptyToolsSurvive(t *testing.T) {
	for backend, model := range map[string]string{"claw": "anthropic/claude-opus-5", "claude_code": "claude-opus-5", "codex": "gpt-5.5", "pi": "openai/gpt-5.5"} {
		text := "agent t:\n  backend: \"" + backend + "\"\n  model: \"" + model + "\"\n"
		for list, want := range map[string]string{"  tools: []\n": `[]`, "  tools: [grep]\n": `["grep"]`, "": "absent"} {
			r := build.Text("a.bot", text+list+plainFlow)
			if got := toolsOf(t, r); got != want {
				t.Errorf("%s with %q: tools are %s, want %s", backend, list, got, want)
			}
			if !r.Valid() {
				t.Errorf("%s with %q: %s", backend, list, lines(r.Diagnostics))
			}
		}
	}
}

// toolsOf is the `tools:` of the first node after a trip through JSON.
func toolsOf(t *testing.T, r *build.Result) string {
	t.Helper()
	out, err := r.Program().Encode()
	if err != nil {
		t.Fatal(err)
	}
	back, err := ir.Decode(out)
	if err != nil {
		t.Fatal(err)
	}
	tools := back.Nodes[0].LLM.Tools
	if !tools.Set() {
		return "absent"
	}
	return fmt.Sprintf("%q", ir.Strings(tools))
}
