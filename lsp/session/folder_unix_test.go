//go:build unix

package session

import (
	"os"
	"path/filepath"
	"testing"

	"iterion/lsp/protocol317"
)

// Neither a link nor what lies behind one is listed.
func TestFolderFollowsNoLinks(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(outside, "secret.bot"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "real"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, to := range map[string]string{"out": outside, "in": "real"} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	s := New(&protocol317.ClientCapabilities{}, nil).Snapshot()
	for _, below := range []string{"out", "in", "real/../out"} {
		if got, _ := s.Folder(dir, below, 10); len(got) > 0 {
			t.Errorf("%s: %v", below, got)
		}
	}
	if got, _ := s.Folder(dir, "", 10); len(got) != 1 || got[0].Name != "real" {
		t.Errorf("%v", got)
	}
}
