package printer

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"iterion/ast/source"
)

// samples loads every .bot file of the corpus.
func samples(t testing.TB) []*source.File {
	t.Helper()
	var files []*source.File
	err := filepath.WalkDir("../../corpus", func(name string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(name, ".bot") {
			return err
		}
		raw, err := os.ReadFile(name)
		files = append(files, source.Load(name, raw))
		return err
	})
	if err != nil || len(files) < 100 {
		t.Fatalf("%d corpus files, %v", len(files), err)
	}
	return files
}
