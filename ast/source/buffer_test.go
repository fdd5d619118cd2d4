package source

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// written is what an editor may hold: all ends of lines, marks, wide characters.
var written = rapid.Map(rapid.SliceOf(rapid.SampledFrom([]string{"a", "é", "🙂", "\t", "\n", "\r\n", "\r", BOM, "\uFFFD"})),
	func(parts []string) string { return strings.Join(parts, "") })

// The place of every character leads back to it, in both encodings.
func TestPlacesLeadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := NewBuffer("a.bot", written.Draw(t, "raw"))
		if want := Load("a.bot", b.Raw).Text; b.Text != want {
			t.Fatalf("the compiler reads %q, the buffer says %q", want, b.Text)
		}
		last := Place{}
		for _, e := range []Encoding{UTF16, UTF8} {
			last = Place{}
			for i := 0; i <= len(b.Text); i++ {
				if i < len(b.Text) && !utf8.RuneStart(b.Text[i]) {
					continue
				}
				at := b.Place(e, i)
				if at.Line < last.Line || at.Line == last.Line && at.Character < last.Character {
					t.Fatalf("%q: offset %d is at %v, behind %v", b.Raw, i, at, last)
				}
				if got := b.Offset(e, at); got != i {
					t.Fatalf("%q: offset %d is at %v, which is offset %d", b.Raw, i, at, got)
				}
				last = at
			}
		}
	})
}

// Any places, inside or outside of the text, replace what an editor replaces.
func TestReplace(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := NewBuffer("a.bot", written.Draw(t, "raw"))
		e := rapid.SampledFrom([]Encoding{UTF16, UTF8}).Draw(t, "encoding")
		place := rapid.Custom(func(t *rapid.T) Place {
			return Place{rapid.IntRange(-1, 6).Draw(t, "line"), rapid.IntRange(-1, 6).Draw(t, "character")}
		})
		from, to := place.Draw(t, "from"), place.Draw(t, "to")
		with := written.Draw(t, "with")
		next, start, end, plain := b.Replace(e, from, to, with)
		if want := b.Raw[:start] + with + b.Raw[end:]; next.Raw != want {
			t.Fatalf("got %q, want %q", next.Raw, want)
		}
		if !utf8.ValidString(next.Raw) {
			t.Fatalf("%q was cut inside a character: %q", b.Raw, next.Raw)
		}
		if plain && next.Text != b.Text[:start]+with+b.Text[end:] {
			t.Fatalf("the offsets %d and %d are not those of the text the compiler reads", start, end)
		}
	})
}

// Several changes follow each other; a column counts UTF-16 units unless agreed
// otherwise.
func TestReplaceOneAfterAnother(t *testing.T) {
	b := NewBuffer("a.bot", "agent a:\n  tools: [\n")
	b, _, _, _ = b.Replace(UTF16, Place{1, 10}, Place{1, 10}, "\n")
	b, _, _, _ = b.Replace(UTF16, Place{2, 0}, Place{2, 0}, "    ")
	if want := "agent a:\n  tools: [\n    \n"; b.Raw != want {
		t.Errorf("got %q", b.Raw)
	}
	wide := NewBuffer("a.bot", "  system: \"été 🚀 {{vars.nope}}\"\n")
	at := strings.Index(wide.Text, "{{")
	if got := wide.Place(UTF16, at); got.Character != 18 {
		t.Errorf("UTF-16: %v", got)
	}
	if got := wide.Place(UTF8, at); got.Character != 22 {
		t.Errorf("UTF-8: %v", got)
	}
}
