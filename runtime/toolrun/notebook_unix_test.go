//go:build unix

package toolrun

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"iterion/ir/gate"
	"iterion/runtime/backend"
)

const book = `{
 "cells": [
  {
   "cell_type": "code",
   "execution_count": 7,
   "id": "one",
   "metadata": {
    "z": 1.50
   },
   "outputs": [
    1
   ],
   "source": [
    "a <b>\n",
    "c"
   ]
  },
  {
   "attachments": {},
   "cell_type": "markdown",
   "metadata": {},
   "source": "# x"
  }
 ],
 "metadata": {
  "own": 12345678901234567890
 },
 "nbformat": 4,
 "nbformat_minor": 5
}
`

func TestNotebookEdit(t *testing.T) {
	w := newWorld(t, "deny", "allow NotebookEdit")
	cut := func(from, to string) string { return book[strings.Index(book, from):strings.Index(book, to)] }
	first := cut(`   "execution_count": 7`, "  },\n  {\n   \"att")
	for _, c := range []struct {
		in       fields
		said     string
		old, new string
	}{
		{fields{"cell_id": "one", "new_source": "d\ne\n"}, "replaced the cell one", first,
			"   \"execution_count\": null,\n   \"id\": \"one\",\n   \"metadata\": {\n    \"z\": 1.50\n   },\n   \"outputs\": [],\n   \"source\": [\n    \"d\\n\",\n    \"e\\n\"\n   ]\n"},
		{fields{"cell_id": "cell-1", "new_source": "<y>"}, "replaced the cell cell-1", `"source": "# x"`, "\"source\": [\n    \"<y>\"\n   ]"},
		{fields{"cell_id": "cell-1", "new_source": "", "cell_type": "code"}, "replaced the cell cell-1",
			"\"cell_type\": \"markdown\",\n   \"metadata\": {},\n   \"source\": \"# x\"",
			"\"cell_type\": \"code\",\n   \"execution_count\": null,\n   \"metadata\": {},\n   \"outputs\": [],\n   \"source\": []"},
		{fields{"cell_id": "one", "new_source": "", "edit_mode": "delete"}, "deleted the cell one", cut("  {\n   \"cell_type\": \"code\"", "  {\n   \"att"), ""},
		{fields{"cell_id": "one", "new_source": "m", "edit_mode": "insert", "cell_type": "markdown"}, "inserted the cell ID",
			"  {\n   \"att", "  {\n   \"cell_type\": \"markdown\",\n   \"id\": \"ID\",\n   \"metadata\": {},\n   \"source\": [\n    \"m\"\n   ]\n  },\n  {\n   \"att"},
		{fields{"new_source": "m", "edit_mode": "insert", "cell_type": "code"}, "inserted the cell ID", " \"cells\": [\n",
			" \"cells\": [\n  {\n   \"cell_type\": \"code\",\n   \"execution_count\": null,\n   \"id\": \"ID\",\n   \"metadata\": {},\n   \"outputs\": [],\n   \"source\": [\n    \"m\"\n   ]\n  },\n"},
	} {
		w.lay(t, map[string]string{"n.ipynb": book})
		c.in["notebook_path"] = "n.ipynb"
		said := w.works(t, "notebook_edit", c.in)
		id := regexp.MustCompile(`inserted the cell ([a-z2-7]{8}) in`).FindStringSubmatch(said)
		if id != nil {
			c.new, c.said = strings.ReplaceAll(c.new, "ID", id[1]), strings.Replace(c.said, "ID", id[1], 1)
		}
		if said != c.said+" in n.ipynb" || !strings.Contains(book, c.old) {
			t.Errorf("%v: %q", c.in, said)
		}
		holds(t, filepath.Join(w.dir, "n.ipynb"), strings.Replace(book, c.old, c.new, 1))
	}
}

// What cannot be changed stays as it is.
func TestNotebookIsRefused(t *testing.T) {
	w := newWorld(t, "deny", "allow NotebookEdit")
	twice := strings.Replace(book, `"attachments": {}`, `"id": "one"`, 1)
	for _, c := range []struct {
		text string
		in   fields
		want string
	}{
		{book, fields{"new_source": "x"}, `no cell ""; its cells are 2: one cell-1`},
		{book, fields{"new_source": "x", "cell_id": "cell-2"}, "no cell"},
		{book, fields{"new_source": "x", "cell_id": "cell--1"}, "no cell"},
		{book, fields{"new_source": "x", "cell_id": "two"}, "no cell"},
		{book, fields{"new_source": "x", "edit_mode": "insert"}, "cell_type"},
		{book, fields{"new_source": "x", "edit_mode": "move"}, "edit_mode"},
		{book, fields{"cell_id": "one"}, "new_source"},
		{twice, fields{"new_source": "x", "cell_id": "one"}, "two cells have the id one"},
		{"{}", fields{"new_source": "x", "cell_id": "one"}, "no list of cells"},
		{`{"cells":{}}`, fields{"new_source": "x", "cell_id": "one"}, "no list of cells"},
		{`{"cells":[1]}`, fields{"new_source": "x", "cell_id": "one"}, "cell 0 is no object"},
		{"null", fields{"new_source": "x", "cell_id": "one"}, "no list of cells"},
		{"[]", fields{"new_source": "x", "cell_id": "one"}, "no notebook"},
		{"{} {}", fields{"new_source": "x", "cell_id": "one"}, "something stands behind"},
		{"x = 1", fields{"new_source": "x", "cell_id": "one"}, "no notebook"},
		{strings.Repeat("[", 100_000), fields{"new_source": "x", "cell_id": "one"}, "no notebook"},
	} {
		w.lay(t, map[string]string{"n.ipynb": c.text})
		c.in["notebook_path"] = "n.ipynb"
		w.fails(t, "notebook_edit", c.in, c.want)
		holds(t, filepath.Join(w.dir, "n.ipynb"), c.text)
	}
	w = newWorld(t, "deny", "allow NotebookEdit($W/**)")
	put(t, w.out+"/n.ipynb", book)
	link(t, w.out+"/n.ipynb", w.dir+"/l.ipynb")
	if result, allowed := w.call("notebook_edit", fields{"notebook_path": "l.ipynb", "cell_id": "one", "new_source": "x"}); allowed {
		t.Errorf("a link that leads out: %+v", result)
	}
}

func TestReadImage(t *testing.T) {
	w := newWorld(t, "deny", "allow read_image")
	w.lay(t, map[string]string{
		"a.png": "\x89PNG\r\n\x1a\nrest", "b.txt": "\xff\xd8\xffrest", "c": "GIF89a…", "d": "RIFF\x10\x00\x00\x00WEBPVP8 ",
		"svg.png": "<svg/>", "bmp.png": "BM......", "empty.png": "", "long.png": "\x89PNG\r\n\x1a\n" + strings.Repeat("x", backend.LargestImage),
	})
	for name, kind := range map[string]string{"a.png": "png", "b.txt": "jpeg", "c": "gif", "d": "webp"} {
		result, allowed := w.call("read_image", fields{"file_path": name})
		if !allowed || result.Failed || len(result.Images) != 1 || !strings.HasPrefix(result.Images[0], "data:image/"+kind+";base64,") {
			t.Errorf("%s: %+v", name, result)
		}
	}
	for name, want := range map[string]string{
		"svg.png": "no PNG", "bmp.png": "no PNG", "empty.png": "no PNG", "long.png": "larger than 3840 KiB", "gone": "no such file", ".": "folder",
	} {
		w.fails(t, "read_image", fields{"file_path": name}, want)
	}
	if err := os.Chmod(w.dir+"/a.png", 0o400); err != nil {
		t.Fatal(err)
	}
	w.works(t, "read_image", fields{"file_path": "a.png"})
}

func TestAnImageTakesAPermitToReadIt(t *testing.T) {
	w := newWorld(t, "deny", "allow Read(a.png)", "allow read_image", "allow Bash")
	w.lay(t, map[string]string{"a.png": "\x89PNG\r\n\x1a\nrest", "b.png": "\x89PNG\r\n\x1a\nrest"})
	call := func(tool, path string) backend.Call {
		return backend.Call{Tool: tool, Input: `{"file_path":"` + path + `"}`}
	}
	reading, image := call("read_file", "a.png"), call("read_image", "a.png")
	permit := func(c backend.Call) gate.Permit {
		v := w.gate.Evaluate(c.Gate())
		p, _ := v.Permit()
		return p
	}
	if r := w.Image(t.Context(), permit(reading), reading); r.Failed || len(r.Images) != 1 {
		t.Errorf("%+v", r)
	}
	for _, c := range []struct{ permit, call backend.Call }{
		{image, reading}, {image, image}, {reading, call("read_file", "b.png")},
	} {
		if r := w.Image(t.Context(), permit(c.permit), c.call); !r.Failed || r.Images != nil {
			t.Errorf("%s %s by a permit for %s: %+v", c.call.Tool, c.call.Input, c.permit.Tool, r)
		}
	}
}

func TestTodos(t *testing.T) {
	w := newWorld(t, "deny", "allow TodoWrite")
	got := w.works(t, "todo_write", fields{"todos": []fields{
		{"content": "a", "status": "completed"}, {"content": "b", "status": "in_progress", "activeForm": "doing b"}, {"content": "c", "status": "pending"},
	}})
	if got != "[x] a\n[~] b\n[ ] c\n" || len(w.Todos()) != 3 || w.Todos()[1].Active != "doing b" {
		t.Errorf("%q, %v", got, w.Todos())
	}
	w.fails(t, "todo_write", fields{"todos": []fields{{"content": "a", "status": "done"}}}, "status")
	if len(w.Todos()) != 3 {
		t.Error("a refused list took the place of the one before")
	}
	if got := w.works(t, "todo_write", fields{"todos": []fields{}}); got != "the list is empty now" || len(w.Todos()) != 0 {
		t.Errorf("%q, %v", got, w.Todos())
	}
}
