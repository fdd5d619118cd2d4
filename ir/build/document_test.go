package build_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"iterion/corpus"
	"iterion/diagnostics"
	"iterion/ir/build"
)

// Whatever is typed, and wherever, the findings of the edited document are
// those of its text built anew.
func TestEditsAgreeWithBuild(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	typed := []string{"a", "x", "\"", "\n", "  ", "{{vars.nope}}", "{{outputs.", "}", "{", "#", "## c\n", "`", ":", "->", "\t", "é", "agent z:\n", " [", "0", "\\q", ",", "when ",
		"lint:", " # lint: allow C128, C999 -- x\n", "\n  # lint: allow C137, C144\n", "\n# lint: allow-file C128\n", "## ---\n", " # lint: allow L001"}
	files := corpus.Files()
	for i, text := range directiveCases(t) {
		files = append(files, corpus.File{Name: fmt.Sprintf("directives/%d.bot", i), Data: []byte(text)})
	}
	for _, f := range files {
		text := strings.TrimPrefix(strings.ReplaceAll(string(f.Data), "\r\n", "\n"), "\uFEFF")
		doc := build.Open(f.Name, text)
		for step := range 40 {
			start := rnd.IntN(len(text) + 1)
			end := start
			if rnd.IntN(3) == 0 {
				end = min(start+rnd.IntN(4), len(text))
			}
			with := typed[rnd.IntN(len(typed))]
			if rnd.IntN(4) == 0 {
				with = ""
			}
			text = text[:start] + with + text[end:]
			doc = doc.Edit(start, end, with)
			if got := doc.Text(); got != text {
				t.Fatalf("%s, step %d: the texts differ", f.Name, step)
			}
			want := build.Open(f.Name, text).Diagnostics()
			if got := doc.Diagnostics(); !reflect.DeepEqual(got, want) {
				t.Fatalf("%s, step %d, %q at %d:\ngot  %s\nwant %s", f.Name, step, with, start, lines(got), lines(want))
			}
			direct := build.Text(f.Name, text)
			if !strings.Contains(text, "import") && !reflect.DeepEqual(direct.Diagnostics, want) {
				t.Fatalf("%s, step %d: a document and a unit differ:\n%s\n%s", f.Name, step, lines(want), lines(direct.Diagnostics))
			}
			if got := doc.Suppressed(); !slices.Equal(told(got), told(direct.Suppressed)) {
				t.Fatalf("%s, step %d: allowed\n%s\nwant\n%s", f.Name, step, lines(got), lines(direct.Suppressed))
			}
			if step%8 == 7 { // start over before nothing is left to read
				text = strings.TrimPrefix(strings.ReplaceAll(string(f.Data), "\r\n", "\n"), "\uFEFF")
				doc = build.Open(f.Name, text)
			}
		}
	}
}

func told(list []diagnostics.Diagnostic) (out []string) {
	for _, d := range list {
		out = append(out, fmt.Sprintf("%+v", d))
	}
	return out
}

func lines(list []diagnostics.Diagnostic) string {
	var b strings.Builder
	for _, d := range list {
		fmt.Fprintf(&b, "%d:%d %s %s %v\n", d.Range.Start.Line, d.Range.Start.Column, d.Code, d.Message, d.Related)
	}
	return b.String()
}

// large is a document of about kb kilobytes: the realistic bots' nodes and
// prompts under fresh names, in one workflow.
func large(kb int) string {
	var b, edges strings.Builder
	b.WriteString("dsl: 2\n\n")
	prompt := strings.Repeat("  Read the change and the tickets that it names, and say what a reviewer must know.\n", 12)
	for i := 0; b.Len() < kb<<10; i++ {
		fmt.Fprintf(&b, "## Step %d reads what the one before it wrote.\nschema out_%d:\n  text: string\n\nprompt task_%d:\n%s", i, i, i, prompt)
		if i > 0 {
			fmt.Fprintf(&b, "\n  Before: {{outputs.step_%d.text}}\n", i-1)
		}
		fmt.Fprintf(&b, "\nagent step_%d:\n  model: \"anthropic/claude-sonnet-5\"\n  output: out_%d\n  user: task_%d\n  system: \"You are brief.\"\n  tools: [read_file, grep]\n\n", i, i, i)
		if i > 0 {
			fmt.Fprintf(&edges, "  step_%d -> step_%d\n", i-1, i)
		}
	}
	n := strings.Count(edges.String(), "\n")
	return b.String() + "workflow big:\n  entry: step_0\n\n" + edges.String() + fmt.Sprintf("  step_%d -> done\n", n)
}

func benchmarkKeystroke(b *testing.B, kb int, at string) {
	text := large(kb)
	doc := build.Open("big.bot", text)
	if list := doc.Diagnostics(); len(list) > 0 {
		b.Fatal(lines(list))
	}
	middle := strings.Index(text[len(text)/2:], at) + len(text)/2 + len(at)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if i%2 == 0 {
			doc = doc.Edit(middle, middle, "x")
		} else {
			doc = doc.Edit(middle, middle+1, "")
		}
		if len(doc.Diagnostics()) > 1 {
			b.Fatal(lines(doc.Diagnostics()))
		}
	}
}

// One keystroke to diagnostics: in a prompt's text, in a node's, and in a name
// that the whole program depends on.
func BenchmarkKeystroke(b *testing.B) {
	for _, kb := range []int{240, 2400} {
		b.Run(fmt.Sprintf("prompt/%dKB", kb), func(b *testing.B) { benchmarkKeystroke(b, kb, "Read the change") })
		b.Run(fmt.Sprintf("node/%dKB", kb), func(b *testing.B) { benchmarkKeystroke(b, kb, "You are brief") })
	}
	b.Run("model/240KB", func(b *testing.B) { benchmarkKeystroke(b, 240, "claude-sonnet-5") })
}
