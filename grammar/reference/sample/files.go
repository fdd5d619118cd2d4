// Package sample supplies texts for tests of the grammar: the corpus and
// random programs made from the property table.
package sample

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// File is a corpus file as it lies on disk.
type File struct {
	Name string // slash-separated, relative to the corpus
	Raw  []byte
}

// Files returns every `.bot` file of the corpus, sorted by name.
func Files(tb testing.TB) []File {
	tb.Helper()
	var files []File
	collect(tb, ".bot", func(name string, raw []byte) { files = append(files, File{name, raw}) })
	return files
}

// Archives returns the txtar archives of corpus/broken, sorted by name.
func Archives(tb testing.TB) []File {
	tb.Helper()
	var files []File
	collect(tb, ".txtar", func(name string, raw []byte) {
		if strings.HasPrefix(name, "broken/") {
			files = append(files, File{name, raw})
		}
	})
	return files
}

func collect(tb testing.TB, ext string, found func(name string, raw []byte)) {
	tb.Helper()
	root := os.DirFS(filepath.Join(module(tb), "corpus"))
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(name) != ext {
			return err
		}
		raw, err := fs.ReadFile(root, name)
		found(name, raw)
		return err
	})
	if err != nil {
		tb.Fatal(err)
	}
}

// module returns the directory of go.mod above the test's own.
func module(tb testing.TB) string {
	tb.Helper()
	dir, err := os.Getwd()
	for err == nil {
		if _, missing := os.Stat(filepath.Join(dir, "go.mod")); missing == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			break
		}
		dir = filepath.Dir(dir)
	}
	tb.Fatal("no go.mod above the working directory", err)
	return ""
}
