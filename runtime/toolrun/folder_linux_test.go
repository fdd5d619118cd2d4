package toolrun

import (
	"errors"
	"os"
	"testing"
)

// The folder that the kernel found without a link is compared with the one that
// is held.
func TestSameFolder(t *testing.T) {
	w := newWorld(t, "off")
	plain, err := os.Open(w.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer plain.Close()
	for name, want := range map[string]error{w.dir: nil, w.out: errSwapped} {
		root, err := os.OpenRoot(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := sameFolder(plain, root); !errors.Is(err, want) {
			t.Errorf("%s: %v", name, err)
		}
		root.Close()
	}
}
