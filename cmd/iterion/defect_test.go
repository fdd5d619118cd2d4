package main

import (
	"bytes"
	"strings"
	"sync/atomic"
	"testing"
)

func TestAPanicIsOurDefect(t *testing.T) {
	for name, do := range map[string]func() int{
		"in the verb":  func() int { panic("broken table") },
		"in a worker":  func() int { each(3, func(i int) { panic("broken table") }); return 0 },
		"by a library": func() int { each(2, func(int) { _ = strings.Repeat("x", -1) }); return 0 },
	} {
		for _, debug := range []string{"", "1"} {
			t.Setenv("ITERION_DEBUG", debug)
			var stderr bytes.Buffer
			if code := guarded(&stderr, do); code != exitDefect {
				t.Errorf("%s: status %d", name, code)
			}
			text := stderr.String()
			if !strings.Contains(text, "iterion: internal error: ") || !strings.Contains(text, "defect of iterion, not of your file") {
				t.Errorf("%s: %s", name, text)
			}
			if trace := strings.Contains(text, "goroutine "); trace != (debug != "") {
				t.Errorf("%s: trace shown is %v\n%s", name, trace, text)
			}
			if debug == "" && !strings.Contains(text, "ITERION_DEBUG=1") {
				t.Errorf("%s: no word on how to report it: %s", name, text)
			}
		}
	}
}

func TestEachEndsAllBeforeItFails(t *testing.T) {
	var done atomic.Int32
	guarded(new(bytes.Buffer), func() int {
		each(50, func(i int) {
			defer done.Add(1)
			if i == 0 {
				panic("first")
			}
		})
		return 0
	})
	if done.Load() != 50 {
		t.Errorf("%d of 50 ran", done.Load())
	}
}
