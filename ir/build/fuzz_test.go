package build_test

import (
	"io/fs"
	"reflect"
	"slices"
	"testing"

	"iterion/ast/source"
	"iterion/corpus"
	"iterion/diagnostics"
	"iterion/ir/build"
)

// sound fails when a finding lies outside of the text, or the list is not in
// order.
func sound(t *testing.T, text string, list []diagnostics.Diagnostic) {
	t.Helper()
	text = source.Load("a.bot", text).Text
	for _, d := range list {
		at := d.Range.Offsets
		if at.Start > at.End || int(at.End) > len(text) || d.Range.Start.Line < 1 || d.Range.Start.Column < 1 || d.Range.End.Less(d.Range.Start) {
			t.Errorf("%s %q lies at %+v of %d bytes", d.Code, d.Message, d.Range, len(text))
		}
		if d.Message == "" || d.FixLine() == "" {
			t.Errorf("%s has no message or no fix line", d.Code)
		}
	}
	if !slices.IsSortedFunc(list, diagnostics.Compare) {
		t.Error("the findings are not in order")
	}
}

// Whatever the text, building it ends with findings inside it, and a document
// says the same.
func FuzzBuild(f *testing.F) {
	for _, file := range corpus.Files() {
		f.Add(string(file.Data))
	}
	for _, c := range corpus.Cases() {
		f.Add(string(c.Files[0].Data))
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := build.Text("a.bot", text).Diagnostics
		sound(t, text, got)
		text = source.Load("a.bot", text).Text
		if doc := build.Open("a.bot", text); !reflect.DeepEqual(doc.Diagnostics(), build.Text("a.bot", text).Diagnostics) {
			t.Errorf("the document says\n%s\nthe unit\n%s", lines(doc.Diagnostics()), lines(got))
		}
	})
}

// Every prefix of every file of a case or a bundle is built, or refused as a
// bundle that does not open, and no place lies outside of a text.
func TestPrefixesOfFaults(t *testing.T) {
	for _, p := range faulty() {
		texts := textsOf(p.build(t, nil))
		for name, text := range texts {
			if _, err := fs.Stat(p.in.FS, name); err != nil {
				continue
			}
			for end := 0; end < len(text); end += max(len(text)/30, 1) {
				in := p.in
				in.Overlay = map[string]string{name: text[:end]}
				if r, err := build.Unit(in); err == nil {
					placed(t, p.name, r)
				}
			}
		}
	}
}

// placed wants every place inside of its file.
func placed(t *testing.T, name string, r *build.Result) {
	t.Helper()
	texts := textsOf(r)
	check := func(code diagnostics.Code, at diagnostics.Range) {
		if text, ok := texts[at.File]; !ok || at.Offsets.Start > at.Offsets.End || int(at.Offsets.End) > len(text) || at.Start.Line < 1 {
			t.Fatalf("%s: %s lies at %+v", name, code, at)
		}
	}
	for _, d := range slices.Concat(r.Diagnostics, r.Suppressed) {
		check(d.Code, d.Range)
		for _, rel := range d.Related {
			check(d.Code, rel.Range)
		}
	}
}

// Every prefix of a file, and every file without one of its lines, is built:
// that is what an editor sends.
func TestPrefixesAndMissingLines(t *testing.T) {
	for _, f := range corpus.Files() {
		text := source.Load(f.Name, f.Data).Text
		step := max(len(text)/60, 1)
		for end := 0; end < len(text); end += step {
			sound(t, text[:end], build.Text("a.bot", text[:end]).Diagnostics)
		}
		src := source.New(f.Name, text)
		for line := 0; line < src.Lines(); line += max(src.Lines()/60, 1) {
			start, end := src.LineSpan(line)
			without := text[:start] + text[min(end+1, len(text)):]
			sound(t, without, build.Text("a.bot", without).Diagnostics)
		}
	}
}
