package sqlite

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"

	"iterion/ir/outcome"
	"iterion/runtime/store"
)

// apart runs the test again in a process of its own, in namespaces where it may
// mount, and tells whether this is that process. No root is needed where the
// system lets users have namespaces.
func apart(t *testing.T) bool {
	t.Helper()
	if os.Getenv("ITERION_TEST_APART") != "" {
		must(t, syscall.Mount("", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, ""))
		return true
	}
	cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v", "-test.timeout=60s")
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

func TestFullDevice(t *testing.T) {
	if !apart(t) {
		return
	}
	dir := t.TempDir()
	must(t, syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=3m,mode=700"))
	defer syscall.Unmount(dir, syscall.MNT_DETACH)
	ballast := filepath.Join(dir, "ballast")
	must(t, os.WriteFile(ballast, make([]byte, 1<<20), 0o600))
	s := opened(t, dir)
	defer s.Close()
	must(t, s.Create(store.Run{ID: "r"}))
	at := fillUp(t, s, "r")
	named(t, s.Append("r", event(at+1, outcome.NodeFinished, map[string]any{"text": large("x")})), store.ErrFull, s.blobs.folder)
	if names := blobNames(t, s); len(names) != 0 {
		t.Fatalf("left behind: %v", names)
	}
	named(t, second(s.Own("r")), store.ErrFull, s.path)
	for _, name := range []string{"", "deep"} {
		if err := second(Open(filepath.Join(dir, "new", name))); !errors.Is(err, store.ErrFull) {
			t.Fatal(err)
		}
	}
	must(t, os.Remove(ballast))
	must(t, s.Append("r", transition("r", at)...))
	must(t, s.Close())
	if got, err := opened(t, dir).Events("r", 0); err != nil || len(got) != int(at)+3 {
		t.Fatalf("%d events of %d, %v", len(got), at+3, err)
	}
}

// A limit on the size of files stands for a quota: both are another error of
// the system than a full device.
func TestLimitOnFileSizes(t *testing.T) {
	if !apart(t) {
		return
	}
	s := opened(t, t.TempDir())
	must(t, s.Create(store.Run{ID: "r"}))
	limit(t, 256<<10)
	at := fillUp(t, s, "r")
	named(t, s.Append("r", event(at+1, outcome.NodeFinished, map[string]any{"text": large("x")})), store.ErrFull, s.blobs.folder)
	limit(t, 1<<30)
	must(t, s.Append("r", transition("r", at)...))
}

func limit(t *testing.T, size uint64) {
	t.Helper()
	var now syscall.Rlimit
	must(t, syscall.Getrlimit(syscall.RLIMIT_FSIZE, &now))
	now.Cur = size
	must(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &now))
}

func TestReadOnlyDevice(t *testing.T) {
	if !apart(t) {
		return
	}
	closed, want := recorded(t)
	open := copied(t, closed) // a store whose process was killed: its log is not in the file yet
	s := opened(t, open)
	more := transition("first", 60)
	must(t, s.Append("first", more...))
	killed := copied(t, open)
	for _, c := range []struct {
		name, dir string
		want      []store.Event
	}{{"closed", closed, want["first"]}, {"killed", killed, append(want["first"][:60:60], more...)}} {
		t.Run(c.name, func(t *testing.T) {
			freeze(t, c.dir)
			named(t, second(Open(c.dir)), store.ErrReadOnly, c.dir, "--store")
			s, err := OpenExisting(c.dir)
			must(t, err)
			defer s.Close()
			if got, err := s.Events("first", 0); err != nil || !reflect.DeepEqual(got, c.want) {
				t.Fatalf("%d events, %v", len(got), err)
			}
			named(t, s.Append("first", transition("first", int64(len(c.want)))...), store.ErrReadOnly, c.dir)
			named(t, second(s.Own("first")), store.ErrReadOnly, c.dir)
			named(t, s.Remove("first"), store.ErrReadOnly, c.dir)
		})
	}
	empty := t.TempDir()
	freeze(t, empty)
	named(t, second(Open(empty)), store.ErrReadOnly, empty)
	named(t, second(Open(filepath.Join(empty, "deep"))), store.ErrReadOnly, empty)
	named(t, second(OpenExisting(empty)), store.ErrNone, empty)
}

// freeze makes a folder a read-only mount.
func freeze(t *testing.T, dir string) {
	t.Helper()
	must(t, syscall.Mount(dir, dir, "", syscall.MS_BIND, ""))
	t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
	must(t, syscall.Mount("", dir, "", syscall.MS_BIND|syscall.MS_REMOUNT|syscall.MS_RDONLY, ""))
}

func copied(t *testing.T, dir string) string {
	t.Helper()
	to := t.TempDir()
	must(t, os.CopyFS(to, os.DirFS(dir)))
	return to
}
