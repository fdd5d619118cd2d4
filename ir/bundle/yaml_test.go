package bundle

import (
	"fmt"
	"strings"
	"testing"

	"iterion/ast/source"
)

// outline lists the values of a tree: path, place, text.
func outline(src *source.File, v *Value) string {
	var b strings.Builder
	var walk func(*Value)
	walk = func(v *Value) {
		at, end := src.Position(int(v.Span.Start)), src.Position(int(v.Span.End))
		fmt.Fprintf(&b, "%s %d:%d-%d:%d", v.Path, at.Line, at.Column, end.Line, end.Column)
		if v.Kind == Scalar {
			fmt.Fprintf(&b, " %q", v.Text)
		}
		b.WriteByte('\n')
		for _, item := range v.Items {
			walk(item)
		}
		for _, e := range v.Entries {
			walk(e.Value)
		}
	}
	walk(v)
	return b.String()
}

func TestPlaces(t *testing.T) {
	src := source.New("m", "# c\nname: \"日本 x\" # é\nflow: {日: a, b: [1.50, 'it''s'], c: }\ntext: |\n  two\n  lines\n\nempty:\nlist:\n  - kind: x\n    on: true\n  -\n  - [a,\n     b]\nlast: é à\n")
	v, fault, unreadable := parse(src)
	if fault != nil || unreadable != nil {
		t.Fatal(fault, unreadable)
	}
	const want = ` 2:1-15:10
name 2:7-2:13 "日本 x"
flow 3:7-3:38
flow.日 3:11-3:12 "a"
flow.b 3:17-3:32
flow.b[0] 3:18-3:22 "1.50"
flow.b[1] 3:24-3:31 "it's"
flow.c 3:36-3:36
text 4:7-4:8 "two\nlines\n"
empty 8:7-8:7
list 10:3-14:8
list[0] 10:5-11:13
list[0].kind 10:11-10:12 "x"
list[0].on 11:9-11:13 "true"
list[1] 12:4-12:4
list[2] 13:5-14:8
list[2][0] 13:6-13:7 "a"
list[2][1] 14:6-14:7 "b"
last 15:7-15:10 "é à"
`
	if got := outline(src, v); got != want {
		t.Errorf("got\n%s", got)
	}
}

// What YAML allows and these files do not is named with its place, and so is
// what nobody can read.
func TestRefused(t *testing.T) {
	for _, c := range []struct{ text, fault, unreadable string }{
		{"a: &x 1\nb: *x\n", "1:4 anchors are not read here", ""},
		{"a: *x\n", "1:4 aliases are not read here", ""},
		{"<<: {a: 1}\n", "1:1 a key is a plain text here", ""},
		{"a: !!str 1\n", "1:4 tags are not read here", ""},
		{"a: 1\nb:\n  c: 1\n  c: 2\n", "4:3 the key `c` stands twice", ""},
		{"1: a\n", "1:1 a key is a plain text here", ""},
		{"? a\n: b\n", "1:1 a key is a plain text here", ""},
		{"a: 1\n---\nb: 2\n", "3:2 a second document is not read here", ""},
		{"%YAML 1.2\n---\na: 1\n", "1:1 directives are not read here", ""},
		{strings.Repeat("x:\n", 3) + nested(40), "2:1 the key `x` stands twice", ""},
		{nested(40), "34:68 it is nested deeper than 32 levels", ""},
		{"a: [" + strings.Repeat("[", 40) + strings.Repeat("]", 41) + "\n", "", "1:36 it is nested deeper than 32 levels"},
		{strings.Repeat("- ", 40) + "a\n", "", "1:65 it is nested deeper than 32 levels"},
		{"a: " + strings.Repeat("x,", maxMarks) + "\n", "", "1:1 it holds too many keys and marks"},
		{"a: b: c\n", "", "1:4 mapping value is not allowed in this context"},
		{"a: \xff\n", "", "1:4 it is not UTF-8"},
	} {
		src := source.New("m", c.text)
		_, fault, unreadable := parse(src)
		if got := placed(src, fault); got != c.fault {
			t.Errorf("%.40q: fault %q, want %q", c.text, got, c.fault)
		}
		if got := placed(src, unreadable); got != c.unreadable {
			t.Errorf("%.40q: unreadable %q, want %q", c.text, got, c.unreadable)
		}
	}
}

func nested(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat("  ", i) + "a:\n")
	}
	return b.String()
}

func placed(src *source.File, p *Problem) string {
	if p == nil {
		return ""
	}
	at := src.Position(int(p.Span.Start))
	return fmt.Sprintf("%d:%d %s", at.Line, at.Column, p.Message)
}

// A manifest is ours, another tool's, or ours and unusable.
func TestDecode(t *testing.T) {
	for _, c := range []struct{ text, foreign, fault string }{
		{"", "", ""},
		{"# nothing\n", "", ""},
		{"name: a\nversion: 1.10\n", "", ""},
		{"name: a\nicon: x\nauthr: b\n", "3:1 it holds the key `authr`, which no manifest of a bundle has", ""},
		{"name: a\nauthr: b\nlaunch: {}\n", "", "2:1 there is no key `authr` in a manifest; did you mean `author`?"},
		{"- a\n", "1:1 it holds no keys", ""},
		{"a: b: c\n", "1:4 mapping value is not allowed in this context", ""},
		{"apiVersion: &a v1\n", "1:1 it holds the key `apiVersion`, which no manifest of a bundle has", ""},
		{"name: &a v1\n", "", "1:7 anchors are not read here"},
		{"name: a\nname: b\n", "", "2:1 the key `name` stands twice"},
		{"name: [a]\n", "", "1:7 `name` takes one text, not a list"},
		{"dispatch_vars: [ref]\n", "", "1:16 `dispatch_vars` takes a text for each name, not a list"},
		{"dispatch_vars: {a: [b]}\n", "", "1:20 `dispatch_vars.a` takes one text, not a list"},
		{"invocations: {kind: x}\n", "", "1:14 `invocations` takes a list of blocks, not keys with values"},
		{"invocations: [x]\n", "", "1:15 `invocations[0]` takes keys of its own, not one value"},
		{"invocations:\n  - schedule: {default_vars: x}\n", "", "2:30 `invocations[0].schedule.default_vars` takes a text for each name, not one value"},
		{"chat: {nodes: {a: human}}\n", "", "1:19 `chat.nodes.a` takes keys of its own, not one value"},
		{"chat: {nodes: {a: {kind: silent, later: [x]}}}\n", "", ""},
		{"enabled: \"true\"\n", "", "1:10 `enabled` takes `true` or `false`, not one value"},
		{"schema_version: 2\n", "", "1:17 this build reads manifests of schema_version 1, not 2"},
		{"requires: {engine: 1}\n", "", "1:12 there is no key `requires.engine` in a manifest"},
		{"requires: {iterion: \">= 3.1\"}\n", "", ""},
		{"requires: {iterion: \"^1.2\"}\n", "", "1:21 `requires.iterion` takes `>= X.Y.Z` or `X.Y.Z`, not \"^1.2\""},
		{"requires: {iterion: 1.2-rc1}\n", "", "1:21 `requires.iterion` takes `>= X.Y.Z` or `X.Y.Z`, not \"1.2-rc1\""},
		{"requires:\n", "", ""},
		{"description: " + strings.Repeat("x", maxManifest) + "\n", "1:1 it is larger than 1 MiB", ""},
	} {
		text := NewText("manifest.yaml", "manifest.yaml", c.text)
		m, foreign, fault := decode(text)
		if got := placed(text.Source, foreign); got != c.foreign {
			t.Errorf("%.60q: foreign %q, want %q", c.text, got, c.foreign)
		}
		if got := placed(text.Source, fault); got != c.fault {
			t.Errorf("%.60q: fault %q, want %q", c.text, got, c.fault)
		}
		if c.foreign+c.fault == "" && m == nil {
			t.Errorf("%.60q: no manifest", c.text)
		}
	}
}

func TestReleases(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"3.9.0", "3.10.0", -1}, {"v3.10", "3.10.0", 0}, {"4", "3.99", 1}, {"3.09", "3.9", 0},
		{"99999999999999999999.1", "3.1", 1}, {"3.1.0.1", "3.1", 1},
	} {
		if got := CompareReleases(c.a, c.b); got != c.want {
			t.Errorf("%s against %s: %d", c.a, c.b, got)
		}
	}
	for version, want := range map[string]bool{"3.190.0": true, "v1": true, "dev": false, "": false, "1.2-rc": false, "1..2": false} {
		if Orderable(version) != want {
			t.Errorf("Orderable(%q) is %v", version, !want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{"a: 1\n", "a: {b: [c, \"d\"]}\n", "- |\n  x\n", "? a\n: b\n", "a: &b c\n---\n", "a: 'b\n", "\t", "%", "{", "a:\n - b\n-"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		src := source.Load("m", text)
		v, _, unreadable := parse(src)
		if (v == nil) == (unreadable == nil) {
			t.Fatal("neither a value nor a reason, or both")
		}
		if v != nil {
			outline(src, v)
		}
	})
}
