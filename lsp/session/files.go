package session

import (
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// files is a folder as an editor sees it: what is open stands for the file on
// disk. It notes what was asked for, so that a unit is known by what it read
// and by what it missed.
type files struct {
	root string // absolute
	disk fs.FS
	docs map[string]*Doc
	seen *sightings
}

// sightings are the paths that were looked at.
type sightings struct {
	mu    sync.Mutex
	paths map[string]bool // of files, there or not
	lists map[string]bool // of folders whose names were read
}

func newSightings() *sightings { return &sightings{paths: map[string]bool{}, lists: map[string]bool{}} }

// reads tells whether a file was looked at.
func (s *sightings) reads(path string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.paths[path]
}

// listed tells whether the names of the folder around a file were read.
func (s *sightings) listed(path string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lists[filepath.Dir(path)]
}

// copied returns the same sightings, to be added to.
func (s *sightings) copied() *sightings {
	s.mu.Lock()
	defer s.mu.Unlock()
	return &sightings{paths: maps.Clone(s.paths), lists: maps.Clone(s.lists)}
}

func (s *sightings) note(path string, list bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if list {
		s.lists[path] = true
	} else {
		s.paths[path] = true
	}
}

func filesIn(root string, docs map[string]*Doc, seen *sightings) *files {
	return &files{root, os.DirFS(root), docs, seen}
}

func (f *files) doc(name string) *Doc {
	full := filepath.Join(f.root, filepath.FromSlash(name))
	f.seen.note(full, false)
	return f.docs[full]
}

// Open implements fs.FS.
func (f *files) Open(name string) (fs.File, error) {
	if d := f.doc(name); d != nil && fs.ValidPath(name) {
		return &openText{info: textInfo{path.Base(name), int64(len(d.Raw))}, Reader: strings.NewReader(d.Raw)}, nil
	}
	return f.disk.Open(name)
}

// Stat implements fs.StatFS.
func (f *files) Stat(name string) (fs.FileInfo, error) {
	if d := f.doc(name); d != nil && fs.ValidPath(name) {
		return textInfo{path.Base(name), int64(len(d.Raw))}, nil
	}
	return fs.Stat(f.disk, name)
}

// Lstat implements fs.ReadLinkFS. What lies on disk decides whether a path is a
// link, whatever is open.
func (f *files) Lstat(name string) (fs.FileInfo, error) {
	info, err := fs.Lstat(f.disk, name)
	if err != nil {
		return f.Stat(name)
	}
	f.doc(name)
	return info, nil
}

// ReadLink implements fs.ReadLinkFS.
func (f *files) ReadLink(name string) (string, error) { return fs.ReadLink(f.disk, name) }

// ReadDir implements fs.ReadDirFS.
func (f *files) ReadDir(name string) ([]fs.DirEntry, error) {
	f.seen.note(filepath.Join(f.root, filepath.FromSlash(name)), true)
	return fs.ReadDir(f.disk, name)
}

// openText is an open text as a file.
type openText struct {
	info textInfo
	io.Reader
}

func (t *openText) Stat() (fs.FileInfo, error) { return t.info, nil }
func (t *openText) Close() error               { return nil }

type textInfo struct {
	name string
	size int64
}

func (i textInfo) Name() string       { return i.name }
func (i textInfo) Size() int64        { return i.size }
func (i textInfo) Mode() fs.FileMode  { return 0o644 }
func (i textInfo) ModTime() time.Time { return time.Time{} }
func (i textInfo) IsDir() bool        { return false }
func (i textInfo) Sys() any           { return nil }
