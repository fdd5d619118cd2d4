package source

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestOverlaps(t *testing.T) {
	edit := func(start, end uint32) Edit { return Edit{Span: Span{start, end}} }
	for _, c := range []struct {
		a, b Edit
		want bool
	}{
		{edit(1, 3), edit(3, 5), false},
		{edit(1, 3), edit(2, 5), true},
		{edit(1, 9), edit(2, 3), true},
		{edit(2, 2), edit(2, 2), true},
		{edit(2, 2), edit(2, 4), true},
		{edit(4, 4), edit(2, 4), true},
		{edit(5, 5), edit(2, 4), false},
	} {
		if c.a.Overlaps(c.b) != c.want || c.b.Overlaps(c.a) != c.want {
			t.Errorf("%v and %v overlap: want %v", c.a, c.b, c.want)
		}
	}
}

func TestRewrite(t *testing.T) {
	edits := []Edit{{Span{0, 0}, "x\n"}, {Span{2, 4}, ""}, {Span{5, 5}, "!"}}
	for raw, want := range map[string]string{
		"a\nb\nc\n":               "x\na\nc!\n",
		"a\r\nb\r\nc\r\n":         "x\r\na\r\nc!\r\n",
		BOM + "a\r\nb\nc\r\n":     BOM + "x\r\na\r\nc!\r\n",
		"a\nb\r\nc\r\nrest\r\nxy": "x\na\nc!\r\nrest\r\nxy",
	} {
		if got := Rewrite(raw, edits); got != want {
			t.Errorf("%q: %q, want %q", raw, got, want)
		}
	}
}

// Edits of the text on disk and of the loaded text come to the same, and what
// no edit covers keeps its bytes.
func TestRewriteAgreesWithLoad(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		raw := rapid.StringOf(rapid.SampledFrom([]rune("ab\r\n\uFEFFé"))).Draw(t, "raw")
		text := Load("", raw).Text
		start := rapid.IntRange(0, len(text)).Draw(t, "start")
		end := rapid.IntRange(start, len(text)).Draw(t, "end")
		with := rapid.SampledFrom([]string{"", "x", "x\ny\n"}).Draw(t, "with")
		got := Rewrite(raw, []Edit{{Span{uint32(start), uint32(end)}, with}})
		before, behind := text[:start], text[end:]
		if strings.HasSuffix(before+with, "\r") || with == "" && strings.HasPrefix(behind, "\n") {
			return // a lone carriage return may meet a newline
		}
		if start == 0 && !strings.HasPrefix(raw, BOM) && strings.HasPrefix(with+behind, BOM) {
			return // what came to stand first is read as a mark
		}
		if want := before + with + behind; Load("", got).Text != want {
			t.Fatalf("%q with %q at %d to %d: %q, want %q", raw, with, start, end, Load("", got).Text, want)
		}
	})
}
