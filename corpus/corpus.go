// Package corpus is the collection of `.bot` texts that tests, fuzz targets
// and benchmarks read. README.md says what each folder is for.
package corpus

import (
	"embed"
	"io/fs"
	"path"
	"strings"
)

//go:embed bots syntax examples units broken run check fragments author gate
var tree embed.FS

// File is one text of the corpus.
type File struct {
	Name string // slash path inside the corpus, or inside its case
	Data []byte
}

// Fragment tells whether the file is imported by a main file of its unit and
// holds no workflow of its own.
func (f File) Fragment() bool { return strings.Contains(f.Name, "/lib/") }

// FS is the corpus as a read-only file system, for texts that name others:
// imports, includes and children.
func FS() fs.FS { return tree }

// Files returns every `.bot` outside of broken/, sorted by name. All of them
// load without an error; a fragment does so as a part of its unit.
func Files() []File { return glob("", ".bot", "broken") }

// Bots returns the realistic bots, sorted by name. They are free of warnings.
func Bots() []File { return glob("bots", ".bot", "") }

// Unit is a main file with all that it reaches, as a file system of its own.
type Unit struct {
	Name string
	FS   fs.FS
	Main string // name of the main file in FS
}

// Units returns the units and bundles, sorted by name.
func Units() []Unit {
	var units []Unit
	for _, e := range must(fs.ReadDir(tree, "units")) {
		sub := must(fs.Sub(tree, path.Join("units", e.Name())))
		units = append(units, Unit{Name: e.Name(), FS: sub, Main: "main.bot"})
	}
	return units
}

// glob collects the files below root that end in ext, without those below skip.
func glob(root, ext, skip string) []File {
	var files []File
	walk := func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name == skip:
			return fs.SkipDir
		case !d.IsDir() && path.Ext(name) == ext:
			files = append(files, File{Name: name, Data: must(fs.ReadFile(tree, name))})
		}
		return nil
	}
	if root == "" {
		root = "."
	}
	if err := fs.WalkDir(tree, root, walk); err != nil {
		panic(err) // the tree is part of the binary
	}
	return files
}

// must unwraps a read of the embedded tree, which cannot fail.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
