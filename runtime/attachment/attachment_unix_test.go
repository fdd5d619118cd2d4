//go:build unix

package attachment

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestLinksLeadToRegularFiles(t *testing.T) {
	dir, folder := t.TempDir(), t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, target := range map[string]string{"good": put(t, "real.txt", "text"), "to_pipe": filepath.Join(dir, "pipe"), "device": "/dev/zero", "loop": "loop"} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Answer("f", "@"+filepath.Join(dir, "good"), folder); err != nil {
		t.Error(err)
	}
	for name, want := range map[string]string{"pipe": "no regular file", "to_pipe": "no regular file", "device": "no regular file", "loop": "too many"} {
		if _, err := Answer("f", "@"+filepath.Join(dir, name), folder); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
	for _, path := range copies(t, folder) {
		if info, err := os.Lstat(path); err != nil || info.Mode() != 0o400 {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
}
