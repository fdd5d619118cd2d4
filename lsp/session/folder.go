package session

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Name is an entry of a folder.
type Name struct {
	Name   string
	Folder bool
}

// Folder lists what lies at a slash path below a folder: files and folders on
// disk, and open texts that are not on disk yet, sorted. Hidden names, links and
// what a path reaches through links or `..` are left out. more tells that there
// are others beyond most.
func (s *Snapshot) Folder(dir, below string, most int) (names []Name, more bool) {
	if below = path.Clean(below); !fs.ValidPath(below) {
		return nil, false
	}
	add := func(name string, folder bool) {
		n := Name{name, folder}
		if strings.HasPrefix(name, ".") || slices.Contains(names, n) {
			return
		}
		names = append(names, n)
	}
	for _, e := range entriesOf(dir, below) {
		if len(names) == most {
			return names, true
		}
		if e.IsDir() || e.Type().IsRegular() {
			add(e.Name(), e.IsDir())
		}
	}
	full := filepath.Join(dir, filepath.FromSlash(below))
	for _, d := range s.Docs() {
		if filepath.Dir(d.Name) == full {
			add(filepath.Base(d.Name), false)
		}
	}
	slices.SortFunc(names, func(a, b Name) int { return strings.Compare(a.Name, b.Name) })
	return names, false
}

func entriesOf(dir, below string) []fs.DirEntry {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil
	}
	defer root.Close()
	for at := below; at != "."; at = path.Dir(at) {
		if info, err := root.Lstat(at); err != nil || !info.IsDir() {
			return nil
		}
	}
	entries, err := fs.ReadDir(root.FS(), below)
	if err != nil {
		return nil
	}
	return entries
}
