//go:build unix

package toolrun

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"iterion/ir/gate"
	"iterion/runtime/backend"
)

func TestReadFile(t *testing.T) {
	w := newWorld(t, "off")
	w.lay(t, map[string]string{
		"three": "a\nb\nc", "empty": "", "crlf": "a\r\nb\r\n", "bom": "\uFEFFa\n", "latin": "caf\xe9\n",
		"long": strings.Repeat("é", 4000) + "\nb\n", "binary": "a\x00b", "many": strings.Repeat("x\n", 2100), "sub/f": "s\n",
	})
	for _, c := range []struct {
		in   fields
		want string
	}{
		{fields{"file_path": "three"}, "     1\ta\n     2\tb\n     3\tc\n"},
		{fields{"file_path": w.dir + "/three"}, "     1\ta\n     2\tb\n     3\tc\n"},
		{fields{"file_path": "sub/../three", "offset": 2, "limit": 1}, "     2\tb\n(there is more: go on with the offset 3)\n"},
		{fields{"file_path": "three", "offset": 3}, "     3\tc\n"},
		{fields{"file_path": "empty"}, "(the file is empty)"},
		{fields{"file_path": "crlf"}, "     1\ta\n     2\tb\n(lines end with CR LF)\n"},
		{fields{"file_path": "bom"}, "     1\ta\n"},
		{fields{"file_path": "latin"}, "     1\tcaf\uFFFD\n(some bytes are no UTF-8 and shown as \uFFFD: a replacement of such text would not find it)\n"},
		{fields{"file_path": "long"}, "     1\t" + strings.Repeat("é", 2046) + "… (8001 bytes)\n     2\tb\n(1 lines are longer than 4096 bytes and cut)\n"},
	} {
		if got := w.works(t, "Read", c.in); got != c.want {
			t.Errorf("%v:\n%q\n%q", c.in, got, c.want)
		}
	}
	if got := w.works(t, "read_file", fields{"file_path": "many"}); !strings.HasSuffix(got, "  2000\tx\n(there is more: go on with the offset 2001)\n") {
		t.Errorf("%q", got[len(got)-80:])
	}
	for name, want := range map[string]string{"binary": "binary", "sub": "folder", "none": "no such file", ".": "folder", "three/": "folder", "file:three": "URI", "three/x": "not a directory"} {
		w.fails(t, "read_file", fields{"file_path": name}, want)
	}
	w.fails(t, "read_file", fields{"file_path": "three", "offset": 4}, "it has 3 lines")
	w.fails(t, "read_file", fields{"file_path": "three", "offset": uint64(1 << 63)}, "offset")
}

// A result is cut where it is too long, and its notes are still there.
func TestReadIsBounded(t *testing.T) {
	w := newWorld(t, "off")
	w.lay(t, map[string]string{"f": strings.Repeat(strings.Repeat("é", 2000)+"\n", 500)})
	got := w.works(t, "read_file", fields{"file_path": "f"})
	if len(got) > longestResult || !strings.Contains(got, "(there is more: go on with the offset ") {
		t.Errorf("%d bytes, …%s", len(got), got[len(got)-60:])
	}
	if text := cut(strings.Repeat("é", longestResult), longestResult-1); !strings.HasPrefix(text, strings.Repeat("é", longestResult/2-1)+"\n(cut") {
		t.Errorf("a character is split: …%q", text[len(text)-80:])
	}
}

func TestWriteFile(t *testing.T) {
	w := newWorld(t, "off")
	w.lay(t, map[string]string{"old": "before", "script": "x"})
	mode(t, w.dir+"/script", 0o751)
	if got := w.works(t, "write_file", fields{"file_path": "a/b/new", "content": "hé\n"}); got != "created a/b/new, 4 bytes" {
		t.Error(got)
	}
	holds(t, w.dir+"/a/b/new", "hé\n")
	if got := w.works(t, "Write", fields{"file_path": "old", "content": ""}); got != "overwrote old, 0 bytes" {
		t.Error(got)
	}
	holds(t, w.dir+"/old", "")
	w.works(t, "Write", fields{"file_path": "script", "content": "y"})
	if info, err := os.Stat(w.dir + "/script"); err != nil || info.Mode().Perm() != 0o751 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	w.works(t, "Write", fields{"file_path": w.out + "/new", "content": "o"})
	holds(t, w.out+"/new", "o")
	mode(t, w.dir+"/script", 0o555)
	w.fails(t, "Write", fields{"file_path": "script", "content": "z"}, "read-only")
	w.fails(t, "Write", fields{"file_path": w.out + "/sub/new", "content": "z"}, "outside of the working directory")
	w.fails(t, "Write", fields{"file_path": "a/b", "content": "z"}, "folder")
	w.fails(t, "Write", fields{"file_path": "a/c/", "content": "z"}, "folder")
	w.fails(t, "Write", fields{"file_path": "old/x", "content": "z"}, "not a directory")
	nothingLeft(t, w.root)
}

func mode(t *testing.T, name string, m os.FileMode) {
	t.Helper()
	if err := os.Chmod(name, m); err != nil {
		t.Fatal(err)
	}
}

// nothingLeft wants no half-written file anywhere.
func nothingLeft(t testing.TB, root string) {
	t.Helper()
	err := filepath.WalkDir(root, func(name string, e os.DirEntry, err error) error {
		if err == nil && strings.HasPrefix(e.Name(), ".iterion-") {
			t.Errorf("%s is left", name)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// A file that has a second name keeps what it holds under it.
func TestWriteLeavesTheOtherName(t *testing.T) {
	w := newWorld(t, "off")
	w.lay(t, map[string]string{"a": "x"})
	if err := os.Link(w.dir+"/a", w.out+"/b"); err != nil {
		t.Fatal(err)
	}
	w.works(t, "Write", fields{"file_path": "a", "content": "y"})
	holds(t, w.dir+"/a", "y")
	holds(t, w.out+"/b", "x")
}

func TestFileEdit(t *testing.T) {
	for _, c := range []struct {
		text, old, new string
		all            bool
		want, answer   string
	}{
		{"a b c", "b", "x", false, "a x c", "replaced 1 place in f"},
		{"a b b", "b", "$1", true, "a $1 $1", "replaced 2 places in f"},
		{"a b\nb", "b", "x", false, "a b\nb", "stands in it 2 times, first in the lines 1, 2"},
		{"a", "b", "x", false, "a", "does not stand in it: read the file again"},
		{"a", "a", "a", false, "a", "are the same"},
		{"if x {\n\ty\n}", "if x {\n  y\n}", "", false, "if x {\n\ty\n}", "blanks or line ends differ"},
		{"a\nb\n", "     1\ta\n     2\tb", "", false, "a\nb\n", "leave out the line numbers"},
		{"a\r\nb\r\nc\r\n", "a\nb", "x\ny\nz", false, "x\r\ny\r\nz\r\nc\r\n", "replaced 1 place in f"},
		{"a\r\nb\nc", "a\r\nb", "x\ny", false, "x\ny\nc", "replaced 1 place in f"},
		{"caf\xe9 b", "b", "x", false, "caf\xe9 x", "replaced 1 place in f"},
		{"a\x00b", "b", "x", false, "a\x00b", "binary"},
	} {
		w := newWorld(t, "off")
		w.lay(t, map[string]string{"f": c.text})
		mode(t, w.dir+"/f", 0o640)
		got, _ := w.call("Edit", fields{"file_path": "f", "old_string": c.old, "new_string": c.new, "replace_all": c.all})
		if !strings.Contains(got.Text, c.answer) {
			t.Errorf("%q: %s; want %s", c.text, got.Text, c.answer)
		}
		holds(t, w.dir+"/f", c.want)
		if info, err := os.Stat(w.dir + "/f"); err != nil || info.Mode().Perm() != 0o640 {
			t.Errorf("%v, %v", info.Mode(), err)
		}
		nothingLeft(t, w.root)
	}
}

// An edit does not make a file grow without bound.
func TestEditIsBounded(t *testing.T) {
	w := newWorld(t, "off")
	w.lay(t, map[string]string{"f": strings.Repeat("a", 1<<20)})
	w.fails(t, "Edit", fields{"file_path": "f", "old_string": "a", "new_string": strings.Repeat("b", 1<<10), "replace_all": true}, "larger than 32 MiB")
	holds(t, w.dir+"/f", strings.Repeat("a", 1<<20))
}

// What is no regular file is refused, and nobody is waited for.
func TestSpecialFiles(t *testing.T) {
	w := newWorld(t, "off")
	if err := syscall.Mkfifo(w.dir+"/pipe", 0o666); err != nil {
		t.Fatal(err)
	}
	w.fails(t, "read_file", fields{"file_path": "pipe"}, "no regular file")
	w.fails(t, "read_file", fields{"file_path": "/dev/null"}, "no regular file")
	w.fails(t, "read_file", fields{"file_path": "pipe/x"}, "not a directory")
	w.fails(t, "write_file", fields{"file_path": "pipe", "content": ""}, "no regular file")
	w.fails(t, "file_edit", fields{"file_path": "pipe", "old_string": "a", "new_string": "b"}, "no regular file")
	w.fails(t, "grep", fields{"pattern": "x", "path": "pipe"}, "no regular file")
	if got := w.works(t, "grep", fields{"pattern": "x"}); got != "(no line matches)\n" {
		t.Error(got)
	}
	for _, name := range []string{"/proc/self/environ", "/proc/self/fd/0", "/proc/1/status", "/proc"} {
		got, _ := w.call("read_file", fields{"file_path": name})
		if !got.Failed {
			t.Errorf("%s is read", name)
		}
	}
}

// Names that look like something else are names.
func TestNamesAreLiteral(t *testing.T) {
	w := newWorld(t, "off")
	for i, name := range []string{"a%20b", "~x", "a\\b", "[id]", "{a,b}", " blank ", "-i", "é"} {
		text := fmt.Sprint(i)
		w.works(t, "write_file", fields{"file_path": name, "content": text})
		holds(t, w.dir+"/"+name, text)
		if got := w.works(t, "read_file", fields{"file_path": name}); got != "     1\t"+text+"\n" {
			t.Errorf("%s: %q", name, got)
		}
	}
	put(t, w.root+"/home/f", "home")
	if got := w.works(t, "read_file", fields{"file_path": "~/f"}); !strings.Contains(got, "home") {
		t.Error(got)
	}
	w.fails(t, "read_file", fields{"file_path": "a\x00b"}, "")
}

// A call runs with its own permit only, and only when its input fits.
func TestPermitsAndInput(t *testing.T) {
	w := newWorld(t, "deny", "allow Read(a)")
	w.lay(t, map[string]string{"a": "1", "b": "2"})
	c := backend.Call{Tool: "read_file", Input: `{"file_path":"a"}`}
	v := w.gate.Evaluate(c.Gate())
	permit, ok := v.Permit()
	if !ok {
		t.Fatal(v.Reason())
	}
	for _, other := range []backend.Call{{Tool: "read_file", Input: `{"file_path":"b"}`}, {Tool: "Read", Input: c.Input}} {
		if got := w.Run(context.Background(), permit, other); !got.Failed || !strings.Contains(got.Text, "permit") {
			t.Errorf("%+v", got)
		}
	}
	if got := w.Run(context.Background(), gate.Permit{}, c); !got.Failed {
		t.Error("a zero permit runs something")
	}
	off := newWorld(t, "off")
	off.fails(t, "read_file", fields{"file_path": "a", "path": "b"}, "path")
	off.fails(t, "read_file", fields{"FILE_PATH": "a"}, "FILE_PATH")
	off.fails(t, "computer_use", fields{}, "no such tool")
	off.fails(t, "mcp__x__read_file", fields{}, "no such tool")
}

// A tool that breaks down ends no run.
func TestPanicIsAResult(t *testing.T) {
	w := newWorld(t, "off")
	w.lay(t, map[string]string{"a": "1"})
	w.hook = func(string) { panic("oh") }
	w.fails(t, "read_file", fields{"file_path": "a"}, "broke down, a defect of the program: oh")
}

// The end of the context ends a call, before it begins and under way.
func TestStopped(t *testing.T) {
	w := newWorld(t, "off")
	w.lay(t, map[string]string{"a": "1"})
	for _, c := range []backend.Call{
		{Tool: "read_file", Input: `{"file_path":"a"}`}, {Tool: "glob", Input: `{"pattern":"**"}`}, {Tool: "grep", Input: `{"pattern":"1"}`},
		{Tool: "grep", Input: `{"pattern":"1","path":"a"}`}, {Tool: "file_edit", Input: `{"file_path":"a","old_string":"1","new_string":"2"}`},
	} {
		v := w.gate.Evaluate(c.Gate())
		permit, _ := v.Permit()
		ctx, stop := context.WithCancel(context.Background())
		w.hook = func(string) { stop() }
		if got := w.Run(ctx, permit, c); !got.Failed || !strings.Contains(got.Text, "stopped: context canceled") {
			t.Errorf("%s: %+v", c.Tool, got)
		}
		if got := w.Run(ctx, permit, c); !got.Failed || !strings.Contains(got.Text, "stopped before it began") {
			t.Errorf("%s: %+v", c.Tool, got)
		}
	}
	holds(t, w.dir+"/a", "1")
}

// A runner of a read-only node changes no file, whatever the gate permitted.
func TestAReadOnlyRunnerChangesNothing(t *testing.T) {
	w := newWorld(t, "off")
	w.lay(t, map[string]string{"a": "old", "b.ipynb": book})
	w.ReadOnly = true
	for tool, in := range map[string]fields{
		"write_file":    {"file_path": "a", "content": "new"},
		"file_edit":     {"file_path": "a", "old_string": "old", "new_string": "new"},
		"notebook_edit": {"notebook_path": "b.ipynb", "cell_id": "one", "new_source": "new"},
	} {
		w.fails(t, tool, in, tool+" changes files, and the node is read-only")
	}
	holds(t, w.dir+"/a", "old")
	holds(t, w.dir+"/b.ipynb", book)
	w.works(t, "read_file", fields{"file_path": "a"})
}
