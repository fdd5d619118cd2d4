package build_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"iterion/ast"
	"iterion/ast/source"
	"iterion/corpus"
	"iterion/diagnostics"
	"iterion/grammar/author"
	"iterion/grammar/printer"
	"iterion/grammar/reference/sample"
	"iterion/grammar/schema"
	"iterion/ir/build"

	"pgregory.net/rapid"
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

// The cases of author documents earn exactly the findings written beside their
// lines, and stand for the `.bot` written with them.
func TestDocumentCases(t *testing.T) {
	for _, c := range corpus.Documents() {
		r, err := build.Unit(build.Input{FS: memory(c.Files), Path: corpus.DocumentEntry})
		if err != nil {
			t.Fatal(err)
		}
		want := slices.Clone(c.Want)
		for _, d := range r.Diagnostics {
			if i := slices.IndexFunc(want, func(w corpus.Want) bool { return meets(d, w) }); i >= 0 {
				want = slices.Delete(want, i, i+1)
				continue
			}
			t.Errorf("%s: not expected: %s:%d:%d %s: %s", c.Name, d.Range.File, d.Range.Start.Line, d.Range.Start.Column, d.Code, d.Message)
		}
		for _, w := range want {
			t.Errorf("%s: not found: %v", c.Name, w)
		}
		if c.Bot == "" {
			continue
		}
		if bot, err := printer.Tree(author.Read(c.Files[0].Name, c.Files[0].Data).AST); err != nil || string(bot) != c.Bot {
			t.Errorf("%s: stands for, %v\n%s", c.Name, err, bot)
		}
	}
}

// Every prefix of a document is built, with findings inside of it.
func TestDocumentPrefixes(t *testing.T) {
	for _, c := range corpus.Documents() {
		text := source.Load(c.Files[0].Name, c.Files[0].Data).Text
		step := max(len(text)/120, 1)
		for end := 0; end < len(text); end += step {
			sound(t, text[:end], build.Text(corpus.DocumentEntry, text[:end]).Diagnostics)
		}
	}
}

// Whatever the text, reading it as a document ends with findings inside of it,
// and what reads has a `.bot`.
func FuzzDocument(f *testing.F) {
	for _, c := range corpus.Documents() {
		f.Add(string(c.Files[0].Data))
	}
	f.Fuzz(func(t *testing.T, text string) {
		sound(t, text, build.Text(corpus.DocumentEntry, text).Diagnostics)
		d := author.Read(corpus.DocumentEntry, text)
		if !d.Valid() {
			return
		}
		if _, err := printer.Tree(d.AST); err != nil {
			t.Errorf("the document reads and has no `.bot`: %v", err)
		}
	})
}

// Every program that can be written, written as a document, is the same
// program.
func TestGeneratedTwins(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		text := sample.Program().Draw(r, "program")
		tree := build.Text("a.bot", text).Files[0].AST
		if tree.Strict && tree.Profile == 1 || zeros.MatchString(text) {
			return
		}
		bot := build.Text("a.bot", reordered(tree))
		if slices.ContainsFunc(bot.Diagnostics, isParse) {
			return
		}
		document := documentOf(t, tree)
		twin := build.Text(corpus.DocumentEntry, document)
		if slices.ContainsFunc(twin.Diagnostics, stricter) {
			return
		}
		if twin.Program().Hash() != bot.Program().Hash() {
			r.Fatalf("another program\n%s\n%s\n%s\n%s", text, document, lines(twin.Diagnostics), twin.Files[0].AST.Source.Text)
		}
	})
}

// stricter tells of what a document refuses and a `.bot` lets pass: an escaped
// line break in a word, blank lines of a prompt, and a second key, where the
// compiler has a code of its own for a second declaration.
func stricter(d diagnostics.Diagnostic) bool {
	return d.Code == "E053" || d.Code == "E050" && strings.Contains(d.Message, "written twice") || d.Code == "E051" && strings.Contains(d.Message, "line break")
}

// zeros are numbers that YAML reads otherwise.
var zeros = regexp.MustCompile(`\b0[0-9]`)
