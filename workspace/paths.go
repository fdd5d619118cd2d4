// Package workspace knows where programs lie on disk: which file is the main
// one of a unit, what belongs to it, which files a folder holds and which of
// them git ignores. The command line and the language server ask here.
package workspace

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"iterion/grammar/author"
)

// Ext is the extension of source files.
const Ext = ".bot"

// Packed is the extension of a bundle in one file.
const Packed = ".botz"

// Kind is what a named path is.
type Kind int

// The kinds of paths.
const (
	Unreadable Kind = iota // the error says why
	File                   // a source file
	Archive                // a packed bundle
	Document               // a YAML author document
	Directory
	OtherFile // a file of another type
)

// KindOf looks a path up, links followed.
func KindOf(path string) (Kind, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return Unreadable, err
	case info.IsDir():
		return Directory, nil
	}
	kind, ok := map[string]Kind{Ext: File, Packed: Archive}[filepath.Ext(path)]
	if author.Is(path) {
		kind, ok = Document, true
	}
	switch {
	case !ok:
		return OtherFile, nil
	case !info.Mode().IsRegular():
		return Unreadable, &fs.PathError{Op: "open", Path: path, Err: errors.New("it is no regular file")}
	}
	return kind, nil
}

// Repository is the nearest folder that holds `.git`, from dir upwards; "" for
// none.
func Repository(dir string) string {
	for ; ; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			return ""
		}
	}
}
