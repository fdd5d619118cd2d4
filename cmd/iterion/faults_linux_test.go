package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// apart runs the test again in a process of its own, in namespaces where it may
// mount, and tells whether this is that process. No root is needed where the
// system lets users have namespaces.
func apart(t *testing.T) bool {
	t.Helper()
	if os.Getenv("ITERION_TEST_APART") != "" {
		mount(t, "", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, "")
		return true
	}
	cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v", "-test.timeout=120s")
	cmd.Env = append(os.Environ(), "ITERION_TEST_APART=1")
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNS, Pdeathsig: syscall.SIGKILL}
	if os.Getuid() != 0 {
		cmd.SysProcAttr.Cloneflags |= syscall.CLONE_NEWUSER
		cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}}
		cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}
	}
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: "+t.Name()) {
		t.Fatalf("%v\n%s", err, out)
	}
	return false
}

func mount(t *testing.T, source, target, kind string, flags uintptr, data string) {
	t.Helper()
	if err := syscall.Mount(source, target, kind, flags, data); err != nil {
		t.Fatal(err)
	}
}

// A device that fills up while a run goes on: the run stops with its cause, no
// event is half there, and with room again it goes on.
func TestFullDeviceOfARun(t *testing.T) {
	if !apart(t) {
		return
	}
	c := newFault(t, `dd if=/dev/zero of="$ITERION_STORE/ballast" bs=64k 2>/dev/null; echo full`)
	if err := os.Mkdir(c.store(""), 0o700); err != nil {
		t.Fatal(err)
	}
	mount(t, "tmpfs", c.store(""), "tmpfs", 0, "size=2m,mode=700")
	defer syscall.Unmount(c.store(""), syscall.MNT_DETACH)
	code, out := c.run("iterion", "run", "fault.bot", "--run-id", "r", "--json")
	if code != exitFailed || !strings.Contains(out, "STORE_FULL") || !strings.Contains(out, "resume the run") || !strings.Contains(out, c.store("runs.db")) {
		t.Errorf("status %d: %s", code, out)
	}
	whole(t, out)
	c.ledger("first wedge")
	c.fails(exitFailed, []string{"STORE_FULL"}, "iterion", "resume", "r", "--rerun", "wedge")
	c.ledger("first wedge")
	for _, args := range readers {
		c.fails(exitOK, nil, iterion(args)...)
	}
	page := c.store("page.html")
	c.fails(exitUsage, []string{page, "no space left on device"}, "iterion", "report", "r", "--html", page)
	if left, _ := filepath.Glob(c.store("*page*")); len(left) > 0 {
		t.Errorf("%v is left of a report", left)
	}
	if err := os.Remove(c.store("ballast")); err != nil {
		t.Fatal(err)
	}
	c.fails(exitResumable, []string{"OUTCOME_UNKNOWN"}, "iterion", "resume", "r")
	c.fails(exitOK, nil, "iterion", "resume", "r", "--accept", "wedge", "--output", "result=full")
	c.ledger("first wedge last")
}

// A store that cannot be written to can be read; what would write names it and
// does nothing.
func TestReadOnlyStore(t *testing.T) {
	if !apart(t) {
		return
	}
	c := newFault(t, "test -e \"$LEDGER.mended\"")
	c.fails(exitResumable, []string{"TOOL_FAILED_PERMANENT"}, "iterion", "run", "fault.bot", "--run-id", "r")
	mount(t, c.store(""), c.store(""), "", syscall.MS_BIND, "")
	mount(t, "", c.store(""), "", syscall.MS_BIND|syscall.MS_REMOUNT|syscall.MS_RDONLY, "")
	for _, args := range readers {
		c.fails(exitOK, nil, iterion(args)...)
	}
	for _, args := range writers {
		c.fails(exitFailed, []string{"STORE_READ_ONLY", c.store("runs.db"), "--store"}, iterion(args)...)
	}
	c.ledger("first wedge")
	if err := syscall.Unmount(c.store(""), syscall.MNT_DETACH); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(c.dir, "ledger.mended"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	c.fails(exitOK, nil, "iterion", "resume", "r")
	c.ledger("first wedge wedge last")
}
