package build_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"iterion/corpus"
	"iterion/diagnostics"
	"iterion/ir/build"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// Each case says what stays and what is allowed; -update rewrites its last
// section.
func TestDirectives(t *testing.T) {
	for _, path := range directivePaths(t) {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var files []corpus.File
		var want []byte
		for _, f := range archive.Files {
			if f.Name == "want" {
				want = f.Data
			} else {
				files = append(files, corpus.File{Name: f.Name, Data: f.Data})
			}
		}
		got := judge(t, files)
		if *update {
			archive.Files = append(archive.Files[:len(files)], txtar.File{Name: "want", Data: got})
			if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
				t.Fatal(err)
			}
		} else if !bytes.Equal(got, want) {
			t.Errorf("%s: got\n%s\nwant\n%s", path, got, want)
		}
	}
}

func directivePaths(t *testing.T) []string {
	t.Helper()
	paths, err := filepath.Glob("testdata/directives/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatal("no cases", err)
	}
	return paths
}

// directiveCases are the cases of one file.
func directiveCases(t *testing.T) (list []string) {
	t.Helper()
	for _, path := range directivePaths(t) {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if len(archive.Files) == 2 {
			list = append(list, string(archive.Files[0].Data))
		}
	}
	return list
}

func judge(t *testing.T, files []corpus.File) []byte {
	t.Helper()
	r, err := build.Unit(build.Input{FS: memory(files), Path: "a.bot"})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	for _, d := range r.Diagnostics {
		fmt.Fprintf(&b, "%s %s: %s: %s\n", at(d.Range), d.Severity, d.Code, d.Message)
	}
	for _, d := range r.Suppressed {
		fmt.Fprintf(&b, "%s allowed: %s, at %s, %q\n", at(d.Range), d.Code, at(d.Related[len(d.Related)-1].Range), d.Reason)
	}
	return b.Bytes()
}

func at(r diagnostics.Range) string {
	return fmt.Sprintf("%s:%d:%d", r.File, r.Start.Line, r.Start.Column)
}
