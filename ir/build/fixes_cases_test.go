package build_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"iterion/diagnostics"
	"iterion/ir/build"
)

// fixCase is a text, and what the first fix with an id makes of a part of it.
// With an empty id no finding carries a fix with edits.
type fixCase struct {
	name, text, id, old, new string
}

func TestFixCases(t *testing.T) {
	command := func(value string) string {
		return "vars:\n  x: string\n\ntool t:\n  command: " + value + "\n" + plainFlow
	}
	unquote := func(name, value, old, new string) fixCase {
		return fixCase{name, "dsl: 2\n\n" + command(value), diagnostics.UnquoteRef, old, new}
	}
	quoted := func(name, value string) fixCase { return fixCase{name: name, text: "dsl: 2\n\n" + command(value)} }
	for _, c := range []fixCase{
		unquote("single quotes", `"echo '{{vars.x}}' y"`, `'{{vars.x}}'`, `{{vars.x}}`),
		unquote("escaped double quotes", `"echo \t\"{{vars.x}}\""`, `\"{{vars.x}}\"`, `{{vars.x}}`),
		unquote("double quotes in backticks", "`echo \"{{vars.x}}\"`", `"{{vars.x}}"`, `{{vars.x}}`),
		unquote("a block of text", "|\n    echo a\n    git log '{{vars.x}}'", `'{{vars.x}}'`, `{{vars.x}}`),
		unquote("two references and letters", `"echo '--a/{{vars.x}}:{{vars.x}}'"`, `'--a/{{vars.x}}:{{vars.x}}'`, `--a/{{vars.x}}:{{vars.x}}`),
		unquote("commands of their own", `"V=$(echo '{{vars.x}}')"`, `'{{vars.x}}'`, `{{vars.x}}`),
		quoted("white space", `"echo 'a {{vars.x}}'"`),
		quoted("a glob", `"echo '{{vars.x}}*'"`),
		quoted("an assignment", `"'A={{vars.x}}' b"`),
		quoted("dollar quotes", `"echo $'{{vars.x}}'"`),
		quoted("an expansion", `"echo ${A:+'{{vars.x}}'}"`),
		quoted("a raw reference beside", `"echo '{{vars.x}}{{!vars.x}}'"`),
		{"profile 1", "dsl: 1\n\n" + command(`"printf 'a\n' '{{vars.x}}'"`), diagnostics.UnquoteRef, `'{{vars.x}}'`, `{{vars.x}}`},

		{"a value between others", "dsl: 2\n\nvars:\n  x: string [enum: \"a\", \"a\" , \"b\"]\n\n" + plainTool + plainFlow,
			diagnostics.DropRepeatedEnumValue, `, "a" , "b"`, ` , "b"`},
		{"a preset line with a comment", "dsl: 2\n\nvars:\n  x: string\n\npresets:\n  p:\n    # one\n    x: \"1\"  # the first\n    x: \"2\"\n\n" + plainTool + plainFlow,
			diagnostics.DropShadowedPreset, "    x: \"1\"  # the first\n", ""},
		{"else before a clause", "dsl: 2\n\n" + plainTool + "\nworkflow w:\n  entry: t\n\n  t -> done else with { a: \"1\" }\n",
			diagnostics.DropElseKeyword, " else", ""},
		{"else behind braces", "dsl: 2\n\n" + plainTool + "\nworkflow w:\n  entry: t\n\n  t -> done with {\n    a: \"1\"\n  } else  # why\n",
			diagnostics.DropElseKeyword, " else", ""},
		{"a directive", "# Head.\n# strict-escape: on\ndsl: 2\n\n" + plainTool + plainFlow,
			diagnostics.DropDirective, "# strict-escape: on\n", ""},

		{"a header without comments", command(`"printf 'a\n'"`), diagnostics.PinProfile1, "vars:", "dsl: 1\n\nvars:"},
		{"a header below the head", "## ---\n## name: x\n## ---\n## Counts.\n" + command(`"printf 'a\n'"`), diagnostics.PinProfile1, "vars:", "dsl: 1\n\nvars:"},
		{"a header above what leads the code", "## Head.\n\n## The input.\n" + command(`"printf 'a\n'"`), diagnostics.PinProfile1,
			"## The input.\n", "dsl: 1\n\n## The input.\n"},
		{"a header below open frontmatter", "## ---\n## name: x\n\n## more: y\n" + command(`"printf 'a\n'"`), diagnostics.PinProfile1, "vars:", "dsl: 1\n\nvars:"},
		{"a header below a directive", "## Head.\n\n## strict-escape: on\nprompt p:\n  A.\n\n  B.\n\n" + plainTool + plainFlow, diagnostics.PinProfile1,
			"prompt p", "dsl: 1\n\nprompt p"},

		{"a property with a block", "dsl: 2\n\ntool t:\n  command: \"true\"\n  params:  # of the call\n    a: \"1\"\n    b: \"2\"  # two\n  goal: \"g\"\n" + plainFlow,
			diagnostics.DropInertProperty, "  params:  # of the call\n    a: \"1\"\n    b: \"2\"  # two\n", ""},
		{"the last line of a file", "dsl: 2\n" + plainFlow + "\ntool t:\n  command: \"true\"\n  retry: \"1\"", diagnostics.DropInertProperty, "  retry: \"1\"", ""},
		{"a text before a blank line", "dsl: 2\n\ntool t:\n  command: \"true\"\n  params:\n    a: |\n      x\n\n      y\n\n" + plainFlow,
			diagnostics.DropInertProperty, "  params:\n    a: |\n      x\n\n      y\n", ""},
		{"a session that is set", "dsl: 2\n\nagent t:\n  model: \"m\"\n  session: \"fresh\"\n  session_slot: s\n" + plainFlow,
			diagnostics.SessionPersist, `"fresh"`, "persist"},
		{"no session", "dsl: 2\n\nagent t:\n  model: \"m\"\n  session_slot: s\n" + plainFlow,
			diagnostics.SessionPersist, "  session_slot", "  session: persist\n  session_slot"},
		{"a pattern with escapes", "dsl: 2\n\nvars:\n  x: string [matching: \"\\\\d+\"] = \"1\"\n\n" + plainTool + plainFlow,
			diagnostics.AnchorPattern, `"\\d+"`, `"^(?:\\d+)$"`},
		{name: "a pattern that the default meets in part", text: "dsl: 2\n\nvars:\n  x: string [matching: \"\\\\d+\"] = \"v1\"\n\n" + plainTool + plainFlow},
		{"two lists of paths", "dsl: 2\n\ntool t:\n  script: |\n    git add {{ run.tree_noise }}\n    rm {{run.tree_noise}}\n" + plainFlow,
			diagnostics.RawTreeNoiseRef, "{{ run.tree_noise }}\n    rm {{run", "{{! run.tree_noise }}\n    rm {{!run"},
		{"two quoted lists of paths", "dsl: 2\n\ntool t:\n  command: \"git add \\\"$ITERION_TREE_NOISE\\\" && rm \\\"${ITERION_TREE_NOISE}\\\"\"\n" + plainFlow,
			diagnostics.UnquoteEnv, `\"$ITERION_TREE_NOISE\" && rm \"${ITERION_TREE_NOISE}\"`, `$ITERION_TREE_NOISE && rm ${ITERION_TREE_NOISE}`},
		{"an edge with a comment", "dsl: 2\n\nrouter t:\n  mode: fan_out_all\n\ntool u:\n  command: \"true\"\n\ntool v:\n  command: \"true\"\n\ntool j:\n  command: \"true\"\n  await: wait_all\n\n" +
			"workflow w:\n  entry: t\n\n  t -> u\n  t -> v\n  t -> u  # again\n  u -> j\n  v -> j\n  j -> done\n",
			diagnostics.DropDuplicateEdge, "  t -> u  # again\n", ""},
		{name: "an edge of a chain", text: "dsl: 2\n\nrouter t:\n  mode: fan_out_all\n\ntool u:\n  command: \"true\"\n\ntool v:\n  command: \"true\"\n\ntool j:\n  command: \"true\"\n  await: wait_all\n\n" +
			"workflow w:\n  entry: t\n\n  t -> u\n  t -> v\n  t -> u -> j\n  v -> j\n  j -> done\n"},
		{"a name in an expression", "dsl: 2\n\nvars:\n  limit: int = 1\n\n" + plainTool + "\nworkflow w:\n  entry: t\n\n  t -> t when \"vars.limti > 1\" as l(3)\n  t -> done else\n",
			diagnostics.RenameName, "limti", "limit"},
		{"a word in quotes", "dsl: 2\n\nagent t:\n  model: \"m\"\n  reasoning_effort: `hihg`\n" + plainFlow, diagnostics.NearestWord, "hihg", "high"},
		{name: "another word than the near one", text: "dsl: 2\n\n" + plainTool + "\ntool step:\n  command: \"true\"\n\nworkflow w:\n  entry: t\n\n  t -> step\n  step -> stop\n"},
	} {
		checkFix(t, c)
	}
}

func checkFix(t *testing.T, c fixCase) {
	t.Helper()
	r := build.Text("a.bot", c.text)
	got := ""
	for _, d := range r.Diagnostics {
		for _, f := range d.Fixes {
			if len(f.Edits) > 0 && (c.id == "" || f.ID == c.id) && got == "" {
				got = apply(c.text, f)
			}
		}
	}
	want := ""
	if c.id != "" {
		want = strings.Replace(c.text, c.old, c.new, 1)
	}
	if got != want {
		t.Errorf("%s: got\n%s\nwant\n%s\n%s", c.name, got, want, lines(r.Diagnostics))
	}
}

// idsOf lists the fixes with edits of a build, as code and id.
func idsOf(r *build.Result) string {
	var list []string
	for _, d := range r.Diagnostics {
		for _, f := range d.Fixes {
			if len(f.Edits) > 0 {
				list = append(list, string(d.Code)+" "+f.ID)
			}
		}
	}
	return strings.Join(list, ", ")
}

// A fix in a group is offered once, and only when every copy of the group asks
// for it; none is where a parameter was pasted in.
func TestFixesInGroups(t *testing.T) {
	group := func(body, uses, rest string) string {
		return "dsl: 2\n\nvars:\n  x: string\n\ngroup g(p):\n" + body + "\n" + uses + "\n" + rest
	}
	const (
		two  = "use g as i with { p: \"claw\" }\nuse g as j with { p: \"claude_code\" }\n"
		same = "use g as i with { p: \"claw\" }\nuse g as j with { p: \"kimi\" }\n"
		flow = "workflow w:\n  entry: i.a\n\n  i.a -> j.a\n  j.a -> done\n"
	)
	for _, c := range []struct{ name, text, want string }{
		{"both copies ask", group("  agent a:\n    backend: \"{{params.p}}\"\n    command: \"x\"\n", same, flow), "C174 drop-inert-property, C174 drop-inert-property"},
		{"one copy asks", group("  agent a:\n    backend: \"{{params.p}}\"\n    command: \"x\"\n", two, flow), ""},
		{"one finding for both", group("  agent a:\n    backend: \"claw\"\n    command: \"x\"\n", two, flow), "C174 drop-inert-property"},
		{"a pasted text", group("  tool a:\n    command: \"echo '{{params.p}}' '{{vars.x}}'\"\n", two, flow), ""},
		{"a text as written", group("  tool a:\n    command: \"echo '{{vars.x}}'\"\n", two, flow), "C137 unquote-ref"},
		{"a pasted word", group("  agent a:\n    model: \"m\"\n    reasoning_effort: \"{{params.p}}\"\n", "use g as i with { p: \"hihg\" }\nuse g as j with { p: \"lwo\" }\n", flow), ""},
		{"else that one copy needs", group("  tool a:\n    command: \"true\"\n    output: s\n  tool b:\n    command: \"true\"\n  a -> b else\n", two,
			"schema s:\n  ok: bool\n\nworkflow w:\n  entry: i.a\n\n  i.a -> done when ok\n  i.b -> j.a\n  j.b -> done\n"), ""},
	} {
		r := build.Text("a.bot", c.text)
		if got := idsOf(r); got != c.want {
			t.Errorf("%s: fixes %q, want %q\n%s", c.name, got, c.want, lines(r.Diagnostics))
		}
	}
}

// A prompt file of a bundle that two nodes read is fixed once, in its own text.
func TestFixInPromptFile(t *testing.T) {
	files := fstest.MapFS{
		"manifest.yaml": {Data: []byte("name: x\nrequires: { iterion: \">= 3.141.0\" }\n")},
		"prompts/p.md":  {Data: []byte("Read\r\n{{vars.tpoic}}.\r\n")},
		"main.bot": {Data: []byte("dsl: 2\n\nvars:\n  topic: string\n\nagent a:\n  model: \"m\"\n  user: p\n\nagent b:\n  model: \"m\"\n  user: p\n\n" +
			"workflow w:\n  entry: a\n\n  a -> b -> done\n")},
	}
	r, err := build.Unit(build.Input{FS: files, Path: "main.bot"})
	if err != nil {
		t.Fatal(err)
	}
	if got := idsOf(r); got != "C033 rename-name" {
		t.Fatalf("fixes %q\n%s", got, lines(r.Diagnostics))
	}
	fix := r.Diagnostics[0].Fixes[0]
	if e := fix.Edits[0].Range; e.File != "prompts/p.md" || e.Start.Line != 2 || e.Start.Column != 8 {
		t.Errorf("the edit is at %+v", e)
	}
	if got := apply(string(files["prompts/p.md"].Data), fix); got != "Read\r\n{{vars.topic}}.\r\n" {
		t.Errorf("fixed to %q", got)
	}
}
