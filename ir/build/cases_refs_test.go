package build_test

import (
	"strings"
	"testing"

	"iterion/diagnostics"
)

// The head of a model node, and a workflow that ends in two ways.
const (
	modelHead = "agent t:\n  model: \"anthropic/claude-opus-5\"\n"
	guarded   = "\nworkflow w:\n  entry: t\n\n  t -> done when %s\n  t -> fail else\n"
)

// A finding in a text stands on its reference, whatever form the text has: in
// the tests the reference is the only place that holds `nope`.
func TestPlaceOfReference(t *testing.T) {
	const (
		result  = "schema s:\n  n: int\n\n"
		compute = result + "compute t:\n  output: s\n  expr:\n    n: "
		two     = plainTool + "\ntool u:\n  command: \"true\"\n\nworkflow w:\n  entry: t\n\n  u -> done\n  t -> u "
		back    = plainTool + "\nworkflow w:\n  entry: t\n\n  t -> done\n  t -> t as "
		group   = "group g:\n  tool x:\n    command: |\n      a\n      {{vars.nope}}\n\nuse g as t\n" +
			"use g as u\n\nworkflow w:\n  entry: t.x\n\n  t.x -> u.x -> done\n"
	)
	when := func(expr string) string { return plainTool + strings.Replace(guarded, "%s", expr, 1) }
	tests := map[string]string{
		"prompt":                      "\n\n\n\n\n\n\n\n\nprompt p:\n  one\n  two\n  three\n  and {{vars.nope}} here\n  five\n\n" + modelHead + "  user: p\n" + plainFlow,
		"prompt, deeper line":         "prompt p:\n    one\n      é {{vars.nope}}\n\n" + modelHead + "  user: p\n" + plainFlow,
		"prompt, behind a blank line": "prompt p:\n  one\n\n\n  {{vars.nope}}\n\n" + modelHead + "  user: p\n" + plainFlow,
		"prompt, first word":          "prompt p:\n  {{vars.nope}}\n\n" + modelHead + "  user: p\n" + plainFlow,
		"inline prompt":               modelHead + "  user: \"é {{vars.nope}}\"\n" + plainFlow,
		"inline prompt, raw":          modelHead + "  system: `a\n b {{vars.nope}}`\n" + plainFlow,
		"inline prompt, block":        modelHead + "  user: |\n    a\n\n      b {{vars.nope}}\n" + plainFlow,
		"instructions":                "human t:\n  instructions: |\n    a\n    {{vars.nope}}\n" + plainFlow,
		"command, quoted":             "tool t:\n  command: \"a {{vars.nope}}\"\n" + plainFlow,
		"command, kept backslashes":   "tool t:\n  command: \"a\\\" \\n {{vars.nope}}\"\n" + plainFlow,
		"command, escapes":            "dsl: 2\n\ntool t:\n  command: \"a\\n\\\"b\\\" \\t{{vars.nope}}\"\n" + plainFlow,
		"command, strict escapes":     "## strict-escape: on\n\ntool t:\n  command: \"\\\\ {{vars.nope}}\"\n" + plainFlow,
		"command, raw":                "tool t:\n  command: `a\n  b {{vars.nope}}`\n" + plainFlow,
		"command, block":              "tool t:\n  command: |\n    a\n      b {{vars.nope}}\n" + plainFlow,
		"script":                      "tool t:\n  language: sh\n  script: |\n\n    a\n\n    b {{vars.nope}}\n" + plainFlow,
		"postcondition":               "tool t:\n  command: \"x\"\n  postcondition: |\n    a\n    b {{ vars.nope }}\n" + plainFlow,
		"with":                        two + "with {\n    a: \"1\",\n\n    b: \"x {{vars.nope}}\",\n  }\n",
		"with, raw":                   two + "with { a: `x\n {{vars.nope}}` }\n",
		"with, escapes":               "dsl: 2\n\n" + two + "with { a: \"\\\"{{vars.nope}}\" }\n",
		"emit":                        "emit t:\n  event: \"e\"\n  with { a: \"{{vars.nope}}\" }\n" + plainFlow,
		"subbot":                      "subbot t:\n  source: \"x.bot\"\n  with {\n    a: \"{{vars.nope}}\",\n  }\n" + plainFlow,
		"fail message":                "fail broken:\n  message: |\n    a\n    {{vars.nope}}\n\n" + plainTool + strings.Replace(plainFlow, "done", "broken", 1),
		"over":                        "router t:\n  mode: fan_out_each\n  over: \"{{vars.nope}}\"\n\ntool u:\n  command: \"x\"\n\nworkflow w:\n  entry: t\n\n  t -> u -> done\n",
		"review url":                  "human t:\n  review_url: \"{{vars.nope}}\"\n" + plainFlow,
		"model":                       "agent t:\n  model: \"x/{{vars.nope}}\"\n" + plainFlow,
		"images":                      modelHead + "  images: [\"a\", \"{{vars.nope}}\"]\n" + plainFlow,
		"images, dashes":              modelHead + "  images:\n    - \"a\"\n    ## why\n    - \"{{vars.nope}}\"\n" + plainFlow,
		"params":                      "tool t:\n  action: a.b.c\n  connection: forge\n  params:\n    x: \"{{vars.nope}}\"\n" + plainFlow,
		"group":                       group,
		"loop cap":                    back + "l(\"{{vars.nope}}\")\n",
		"foreach":                     back + "foreach l(x in \"{{vars.nope}}\")\n",
		"loop cap expression":         back + "l(\"vars.nope - 1\")\n",
		"compute":                     compute + "\"1 + vars.nope\"\n" + plainFlow,
		"compute, raw":                compute + "`1 +\n      vars.nope`\n" + plainFlow,
		"compute, block":              compute + "|\n      1 +\n        vars.nope\n" + plainFlow,
		"compute, escapes":            "dsl: 2\n\n" + compute + "\"length(\\\"é\\\") + vars.nope\"\n" + plainFlow,
		"when":                        when("\"1 == vars.nope\""),
		"when, escapes":               "dsl: 2\n\n" + when("\"\\\"a\\\" == vars.nope\""),
		"fallback when":               modelHead + "  fallbacks:\n    r:\n      model: \"anthropic/claude-opus-5\"\n      when: \"vars.nope\"\n" + plainFlow,
	}
	for name, text := range tests {
		code := diagnostics.Code("C033")
		if name == "fallback when" {
			code = "C173"
		}
		onlyAt(t, name, text, code)
		onlyAt(t, name+", CRLF", strings.ReplaceAll(text, "\n", "\r\n"), code)
	}
}

// onlyAt wants one error, exactly on the reference to `vars.nope`: the whole
// `{{…}}` of a template, the path of an expression.
func onlyAt(t *testing.T, name, text string, code diagnostics.Code) {
	t.Helper()
	list := errorsOf(text)
	folded := strings.ReplaceAll(text, "\r\n", "\n")
	start := strings.Index(folded, "vars.nope")
	end := start + len("vars.nope")
	if open := strings.LastIndex(folded[:start], "{{"); open >= 0 && strings.TrimSpace(folded[open+2:start]) == "" {
		start, end = open, end+strings.Index(folded[end:], "}}")+2
	}
	if len(list) != 1 || list[0].Code != code {
		t.Errorf("%s: found\n%swant one %s\n%s", name, lines(list), code, text)
		return
	}
	at := list[0].Range
	if int(at.Offsets.Start) != start || int(at.Offsets.End) != end {
		t.Errorf("%s: at %d:%d %q, want %q", name, at.Start.Line, at.Start.Column, folded[at.Offsets.Start:at.Offsets.End], folded[start:end])
	}
	before := folded[:start]
	line, column := strings.Count(before, "\n")+1, len([]rune(before[strings.LastIndexByte(before, '\n')+1:]))+1
	if at.Start.Line != line || at.Start.Column != column {
		t.Errorf("%s: at %d:%d, want %d:%d", name, at.Start.Line, at.Start.Column, line, column)
	}
}

// Places in numbers, and those of other faults in texts.
func TestPlaceInText(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"the fourth line of a prompt", strings.Repeat("\n", 9) + "prompt p:\n  one\n  two\n  three\n  and {{vars.nope}}\n  five\n\n" +
			modelHead + "  user: p\n" + plainFlow, "14:7 C033"},
		{"a field of an output in a when", strings.Repeat("\n", 28) + "schema s:\n  n: int\n\ntool a:\n  command: \"true\"\n  output: s\n\n" +
			"workflow w:\n  entry: a\n\n  a -> fail else\n  a -> done when \"outputs.a.nope > 3\"\n", "40:29 C014"},
		{"an unclosed reference", "prompt p:\n  one\n  x {{vars.a\n\n" + modelHead + "  user: p\n" + plainFlow, "3:5 C004"},
		{"one inside another", "vars:\n  a: int = 1\n\nprompt p:\n  one\n  x {{vars.{{vars.a}}\n\n" + modelHead + "  user: p\n" + plainFlow, "6:5 C004"},
		{"an unknown namespace", "tool t:\n  command: |\n    a\n    b {{nope.a}}\n" + plainFlow, "4:7 C004"},
		{"an expression that does not parse", plainTool + strings.Replace(guarded, "%s", "\"1 + * 2\"", 1), "7:23 C040"},
		{"an unknown function", "schema s:\n  n: int\n\ncompute t:\n  output: s\n  expr:\n    n: `1 +\n      nope(2)`\n" + plainFlow, "8:7 C040"},
		{"an escape", "dsl: 2\n\ntool t:\n  command: \"a\\\" \\d\"\n" + plainFlow, "4:17 E005"},
		{"one text in two nodes", modelHead + "  user: \"x {{vars.nope}}\"\n\nhuman u:\n  instructions: \"x {{vars.nope}}\"\n\n" +
			"workflow w:\n  entry: t\n\n  t -> u -> done\n", "3:12 C033, 6:20 C033"},
		{"one prompt of two nodes", "prompt p:\n  {{vars.nope}}\n\n" + modelHead + "  user: p\n\nhuman u:\n  instructions: p\n\n" +
			"workflow w:\n  entry: t\n\n  t -> u -> done\n", "2:3 C033"},
	}
	for _, test := range tests {
		expect(t, test.name, test.text, test.want)
	}
}
