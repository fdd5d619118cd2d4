//go:build unix

package toolrun

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"iterion/runtime/backend"
)

// exchanges are what an attacker does to the path `sub/f` of the workspace
// between the verdict and the opening.
var exchanges = map[string]func(t *testing.T, w *world){
	"the file by a link out":          func(t *testing.T, w *world) { link(t, w.out+"/f", w.dir+"/sub/f") },
	"the file by a relative link out": func(t *testing.T, w *world) { link(t, "../../o/f", w.dir+"/sub/f") },
	"the file by a link to a sibling": func(t *testing.T, w *world) { link(t, "g", w.dir+"/sub/f") },
	"the file by a link that dangles": func(t *testing.T, w *world) { link(t, w.out+"/none", w.dir+"/sub/f") },
	"the folder by a link out":        func(t *testing.T, w *world) { moved(t, w.dir+"/sub"); link(t, w.out, w.dir+"/sub") },
	"the folder by a relative link":   func(t *testing.T, w *world) { moved(t, w.dir+"/sub"); link(t, "other", w.dir+"/sub") },
	"the workspace by a link":         func(t *testing.T, w *world) { moved(t, w.dir); link(t, w.out, w.dir) },
	"the file by a pipe": func(t *testing.T, w *world) {
		moved(t, w.dir+"/sub/f")
		if err := syscall.Mkfifo(w.dir+"/sub/f", 0o666); err != nil {
			t.Fatal(err)
		}
	},
	"the folder by a pipe": func(t *testing.T, w *world) {
		moved(t, w.dir+"/sub")
		if err := syscall.Mkfifo(w.dir+"/sub", 0o666); err != nil {
			t.Fatal(err)
		}
	},
}

func moved(t *testing.T, name string) {
	t.Helper()
	if err := os.Rename(name, name+".moved"); err != nil {
		t.Fatal(err)
	}
}

var swapped = map[string]fields{
	"read_file":      {"file_path": "sub/f"},
	"write_file":     {"file_path": "sub/f", "content": "EVIL"},
	"file_edit":      {"file_path": "sub/f", "old_string": "x", "new_string": "EVIL"},
	"grep":           {"pattern": ".", "path": "sub/f", "output_mode": "content"},
	"workspace_grep": {"pattern": ".", "path": "sub/f", "output_mode": "content"},
}

// A path that is exchanged when it has been judged is an error of the tool, and
// nothing is read or written: when the verdict was given, and when the tool has
// looked at the path.
func TestSwapBeforeOpening(t *testing.T) {
	for name, exchange := range exchanges {
		for tool, in := range swapped {
			for _, early := range []bool{true, false} {
				t.Run(name+"/"+tool, func(t *testing.T) { swap(t, exchange, tool, in, early) })
			}
		}
	}
}

func swap(t *testing.T, exchange func(*testing.T, *world), tool string, in fields, early bool) {
	w := newWorld(t, "off")
	w.lay(t, map[string]string{"sub/f": "x", "sub/g": "SIBLING x", "other/f": "OTHER x"})
	put(t, w.out+"/f", "SECRET x")
	put(t, w.out+"/sub/f", "SECRET x")
	text, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	c := backend.Call{Tool: tool, Input: string(text)}
	v := w.gate.Evaluate(c.Gate())
	permit, ok := v.Permit()
	if !ok {
		t.Fatal(v.Reason())
	}
	if early {
		exchange(t, w)
	} else {
		w.hook = func(at string) {
			if at == "open" {
				exchange(t, w)
			}
		}
	}
	got := w.Run(context.Background(), permit, c)
	if !got.Failed || strings.Contains(got.Text, "SECRET") || strings.Contains(got.Text, "OTHER") || strings.Contains(got.Text, "SIBLING") {
		t.Errorf("early %v: %+v", early, got)
	}
	untouched(t, w.root)
}

// untouched wants that nothing was written anywhere.
func untouched(t *testing.T, root string) {
	t.Helper()
	nothingLeft(t, root)
	err := filepath.WalkDir(root, func(name string, e os.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		content, err := os.ReadFile(name)
		if strings.Contains(string(content), "EVIL") {
			t.Errorf("%s was written", name)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// What comes to the place while the new content is written stays as it is.
func TestSwapBeforeTheRename(t *testing.T) {
	for _, tool := range []string{"write_file", "file_edit"} {
		for name, exchange := range map[string]func(*testing.T, *world){
			"link":    func(t *testing.T, w *world) { link(t, w.out+"/f", w.dir+"/sub/f") },
			"content": func(t *testing.T, w *world) { put(t, w.dir+"/sub/f", "by another") },
			"file":    func(t *testing.T, w *world) { moved(t, w.dir+"/sub/f"); put(t, w.dir+"/sub/f", "x") },
			"gone":    func(t *testing.T, w *world) { moved(t, w.dir+"/sub/f") },
		} {
			w := newWorld(t, "off")
			w.lay(t, map[string]string{"sub/f": "x"})
			put(t, w.out+"/f", "SECRET")
			w.hook = func(at string) {
				if at == "commit" {
					exchange(t, w)
				}
			}
			if got, _ := w.call(tool, swapped[tool]); !got.Failed {
				t.Errorf("%s, %s: %s", tool, name, got.Text)
			}
			untouched(t, w.root)
		}
	}
	w := newWorld(t, "off")
	w.hook = func(at string) {
		if at == "commit" {
			put(t, w.dir+"/new", "by another")
		}
	}
	w.fails(t, "write_file", fields{"file_path": "new", "content": "EVIL"}, "changed since it was judged")
	untouched(t, w.root)
}

// A link that changes before the permit is made is judged where it leads then.
func TestSwapBeforeThePermit(t *testing.T) {
	w := newWorld(t, "deny", "allow Read($W/**)", "allow Write($W/**)")
	w.lay(t, map[string]string{"f": "x"})
	put(t, w.out+"/f", "SECRET")
	for tool, input := range map[string]string{"read_file": `{"file_path":"f"}`, "write_file": `{"file_path":"f","content":"EVIL"}`} {
		c := backend.Call{Tool: tool, Input: input}
		v := w.gate.Evaluate(c.Gate())
		link(t, w.out+"/f", w.dir+"/f")
		permit, ok := v.Permit()
		if got := w.Run(context.Background(), permit, c); !ok || !got.Failed || !strings.Contains(got.Text, "which is not allowed") || strings.Contains(got.Text, "SECRET") {
			t.Errorf("%s: %v, %+v", tool, ok, got)
		}
		os.Remove(w.dir + "/f")
		w.lay(t, map[string]string{"f": "x"})
	}
	untouched(t, w.root)
}

// Both ways to open a folder refuse the same.
func TestOpenFolder(t *testing.T) {
	w := newWorld(t, "off")
	w.lay(t, map[string]string{"a/b/f": ""})
	link(t, "a", w.dir+"/in")
	link(t, w.out, w.dir+"/out")
	for name, open := range map[string]func(string) (*os.Root, error){"openFolder": openFolder, "openByParts": openByParts} {
		for real, ok := range map[string]bool{
			"/": true, w.dir: true, w.dir + "/a/b": true, w.dir + "/in": false, w.dir + "/in/b": false, w.dir + "/out": false,
			w.dir + "/a/b/f": false, w.dir + "/none": false,
		} {
			root, err := open(real)
			if (err == nil) != ok {
				t.Errorf("%s(%s): %v", name, real, err)
			}
			if err != nil {
				continue
			}
			want, e1 := os.Stat(real)
			got, e2 := root.Stat(".")
			if e1 != nil || e2 != nil || !os.SameFile(want, got) {
				t.Errorf("%s(%s) holds another folder", name, real)
			}
			root.Close()
		}
	}
}

// What was opened is compared with what stands there, so that a link which came
// and went again is seen.
func TestHeld(t *testing.T) {
	w := newWorld(t, "off")
	w.lay(t, map[string]string{"f": "", "g": ""})
	link(t, "f", w.dir+"/in")
	if err := syscall.Mkfifo(w.dir+"/pipe", 0o666); err != nil {
		t.Fatal(err)
	}
	dir, err := os.OpenRoot(w.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	for _, c := range []struct {
		opened, name string
		ok           bool
	}{{"f", "f", true}, {"f", "g", false}, {"f", "in", false}, {"pipe", "pipe", false}, {"f", "none", false}} {
		f, err := os.OpenFile(w.dir+"/"+c.opened, os.O_RDONLY|syscall.O_NONBLOCK, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := held(f, dir, c.name); (err == nil) != c.ok {
			t.Errorf("%s for %s: %v", c.opened, c.name, err)
		}
		f.Close()
	}
}
