//go:build unix

package toolrun

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"iterion/ir/gate"
)

// names are few, so that paths meet, and spell each other's case and escapes.
var names = []string{"a", "b", "A", "a%2fb", "w", "o"}

// drawTree lays random files, folders and links in the workspace and beside it,
// through a Root, since the links lead anywhere. A file holds its own path, so
// that what was read tells where it came from.
func drawTree(t *rapid.T, w *world) {
	root, err := os.OpenRoot(w.root)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for range rapid.IntRange(1, 10).Draw(t, "entries") {
		at := rapid.SampledFrom([]string{"w", "o"}).Draw(t, "base") + "/" + drawPath(t, 3)
		kind := rapid.SampledFrom([]string{"file", "folder", "link"}).Draw(t, "kind")
		if root.MkdirAll(filepath.Dir(at), 0o777) != nil {
			continue // a file or a link is in the way
		}
		switch kind {
		case "file":
			if f, err := root.OpenFile(at, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666); err == nil {
				real, _ := filepath.EvalSymlinks(w.root + "/" + at)
				fmt.Fprintf(f, "<%s>", real)
				f.Close()
			}
		case "folder":
			_ = root.Mkdir(at, 0o777) // it may be there
		case "link":
			_ = root.Symlink(drawSpelling(t, w), at) // so may this
		}
	}
}

func drawPath(t *rapid.T, most int) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(names), 1, most).Draw(t, "path"), "/")
}

// drawSpelling is a path in some spelling, absolute or not.
func drawSpelling(t *rapid.T, w *world) string {
	parts := rapid.SliceOfN(rapid.SampledFrom(append([]string{"..", ".", ""}, names...)), 1, 5).Draw(t, "spelling")
	base := rapid.SampledFrom([]string{"", "", "./", w.dir + "/", w.out + "/", w.root + "/", "~/", "../"}).Draw(t, "start")
	return base + strings.Join(parts, "/")
}

// inWorld runs a property in a fresh world whose policy closes and opens a part of
// it, and nothing beyond it.
func inWorld(t *rapid.T, check func(w *world)) {
	root, err := os.MkdirTemp("", "toolrun")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(root)
	if root, err = filepath.EvalSymlinks(root); err != nil {
		t.Fatal(err)
	}
	rules := rapid.SampledFrom([][]string{
		{"allow Read($W/**)", "allow Write($W/**)", "allow Edit($W/**)", "allow Grep(path:$R/**)", "allow Glob(path:$R/**)"},
		{"allow Read(a/**)", "allow Write(a/**)", "allow Edit(a/**)", "allow Grep(path:$R/**)", "allow Glob(path:$R/**)"},
		{"allow Read($R/**)", "allow Write($R/**)", "allow Edit($R/**)", "allow Grep(path:$R/**)", "allow Glob(path:$R/**)", "deny Read(b/**)",
			"deny Write(b/**)", "deny Edit(b/**)"},
		{"allow Read($R/**)", "allow Write($R/**)", "allow Edit($R/**)", "allow Grep(path:$R/**)", "allow Glob(path:$R/**)", "deny Read($O/**)",
			"deny Write($O/**)", "deny Edit($O/**)", "ask Read(A)"},
	}).Draw(t, "rules")
	w, err := worldAt(root, "deny", rules...)
	if err != nil {
		t.Fatal(err)
	}
	drawTree(t, w)
	check(w)
}

// mayTouch is the oracle: the kernel's own resolution of a path, judged as it
// stands.
func (w *world) mayTouch(tool, real string) bool {
	v := w.gate.Evaluate(gate.Call{Tool: tool, Input: `{"file_path":` + string(quoted(real)) + `}`})
	_, ok := v.Permit()
	return ok
}

// Whatever tree of files and links, and whatever path: what a read shows is the
// content of the file that the kernel finds, and the gate allows that one.
func TestReadStaysInside(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		inWorld(t, func(w *world) {
			name := drawSpelling(t, w)
			got, _ := w.call("read_file", fields{"file_path": name})
			if got.Failed {
				return
			}
			_, real, ok := strings.Cut(strings.TrimSuffix(strings.TrimSpace(got.Text), ">"), "<")
			if !ok {
				t.Fatalf("%q gives %q", name, got.Text)
			}
			if !w.mayTouch("read_file", real) {
				t.Fatalf("%q reads %s, which the gate closes", name, real)
			}
			if found, err := filepath.EvalSymlinks(w.spelled(name)); err == nil && found != real {
				t.Fatalf("%q reads %s and not %s", name, real, found)
			}
		})
	})
}

// spelled is a path as the kernel takes it.
func (w *world) spelled(name string) string {
	if rest, ok := strings.CutPrefix(name, "~/"); ok {
		return w.root + "/home/" + rest
	}
	if filepath.IsAbs(name) {
		return name
	}
	return w.dir + "/" + name
}

// Whatever tree and path: a write or an edit changes nothing but files that the
// gate allows to change.
func TestWriteStaysInside(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		inWorld(t, func(w *world) {
			before := w.contents(t)
			tool := rapid.SampledFrom([]string{"write_file", "file_edit"}).Draw(t, "tool")
			in := fields{"file_path": drawSpelling(t, w)}
			if tool == "write_file" {
				in["content"] = "NEW"
			} else {
				in["old_string"], in["new_string"] = "<", "NEW"
			}
			got, _ := w.call(tool, in)
			after := w.contents(t)
			changed := 0
			for real, content := range after {
				if old, was := before[real]; was && old == content {
					continue
				}
				if changed++; !w.mayTouch(tool, real) {
					t.Fatalf("%v changed %s, which the gate closes", in, real)
				}
			}
			if want := map[bool]int{true: 0, false: 1}[got.Failed]; changed != want || len(after) < len(before) {
				t.Fatalf("%v: %d files changed, %+v", in, changed, got)
			}
		})
	})
}

// contents are all files of the world with what they hold, links with their
// targets.
func (w *world) contents(t *rapid.T) map[string]string {
	all := map[string]string{}
	err := filepath.WalkDir(w.root, func(name string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		if e.Type()&os.ModeSymlink != 0 {
			all[name], err = os.Readlink(name)
			return err
		}
		content, err := os.ReadFile(name)
		all[name] = string(content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// closes tells whether a rule closes a file to reading, or asks about it.
func (w *world) closes(real string) bool {
	v := w.gate.Evaluate(gate.Call{Tool: "Read", Input: `{"file_path":` + string(quoted(real)) + `}`})
	return v.Stage == gate.StageDeny || v.Stage == gate.StageAsk || v.Stage == gate.StageEngineDeny
}

// Whatever tree: a search never shows a file, by its content or its name, that
// the policy closes to reading.
func TestSearchStaysInside(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		inWorld(t, func(w *world) {
			start := drawSpelling(t, w)
			for tool, in := range map[string]fields{
				"grep":           {"pattern": "<", "output_mode": "content", "path": start},
				"workspace_grep": {"pattern": "<", "output_mode": "content", "path": start},
				"glob":           {"pattern": "**", "path": start},
			} {
				got, _ := w.call(tool, in)
				if got.Failed {
					continue
				}
				for real := range w.contents(t) {
					if !w.closes(real) {
						continue
					}
					listed := strings.Contains("\n"+got.Text, "\n"+strings.TrimPrefix(real, w.dir+"/")+"\n")
					if strings.Contains(got.Text, "<"+real+">") || listed {
						t.Fatalf("%s %v shows %s, which is closed:\n%s", tool, in, real, got.Text)
					}
				}
			}
		})
	})
}
