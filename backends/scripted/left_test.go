package scripted

import (
	"slices"
	"testing"

	"iterion/runtime/backend"
)

// What no conversation came to is named; conversations of one key share it.
func TestLeft(t *testing.T) {
	s, err := Parse([]byte(`
nodes:
  a: [{ text: "1" }, { text: "2" }, { text: "3" }]
  "a#2": [{ text: "only" }]
  b: [{ text: "1" }, { text: "2" }]
  c@x: [{ text: "1" }]
`))
	if err != nil {
		t.Fatal(err)
	}
	m := NewCounted(s)
	for _, r := range []backend.Request{
		{NodeID: "a", Visit: 1, Number: 1}, {NodeID: "a", Visit: 3, Number: 1}, {NodeID: "a", Visit: 3, Number: 2},
		{NodeID: "b", Visit: 1, Number: 1}, {NodeID: "b", Visit: 1, Number: 2}, {NodeID: "b", Visit: 1, Number: 3},
	} {
		_, err := m.Turn(t.Context(), r)
		if (err != nil) != (r.NodeID == "b" && r.Number == 3) {
			t.Errorf("%+v: %v", r, err)
		}
	}
	want := []string{
		"script of node a has 1 unused turn", "script of node a#2 has 1 unused turn", "script of node c@x has 1 unused turn",
	}
	if got := m.Left(); !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}
