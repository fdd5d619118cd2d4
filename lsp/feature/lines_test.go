package feature

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// The hunks of two texts, applied, make the second of the first; they are in
// order and part.
func TestHunksMakeTheOtherText(t *testing.T) {
	lines := rapid.Map(rapid.SliceOfN(rapid.SampledFrom([]string{"a\n", "b\n", "\n", "c\n", "d\n", "e\n"}), 0, 400), func(l []string) string { return strings.Join(l, "") })
	rapid.Check(t, func(t *rapid.T) {
		before, after := lines.Draw(t, "before"), lines.Draw(t, "after")
		if got := patched(before, hunks(before, after)); got != after {
			t.Fatalf("%q to %q: %q", before, after, got)
		}
	})
}

func patched(text string, list []hunk) string {
	lines := strings.SplitAfter(text, "\n")
	var b strings.Builder
	at := 0
	for _, h := range list {
		b.WriteString(strings.Join(lines[at:h.start], "") + h.with)
		at = h.end
	}
	return b.String() + strings.Join(lines[at:], "")
}

// Long texts whose lines repeat are compared too, and what stands between
// different lines stays.
func TestHunksOfRepeatedLines(t *testing.T) {
	var before, after strings.Builder
	for i := range 20000 {
		fmt.Fprintf(&before, "tool t%d:\n  command: \"true\"\n  permission: ask\n\n", i)
		fmt.Fprintf(&after, "tool t%d:\n  command: \"true\"\n\n", i)
	}
	list := hunks(before.String(), after.String())
	if got := patched(before.String(), list); got != after.String() || len(list) != 20000 {
		t.Errorf("%d hunks, the text is right: %v", len(list), got == after.String())
	}
	same, other := strings.Repeat("a\n", 50000), strings.Repeat("b\na\n", 50000)
	if got := patched(same, hunks(same, other)); got != other {
		t.Error("texts of one line that repeats")
	}
}
