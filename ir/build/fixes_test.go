package build_test

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"iterion/ast/source"
	"iterion/corpus"
	"iterion/diagnostics"
	"iterion/grammar/parser"
	"iterion/grammar/printer"
	"iterion/ir/build"
)

// faultyUnit is a text of the corpus with the files that it reaches.
type faultyUnit struct {
	name string
	in   build.Input
}

// faulty are all that the corpus says about findings.
func faulty() []faultyUnit {
	var list []faultyUnit
	add := func(name string, in build.Input, main string) {
		in.Path = main
		list = append(list, faultyUnit{name, in})
	}
	for _, c := range corpus.CheckCases() {
		add("check/"+c.Name, bundleInput(memory(c.Files), c.Options), c.Files[0].Name)
	}
	for _, c := range corpus.Cases() {
		add("broken/"+c.Name, build.Input{FS: memory(c.Files)}, corpus.Entry)
	}
	for _, f := range corpus.Fragments() {
		add(f.Name, bundleInput(memory(f.Files), f.Options), "main.bot")
	}
	for _, row := range diagnostics.All() {
		for _, ex := range diagnostics.Examples(row.Code) {
			options := corpus.Options{Folder: ex.Folder, Engine: ex.Engine, Editor: ex.Editor}
			add("page "+string(row.Code), bundleInput(files(ex.Files), options), ex.Files[0].Name)
		}
	}
	return list
}

func (p faultyUnit) build(t *testing.T, overlay map[string]string) *build.Result {
	t.Helper()
	in := p.in
	in.Overlay = overlay
	r, err := build.Unit(in)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Every row of the table of fixes is earned by a finding of each of its codes,
// and no finding carries a fix that the table does not give to its code.
func TestFixTable(t *testing.T) {
	type pair struct {
		id   string
		code diagnostics.Code
	}
	missing := map[pair]bool{}
	for _, row := range diagnostics.Fixes() {
		for _, code := range row.Codes {
			missing[pair{row.ID, code}] = true
		}
	}
	for _, p := range faulty() {
		for _, d := range p.build(t, nil).Diagnostics {
			for _, f := range d.Fixes {
				row, ok := diagnostics.LookupFix(f.ID)
				if !ok || !slices.Contains(row.Codes, d.Code) || f.Kind != row.Kind || f.Title != row.Title {
					t.Errorf("%s: %s carries the fix %s, %v", p.name, d.Code, f.ID, f.Kind)
				}
				delete(missing, pair{f.ID, d.Code})
			}
		}
	}
	for m := range missing {
		t.Errorf("no text of the corpus earns the fix %s with %s", m.id, m.code)
	}
}

// Edits lie in their files, between characters, in order and apart.
func TestFixesAreWellFormed(t *testing.T) {
	for _, p := range faulty() {
		r := p.build(t, nil)
		texts := textsOf(r)
		for _, d := range r.Diagnostics {
			for _, f := range d.Fixes {
				checkEdits(t, p.name, texts, f)
			}
		}
	}
}

func checkEdits(t *testing.T, name string, texts map[string]string, f diagnostics.Fix) {
	t.Helper()
	if (len(f.Edits) == 0) != (f.Kind == diagnostics.Command) {
		t.Errorf("%s: %s has %d edits", name, f.ID, len(f.Edits))
	}
	for i, e := range f.Edits {
		text, ok := texts[e.Range.File]
		at := e.Range.Offsets
		if !ok || at.Start > at.End || int(at.End) > len(text) || !atCharacters(text, at) {
			t.Fatalf("%s: %s edits %+v", name, f.ID, e.Range)
		}
		if e.New == text[at.Start:at.End] {
			t.Errorf("%s: %s changes nothing", name, f.ID)
		}
		if i > 0 && (f.Edits[i-1].Range.Offsets.End > at.Start || f.Edits[i-1].Range.File != e.Range.File) {
			t.Errorf("%s: the edits of %s are not in order", name, f.ID)
		}
	}
}

func atCharacters(text string, at source.Span) bool {
	starts := func(offset uint32) bool { return int(offset) == len(text) || utf8.RuneStart(text[offset]) }
	return starts(at.Start) && starts(at.End)
}

func textsOf(r *build.Result) map[string]string {
	texts := map[string]string{}
	for _, f := range slices.Concat(r.Files, r.Beside) {
		texts[f.Source().Name] = f.Source().Text
	}
	return texts
}

// Each fix alone takes its finding away and brings no error, and the result can
// be formatted as well as before. A name that is known at last may bring what
// was withheld because of it.
func TestFixesRemedy(t *testing.T) {
	for _, p := range faulty() {
		r := p.build(t, nil)
		texts := textsOf(r)
		for _, d := range r.Diagnostics {
			for _, f := range d.Fixes {
				if f.Kind == diagnostics.Command {
					continue
				}
				name := f.Edits[0].Range.File
				after := apply(texts[name], f)
				fixed := p.build(t, map[string]string{name: after})
				if n, m := count(r, d.Code), count(fixed, d.Code); m >= n {
					t.Errorf("%s: %s leaves %s, found %d times before and %d times after:\n%s", p.name, f.ID, d.Code, n, m, after)
				}
				for _, e := range fixed.Diagnostics {
					if e.Severity == diagnostics.Error && f.ID != diagnostics.RenameName && count(fixed, e.Code) > count(r, e.Code) {
						t.Errorf("%s: %s of %s brings %s: %s\n%s", p.name, f.ID, d.Code, e.Code, e.Message, after)
					}
				}
				if formats(name, texts[name]) && !formats(name, after) {
					t.Errorf("%s: after %s the text cannot be formatted\n%s", p.name, f.ID, after)
				}
			}
		}
	}
}

func apply(text string, f diagnostics.Fix) string {
	var edits []source.Edit
	for _, e := range f.Edits {
		edits = append(edits, source.Edit{Span: e.Range.Offsets, New: e.New})
	}
	return source.Rewrite(text, edits)
}

func count(r *build.Result, code diagnostics.Code) int {
	n := 0
	for _, d := range r.Diagnostics {
		if d.Code == code {
			n++
		}
	}
	return n
}

// formats tells whether a text has a canonical form, and only one.
func formats(name, text string) bool {
	if !strings.HasSuffix(name, ".bot") {
		return true
	}
	once, err := printer.Tree(parser.File(source.Load(name, text)))
	if err != nil {
		return false
	}
	again, err := printer.Tree(parser.File(source.Load(name, once)))
	return err == nil && string(once) == string(again)
}

// Whatever is typed into a faulty text, the open document offers the fixes that
// a build of its text offers, and they lie in it.
func TestFixesWhileTyping(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 9))
	typed := []string{"a", "x", "\"", "\n", "  ", "'{{vars.x}}'", "{{outputs.a", "}", "#", "else", ":", "é", "0", "\\q", ",", "on", ""}
	for _, c := range corpus.CheckCases() {
		text := string(c.Files[0].Data)
		doc := build.Open("a.bot", text)
		for range 12 {
			start := rnd.IntN(len(text) + 1)
			end := min(start+rnd.IntN(3), len(text))
			with := typed[rnd.IntN(len(typed))]
			text = text[:start] + with + text[end:]
			doc = doc.Edit(start, end, with)
			found := doc.Diagnostics()
			if want := build.Text("a.bot", text).Diagnostics; !reflect.DeepEqual(found, want) {
				t.Fatalf("%s: %q at %d: got\n%+v\nwant\n%+v\n%s", c.Name, with, start, found, want, text)
			}
			for _, d := range found {
				for _, f := range d.Fixes {
					checkEdits(t, c.Name, map[string]string{"a.bot": text}, f)
				}
			}
		}
	}
}
