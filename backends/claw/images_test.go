package claw

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"iterion/runtime/backend"
)

// looking is a task with so many images that shows its model as many more, of so
// many bytes each, one a round.
func looking(t *testing.T, own, rounds, size int) *world {
	var turns []backend.Turn
	for i := range rounds {
		turns = append(turns, calls(call(fmt.Sprint("c", i), "read_image", fmt.Sprintf(`{"file_path":"%d.png"}`, i))))
	}
	w := newWorld(t, "read_image", append(turns, text("seen"))...)
	w.task.Images = slices.Repeat([]string{"data:own"}, own)
	w.tool = func(_ context.Context, c backend.Call) backend.CallResult {
		return backend.CallResult{Text: "an image", Images: []string{"data:" + strings.Repeat("x", size-len("data:"))}}
	}
	return w
}

// shown is how many images each message of the last request holds.
func (w *world) shown() (list []int) {
	for _, m := range w.seen[len(w.seen)-1].Messages {
		if m.Role != backend.Model {
			list = append(list, len(m.Images))
		}
	}
	return list
}

func TestImagesReachTheModel(t *testing.T) {
	for _, c := range []struct {
		name              string
		own, rounds, size int
		want              []int // in the last request
	}{
		{"the prompt's and a tool's", 2, 1, 100, []int{2, 1}},
		{"too many: the newest, and the prompt's", 10, 12, 100, []int{10, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}},
		{"too large: the newest, and the prompt's", 1, 3, backend.ImageRoom/2 - 100, []int{1, 0, 1, 1}},
	} {
		w := looking(t, c.own, c.rounds, c.size)
		if _, err := w.run(); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if got := w.shown(); !slices.Equal(got, c.want) {
			t.Errorf("%s: images %v, want %v", c.name, got, c.want)
		}
		for i, m := range w.session().Transcript {
			if m.Role == backend.Tool && (len(m.Images) != 1 || m.Text != "an image") {
				t.Errorf("%s: message %d of what is kept was changed", c.name, i)
			}
		}
	}
}

func TestImagesThatAreLeftOutAreNamed(t *testing.T) {
	w := looking(t, 0, 25, 100)
	if _, err := w.run(); err != nil {
		t.Fatal(err)
	}
	last := w.seen[25].Messages
	if got := last[2]; got.Text != "an image\n(left out to save room: images, 1)" || got.Images != nil {
		t.Errorf("%+v", got)
	}
	if got := last[50]; got.Text != "an image" || len(got.Images) != 1 {
		t.Errorf("%+v", got)
	}
}

func TestALongConversationKeepsTheImagesOfItsPrompt(t *testing.T) {
	w := looking(t, 1, 20, 100)
	w.window = 20_000 // of 33_600 that the images have
	if _, err := w.run(); err != nil {
		t.Fatal(err)
	}
	if got := w.shown(); got[0] != 1 || got[1] != 0 || got[20] != 1 || estimate(w.seen[20].Messages) > 16_000 {
		t.Errorf("images %v, about %d tokens", got, estimate(w.seen[20].Messages))
	}
}
