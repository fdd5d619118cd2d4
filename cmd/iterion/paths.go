package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"iterion/cmd/bottest"
	"iterion/grammar/author"
)

// ext is the extension of source files.
const ext = ".bot"

// packed is the extension of a bundle in one file.
const packed = ".botz"

// stdinName stands for the standard input among arguments.
const stdinName = "-"

// folder is one step of a walk: a folder with its .bot files, documents and tests.
type folder struct {
	path      string   // as the walk was asked for
	files     []string // base names, sorted
	documents []string // of YAML author documents; base names, sorted
	tests     []string // of bots; base names, sorted
}

func (f folder) has(name string) bool { return slices.Contains(f.files, name) }

// walk visits root and the folders below it, in order of their names, except
// those that git ignores, .git and node_modules. Links are not followed. enter
// tells whether to go on below a folder; fail hears of one that cannot be read.
func walk(root string, enter func(folder) bool, fail func(path string, err error)) {
	abs, err := filepath.Abs(root)
	if err != nil {
		fail(root, err)
		return
	}
	w := walker{enter, fail}
	w.walk(root, abs, ignoresAbove(abs))
}

type walker struct {
	enter func(folder) bool
	fail  func(path string, err error)
}

func (w walker) walk(path, abs string, list ignores) {
	entries, err := os.ReadDir(path)
	if err != nil {
		w.fail(path, err)
		return
	}
	list = list.with(abs)
	at := folder{path: path}
	var below []string
	for _, e := range entries {
		name := e.Name()
		switch {
		case e.IsDir() && (name == ".git" || name == "node_modules"):
		case list.ignored(filepath.Join(abs, name), e.IsDir()):
		case e.IsDir():
			below = append(below, name)
		case e.Type().IsRegular() && filepath.Ext(name) == ext:
			at.files = append(at.files, name)
		case e.Type().IsRegular() && author.Is(name):
			at.documents = append(at.documents, name)
		case e.Type().IsRegular() && strings.HasSuffix(name, bottest.Suffix):
			at.tests = append(at.tests, name)
		}
	}
	if !w.enter(at) {
		return
	}
	for _, name := range below {
		w.walk(filepath.Join(path, name), filepath.Join(abs, name), list)
	}
}

// kind is what a named path is.
type kind int

const (
	unreadable kind = iota // the error says why
	file                   // a source file
	archive                // a packed bundle
	document               // a YAML author document
	directory
	otherFile // a file of another type
)

// kindOfPath looks a path up, links followed.
func kindOfPath(path string) (kind, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return unreadable, err
	case info.IsDir():
		return directory, nil
	}
	kind, ok := map[string]kind{ext: file, packed: archive}[filepath.Ext(path)]
	if author.Is(path) {
		kind, ok = document, true
	}
	switch {
	case !ok:
		return otherFile, nil
	case !info.Mode().IsRegular():
		return unreadable, &fs.PathError{Op: "open", Path: path, Err: errors.New("it is no regular file")}
	}
	return kind, nil
}

// reason is an error's cause without the path, which the message names already.
func reason(err error) string {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err.Error()
	}
	return err.Error()
}
