package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"

	"iterion/grammar/author"
	"iterion/workspace"
)

// settle is how long after a change nothing more must happen before the files
// are read: editors write in several steps.
const settle = 50 * time.Millisecond

// clearScreen empties a terminal and its scroll-back.
const clearScreen = "\x1b[H\x1b[2J\x1b[3J"

// watch checks again whenever something changes that the last check looked at.
// It ends with Ctrl-C and the last status.
func (v *validator) watch(ctx context.Context) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
	defer stop()
	watcher, err := fsnotify.NewWatcher()
	if err != nil {
		return err
	}
	defer watcher.Close()
	for {
		if isTerminal(v.out) {
			fmt.Fprint(v.out, clearScreen)
		}
		v.seen = newSightings()
		code, err := v.run()
		if err != nil {
			return err
		}
		v.seen.watch(watcher)
		fmt.Fprintln(v.err, "iterion: validate: waiting for changes, Ctrl-C ends")
		if !v.changed(ctx, watcher) {
			return ended(code)
		}
	}
}

// changed waits for a change that matters and for the quiet after it. It is
// false when the watch ends.
func (v *validator) changed(ctx context.Context, watcher *fsnotify.Watcher) bool {
	var quiet <-chan time.Time
	for {
		select {
		case <-ctx.Done():
			return false
		case <-quiet:
			return true
		case e := <-watcher.Events:
			if e.Op != fsnotify.Chmod && v.seen.matters(e.Name) {
				quiet = time.After(settle)
			}
		case err := <-watcher.Errors:
			// Events were lost: what happened is unknown, so look again.
			fmt.Fprintf(v.err, "iterion: validate: %s\n", reason(err))
			quiet = time.After(settle)
		}
	}
}

// sightings are the folders and files that a check looked at. All methods take
// a nil receiver, which notes nothing.
type sightings struct {
	mu      sync.Mutex
	folders map[string]bool // walked: any source file in them matters
	files   map[string]bool // asked for, whether they exist or not
}

func newSightings() *sightings {
	return &sightings{folders: map[string]bool{}, files: map[string]bool{}}
}

func (s *sightings) folder(path string) {
	if s != nil {
		s.folders[filepath.Clean(path)] = true
	}
}

// track returns the unit with its file system watched.
func (s *sightings) track(u unit) unit {
	switch {
	case s == nil || u.dir == "":
	case u.archive != "":
		s.file(u.archive)
	default:
		u.in.FS = seenFS{u.in.FS, u.dir, s}
		if u.in.Around != nil {
			u.in.Around = seenFS{u.in.Around, filepath.Join(u.dir, ".."), s}
		}
	}
	return u
}

func (s *sightings) file(path string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.files[filepath.Clean(path)] = true
}

// watch asks for events of every folder that holds what was seen. One that
// does not exist yet is seen to through its parent.
func (s *sightings) watch(w *fsnotify.Watcher) {
	for dir := range s.folders {
		w.Add(dir)
	}
	for name := range s.files {
		dir := filepath.Dir(name)
		for w.Add(dir) != nil && filepath.Dir(dir) != dir {
			s.files[dir] = true
			dir = filepath.Dir(dir)
		}
	}
}

// matters tells whether a change of a path can change the outcome.
func (s *sightings) matters(path string) bool {
	path = filepath.Clean(path)
	if s.files[path] {
		return true
	}
	if !s.folders[filepath.Dir(path)] {
		return false
	}
	info, err := os.Stat(path)
	return filepath.Ext(path) == workspace.Ext || author.Is(path) || filepath.Base(path) == ".gitignore" ||
		err == nil && info.IsDir() || s.folders[path]
}

// seenFS notes the files that a build asks for.
type seenFS struct {
	fs.FS
	dir  string
	seen *sightings
}

func (f seenFS) note(name string) { f.seen.file(filepath.Join(f.dir, filepath.FromSlash(name))) }

func (f seenFS) Open(name string) (fs.File, error) {
	f.note(name)
	return f.FS.Open(name)
}

func (f seenFS) ReadFile(name string) ([]byte, error) {
	f.note(name)
	return fs.ReadFile(f.FS, name)
}

func (f seenFS) Stat(name string) (fs.FileInfo, error) {
	f.note(name)
	return fs.Stat(f.FS, name)
}

func (f seenFS) Lstat(name string) (fs.FileInfo, error) {
	f.note(name)
	return fs.Lstat(f.FS, name)
}

func (f seenFS) ReadLink(name string) (string, error) {
	f.note(name)
	return fs.ReadLink(f.FS, name)
}
