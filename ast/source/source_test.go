package source

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestLoad(t *testing.T) {
	for raw, want := range map[string]string{
		"":                      "",
		"a\r\nb\r\n":            "a\nb\n",
		"a\rb\r\r\n":            "a\rb\r\n",
		BOM + "a\n":             "a\n",
		BOM + BOM + "a":         BOM + "a",
		"a" + BOM:               "a" + BOM,
		"\xff\r\n":              "\xff\n",
		"`x\r\ny`\r\n\r\nz\r\n": "`x\ny`\n\nz\n",
	} {
		if got := Load("a.bot", []byte(raw)); got.Text != want || got.Name != "a.bot" {
			t.Errorf("%q: text %q of %s", raw, got.Text, got.Name)
		}
	}
}

func TestFirstInvalid(t *testing.T) {
	for text, want := range map[string]int{
		"":             -1,
		"é🙂\x00":       -1,
		"a\xffb":       1,
		"é\xc3":        2,
		"\uFFFD":       -1,
		"\uFFFD\xed":   3,
		"a\xe2\x82\nb": 1,
	} {
		if got := New("", text).FirstInvalid(); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}

func TestPositions(t *testing.T) {
	f := New("a.bot", "ab\né🙂\tx\n\nz")
	for _, c := range []struct {
		offset          int
		want            Position
		line, character int
	}{
		{-1, Position{1, 1}, 0, 0},
		{0, Position{1, 1}, 0, 0},
		{2, Position{1, 3}, 0, 2},
		{3, Position{2, 1}, 1, 0},
		{5, Position{2, 2}, 1, 1},
		{9, Position{2, 3}, 1, 3},
		{10, Position{2, 4}, 1, 4},
		{12, Position{3, 1}, 2, 0},
		{13, Position{4, 1}, 3, 0},
		{14, Position{4, 2}, 3, 1},
		{99, Position{4, 2}, 3, 1},
	} {
		if got := f.Position(c.offset); got != c.want {
			t.Errorf("offset %d: %v, want %v", c.offset, got, c.want)
		}
		if got := NewBuffer("", f.Text).Place(UTF16, c.offset); got != (Place{c.line, c.character}) {
			t.Errorf("offset %d in UTF-16: %v, want %d:%d", c.offset, got, c.line, c.character)
		}
	}
}

func TestOffsetsOutside(t *testing.T) {
	b := NewBuffer("", "ab\n🙂c\n")
	for _, c := range []struct{ line, character, want int }{
		{-1, 5, 0}, {0, -3, 0}, {0, 99, 2}, {1, 0, 3}, {1, 2, 7}, {1, 3, 8}, {1, 4, 8}, {2, 0, 9}, {2, 7, 9}, {3, 0, 9},
	} {
		if got := b.Offset(UTF16, Place{c.line, c.character}); got != c.want {
			t.Errorf("%d:%d is offset %d, want %d", c.line, c.character, got, c.want)
		}
	}
}

func TestLines(t *testing.T) {
	for text, want := range map[string]int{"": 1, "a": 1, "a\n": 2, "\n\n": 3} {
		if got := New("", text).Lines(); got != want {
			t.Errorf("%q: %d lines, want %d", text, got, want)
		}
	}
	f := New("", "ab\n\nc")
	for _, c := range []struct{ line, start, end int }{{-1, 0, 0}, {0, 0, 2}, {1, 3, 3}, {2, 4, 5}, {3, 5, 5}} {
		if start, end := f.LineSpan(c.line); start != c.start || end != c.end {
			t.Errorf("line %d: %d to %d, want %d to %d", c.line, start, end, c.start, c.end)
		}
	}
}

// Lines cover the text, and every byte lies in the line that holds it.
func TestLinesCoverTheText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.SampledFrom([]rune("ab é🙂\n\t\r\uffff𐀀"))).Draw(t, "text")
		f := New("", text)
		for i := range text {
			if p := f.Position(i); p.Line != strings.Count(text[:i], "\n")+1 {
				t.Fatalf("%q: byte %d is in line %d", text, i, p.Line)
			}
		}
		var lines []string
		for i := range f.Lines() {
			start, end := f.LineSpan(i)
			lines = append(lines, text[start:end])
		}
		if strings.Join(lines, "\n") != text {
			t.Fatalf("%q has the lines %q", text, lines)
		}
	})
}

func TestSpan(t *testing.T) {
	s := Span{3, 5}
	if s.IsZero() || !(Span{}).IsZero() || s.Shift(4) != (Span{7, 9}) {
		t.Error(s)
	}
	for offset, want := range map[uint32]bool{2: false, 3: true, 5: true, 6: false} {
		if s.Contains(offset) != want {
			t.Errorf("%d in %v: %v", offset, s, !want)
		}
	}
	if !(Position{1, 9}).Less(Position{2, 1}) || !(Position{2, 1}).Less(Position{2, 2}) || (Position{2, 2}).Less(Position{2, 2}) {
		t.Error("positions are out of order")
	}
}
