package main

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// The documentation holds two tables that the program knows: its verbs and its
// import rules. -update rewrites them.
func TestDocs(t *testing.T) {
	for _, c := range []struct{ file, mark, text string }{
		{"../../docs/cli.md", "verbs", verbsText(newRoot(streams{}))},
		{"../../docs/architecture.md", "imports", importsText()},
	} {
		raw, err := os.ReadFile(c.file)
		if err != nil {
			t.Fatal(err)
		}
		want, ok := between(string(raw), c.mark, c.text)
		switch {
		case !ok:
			t.Errorf("%s has no place for %s", c.file, c.mark)
		case want == string(raw):
		case *update:
			if err := os.WriteFile(c.file, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
		default:
			t.Errorf("%s is not current: go test ./cmd/iterion -run TestDocs -update", c.file)
		}
	}
}

// between replaces what stands between the marks of a generated part.
func between(text, mark, part string) (string, bool) {
	open, shut := "<!-- generated: "+mark+" -->\n", "<!-- end: "+mark+" -->\n"
	before, rest, found := strings.Cut(text, open)
	_, after, ends := strings.Cut(rest, shut)
	return before + open + "\n" + strings.TrimSpace(part) + "\n\n" + shut + after, found && ends
}

func verbsText(root *cobra.Command) string {
	var b bytes.Buffer
	for _, verb := range root.Commands() {
		if verb.Hidden {
			continue
		}
		about := verb.Long
		if about == "" {
			about = verb.Short + "."
		}
		fmt.Fprintf(&b, "### iterion %s\n\n```text\n%s\n```\n\n%s\n\n", verb.Name(), verb.UseLine(), about)
		if flags := verb.LocalFlags().FlagUsagesWrapped(110); flags != "" {
			fmt.Fprintf(&b, "```text\n%s```\n\n", flags)
		}
		if verb.Example != "" {
			fmt.Fprintf(&b, "```sh\n%s\n```\n\n", strings.ReplaceAll(verb.Example[2:], "\n  ", "\n"))
		}
	}
	return b.String()
}

func importsText() string {
	var b strings.Builder
	b.WriteString("| folder | what it is | may import of ours | outside modules | files, network, environment |\n| --- | --- | --- | --- | --- |\n")
	for _, a := range arrows {
		reach := "yes"
		if a.pure {
			reach = "no"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s |\n", a.folder, a.what, codes(a.ours), codes(a.modules), reach)
	}
	return b.String()
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
	for _, verb := range newRoot(streams{}).Commands() {
		if verb.Short == "" || verb.Example == "" {
			t.Errorf("%s: no short text or no example", verb.Name())
		}
		if !strings.Contains(scripts, "iterion "+verb.Name()) {
			t.Errorf("%s: no script runs it", verb.Name())
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
