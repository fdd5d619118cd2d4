// Package bundle reads what makes a folder a bundle: its manifest and its
// skills, with the place of every value, and bundles packed into one file. It
// judges the form of what it reads; what that means for the program is judged
// by ir/check.
package bundle

import (
	"io/fs"
	"path"
	"slices"
	"strings"
)

// Main is the name of a bundle's main file.
const Main = "main.bot"

// manifests are the names that a manifest may have; the first that is there
// counts.
var manifests = []string{"manifest.yaml", "manifest.yml"}

// Bundle is a folder with a manifest, with skills, or with both.
type Bundle struct {
	Manifest *Manifest // nil when there are skills only
	Skills   []*Skill  // the files of `skills`, by name
}

// Name is the name that the manifest gives, or "".
func (b *Bundle) Name() string { return b.text("name") }

// Version is the version that the manifest gives, or "".
func (b *Bundle) Version() string { return b.text("version") }

func (b *Bundle) text(key string) string {
	if b == nil || b.Manifest == nil {
		return ""
	}
	return b.Manifest.Root.At(key).Str()
}

// Files is how the files of a folder are read.
type Files struct {
	FS   fs.FS
	Read func(path string) (string, error)
	Name func(path string) string // of a file, in findings
}

// Folder is what was found in a folder.
type Folder struct {
	Bundle  *Bundle // nil: the folder is none
	Foreign *Fault  // a manifest of another tool, or one that nobody can read
	Fault   *Fault  // a manifest that says that this is a bundle and cannot be used
}

// Find looks for a bundle in a folder of the file system.
func Find(dir string, files Files) Folder {
	var found Folder
	b := Bundle{Manifest: found.manifests(dir, files)}
	skills := path.Join(dir, "skills")
	hasSkills := isFolder(files.FS, skills)
	if hasSkills {
		b.Skills = readSkills(skills, files)
	}
	if found.Fault == nil && (b.Manifest != nil || hasSkills) {
		found.Bundle = &b
	}
	return found
}

// manifests reads the first manifest that is there, and notes a second one.
func (found *Folder) manifests(dir string, files Files) (m *Manifest) {
	var there []string
	for _, name := range manifests {
		name = path.Join(dir, name)
		if info, err := fs.Stat(files.FS, name); err == nil && !info.IsDir() {
			there = append(there, name)
		}
	}
	if len(there) > 0 {
		m = found.manifest(there[0], files)
	}
	if len(there) > 1 && found.Foreign == nil {
		second := NewText(there[1], files.Name(there[1]), "")
		found.Foreign = &Fault{problem(zero, "", "`%s` stands beside it and is read instead", path.Base(there[0])), second}
	}
	return m
}

// manifest reads the manifest, or notes why there is none.
func (found *Folder) manifest(name string, files Files) *Manifest {
	text, err := files.Read(name)
	file := NewText(name, files.Name(name), text)
	var m *Manifest
	var foreign, fault *Problem
	switch {
	case err != nil:
		foreign = problem(zero, "", "it cannot be read: %s", reason(err))
	case Linked(files.FS, name):
		foreign = problem(zero, "", "it is a link, and the files of a bundle are its own")
	default:
		m, foreign, fault = decode(file)
	}
	if foreign != nil {
		found.Foreign = &Fault{foreign, file}
	}
	if fault != nil {
		found.Fault = &Fault{fault, file}
	}
	return m
}

func readSkills(dir string, files Files) []*Skill {
	var list []*Skill
	entries, err := fs.ReadDir(files.FS, dir)
	if err != nil {
		return nil
	}
	for _, e := range entries {
		if !e.Type().IsRegular() || !strings.HasSuffix(e.Name(), ".md") {
			continue
		}
		name := path.Join(dir, e.Name())
		if text, err := files.Read(name); err == nil {
			list = append(list, readSkill(NewText(name, files.Name(name), text)))
		}
	}
	slices.SortFunc(list, func(a, b *Skill) int { return strings.Compare(a.Path, b.Path) })
	return list
}

func isFolder(fsys fs.FS, name string) bool {
	info, err := fs.Lstat(fsys, name)
	return err == nil && info.IsDir()
}

// Linked tells whether any part of a path is a symbolic link.
func Linked(fsys fs.FS, name string) bool {
	for p := name; p != "." && p != "/"; p = path.Dir(p) {
		if info, err := fs.Lstat(fsys, p); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return true
		}
	}
	return false
}

// reason is an error's cause without the path it repeats.
func reason(err error) string {
	if pe, ok := err.(*fs.PathError); ok {
		return pe.Err.Error()
	}
	return err.Error()
}
