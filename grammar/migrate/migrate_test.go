package migrate_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"iterion/ast/source"
	"iterion/corpus"
	"iterion/grammar/migrate"
	"iterion/grammar/reference/sample"
	"iterion/ir/build"
)

func TestText(t *testing.T) {
	const flow = "\nworkflow w:\n  entry: t\n  t -> done\n"
	for _, c := range []struct{ name, before, after string }{
		{"escapes", "tool t:\n  command: \"printf 'a\\n' \\\"b\\\"\"\n" + flow,
			"dsl: 2\n\ntool t:\n  command: \"printf 'a\\\\n' \\\\\\\"b\\\\\\\"\"\n" + flow},
		{"blank lines", "dsl: 1  # old\n\nprompt p:\n\n  A.\n\n     \n  B.\n\n  C.\n\n" + flow,
			"dsl: 2  # old\n\nprompt p:\n\n  A.\n  B.\n  C.\n\n" + flow},
		{"a quoted key", "cursor c:\n  bands:\n    \"a\\b\": \"x\"\n" + flow,
			"dsl: 2\n\ncursor c:\n  bands:\n    \"a\\\\b\": \"x\"\n" + flow},
		{"a directive", "## Head.\n## strict-escape: on\n\ntool t:\n  command: \"a\\n\"\n" + flow,
			"## Head.\n\ndsl: 2\n\ntool t:\n  command: \"a\\n\"\n" + flow},
		{"a directive without effect", "dsl: 1\n\n# strict-escape: on\n# The tool.\ntool t:\n  command: \"a\\n\"\n" + flow,
			"dsl: 2\n\n# The tool.\ntool t:\n  command: \"a\\\\n\"\n" + flow},
		{"a directive that moves up", "# a\n" + strings.Repeat("#\n", 29) + "# strict-escape: on\n# strict-escape: on\n# b\n\ntool t:\n  command: \"a\\n\"\n" + flow,
			"# a\n" + strings.Repeat("#\n", 29) + "# b\n\ndsl: 2\n\ntool t:\n  command: \"a\\n\"\n" + flow},
		{"raw and block texts", "tool t:\n  command: `a\\n`\n  script: |\n    b\\n\n\n    c\n" + flow,
			"dsl: 2\n\ntool t:\n  command: `a\\n`\n  script: |\n    b\\n\n\n    c\n" + flow},
		{"imports", "## ---\n## name: x\n## ---\n\n## The parts.\nimport \"lib/a.bot\"\n", "## ---\n## name: x\n## ---\n\ndsl: 2\n\n## The parts.\nimport \"lib/a.bot\"\n"},
		{"profile 2", "dsl: 2\n\ntool t:\n  command: \"a\\n\"\n", "dsl: 2\n\ntool t:\n  command: \"a\\n\"\n"},
		{"no code", "# Nothing.\n", "# Nothing.\n"},
		{"a byte order mark and CRLF", source.BOM + "prompt p:\r\n  A.\r\n\r\n  B.\r\n", source.BOM + "dsl: 2\r\n\r\nprompt p:\r\n  A.\r\n  B.\r\n"},
	} {
		got, err := migrate.Text("a.bot", c.before)
		if err != nil || got != c.after {
			t.Errorf("%s: %v, got\n%s\nwant\n%s", c.name, err, got, c.after)
		}
	}
}

func TestRefusals(t *testing.T) {
	if text, err := migrate.Text("a.bot", "tool t:\n  comand: \"x\"\n"); !errors.Is(err, migrate.ErrSyntax) || text != "" {
		t.Errorf("a text that does not parse: %q, %v", text, err)
	}
	const memory = "agent a:\n  memory:\n    scope: s\n    project_root: true\n"
	var removed *migrate.RemovedError
	text, err := migrate.Text("a.bot", memory+"\nagent b:\n  memory:\n    project_root: false\n")
	if !errors.As(err, &removed) || text != "" || len(removed.Places) != 2 {
		t.Fatalf("a removed property: %q, %v", text, err)
	}
	for i, at := range []int{strings.Index(memory, "project"), len(memory) + len("\nagent b:\n  memory:\n    ")} {
		if got := removed.Places[i]; int(got.Start) != at || int(got.End) != at+len("project_root") {
			t.Errorf("place %d is %v, want %d", i, got, at)
		}
	}
}

// profile1 are the files of the corpus that can be read in profile 1, and
// those that are made so by taking the header away.
func profile1(t *testing.T) map[string]string {
	texts := map[string]string{}
	for _, f := range sample.Files(t) {
		texts[f.Name] = string(f.Raw)
		texts[f.Name+" without header"] = strings.Replace(string(f.Raw), "dsl: 2\n", "", 1)
	}
	for _, c := range corpus.CheckCases() {
		texts["check/"+c.Name] = strings.Replace(string(c.Files[0].Data), "dsl: 2\n", "", 1)
	}
	for _, f := range corpus.Fragments() {
		for _, file := range f.Files {
			if strings.HasSuffix(file.Name, ".bot") {
				texts[f.Name+" "+file.Name] = strings.Replace(string(file.Data), "dsl: 2\n", "", 1)
			}
		}
	}
	return texts
}

// Migrated, a program is what it was: it hashes alike, in CRLF too, nothing of
// profile 1 is left, and a second time changes nothing.
func TestMigratedCorpus(t *testing.T) {
	done := 0
	for name, text := range profile1(t) {
		migrated := migratedText(t, name, text)
		if migrated == "" {
			continue
		}
		if migrated != text {
			done++
		}
		crlf := strings.ReplaceAll(text, "\n", "\r\n")
		if got := migratedText(t, name, crlf); got != strings.ReplaceAll(migrated, "\n", "\r\n") && !strings.Contains(text, "\r") {
			t.Errorf("%s: with CRLF it becomes\n%q", name, got)
		}
	}
	if done < 300 {
		t.Errorf("only %d texts were migrated", done)
	}
}

func TestMigratedPrograms(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		text := sample.Program().Draw(rt, "program")
		migratedText(rt, "a.bot", text)
	})
}

// migratedText migrates a text and holds the result against it; "" for a text
// that is refused.
func migratedText(t interface {
	Helper()
	Fatalf(string, ...any)
}, name, text string) string {
	t.Helper()
	migrated, err := migrate.Text(name, text)
	var removed *migrate.RemovedError
	switch {
	case errors.Is(err, migrate.ErrSyntax) || errors.As(err, &removed):
		return ""
	case err != nil:
		t.Fatalf("%s: %v\n%s", name, err, text)
	}
	before, after := build.Text(name, text), build.Text(name, migrated)
	if a, b := before.Program(), after.Program(); a.Hash() != b.Hash() || a.Frontmatter != b.Frontmatter {
		t.Fatalf("%s: the program differs\n%s\nbecame\n%s", name, text, migrated)
	}
	if a, b := codes(before), codes(after); a != b {
		t.Fatalf("%s: the findings were\n%s\nand are\n%s\n%s", name, a, b, migrated)
	}
	if f := after.Files[0].AST; len(f.Decls) > 0 && f.Profile != 2 {
		t.Fatalf("%s: it is of profile %d\n%s", name, f.Profile, migrated)
	}
	if again, err := migrate.Text(name, migrated); err != nil || again != migrated {
		t.Fatalf("%s: the second time it becomes, %v\n%s", name, err, again)
	}
	return migrated
}

// codes lists what is found but for what is about the profile.
func codes(r *build.Result) string {
	var b strings.Builder
	for _, d := range r.Diagnostics {
		if d.Code != "C144" {
			fmt.Fprintf(&b, "%s %s\n", d.Code, d.Message)
		}
	}
	return b.String()
}
