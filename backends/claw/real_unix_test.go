//go:build unix

package claw

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"iterion/runtime/disk"
)

// The real tools under the real gate: what is denied leaves no trace, what is
// allowed is there, and a link that the policy does not open is not followed.
func TestRealTools(t *testing.T) {
	w := newWorld(t, "write_file file_edit read_file grep",
		calls(
			call("a", "write_file", `{"file_path":"notes/a.txt","content":"one\n"}`), call("b", "write_file", `{"file_path":"secret.txt","content":"x"}`),
			call("c", "file_edit", `{"file_path":"notes/a.txt","old_string":"one","new_string":"two"}`),
		),
		calls(call("d", "read_file", `{"file_path":"notes/a.txt"}`), call("e", "grep", `{"pattern":"two"}`), call("f", "read_file", `{"file_path":"notes/way"}`)),
		text("done"),
	)
	outside := t.TempDir()
	for _, err := range []error{
		os.WriteFile(filepath.Join(outside, "key"), []byte("hunter2"), 0o600), os.Mkdir(filepath.Join(w.task.Dir, "notes"), 0o700),
		os.Symlink(filepath.Join(outside, "key"), filepath.Join(w.task.Dir, "notes", "way")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	w.policy("deny", "Write(notes/**) Edit(notes/**) Read(notes/**) grep", "", "Write(secret.txt)")
	task := w.task
	task.Session = w.session()
	if got, err := New(w, disk.Links{}).Run(t.Context(), task, &sink{w}); err != nil || got.Text != "done" {
		t.Fatalf("%+v, %v", got, err)
	}
	if written, err := os.ReadFile(filepath.Join(w.task.Dir, "notes", "a.txt")); err != nil || string(written) != "two\n" {
		t.Errorf("%q, %v", written, err)
	}
	if _, err := os.Lstat(filepath.Join(w.task.Dir, "secret.txt")); err == nil {
		t.Error("the denied file is there")
	}
	for id, want := range map[string]string{"d": "two", "e": "a.txt"} {
		if r := w.result(id); r.Failed || !strings.Contains(r.Text, want) {
			t.Errorf("%s: %+v", id, r)
		}
	}
	if r := w.result("f"); r.Began || !r.Failed || strings.Contains(r.Text, "hunter2") {
		t.Errorf("%+v", r)
	}
}
