package symbols_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"iterion/corpus"
	"iterion/ir/build"
	"iterion/ir/symbols"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// Each archive is a unit; its last section lists every name with what it is.
func TestNames(t *testing.T) {
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatal(err, "no archives")
	}
	for _, name := range names {
		a, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		last := len(a.Files) - 1
		var files []corpus.File
		for _, f := range a.Files[:last] {
			files = append(files, corpus.File{Name: f.Name, Data: f.Data})
		}
		r, err := build.Unit(build.Input{FS: memory(files), Path: a.Files[0].Name, Editor: true})
		if err != nil {
			t.Fatal(err)
		}
		got := listing(r)
		if *update {
			a.Files[last].Data = []byte(got)
			if err := os.WriteFile(name, txtar.Format(a), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if want := string(a.Files[last].Data); got != want {
			t.Errorf("%s: got\n%s", name, got)
		}
	}
}

var forms = [...]string{
	symbols.Word: "", symbols.Quoted: " quoted", symbols.Template: " {{}}", symbols.Expression: " expr",
	symbols.Shorthand: " short", symbols.Path: " path", symbols.FileName: " file",
}

// listing writes a line for each word, and what it refers to when nothing
// declares that.
func listing(r *build.Result) string {
	x := symbols.Of(r)
	places := r.Places()
	var b strings.Builder
	for _, f := range r.Files {
		for _, d := range f.AST.Decls {
			for _, o := range x.In(d) {
				at := places.Range(d, o.Span)
				fmt.Fprintf(&b, "%s:%d:%d", f.Path, at.Start.Line, at.Start.Column)
				if o.Role == symbols.Declares {
					b.WriteString(" declares")
				}
				for _, s := range append([]symbols.Symbol{o.Symbol}, o.Also...) {
					b.WriteString(" " + spelled(s))
					if _, ok := x.Declaration(s); !ok && !s.Kind.File() && s.Kind != symbols.Argument {
						b.WriteString("?")
					}
				}
				if target, ok := x.Target(o); ok {
					b.WriteString(" -> " + target)
				}
				b.WriteString(forms[o.Form] + "\n")
			}
		}
	}
	return b.String()
}

func spelled(s symbols.Symbol) string {
	if s.Owner != "" {
		return s.Kind.String() + " " + s.Owner + "/" + s.Name
	}
	return s.Kind.String() + " " + s.Name
}
