//go:build unix

package toolrun

import (
	"strings"
	"testing"

	"iterion/runtime/redact"
)

// A secret that lies where an answer is cut shows no part of itself, wherever
// the cut goes through it.
func TestCutsShowNoPartOfASecret(t *testing.T) {
	secret := "tok_" + strings.Repeat("Zq9", 12)
	w := newWorld(t, "off")
	w.Redact = redact.New(map[string]string{"token": secret})
	for _, before := range []int{longestLine - len(secret) - 5, longestLine - 20, longestLine - 6, longestLine - 1} {
		w.lay(t, map[string]string{"long": strings.Repeat("x", before) + secret + strings.Repeat("y", 9000) + "\n"})
		if got := w.works(t, "read_file", fields{"file_path": "long"}); strings.Contains(got, "Zq9") || strings.Contains(got, "tok_") {
			t.Errorf("%d bytes before: %q", before, got[len(got)-200:])
		}
	}
	for _, before := range []int{longestResult - 30, longestResult - 3} {
		if got := w.cut(strings.Repeat("x", before)+secret+strings.Repeat("y", 90), longestResult); strings.Contains(got, "Zq9") || strings.Contains(got, "tok_") {
			t.Errorf("%d bytes before: %q", before, got[len(got)-200:])
		}
	}
}
