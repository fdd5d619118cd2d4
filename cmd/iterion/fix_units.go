package main

import (
	"io/fs"
	"path/filepath"
	"slices"

	"iterion/diagnostics"
	"iterion/diagnostics/render"
	"iterion/ir/build"
)

// fixFile is a file on its way through fix.
type fixFile struct {
	name    string // in findings
	path    string // on disk, "" for the standard input
	units   []*fixUnit
	raw     string      // with what was fixed so far
	before  string      // as it was read
	state   fs.FileInfo // when it was read
	fixed   []render.Fixed
	undone  string // why all fixes were taken back
	failure error
}

// load reads the file, once.
func (f *fixFile) load() error {
	if f.path == "" || f.state != nil {
		return nil
	}
	raw, state, err := readSource(f.path)
	f.raw, f.before, f.state = string(raw), string(raw), state
	return err
}

func (f *fixFile) loaded() bool  { return f.path == "" || f.state != nil }
func (f *fixFile) changed() bool { return f.raw != f.before }

// fixUnit is a unit with its files and what was found in it last.
type fixUnit struct {
	unit
	found []diagnostics.Diagnostic
	files map[string]*fixFile // by name in findings
	paths map[*fixFile]string // in the unit's file system
	main  *fixFile
}

// build builds the unit with the files as they are now.
func (u *fixUnit) build() (*build.Result, error) {
	now := u.unit
	if u.dir == "" {
		now.text = []byte(u.main.raw)
		return now.build()
	}
	now.in.Overlay = map[string]string{}
	for f, path := range u.paths {
		if f.loaded() {
			now.in.Overlay[path] = f.raw
		}
	}
	return now.build()
}

// find builds the unit and keeps what was found.
func (u *fixUnit) find() error {
	r, err := u.build()
	if err == nil {
		u.found = r.Diagnostics
	}
	return err
}

// fileSet is the files of all units, each once however it is reached.
type fileSet struct {
	byPlace map[string]*fixFile
	list    []*fixFile // what is imported before what imports it
}

// newFixUnit wraps a unit. Its standard input, if it has one, is a file of its
// own.
func newFixUnit(u unit, stdin []byte) *fixUnit {
	x := &fixUnit{unit: u, files: map[string]*fixFile{}, paths: map[*fixFile]string{}}
	if u.dir == "" || u.in.Overlay != nil {
		x.main = &fixFile{name: u.name, raw: string(stdin), before: string(stdin)}
		x.paths[x.main] = u.in.Path
	}
	return x
}

// add notes the files of a unit that was built.
func (s *fileSet) add(x *fixUnit, r *build.Result) {
	x.found = r.Diagnostics
	for i, file := range slices.Backward(r.Files) {
		name := file.AST.Source.Name
		f := x.main
		if i > 0 || f == nil {
			f = s.file(name, filepath.Join(x.dir, filepath.FromSlash(file.Path)))
		}
		if i == 0 {
			x.main = f
		}
		x.note(f, name, file.Path)
	}
	if r.Bundle != nil && r.Bundle.Manifest != nil {
		m := r.Bundle.Manifest
		x.note(s.file(m.Source.Name, filepath.Join(x.dir, filepath.FromSlash(m.Path))), m.Source.Name, m.Path)
	}
}

// note keeps a file of the unit.
func (x *fixUnit) note(f *fixFile, name, path string) {
	x.files[name], x.paths[f] = f, path
	f.units = append(f.units, x)
}

// file returns the file at a path.
func (s *fileSet) file(name, path string) *fixFile {
	place, err := filepath.EvalSymlinks(path)
	if err != nil {
		place = path
	}
	if abs, err := filepath.Abs(place); err == nil {
		place = abs
	}
	f := s.byPlace[place]
	if f == nil {
		f = &fixFile{name: name, path: path}
		s.byPlace[place] = f
		s.list = append(s.list, f)
	}
	return f
}
