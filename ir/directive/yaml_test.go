package directive_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"iterion/ast/source"
	"iterion/diagnostics"
	"iterion/ir/directive"
)

func read(text string) []directive.Directive {
	f := source.New("manifest.yaml", text)
	return directive.YAML(text, func(s source.Span) diagnostics.Range {
		return diagnostics.Range{File: f.Name, Start: f.Position(int(s.Start)), End: f.Position(int(s.End)), Offsets: s}
	})
}

// A case is a YAML text and, in order, what each of its directives covers:
// `line:column first-last codes`.
func TestYAML(t *testing.T) {
	paths, err := filepath.Glob("testdata/yaml/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatal("no cases", err)
	}
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		got := describe(read(string(archive.Files[0].Data)))
		if *update {
			archive.Files = append(archive.Files[:1], txtar.File{Name: "want", Data: []byte(got)})
			if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
				t.Fatal(err)
			}
		} else if want := string(archive.Files[1].Data); got != want {
			t.Errorf("%s: got\n%swant\n%s", path, got, want)
		}
	}
}

func describe(list []directive.Directive) string {
	var b strings.Builder
	for _, d := range list {
		last := fmt.Sprint(d.Last)
		if d.Last == math.MaxInt {
			last = "end"
		}
		fmt.Fprintf(&b, "%d:%d %d-%s", d.Range.Start.Line, d.Range.Start.Column, d.First, last)
		for _, n := range d.Names {
			fmt.Fprintf(&b, " %s@%d:%d", n.Text, n.Range.Start.Line, n.Range.Start.Column)
		}
		if d.Reason != "" {
			fmt.Fprintf(&b, " (%s)", d.Reason)
		}
		if d.Fault != "" {
			fmt.Fprintf(&b, " fault: %s", d.Fault)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// Whatever the text, directives are read and lie on a comment of it.
func FuzzYAML(f *testing.F) {
	f.Add("# lint: allow C1\na: |\n  # lint: no\nb: x # lint: allow C2\n- c: \"# lint: no\"\n---\n%TAG\n")
	f.Fuzz(func(t *testing.T, text string) {
		for _, d := range read(text) {
			at := d.Range.Offsets
			if at.Start >= at.End || int(at.End) > len(text) || !directive.Is(text[at.Start:at.End]) || d.First > d.Last {
				t.Errorf("%+v in %q", d, text)
			}
		}
	})
}
