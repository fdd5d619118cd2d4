package build_test

import (
	"fmt"
	"strings"
	"testing"

	"iterion/grammar/schema"
	"iterion/ir/build"
)

// Every property written twice is one error at the second key that names the
// first, and nothing else is said about it.
func TestEveryPropertyTwice(t *testing.T) {
	count := 0
	for _, b := range bodies(t) {
		for _, p := range b.kind.Props {
			count++
			text, at := b.with(p.Example, p.Example)
			secondOf(t, b.path+": "+p.Name, text, "E010", [2]int{at[0], at[1]})
		}
		if e := b.kind.Entry; e != nil && e.Example != "" && e.Twice == "" && b.path != "presets" {
			text, at := b.with(e.Example, e.Example)
			secondOf(t, b.path+": an entry", text, "", [2]int{at[0], at[1]})
		}
	}
	if count < 250 {
		t.Errorf("only %d properties", count)
	}
}

// secondOf wants one finding, on the second of two lines, that names the
// first. An empty code takes any.
func secondOf(t *testing.T, name, text, code string, at [2]int) {
	t.Helper()
	list := errorsOf(text)
	if len(list) != 1 || code != "" && string(list[0].Code) != code {
		t.Errorf("%s: found\n%s\nwant one finding %s\n%s", name, lines(list), code, text)
		return
	}
	d := list[0]
	if d.Range.Start.Line != at[1] || len(d.Related) != 1 || d.Related[0].Range.Start.Line != at[0] {
		t.Errorf("%s: %swant line %d with line %d\n%s", name, lines(list), at[1], at[0], text)
	}
}

// What stands twice is one error at the second, and the first counts.
func TestTwice(t *testing.T) {
	const (
		tool   = "schema s:\n  ok: bool\n\ntool t:\n  command: \"true\"\n  output: s\n\n"
		rest   = plainTool + plainFlow
		ints   = "vars:\n  a: int = 1\n\n"
		member = "group g:\n  tool x:\n    command: \"x\"\n\n"
	)
	edge := func(clauses string) string {
		return tool + "workflow w:\n  entry: t\n\n  t -> t " + clauses + "\n  t -> done\n"
	}
	tests := []struct {
		name, text, want string
		first            string // the related place
	}{
		{"vars", "vars:\n  a: int = 1\n\nvars:\n  a: string = \"x\"\n\n" + rest, "4:1 E014", "1:1"},
		{"presets", ints + "presets:\n  p:\n    a: 1\n\npresets:\n  q:\n    nope: 1\n\n" + rest, "8:1 E014", "4:1"},
		{"attachments", "attachments:\n  f: file\n\nattachments:\n  f: image\n\n" + rest, "4:1 E014", "1:1"},
		{"secrets", "secrets:\n  k: \"a\"\n\nsecrets:\n  k: \"b\"\n\n" + rest, "4:1 E014", "1:1"},
		{"three vars", "vars:\n  a: int = 1\n\nvars:\n  b: int = 1\n\nvars:\n  c: int = 1\n\n" + rest, "4:1 E014, 7:1 E014", "1:1"},

		{"when", edge("when ok when not ok"), "11:18 E030", "11:10"},
		{"when, two forms", edge("when \"ok\" when ok"), "11:20 E030", "11:10"},
		{"as", edge("as l(2) as m(3)"), "11:18 E030", "11:10"},
		{"as, the same", edge("as l(2) as l(2)"), "11:18 E030", "11:10"},
		{"foreach", edge("as foreach f(x in \"{{outputs.t.ok}}\") as foreach g(x in \"{{outputs.t.ok}}\")"), "11:48 E030", "11:10"},
		{"with", edge("with { a: \"1\" } with { b: \"2\" }"), "11:26 E030", "11:10"},
		{"with over lines", edge("with {\n    a: \"1\",\n  } with { b: \"2\" }"), "13:5 E030", "11:10"},
		{"else", edge("else else"), "11:15 E030", "11:10"},
		{"when and else", edge("when ok else"), "11:18 E031", "11:10"},
		{"else and when", edge("else when ok"), "11:15 E031", "11:10"},
		{"parted by another clause", edge("when ok as l(2) when ok"), "11:26 E030", "11:10"},

		{"model", "agent t:\n  model: \"anthropic/claude-opus-5\"\n  readonly: true\n  model: \"x\"\n" + plainFlow, "4:3 E010", "2:3"},
		{"tools", modelHead + "  tools: [grep]\n  tools: []\n" + plainFlow, "4:3 E010", "3:3"},
		{"with of an emit", "emit t:\n  event: \"e\"\n  with { a: \"1\" }\n  with { b: \"1\" }\n" + plainFlow, "4:3 E010", "3:3"},
		{"key of an emit's with", "emit t:\n  event: \"e\"\n  with { a: \"1\", b: \"1\", a: \"2\" }\n" + plainFlow, "3:26 E010", "3:10"},
		{"key of an edge's with", tool + "workflow w:\n  entry: t\n\n  t -> done with { a: \"1\", a: \"2\" }\n", "11:28 E010", "11:20"},
		{"key of a map", modelHead + "  sandbox:\n    image: \"i\"\n    env: { A: \"1\", A: \"2\" }\n" + plainFlow, "5:20 E010", "5:12"},
		{"key of a use", "group g(p):\n  tool x:\n    command: \"{{params.p}}\"\n\nuse g as t with { p: \"1\", p: \"2\" }\n\nworkflow w:\n  entry: t.x\n\n  t.x -> done\n", "5:27 E010", "5:19"},
		{"parameter", "group g(p, p):\n  tool x:\n    command: \"{{params.p}}\"\n\n" + rest, "1:12 E010", "1:9"},
		{"enum of a var", "vars:\n  a: string [enum: \"x\"] [enum: \"y\"] = \"x\"\n\n" + rest, "2:26 E010", "2:13"},

		{"prompt", "prompt p:\n  a\n\nprompt p:\n  b {{vars.nope}}\n\n" + modelHead + "  user: p\n" + plainFlow, "4:8 C041", "1:8"},
		{"schema", "schema s:\n  n: int\n\n" + tool + strings.TrimPrefix(plainFlow, "\n"), "4:8 C041", "1:8"},
		{"node", plainTool + "\nagent t:\n  model: \"{{vars.nope}}\"\n" + plainFlow, "4:7 C041", "1:6"},
		{"workflow", rest + "\nworkflow v:\n  entry: nope\n\n  nope -> done\n", "9:10 C007", "4:10"},
		{"mcp_server", "mcp_server s:\n  transport: stdio\n  command: \"x\"\n\nmcp_server s:\n  transport: http\n\n" + rest, "5:12 C024", "1:12"},
		{"cursor", "cursor c:\n  values:\n    a: \"x\"\n\ncursor c:\n  description: \"none\"\n\n" + rest, "5:8 C086", "1:8"},
		{"group", member + strings.Replace(member, "\"x\"", "\"y\"", 1) + rest, "5:7 E010", "1:7"},
		{"member", "group g:\n  tool x:\n    command: \"x\"\n  tool x:\n    command: \"y\"\n\nuse g as i\n\nworkflow w:\n  entry: i.x\n\n  i.x -> done\n", "7:10 C041", "2:8"},
		{"preset", ints + "presets:\n  p:\n    a: 1\n  p:\n    nope: 2\n\n" + rest, "7:3 C072", "5:3"},
		{"attachment", "attachments:\n  a: file\n  a: image\n\n" + rest, "3:3 C050", "2:3"},
		{"secret", "secrets:\n  a: \"x\"\n  a: \"y\"\n\n" + rest, "3:3 C090", "2:3"},
		{"value of a cursor", "cursor c:\n  values:\n    a: \"1\"\n    a: \"2\"\n\n" + rest, "4:5 C085", "3:5"},
		{"header", "dsl: 2\ndsl: 1\n\n" + rest, "2:1 E041", "1:1"},
	}
	for _, test := range tests {
		expect(t, test.name, test.text, test.want)
		for _, d := range errorsOf(test.text) {
			if len(d.Related) != 1 || fmt.Sprintf("%d:%d", d.Related[0].Range.Start.Line, d.Related[0].Range.Start.Column) != test.first {
				t.Errorf("%s: related to %+v, want %s", test.name, d.Related, test.first)
			}
		}
	}
}

// What was written first is what the program holds; only of a preset's lines
// does the last one win.
func TestFirstCounts(t *testing.T) {
	p := build.Text("a.bot", "vars:\n  a: int = 1\n\nvars:\n  a: int = 2\n\npresets:\n  p:\n    a: 3\n    a: 4\n\n"+
		"mcp_server s:\n  transport: stdio\n  command: \"one\"\n\nmcp_server s:\n  transport: stdio\n  command: \"two\"\n\n"+
		"prompt p:\n  one\n\nprompt p:\n  two\n\n"+plainTool+plainFlow).Program()
	if len(p.Vars) != 1 || p.Vars[0].Default.V.Text != "1" {
		t.Errorf("vars %+v", p.Vars)
	}
	if len(p.Servers) != 1 || p.Servers[0].Command.V != "one" {
		t.Errorf("servers %+v", p.Servers)
	}
	if len(p.Prompts) != 1 || p.Prompts[0].Text.Value() != "one" {
		t.Errorf("prompts %+v", p.Prompts)
	}
	values := p.Presets[0].Values
	if len(values) == 0 || values[len(values)-1].Value.V.Text != "4" {
		t.Errorf("preset %+v", values)
	}
}

// A property without its colon is one error, in every body.
func TestEveryPropertyWithoutColon(t *testing.T) {
	for _, b := range bodies(t) {
		for _, p := range b.kind.Props {
			example, ok := strings.CutPrefix(p.Example, p.Name+":")
			if !ok || p.Form == schema.With {
				continue
			}
			text, at := b.with(p.Name + example)
			column := 2*b.level + len(p.Name) + 1
			if strings.HasPrefix(example, " ") {
				column++
			}
			expect(t, b.path+": "+p.Name, text, fmt.Sprintf("%d:%d E002", at[0], column))
		}
	}
}
