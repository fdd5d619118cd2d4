package workspace

import (
	"os"
	"path/filepath"
	"slices"

	"iterion/grammar/author"
)

// Folder is one step of a walk: a folder with its regular files.
type Folder struct {
	Path      string   // as the walk was asked for
	Files     []string // that end in Ext; base names, sorted
	Documents []string // YAML author documents; base names, sorted
	Others    []string // base names, sorted
}

// Has tells whether a file with that base name ends in Ext and is there.
func (f Folder) Has(name string) bool { return slices.Contains(f.Files, name) }

// Walk visits root and the folders below it, in order of their names, except
// those that git ignores, .git and node_modules. Links are not followed. enter
// tells whether to go on below a folder; fail hears of one that cannot be read.
func Walk(root string, enter func(Folder) bool, fail func(path string, err error)) {
	abs, err := filepath.Abs(root)
	if err != nil {
		fail(root, err)
		return
	}
	w := walker{enter, fail}
	w.walk(root, abs, ignoresAbove(abs))
}

type walker struct {
	enter func(Folder) bool
	fail  func(path string, err error)
}

func (w walker) walk(path, abs string, list ignores) {
	entries, err := os.ReadDir(path)
	if err != nil {
		w.fail(path, err)
		return
	}
	list = list.with(abs)
	at := Folder{Path: path}
	var below []string
	for _, e := range entries {
		name := e.Name()
		switch {
		case e.IsDir() && (name == ".git" || name == "node_modules"):
		case list.ignored(filepath.Join(abs, name), e.IsDir()):
		case e.IsDir():
			below = append(below, name)
		case e.Type().IsRegular():
			at.add(name)
		}
	}
	if !w.enter(at) {
		return
	}
	for _, name := range below {
		w.walk(filepath.Join(path, name), filepath.Join(abs, name), list)
	}
}

func (f *Folder) add(name string) {
	switch {
	case filepath.Ext(name) == Ext:
		f.Files = append(f.Files, name)
	case author.Is(name):
		f.Documents = append(f.Documents, name)
	default:
		f.Others = append(f.Others, name)
	}
}
