package build_test

import (
	"slices"
	"strings"
	"testing"

	"iterion/ast"
	"iterion/ast/source"
	"iterion/corpus"
	"iterion/diagnostics"
	"iterion/grammar/author"
	"iterion/grammar/schema"
	"iterion/ir/build"
)

// Every program of the corpus, written as an author document, is the same
// program and draws the same findings.
func TestTwins(t *testing.T) {
	count := 0
	for _, f := range corpus.Files() {
		bot := unitIn(t, f.Name, "")
		tree := bot.Files[0].AST
		// No document sets the directive or holds a number like 007.
		if tree.Strict && tree.Profile == 1 || f.Name == "syntax/numbers.bot" || slices.ContainsFunc(bot.Diagnostics, isParse) {
			continue
		}
		count++
		text := documentOf(t, tree)
		bot = unitIn(t, f.Name, reordered(tree))
		twin := unitIn(t, strings.TrimSuffix(f.Name, ".bot")+author.Ext, text)
		if got, want := codesIn(twin), codesIn(bot); !slices.Equal(got, want) {
			t.Errorf("%s: the document draws %v, the `.bot` %v\n%s%s", f.Name, got, want, lines(twin.Diagnostics), text)
		}
		if twin.Program().Hash() != bot.Program().Hash() {
			t.Errorf("%s: another program\n%s\n%s", f.Name, text, twin.Files[0].AST.Source.Text)
		}
	}
	if count < 100 {
		t.Errorf("only %d documents", count)
	}
}

func isParse(d diagnostics.Diagnostic) bool { return d.Stage == diagnostics.Parse }

// reordered is a file in the order of a document's sections, which decides
// about the order of nodes and prompts in the program.
func reordered(f *ast.File) string {
	sections := map[string]string{}
	for i, d := range f.Decls {
		text := strings.TrimPrefix(d.Text, source.BOM)
		if !strings.HasSuffix(text, "\n") && i == len(f.Decls)-1 {
			text += "\n"
		}
		sections[sectionOf(d)] += text
	}
	text := sections["dsl"]
	for _, name := range sectionOrder {
		text += sections[name]
	}
	return text
}

// sectionOf is the key of a document that holds a declaration.
func sectionOf(d *ast.Declaration) string {
	word := d.Keyword()
	switch kind := schema.Lookup(word); {
	case d.Root().Kind == ast.Header, word == "workflow":
		return word
	case kind != nil && kind.Node:
		return "nodes"
	case kind != nil && !kind.Named && word != "use":
		return word
	}
	return word + "s"
}

// unitIn builds a file of the corpus, or a text in its place.
func unitIn(t *testing.T, name, text string) *build.Result {
	t.Helper()
	in := build.Input{FS: corpus.FS(), Path: name}
	if text != "" {
		in.Overlay = map[string]string{name: text}
	}
	r, err := build.Unit(in)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// codesIn are the sorted codes of a build. How a headerless file would be read
// in another profile is nothing to a document, which names its profile.
func codesIn(r *build.Result) []string {
	codes := slices.DeleteFunc(codesOf(r.Diagnostics), func(c string) bool { return c == "C144" })
	slices.Sort(codes)
	return codes
}
