package main

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"iterion/ir/bundle"
)

// The documentation holds tables that the program knows: its verbs, its import
// rules, the properties of declarations, functions and failure codes. -update
// rewrites them.
func TestDocs(t *testing.T) {
	current(t, "../../docs/cli.md", map[string]string{"verbs": verbsText(wholeRoot(streams{}))})
	current(t, "../../docs/fixing.md", map[string]string{"fixes": fixesText()})
	current(t, "../../docs/bundles.md", map[string]string{"manifest keys": manifestKeysText()})
	current(t, "../../docs/architecture.md", map[string]string{"imports": importsText()})
	current(t, "../../docs/running.md", map[string]string{"failure codes": failureCodesText()})
	language := propertyTables()
	language["functions"] = functionsText()
	current(t, "../../docs/language.md", language)
}

// current holds the generated parts of a file against what they must be.
func current(t *testing.T, file string, parts map[string]string) {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want := string(raw)
	for mark, part := range parts {
		var ok bool
		if want, ok = between(want, mark, part); !ok {
			t.Errorf("%s has no place for %s", file, mark)
			return
		}
	}
	switch {
	case want == string(raw):
	case *update:
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("%s is not current: go test ./cmd/iterion -run TestDocs -update", file)
	}
}

// between replaces what stands between the marks of a generated part.
func between(text, mark, part string) (string, bool) {
	open, shut := "<!-- generated: "+mark+" -->\n", "<!-- end: "+mark+" -->\n"
	before, rest, found := strings.Cut(text, open)
	_, after, ends := strings.Cut(rest, shut)
	return before + open + "\n" + strings.TrimSpace(part) + "\n\n" + shut + after, found && ends
}

// manifestKeysText is the table of a manifest's keys.
func manifestKeysText() string {
	var b strings.Builder
	b.WriteString("| key | holds |\n| --- | --- |\n")
	for _, k := range bundle.Listed() {
		mark := ""
		if k.Own {
			mark = " ●"
		}
		fmt.Fprintf(&b, "| `%s`%s | %s |\n", k.Path, mark, k.Holds)
	}
	return b.String()
}

// verbsOf lists the verbs, each followed by its own. What cobra makes by
// itself below `completion` is no verb of ours.
func verbsOf(root *cobra.Command) (verbs []*cobra.Command) {
	for _, verb := range root.Commands() {
		if verb.Hidden {
			continue
		}
		verbs = append(verbs, verb)
		if verb.Name() != "completion" {
			verbs = append(verbs, verbsOf(verb)...)
		}
	}
	return verbs
}

func verbsText(root *cobra.Command) string {
	var b bytes.Buffer
	for _, verb := range verbsOf(root) {
		about := verb.Long
		if about == "" {
			about = verb.Short + "."
		}
		fmt.Fprintf(&b, "### %s\n\n```text\n%s\n```\n\n%s\n\n", verb.CommandPath(), verb.UseLine(), about)
		if flags := verb.LocalFlags().FlagUsagesWrapped(110); flags != "" {
			fmt.Fprintf(&b, "```text\n%s```\n\n", flags)
		}
		if verb.Example != "" {
			fmt.Fprintf(&b, "```sh\n%s\n```\n\n", strings.ReplaceAll(verb.Example[2:], "\n  ", "\n"))
		}
	}
	return b.String()
}

// importsText is the table of imports for the folders that hold packages; a
// rule for another folder is named behind it.
func importsText() string {
	var b strings.Builder
	var planned []string
	b.WriteString("| folder | what it is | may import of ours | outside modules | files, network, environment |\n| --- | --- | --- | --- | --- |\n")
	for _, a := range arrows {
		if !exists(a.folder) {
			planned = append(planned, a.folder)
			continue
		}
		reach := "yes"
		if a.pure {
			reach = "no"
		}
		ours := slices.DeleteFunc(slices.Clone(a.ours), func(folder string) bool { return !exists(strings.TrimPrefix(folder, "=")) })
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s |\n", a.folder, a.what, codes(ours), codes(a.modules), reach)
	}
	if planned != nil {
		fmt.Fprintf(&b, "\nPlanned, not there yet: %s.\n", codes(planned))
	}
	return b.String()
}

// exists tells whether a folder of the module holds anything.
func exists(folder string) bool {
	entries, _ := os.ReadDir("../../" + folder)
	return len(entries) > 0
}

func codes(list []string) string {
	if len(list) == 0 {
		return "–"
	}
	return "`" + strings.ReplaceAll(strings.Join(list, "` `"), "=", "") + "`"
}

// Every verb says what it does and shows how it is called, and a script runs it.
func TestVerbsAreDocumentedAndTested(t *testing.T) {
	scripts := scriptText(t)
	for _, verb := range verbsOf(wholeRoot(streams{})) {
		if verb.Short == "" || verb.Example == "" {
			t.Errorf("%s: no short text or no example", verb.CommandPath())
		}
		if !strings.Contains(scripts, verb.CommandPath()) {
			t.Errorf("%s: no script runs it", verb.CommandPath())
		}
	}
}

func scriptText(t *testing.T) string {
	t.Helper()
	entries, err := os.ReadDir("testdata/script")
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, e := range entries {
		raw, err := os.ReadFile("testdata/script/" + e.Name())
		if err != nil {
			t.Fatal(err)
		}
		b.Write(raw)
	}
	return b.String()
}
