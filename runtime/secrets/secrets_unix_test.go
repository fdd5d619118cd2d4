//go:build unix

package secrets

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"iterion/ir"
)

func TestModes(t *testing.T) {
	file := secret("a", func(s *ir.Secret) { s.As, s.Value = opt("file"), text("x") })
	set, err := resolve(t, nil, Options{}, file)
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]os.FileMode{set.Dir: 0o700, set.Paths["a"]: 0o600} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v; want %o", path, info.Mode(), err, want)
		}
	}
}

func TestOpenFilesAreWarnedOf(t *testing.T) {
	dir := folder(t, map[string]string{"token": "hush"})
	if err := os.Chmod(filepath.Join(dir, "token"), 0o644); err != nil {
		t.Fatal(err)
	}
	var said []string
	_, err := resolve(t, map[string]string{FolderVariable: dir}, Options{Warn: func(m string) { said = append(said, m) }}, secret("token", none))
	if err != nil || len(said) != 1 || !strings.Contains(said[0], "others can read") || strings.Contains(said[0], "hush") {
		t.Errorf("%v, said %q", err, said)
	}
}

// A pipe in the place of a secret is refused, not waited for.
func TestSpecialFilesAreRefused(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, "token"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := resolve(t, map[string]string{FolderVariable: dir}, Options{}, secret("token", none))
	if err == nil || !strings.Contains(err.Error(), "no regular file") {
		t.Errorf("got %v", err)
	}
}

// Many runs may begin and end at once; none takes another's folder.
func TestParallelRuns(t *testing.T) {
	base := t.TempDir()
	file := secret("a", func(s *ir.Secret) { s.As, s.Value = opt("file"), text("x") })
	lookup := func(name string) (string, bool) { return base, name == "XDG_RUNTIME_DIR" }
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 20 {
				set, err := Resolve(&ir.Program{Secrets: []*ir.Secret{file}}, Options{Lookup: lookup})
				if err != nil {
					t.Error(err)
					return
				}
				if _, err := os.Stat(set.Paths["a"]); err != nil {
					t.Error(err)
				}
				set.Close()
			}
		})
	}
	all.Wait()
	if left, _ := os.ReadDir(base); len(left) > 0 {
		t.Errorf("%d folders are left", len(left))
	}
}

// Folders of runs that were killed are removed, those of live runs are not.
func TestSweep(t *testing.T) {
	base := t.TempDir()
	env := map[string]string{"XDG_RUNTIME_DIR": base}
	file := secret("a", func(s *ir.Secret) { s.As, s.Value = opt("file"), text("x") })
	live, err := resolve(t, env, Options{}, file)
	if err != nil {
		t.Fatal(err)
	}
	killed, err := resolve(t, env, Options{}, file)
	if err != nil {
		t.Fatal(err)
	}
	killed.lock.Release() // as the kernel does it
	other, err := resolve(t, env, Options{}, file)
	if err != nil {
		t.Fatal(err)
	}
	for set, want := range map[*Set]bool{live: true, killed: false, other: true} {
		if _, err := os.Stat(set.Paths["a"]); (err == nil) != want {
			t.Errorf("%s: %v, want it there: %v", set.Paths["a"], err, want)
		}
	}
}
