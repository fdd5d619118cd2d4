package build_test

import (
	"cmp"
	"io/fs"
	"path"
	"slices"
	"testing"
	"testing/fstest"

	"iterion/corpus"
	"iterion/diagnostics"
	"iterion/ir/build"
)

// Every example of every page gives what the page says: the failing one its
// code and nothing else but what the page names beside it, the passing one
// nothing.
func TestPages(t *testing.T) {
	for _, row := range diagnostics.All() {
		for i, ex := range diagnostics.Examples(row.Code) {
			got := codesOf(example(t, ex))
			want := []string{}
			if ex.Fails {
				want = append(want, string(row.Code))
			}
			if ex.Beside != "" {
				want = append(want, string(ex.Beside))
			}
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("%s example %d: got %v, want %v", row.Code, i, got, want)
			}
		}
	}
}

func example(t *testing.T, ex diagnostics.Example) []diagnostics.Diagnostic {
	t.Helper()
	if ex.Stdin {
		return build.Text(ex.Files[0].Name, []byte(ex.Files[0].Text)).Diagnostics
	}
	options := corpus.Options{Folder: ex.Folder, Engine: ex.Engine, Editor: ex.Editor}
	in := bundleInput(files(ex.Files), options)
	in.Path = ex.Files[0].Name
	r, err := build.Unit(in)
	if err != nil {
		t.Fatal(err)
	}
	return r.Diagnostics
}

// bundleInput is a bundle in memory; its folder is called probe when nothing
// else is said.
func bundleInput(fsys fs.FS, o corpus.Options) build.Input {
	return build.Input{FS: fsys, Path: "main.bot", Folder: cmp.Or(o.Folder, "probe"), Engine: o.Engine, Editor: o.Editor}
}

func files(list []diagnostics.ExampleFile) fstest.MapFS {
	m := fstest.MapFS{}
	for _, f := range list {
		m[path.Clean(f.Name)] = &fstest.MapFile{Data: []byte(f.Text)}
	}
	return m
}

func codesOf(list []diagnostics.Diagnostic) []string {
	codes := []string{}
	for _, d := range list {
		codes = append(codes, string(d.Code))
	}
	return codes
}
