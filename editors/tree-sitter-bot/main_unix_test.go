//go:build unix

package treesitter

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"iterion/grammar/reference/sample"
)

// scratch is where the harness is built.
var scratch string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "iterion-tree-sitter-")
	if err != nil {
		panic(err)
	}
	scratch = dir
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// archives returns every archive of the corpus.
func archives(t testing.TB) (all []sample.File) {
	t.Helper()
	root := os.DirFS("../../corpus")
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(name) != ".txtar" {
			return err
		}
		raw, err := fs.ReadFile(root, name)
		all = append(all, sample.File{Name: name, Raw: raw})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
