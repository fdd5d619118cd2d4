package finding_test

import (
	"strings"
	"testing"

	"iterion/ast"
	"iterion/ast/source"
	"iterion/grammar/parser"
	"iterion/ir/finding"
)

// edited applies edits to the one declaration of a text; edits of nothing give
// "none".
func edited(text, word string, edit func(*ast.Declaration, source.Span) []finding.Edit) string {
	f := parser.File(source.New("a.bot", text))
	start := uint32(strings.Index(text, word))
	var edits []source.Edit
	for _, e := range edit(f.Decls[0], source.Span{Start: start, End: start + uint32(len(word))}) {
		edits = append(edits, e.Edit)
	}
	if edits == nil {
		return "none"
	}
	return source.Rewrite(text, edits)
}

func TestDropElement(t *testing.T) {
	for _, c := range []struct{ text, word, want string }{
		{"tools: [b, c, d]", "b", "tools: [c, d]"},
		{"tools: [b , c, d]", "c", "tools: [b, d]"},
		{"tools: [b, d]  # two", "d", "tools: [b]  # two"},
		{"tools: [b]", "b", "tools: []"},
		{"tools:\n    - b  # one\n    # more\n    - c", "b", "tools:\n    # more\n    - c"},
		{"tools:\n    - b\n    - c", "c", "tools:\n    - b\n"},
		{"tools:\n    - b", "b", "none"},
		{"model: b", "b", "none"},
	} {
		head := "agent q:\n  "
		got := edited(head+c.text, c.word, finding.DropElement)
		if want := strings.TrimPrefix(got, head); want != c.want {
			t.Errorf("%q without %s: %q, want %q", c.text, c.word, want, c.want)
		}
	}
}

func TestDropMember(t *testing.T) {
	for text, want := range map[string]string{
		"agent q:\n  model: MM\n  session: x\n":            "agent q:\n  session: x\n",
		"agent q:\n  # why\n  model: MM  # so\n  input: x": "agent q:\n  # why\n  input: x",
		"agent q:\n  model: MM":                            "none", // it is all that there is
		"agent q:\n  memory:\n    scope: MM\n  input: x\n": "none",
	} {
		got := edited(text, "MM", func(d *ast.Declaration, at source.Span) []finding.Edit {
			return finding.DropMember(d, ast.Prop, at)
		})
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestRename(t *testing.T) {
	for _, c := range []struct{ text, at, word, with, want string }{
		{"agent q:\n  input: old\n", "old", "old", "new", "agent q:\n  input: new\n"},
		{"agent q:\n  model: \"old\"\n", "\"old\"", "old", "a.new", "agent q:\n  model: \"a.new\"\n"},
		{"agent q:\n  input: old\n", "old", "old", "a.new", "none"},                         // a bare name holds no dot
		{"agent q:\n  model: \"{{params.p}}\"\n", "\"{{params.p}}\"", "old", "new", "none"}, // it was pasted in
		{"agent q:\n  model: \"old\"\n", "\"old\"", "old", "a \"b\"", "none"},
		{"workflow w:\n  a -> old\n", "old", "old", "a.new", "workflow w:\n  a -> a.new\n"},
	} {
		got := edited(c.text, c.at, func(d *ast.Declaration, at source.Span) []finding.Edit {
			return finding.Rename(d, at, c.word, c.with)
		})
		if got != c.want {
			t.Errorf("%q with %s: %q, want %q", c.text, c.with, got, c.want)
		}
	}
}
