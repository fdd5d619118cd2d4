package attachment

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"iterion/ast/source"
	"iterion/ir"
)

const png = "\x89PNG\r\n\x1a\nrest"

func opt[T any](v T) ir.Opt[T] { return ir.Opt[T]{V: v, Span: source.Span{End: 1}} }

func declare(name, typ string, required bool, accept ...string) *ir.Attachment {
	a := &ir.Attachment{Decl: ir.Decl{Name: name}, Type: typ, Required: opt(required)}
	for _, item := range accept {
		a.AcceptMIME.V = append(a.AcceptMIME.V, ir.Item{Text: item})
	}
	return a
}

func put(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// copies lists what is in a run's folder.
func copies(t *testing.T, folder string) []string {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(folder, "*/*"))
	if err != nil {
		t.Fatal(err)
	}
	if open, _ := filepath.Glob(filepath.Join(folder, ".new-*")); len(open) > 0 {
		t.Errorf("half-written: %v", open)
	}
	return all
}

func TestTake(t *testing.T) {
	folder := t.TempDir()
	original := put(t, "a plan.md", "# plan\n")
	p := &ir.Program{Attachments: []*ir.Attachment{declare("plan", "file", true, "text/*"), declare("shot", "image", false)}}
	got, err := Take(p, map[string]string{"plan": original}, folder)
	if err != nil {
		t.Fatal(err)
	}
	sum := fmt.Sprintf("%x", sha256.Sum256([]byte("# plan\n")))
	path := filepath.Join(folder, sum, "a plan.md")
	want := map[string]any{"plan": map[string]any{
		"path": path, "filename": "a plan.md", "mime": "text/markdown", "size": int64(7), "sha256": sum,
		"url": "file://" + strings.ReplaceAll(filepath.ToSlash(path), " ", "%20"),
	}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	// What the run reads does not follow the original, and a second copy is one.
	if err := os.WriteFile(original, []byte("other"), 0o644); err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(path); string(data) != "# plan\n" || err != nil {
		t.Errorf("the copy holds %q, %v", data, err)
	}
	if _, err := Take(p, map[string]string{"plan": put(t, "a plan.md", "# plan\n")}, folder); err != nil || len(copies(t, folder)) != 1 {
		t.Errorf("%v, copies %v", err, copies(t, folder))
	}
}

func TestRefusals(t *testing.T) {
	defer func(size int64) { maxSize = size }(maxSize)
	maxSize = 1 << 20
	text, dir := put(t, "a.png", "text"), t.TempDir()
	for _, c := range []struct {
		name  string
		decl  *ir.Attachment
		given map[string]string
		want  string
	}{
		{"missing", declare("plan", "file", true), nil, "needs the attachment plan: hand it over with --attach plan=PATH"},
		{"unknown", declare("plan", "file", false), map[string]string{"plam": text}, "no attachment plam; it takes plan"},
		{"no file", declare("plan", "file", false), map[string]string{"plan": dir + "/none"}, "no such file"},
		{"folder", declare("plan", "file", false), map[string]string{"plan": dir}, "is a folder"},
		{"too large", declare("plan", "file", false), map[string]string{"plan": put(t, "big", strings.Repeat("x", 1<<20+1))}, "larger than 1 MiB"},
		{"text named as an image", declare("shot", "image", false), map[string]string{"shot": text}, "must be an image, and its content is text/plain"},
		{"not accepted", declare("plan", "file", false, "application/pdf", "image/*"), map[string]string{"plan": text}, "only application/pdf, image/* is accepted"},
	} {
		t.Run(c.name, func(t *testing.T) {
			folder := t.TempDir()
			_, err := Take(&ir.Program{Attachments: []*ir.Attachment{c.decl}}, c.given, folder)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
			if left := copies(t, folder); len(left) > 0 {
				t.Errorf("%v is left", left)
			}
		})
	}
}

func TestParse(t *testing.T) {
	got, err := Parse([]string{"a=x", "b=y=z"})
	if err != nil || !reflect.DeepEqual(got, map[string]string{"a": "x", "b": "y=z"}) {
		t.Errorf("got %v, %v", got, err)
	}
	for _, args := range [][]string{{"a"}, {"=x"}, {"a="}, {"a=x", "a=y"}} {
		if _, err := Parse(args); err == nil {
			t.Errorf("%q was taken", args)
		}
	}
}

func TestMediaTypes(t *testing.T) {
	for _, c := range []struct{ name, content, want string }{
		{"a.md", "# a", "text/markdown"}, {"a.JSON", "{}", "application/json"}, {"a.txt", "a", "text/plain"}, {"a", "", "text/plain"},
		{"a.md", png, "image/png"}, {"a.png", "text", "text/plain"}, {"a.json", "\x00\x01\x02", "application/octet-stream"},
		{"a.svg", "<svg></svg>", "image/svg+xml"}, {"a.svg", "<?xml version='1.0'?><svg/>", "image/svg+xml"}, {"a.svg", "no drawing", "text/plain"},
		{"a.docx", "PK\x03\x04", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"}, {"a.pdf", "%PDF-1.7", "application/pdf"},
	} {
		if got := mimeOf(c.name, []byte(c.content)); got != c.want {
			t.Errorf("%s of %q is %s, want %s", c.name, c.content, got, c.want)
		}
	}
	for wanted, want := range map[string]bool{"image/*": true, "IMAGE/PNG": true, "*/*": true, "image/jpeg": false, "text/*": false, "image": false} {
		if matches(wanted, "image/png") != want {
			t.Errorf("%s covers image/png: %v", wanted, !want)
		}
	}
}

func TestNames(t *testing.T) {
	for path, want := range map[string]string{
		"/x/a b.txt": "a b.txt", "a\n\x1b[31m\u202e.txt": "a__[31m_.txt", "--help": "help", ".env": "env", "...": "file",
		strings.Repeat("é", 150) + ".md": strings.Repeat("é", 98) + ".md",
	} {
		if got := safeName(path); got != want {
			t.Errorf("%q is called %q, want %q", path, got, want)
		}
	}
}

func TestAnswer(t *testing.T) {
	folder, path := t.TempDir(), put(t, "shot.png", png)
	for text, want := range map[string]any{"plain": "plain", "": "", "@@home": "@home", "@@": "@", "a@b": "a@b"} {
		if got, err := Answer("f", text, folder); got != want || err != nil {
			t.Errorf("%q is %v, %v; want %v", text, got, err, want)
		}
	}
	got, err := Answer("shot", "@"+path, folder)
	sum := fmt.Sprintf("%x", sha256.Sum256([]byte(png)))
	want := map[string]any{
		"path": filepath.Join(folder, sum, "shot.png"), "filename": "shot.png", "mime": "image/png",
		"size": int64(len(png)), "sha256": sum, "attachment": "shot",
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, %v; want %v", got, err, want)
	}
	for _, text := range []string{"@", "@" + folder + "/none"} {
		if _, err := Answer("f", text, folder); err == nil || !strings.Contains(err.Error(), "the answer f") {
			t.Errorf("%q: %v", text, err)
		}
	}
}
