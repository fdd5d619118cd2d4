//go:build unix

package hook_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"iterion/backends/hook"
)

// The registered command leaves the workspace, survives any path, and refuses
// when the program ends in any way of its own or cannot be started.
func TestCommand(t *testing.T) {
	dir := t.TempDir()
	home, exe := filepath.Join(dir, "a 'quoted' home"), filepath.Join(dir, "an 'exe'")
	if err := os.Mkdir(home, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, program, home string
		mode                os.FileMode
		code                int
		out                 string
	}{
		{"allows", `pwd; echo "$@"; exit 0`, home, 0o755, 0, home + "\n" + hook.Verb + " po'li cy\n"},
		{"refuses", "echo no; exit 2", home, 0o755, hook.Denied, "no\n"},
		{"breaks", "exit 1", home, 0o755, hook.Denied, ""},
		{"is killed", "kill -KILL $$", home, 0o755, hook.Denied, ""},
		{"is no program any more", "exit 0", home, 0o644, hook.Denied, ""},
		{"is gone", "", home, 0o755, hook.Denied, ""},
		{"its folder is gone", "exit 0", home + "2", 0o755, hook.Denied, ""},
	} {
		_ = os.Remove(exe)
		if c.program != "" {
			if err := os.WriteFile(exe, []byte("#!/bin/sh\n"+c.program+"\n"), c.mode); err != nil {
				t.Fatal(err)
			}
		}
		cmd := exec.Command("/bin/sh", "-c", hook.Command(c.home, exe, "po'li cy"))
		out, err := cmd.Output()
		if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != c.code || string(out) != c.out {
			t.Errorf("%s: %q, %v; want %d, %q", c.name, out, err, c.code, c.out)
		}
	}
}

// The folders are compared, not their names.
func TestInside(t *testing.T) {
	g := newGround(t)
	dir := filepath.Dir(g.workspace)
	if err := os.Symlink(g.workspace, filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		folder, file string
		want, fails  bool
	}{
		{g.workspace, g.inside, true, false}, {g.workspace, g.workspace, true, false}, {g.workspace, g.outside, false, false},
		{filepath.Join(dir, "link"), g.inside, true, false}, {filepath.Join(dir, "wor"), g.inside, false, true},
		{g.workspace, filepath.Join(dir, "opt", "..", "work", "bin", "iterion"), true, false},
		{g.workspace, g.workspace + "2", false, true}, {filepath.Join(dir, "opt"), g.workspace, false, false},
		{"", g.outside, true, false}, {".", g.outside, true, false}, {g.workspace, "iterion", true, false},
	} {
		if got, err := hook.Inside(c.folder, c.file); got != c.want || (err != nil) != c.fails {
			t.Errorf("Inside(%q, %q) = %v, %v", c.folder, c.file, got, err)
		}
	}
}
