package template

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// outline writes what was found: references as span|form, errors as span|message.
func outline(text string) string {
	refs, errs := Parse(text)
	var out []string
	for _, r := range refs {
		form := r.Namespace + ":" + strings.Join(r.Path, "/")
		switch {
		case r.Literal:
			form = "literal"
		case r.Include != "":
			form = "include " + r.Include
		case r.Raw:
			form = "raw " + form
		}
		out = append(out, text[r.Span.Start:r.Span.End]+"|"+text[r.PathSpan.Start:r.PathSpan.End]+"|"+form)
	}
	for _, e := range errs {
		out = append(out, "error "+text[e.Span.Start:e.Span.End]+"|"+e.Message)
	}
	return strings.Join(out, "\n")
}

var texts = []struct{ text, want string }{
	{``, ``},
	{`no reference } }} {`, ``},
	{`a {{vars.x}} b`, `{{vars.x}}|vars.x|vars:x`},
	{"{{ \n outputs.lint.scan.issues\t}}", "{{ \n outputs.lint.scan.issues\t}}|outputs.lint.scan.issues|outputs:lint/scan/issues"},
	{`{{!input.f}}`, `{{!input.f}}|input.f|raw input:f`},
	{`{{ ! input.f }}`, `{{ ! input.f }}|input.f|raw input:f`},
	{`{{vars.x}}}`, `{{vars.x}}|vars.x|vars:x`},
	{`{{vars.a}}{{each.q.item}}`, "{{vars.a}}|vars.a|vars:a\n{{each.q.item}}|each.q.item|each:q/item"},
	{`{{"{{"}}x}}`, `{{"{{"}}|{{|literal`},
	{`{{ "{{" }}`, `{{ "{{" }}|{{|literal`},
	{`{{include "a/b }}.md"}}`, `{{include "a/b }}.md"}}|a/b }}.md|include a/b }}.md`},
	{`{{params.p}}`, `{{params.p}}|params.p|params:p`},
	{`{{vars.my var}}`, `{{vars.my var}}|vars.my var|vars:my var`},
	{"{{vars.x\nmore", `error {{vars.x|{{ is not closed: write }} behind the reference, or {{"{{"}} for two braces`},
	{`{{vars.x {{vars.y}}`, "{{vars.y}}|vars.y|vars:y\nerror {{vars.x |{{ is not closed before the next {{ opens: references do not nest"},
	{`{{}}`, `error {{}}|the reference is empty: write {{namespace.name}}, where the namespace is ` + namespaceList},
	{`{{!}}`, `error {{!}}|the reference is empty: write {{namespace.name}}, where the namespace is ` + namespaceList},
	{`{{vars}}`, `error {{vars}}|vars alone is no reference: add the name to read, as in {{vars.name}}`},
	{`{{name}}`, `error {{name}}|name has no namespace: write {{namespace.name}}, where the namespace is ` + namespaceList},
	{`{{env.X}} {{vars.x}}`, "{{vars.x}}|vars.x|vars:x\nerror {{env.X}}|env is no namespace: use " + namespaceList},
	{`{{.Names}}`, `error {{.Names}}|the namespace is missing before the dot: use ` + namespaceList},
	{`{{vars.}}`, `error {{vars.}}|a name is missing at a dot in vars.`},
	{`{{vars..x}}`, `error {{vars..x}}|a name is missing at a dot in vars..x`},
	{`{{vars.a{b}}`, `error {{vars.a{b}}|a name in a reference may not hold a brace`},
	{`{{include x.md}}`, `error {{include x.md}}|an include needs a path in double quotes: {{include "file.md"}}`},
	{`{{include ""}}`, `error {{include ""}}|an include needs a path in double quotes: {{include "file.md"}}`},
	{`{{"x"}}`, `error {{"x"}}|only two opening braces may be quoted: {{"{{"}}`},
}

func TestParse(t *testing.T) {
	for _, c := range texts {
		if got := outline(c.text); got != c.want {
			t.Errorf("%q:\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

func TestSegmentSpan(t *testing.T) {
	const text = `é {{ outputs.plan.pages }}`
	refs, _ := Parse(text)
	for i, want := range []string{"outputs", "plan", "pages"} {
		s := refs[0].SegmentSpan(i)
		if got := text[s.Start:s.End]; got != want {
			t.Errorf("segment %d is %q, want %q", i, got, want)
		}
	}
}

func TestWhole(t *testing.T) {
	for text, want := range map[string]bool{
		`{{vars.x}}`: true, `{{!vars.x}}`: true, ` {{vars.x}}`: false, `{{vars.x}}{{vars.y}}`: false,
		`{{"{{"}}`: false, `{{include "a"}}`: false, `x`: false, ``: false,
	} {
		refs, _ := Parse(text)
		if _, got := Whole(text, refs); got != want {
			t.Errorf("Whole(%s) = %v", text, got)
		}
	}
}

// TestAllowed spells the table out: one letter for each namespace, in the
// order of Namespaces.
func TestAllowed(t *testing.T) {
	for place, want := range map[Place]string{
		Nowhere: "", Routing: "v", places: "",
		Prompt: "vioaAsler", Command: "vioaAsler", Script: "vioaAsler", ActionParams: "vioaAsler",
		EdgeWith: "vioaler", NodeWith: "vioaler", Message: "vioaler", Typed: "vioaler",
	} {
		var got string
		for i, ns := range Namespaces {
			if Allowed(place, ns) {
				got += "vioaAslerp"[i : i+1]
			}
		}
		if got != want {
			t.Errorf("place %d allows %q, want %q", place, got, want)
		}
	}
	if Allowed(Prompt, "env") {
		t.Error("env is allowed")
	}
	if strings.Join(Namespaces, " ") != strings.NewReplacer(",", "", " or", "").Replace(namespaceList) {
		t.Error("namespaceList and Namespaces differ")
	}
}

func TestRender(t *testing.T) {
	const text = `a {{vars.x}} {{"{{"}} {{vars.none}} {{!vars.x}} {{broken}} z`
	refs, _ := Parse(text)
	got := Render(text, refs, func(r Ref) (string, bool) {
		return fmt.Sprintf("<%v {{vars.x}}>", r.Raw), r.Path[0] == "x"
	})
	want := `a <false {{vars.x}}> {{ {{vars.none}} <true {{vars.x}}> {{broken}} z`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestRenderIsCut(t *testing.T) {
	text := strings.Repeat("{{vars.x}}", 3)
	refs, _ := Parse(text)
	big := strings.Repeat("é", MaxRendered/4) + "x"
	got := Render(text, refs, func(Ref) (string, bool) { return big, true })
	if len(got) != MaxRendered-1 && len(got) != MaxRendered || !utf8.ValidString(got) {
		t.Errorf("got %d bytes, valid %v", len(got), utf8.ValidString(got))
	}
	if n := len(Render(strings.Repeat("a", MaxRendered+9), nil, nil)); n != MaxRendered {
		t.Errorf("a text without references keeps %d bytes", n)
	}
}

func TestManyOpeningsAreLinear(t *testing.T) {
	text := strings.Repeat("{{", 1<<20)
	if _, errs := Parse(text); len(errs) != 1 {
		t.Errorf("without a close: %d errors", len(errs))
	}
	if _, errs := Parse(text + "}}"); len(errs) != 1 {
		t.Errorf("with one close: %d errors", len(errs))
	}
}

// check holds for every text: spans lie inside it, in order and apart, and
// rendering each reference as written gives the text back.
func check(t interface {
	Helper()
	Fatalf(string, ...any)
}, text string) {
	t.Helper()
	refs, errs := Parse(text)
	at := uint32(0)
	for _, r := range refs {
		if r.Span.Start < at || r.Span.End > uint32(len(text)) || r.PathSpan.Start < r.Span.Start || r.PathSpan.End > r.Span.End {
			t.Fatalf("%q: spans %v %v behind %d", text, r.Span, r.PathSpan, at)
		}
		at = r.Span.End
		if r.Namespace == "" {
			continue
		}
		if path := r.Namespace + "." + strings.Join(r.Path, "."); path != text[r.PathSpan.Start:r.PathSpan.End] {
			t.Fatalf("%q: path %q", text, path)
		}
		for i, seg := range r.Path {
			if s := r.SegmentSpan(i + 1); text[s.Start:s.End] != seg || seg == "" {
				t.Fatalf("%q: segment %d at %v", text, i, s)
			}
		}
	}
	at = 0
	for _, e := range errs {
		if e.Span.Start < at || e.Span.End <= e.Span.Start || e.Span.End > uint32(len(text)) || e.Message == "" {
			t.Fatalf("%q: error at %v behind %d", text, e.Span, at)
		}
		at = e.Span.End
	}
	if strings.Count(text, Open) > 0 && len(refs)+len(errs) == 0 {
		t.Fatalf("%q: nothing found", text)
	}
	same := Render(text, refs, func(r Ref) (string, bool) { return "", false })
	if plain := strings.ReplaceAll(text, `{{"{{"}}`, Open); !strings.Contains(text, `"`) && same != plain {
		t.Fatalf("%q renders as %q", text, same)
	}
}

func TestProperties(t *testing.T) {
	words := []string{"{{", "}}", "{", "}", "!", ".", "vars", "x", " ", "\n", `"`, "include", "é"}
	rapid.Check(t, func(t *rapid.T) {
		check(t, strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 0, 20).Draw(t, "words"), ""))
	})
}

func FuzzTemplate(f *testing.F) {
	for _, c := range texts {
		f.Add(c.text)
	}
	f.Fuzz(func(t *testing.T, text string) { check(t, text) })
}

func BenchmarkParse(b *testing.B) {
	plain := strings.Repeat("some text { with } a brace or two\n", 1000)
	for name, text := range map[string]string{"plain": plain, "refs": strings.Repeat(plain[:200]+"{{outputs.plan.pages}}", 20)} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				Parse(text)
			}
		})
	}
}

// A path is split exactly when nothing is wrong with it.
func FuzzSplit(f *testing.F) {
	for _, path := range []string{"vars.a", "vars", "", ".a", "vars..a", "vars.a.", "nope.a", "vars.{a", "outputs.a.b.c", `include "x"`, `"{{"`} {
		f.Add(path)
	}
	f.Fuzz(func(t *testing.T, path string) {
		s := scanner{}
		namespace, segments, ok := s.split(path)
		if message := judge(path); ok != (message == "") {
			t.Fatalf("%q: split %v, judged %q", path, ok, message)
		}
		if joined := namespace + "." + strings.Join(segments, "."); ok && joined != path {
			t.Fatalf("%q became %q", path, joined)
		}
	})
}
