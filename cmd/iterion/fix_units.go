package main

import (
	"io/fs"
	"path/filepath"
	"slices"

	"iterion/diagnostics"
	"iterion/ir/build"
	"iterion/ir/fixes"
)

// fixFile is a file on its way through fix.
type fixFile struct {
	fixes.File
	name    string      // in findings
	path    string      // on disk, "" for the standard input
	state   fs.FileInfo // when it was read
	failure error
}

// rounds fixes the file as it is on disk now: it may have changed since it was
// built.
func (f *fixFile) rounds(suggested bool) {
	if len(f.Pick(suggested).Edits) == 0 {
		return
	}
	if f.failure = f.load(); f.failure == nil {
		f.failure = f.Rounds(suggested)
	}
}

// load reads the file, once.
func (f *fixFile) load() error {
	if f.path == "" || f.state != nil {
		return nil
	}
	raw, state, err := readSource(f.path)
	f.Raw, f.Before, f.state = string(raw), string(raw), state
	return err
}

func (f *fixFile) loaded() bool { return f.path == "" || f.state != nil }

// fixUnit is a unit with its files and what was found in it last.
type fixUnit struct {
	fixes.Unit
	unit
	paths map[*fixFile]string // in the unit's file system
	main  *fixFile
}

// build builds the unit with the files as they are now.
func (u *fixUnit) build() (*build.Result, error) {
	now := u.unit
	if u.dir == "" {
		now.text = []byte(u.main.Raw)
		return now.build()
	}
	now.in.Overlay = map[string]string{}
	for f, path := range u.paths {
		if f.loaded() {
			now.in.Overlay[path] = f.Raw
		}
	}
	return now.build()
}

// find builds the unit for its findings.
func (u *fixUnit) find() ([]diagnostics.Diagnostic, error) {
	r, err := u.build()
	if err != nil {
		return nil, err
	}
	return r.Diagnostics, nil
}

// fileSet is the files of all units, each once however it is reached.
type fileSet struct {
	byPlace map[string]*fixFile
	list    []*fixFile // what is imported before what imports it
}

// newFixUnit wraps a unit. Its standard input, if it has one, is a file of its
// own.
func newFixUnit(u unit, stdin []byte) *fixUnit {
	x := &fixUnit{unit: u, Unit: fixes.Unit{Files: map[string]*fixes.File{}}, paths: map[*fixFile]string{}}
	x.Find = x.find
	if u.dir == "" || u.in.Overlay != nil {
		x.main = &fixFile{name: u.name, File: fixes.File{Raw: string(stdin), Before: string(stdin)}}
		x.paths[x.main] = u.in.Path
	}
	return x
}

// add notes the files of a unit that was built.
func (s *fileSet) add(x *fixUnit, r *build.Result) {
	x.Found = r.Diagnostics
	for i, file := range slices.Backward(r.Files) {
		name := file.AST.Source.Name
		f := x.main
		if i > 0 || f == nil {
			f = s.file(name, filepath.Join(x.dir, filepath.FromSlash(file.Path)))
		}
		if i == 0 {
			x.main, x.Main = f, &f.File
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
	x.Files[name], x.paths[f] = &f.File, path
	f.Units = append(f.Units, &x.Unit)
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
