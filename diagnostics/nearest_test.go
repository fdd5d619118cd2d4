package diagnostics

import (
	"math/rand/v2"
	"testing"
)

func TestNearest(t *testing.T) {
	for _, c := range []struct {
		word, want string
		candidates []string
	}{
		{"sandbx", "sandbox", []string{"sandbox", "session"}},
		{"sesison", "session", []string{"sandbox", "session"}},
		{"ab", "", []string{"cd", "ef"}},
		{"abd", "", []string{"abc", "abe"}},
		{"same", "", []string{"same"}},
		{"far-from-all", "", []string{"sandbox"}},
	} {
		if got, ok := Nearest(c.word, c.candidates); got != c.want && ok || ok != (c.want != "") {
			t.Errorf("Nearest(%q) = %q, %v", c.word, got, ok)
		}
	}
}

// Giving up early changes no distance within the limit.
func TestDistanceLimit(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	word := func() string {
		b := make([]byte, rnd.IntN(9))
		for i := range b {
			b[i] = "abc"[rnd.IntN(3)]
		}
		return string(b)
	}
	for range 20000 {
		a, b, limit := word(), word(), 1+rnd.IntN(2)
		full, got := distance(a, b, 64), distance(a, b, limit)
		if full <= limit && got != full || full > limit && got <= limit {
			t.Fatalf("distance(%q, %q) = %d, within %d: %d", a, b, full, limit, got)
		}
	}
}
