//go:build unix

package main

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// editor is a Neovim with the project's runtime folder, at work in a folder of
// its own.
type editor struct {
	*exec.Cmd
	said  *bufio.Reader // what the script that drives it has noted, up to a line with a dot
	ended *bufio.Reader // the exit status of the server, a line
}

// nvim opens the main file of a unit of three files. When its script is done it
// quits if then is "quit"; else it stays.
func nvim(t *testing.T, then string) editor {
	t.Helper()
	if _, err := exec.LookPath("nvim"); err != nil {
		t.Fatal("the language server is driven by Neovim: install Debian's package neovim")
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("testdata/nvim/unit")); err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	if out, err := exec.Command("bash", "../../editors/nvim/build.sh", home).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	e := editor{}
	e.Cmd = exec.CommandContext(t.Context(), "nvim", "--headless", "-n", "-i", "NONE", "-u", absolute(t, "testdata/nvim/init.lua"),
		"-c", "luafile "+absolute(t, "testdata/nvim/drive.lua"), "main.bot")
	e.Dir = dir
	e.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	e.Env = append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME="+home, "XDG_DATA_HOME="+home, "XDG_STATE_HOME="+home, "XDG_CACHE_HOME="+home,
		"GORACE=atexit_sleep_ms=0", "ITERION_NVIM="+absolute(t, "../../editors/nvim"), "ITERION_PARSER="+home, "THEN="+then)
	e.said, e.ended = e.pipe(t), e.pipe(t)
	if err := e.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Kill(-e.Process.Pid, syscall.SIGKILL) })
	for _, f := range e.ExtraFiles {
		f.Close()
	}
	return e
}

func absolute(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(name)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// pipe gives the editor a further channel: the first one is its file 3. Read
// it ends with the processes that hold it, so nobody waits for the dead.
func (e editor) pipe(t *testing.T) *bufio.Reader {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	e.ExtraFiles = append(e.ExtraFiles, w)
	return bufio.NewReader(r)
}

// notes waits for the end of the script and returns what it has noted.
func (e editor) notes(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	for {
		line, err := e.said.ReadString('\n')
		if err != nil {
			t.Fatalf("nvim ended: %v, after\n%s", err, b.String())
		}
		if line == ".\n" {
			return b.String()
		}
		b.WriteString(line)
	}
}

// status waits for the end of the server.
func (e editor) status(t *testing.T) string {
	t.Helper()
	line, err := e.ended.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(line)
}

// Neovim opens, types, completes, renames over files, formats and closes.
func TestNeovim(t *testing.T) {
	e := nvim(t, "quit")
	said := e.notes(t)
	if status := e.status(t); status != "0" {
		t.Errorf("the server ended with status %s", status)
	}
	if err := e.Wait(); err != nil {
		t.Errorf("nvim: %v", err)
	}
	heldAgainst(t, "testdata/nvim/said.golden", said)
}

// The server ends with an editor that is killed.
func TestNeovimKilled(t *testing.T) {
	e := nvim(t, "stay")
	e.notes(t)
	if err := e.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if status := e.status(t); status != "1" {
		t.Errorf("the server ended with status %s", status)
	}
}

// heldAgainst holds a text against a file.
func heldAgainst(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s: got\n%s\nwant\n%s", file, got, want)
	}
}
