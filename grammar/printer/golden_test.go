package printer

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"iterion/ast/source"
)

var update = flag.Bool("update", false, "write the goldens anew")

// TestGolden formats the `in` of every archive and compares with its `want`.
// The comment of an archive names the rule.
func TestGolden(t *testing.T) {
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatal("no goldens: ", err)
	}
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			if err != nil || len(archive.Files) != 2 {
				t.Fatalf("%d sections, %v", len(archive.Files), err)
			}
			in, want := archive.Files[0], &archive.Files[1]
			got, err := check(source.New(name, string(in.Data)))
			if err != nil || got == nil {
				t.Fatalf("formatted %v: %v", got != nil, err)
			}
			if *update {
				want.Data = got
				if err := os.WriteFile(name, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if string(got) != string(want.Data) {
				t.Errorf("differs at %s", firstDifference(got, want.Data))
			}
		})
	}
}
