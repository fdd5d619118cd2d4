package workspace

import (
	"os"
	"path/filepath"
	"slices"

	"iterion/grammar/author"
	"iterion/ir/build"
)

// Main is the main file of a unit that fills a folder.
const Main = "main.bot"

// Lib is the folder that holds the fragments of the units beside it.
const Lib = "lib"

// Input is the unit whose main file is at a path, and the folder that holds
// it. A fragment keeps the `lib/` in its path, so that the compiler can say
// what it is.
func Input(name string) (dir string, in build.Input) {
	dir, main := filepath.Split(name)
	if dir == "" {
		dir = "."
	}
	if root, rel, ok := Fragment(name); ok {
		dir, main = root, rel
	}
	in = build.Input{FS: os.DirFS(dir), Path: filepath.ToSlash(main), Name: filepath.ToSlash(name)}
	if abs, err := filepath.Abs(dir); err == nil {
		in.Folder, in.Around = filepath.Base(abs), os.DirFS(filepath.Dir(abs))
	}
	return dir, in
}

// Fragment tells whether a path lies below a folder `lib` that stands beside
// .bot files or documents; rel is the path from the folder that holds both.
func Fragment(name string) (root, rel string, ok bool) {
	abs, err := filepath.Abs(name)
	if err != nil {
		return "", "", false
	}
	for dir := filepath.Dir(abs); filepath.Dir(dir) != dir; dir = filepath.Dir(dir) {
		if root := filepath.Dir(dir); filepath.Base(dir) == Lib && holdsBots(root) {
			rel, err := filepath.Rel(root, abs)
			return root, rel, err == nil
		}
	}
	return "", "", false
}

func holdsBots(dir string) bool {
	entries, err := os.ReadDir(dir)
	return err == nil && slices.ContainsFunc(entries, func(e os.DirEntry) bool {
		return !e.IsDir() && (filepath.Ext(e.Name()) == Ext || author.Is(e.Name()))
	})
}

// BundleOf returns the main file of the bundle that a manifest, a skill or a
// prompt file belongs to.
func BundleOf(name string) (main string, ok bool) {
	dir := filepath.Dir(name)
	switch base := filepath.Base(name); {
	case base == "manifest.yaml" || base == "manifest.yml":
	case base == "SKILL.md" && filepath.Base(filepath.Dir(dir)) == "skills":
		dir = filepath.Dir(filepath.Dir(dir))
	case filepath.Ext(base) == ".md" && (filepath.Base(dir) == "skills" || filepath.Base(dir) == "prompts"):
		dir = filepath.Dir(dir)
	default:
		return "", false
	}
	main = filepath.Join(dir, Main)
	kind, _ := KindOf(main)
	return main, kind == File
}

// Mains lists the main files of the units that lie in a folder itself, and
// tells whether units may lie below it: one with main.bot is one unit.
func (f Folder) Mains() (paths []string, below bool) {
	if f.Has(Main) {
		return []string{filepath.Join(f.Path, Main)}, false
	}
	for _, name := range slices.Sorted(slices.Values(slices.Concat(f.Files, f.Documents))) {
		path := filepath.Join(f.Path, name)
		if _, _, ok := Fragment(path); !ok {
			paths = append(paths, path)
		}
	}
	return paths, true
}
