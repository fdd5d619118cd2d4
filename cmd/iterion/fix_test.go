package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"iterion/corpus"
	"iterion/diagnostics"
	"iterion/ir/fixes"
)

// On every case of the checks all fixes together leave no error that was not
// there and nothing to fix, or the file as it was.
func TestFixSweep(t *testing.T) {
	fixed, undone := 0, 0
	for _, c := range corpus.CheckCases() {
		if c.Editor {
			continue // a bundle that does not open
		}
		dir := t.TempDir()
		for _, f := range c.Files {
			put(t, filepath.Join(dir, f.Name), f.Data)
		}
		main := filepath.Join(dir, c.Files[0].Name)
		before := found(t, main)
		report := fixedBy(t, "--suggested", main)
		if problem := fixes.Worse(before, found(t, main), nil); problem != "" {
			t.Errorf("%s: %s", c.Name, problem)
		}
		fixed, undone = fixed+strings.Count(report, `"fixed"`), undone+strings.Count(report, `"undone"`)
		for _, f := range c.Files {
			after, err := os.ReadFile(filepath.Join(dir, f.Name))
			if err != nil {
				t.Fatal(err)
			}
			if changed := !bytes.Equal(after, f.Data); changed && !strings.Contains(report, `"fixed"`) {
				t.Errorf("%s: %s has changed, and nothing is said", c.Name, f.Name)
			}
		}
		if again := fixedBy(t, "--suggested", main); strings.Contains(again, `"fixed"`) {
			t.Errorf("%s: the second time it fixes\n%s", c.Name, again)
		}
	}
	if fixed < 10 || undone < 1 {
		t.Errorf("%d files were fixed and %d left as they were", fixed, undone)
	}
}

func put(t *testing.T, path string, text []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text, 0o644); err != nil {
		t.Fatal(err)
	}
}

func found(t *testing.T, main string) []diagnostics.Diagnostic {
	t.Helper()
	r, err := unitAt(main).build()
	if err != nil {
		t.Fatal(err)
	}
	return r.Diagnostics
}

// fixedBy runs fix and returns its report.
func fixedBy(t *testing.T, args ...string) string {
	t.Helper()
	var out, errors bytes.Buffer
	if code := execute(append([]string{"fix", "--json"}, args...), streams{strings.NewReader(""), &out, &errors}); code > exitFailed || !json.Valid(out.Bytes()) {
		t.Fatalf("fix ends with %d: %s%s", code, out.String(), errors.String())
	}
	return out.String()
}
