//go:build unix

package attachment

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestReadGivesWhatWasHandedOver(t *testing.T) {
	keepShot := func() (facts map[string]any) {
		f, err := keep(put(t, "shot.png", png), t.TempDir(), func(string) error { return nil })
		if err != nil {
			t.Fatal(err)
		}
		return f.facts()
	}
	if got, err := Read(keepShot(), int64(len(png))); err != nil || string(got) != png {
		t.Errorf("%q, %v", got, err)
	}
	for _, c := range []struct {
		name, want string
		harm       func(path string) error
	}{
		{"another content", "no longer the file", func(path string) error { return os.WriteFile(path, []byte("GIF89a"), 0o600) }},
		{"a link to another file", "no longer the file", func(path string) error { return os.Symlink(put(t, "other", "secret"), path) }},
		{"grown", "larger than", func(path string) error { return os.WriteFile(path, []byte(png+"more"), 0o600) }},
		{"gone", "no such file", func(string) error { return nil }},
		{"a folder", "is a folder", func(path string) error { return os.Mkdir(path, 0o700) }},
	} {
		facts := keepShot()
		path := facts["path"].(string)
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if err := c.harm(path); err != nil {
			t.Fatal(err)
		}
		if _, err := Read(facts, int64(len(png))); err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), filepath.Base(path)) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
