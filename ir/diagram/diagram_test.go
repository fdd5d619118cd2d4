package diagram_test

import (
	"encoding/xml"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"iterion/ir"
	"iterion/ir/build"
	"iterion/ir/diagram"
)

var update = flag.Bool("update", false, "rewrite the golden files")

const corpus = "../../corpus"

// compiled builds a corpus file that must be valid.
func compiled(t *testing.T, name string) *ir.Program {
	t.Helper()
	dir, file := filepath.Split(name)
	r, err := build.Unit(build.Input{FS: os.DirFS(dir), Path: file})
	if err != nil || !r.Valid() {
		t.Fatalf("%s: %v %v", name, err, r)
	}
	return r.Program()
}

func TestGolden(t *testing.T) {
	for _, name := range []string{"run/hello.bot", "examples/ship_docs.bot", "syntax/foreach.bot"} {
		p := compiled(t, filepath.Join(corpus, name))
		base := filepath.Join("testdata", strings.TrimSuffix(filepath.Base(name), ".bot"))
		golden(t, base+".mmd", diagram.Mermaid(p))
		golden(t, base+".dot", diagram.DOT(p))
		golden(t, base+".svg", diagram.SVG(p))
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs (-update rewrites it):\n%s", name, got)
	}
}

// Labels hold author's text: nothing of it may end the label or start markup.
func TestLabelsAreEscaped(t *testing.T) {
	r := build.Text("x.bot", []byte("dsl: 2\n\nschema s:\n  a: string\n\ncompute c:\n  output: s\n  expr:\n    a: \"'x'\"\n\n"+
		"workflow w:\n  entry: c\n\n  c -> done when `a == '\\n' && a != '#|\"<b>'`\n  c -> fail else\n"))
	if !r.Valid() {
		t.Fatal(r.Diagnostics)
	}
	mermaid, dot, svg := diagram.Mermaid(r.Program()), diagram.DOT(r.Program()), diagram.SVG(r.Program())
	if want := `when a == &#39;\n&#39; &amp;&amp; a != &#39;#|&#34;&lt;b&gt;&#39;`; !strings.Contains(svg, want) || xml.Unmarshal([]byte(svg), new(struct{})) != nil {
		t.Errorf("no %s in, or no XML:\n%s", want, svg)
	}
	if want := `n_c -->|"when a == '#92;n' #amp;#amp; a != '#35;|#quot;#lt;b#gt;'"| n_done`; !strings.Contains(mermaid, want) {
		t.Errorf("no %s in\n%s", want, mermaid)
	}
	if want := `"c" -> "done" [label="when a == '\\n' && a != '#|\"<b>'"];`; !strings.Contains(dot, want) {
		t.Errorf("no %s in\n%s", want, dot)
	}
}

// Every valid bot of the corpus can be drawn, and each of its edges is.
func TestCorpus(t *testing.T) {
	names, err := filepath.Glob(filepath.Join(corpus, "*", "*.bot"))
	if err != nil || len(names) == 0 {
		t.Fatal("no corpus", err)
	}
	for _, name := range names {
		dir, file := filepath.Split(name)
		r, err := build.Unit(build.Input{FS: os.DirFS(dir), Path: file})
		if err != nil {
			t.Fatal(err)
		}
		if !r.Valid() {
			continue
		}
		p := r.Program()
		arrows := len(p.Edges)
		if p.Workflow != nil && p.Workflow.Entry.Set() {
			arrows++
		}
		mermaid := strings.Count(diagram.Mermaid(p), " -->") + strings.Count(diagram.Mermaid(p), " -.->")
		if svg := strings.Count(diagram.SVG(p), `<path class="edge`); svg != arrows {
			t.Errorf("%s: %d arrows in the picture for %d edges", name, svg, arrows)
		}
		if dot := strings.Count(diagram.DOT(p), `" -> "`); mermaid != arrows || dot != arrows {
			t.Errorf("%s: %d and %d arrows for %d edges", name, mermaid, dot, arrows)
		}
	}
}

// What a run did is marked: visits by node, crossings by edge, the rest faint.
func TestMarks(t *testing.T) {
	p := compiled(t, filepath.Join(corpus, "run/hello.bot"))
	plain := diagram.Draw(p, diagram.Marks{})
	marked := diagram.Draw(p, diagram.Marks{
		Nodes: map[string]diagram.Mark{p.Nodes[0].ID: {Visits: 3, State: "failed"}}, Edges: map[int]int{0: 2},
	})
	if strings.Contains(plain, "way taken") || strings.Contains(plain, "badge") {
		t.Error("a run that did nothing has marks")
	}
	for _, want := range []string{`<g class="node failed">`, ">3×<", ">2×<", `<g class="way taken">`} {
		if strings.Count(marked, want) != 1 {
			t.Errorf("%s stands %d times", want, strings.Count(marked, want))
		}
	}
}
