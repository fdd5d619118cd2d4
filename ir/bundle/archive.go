package bundle

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bounds of a packed bundle. They hold for what is packed and for what is read.
const (
	MaxArchive = 64 << 20 // of the file, in bytes
	maxMembers = 4096
	maxMember  = 16 << 20 // of one file unpacked
	maxContent = 64 << 20 // of all files unpacked
	maxName    = 512
)

// Open reads a packed bundle: a zip archive of its files. Nothing is unpacked
// to disk. An archive that holds anything but plain files with plain names, or
// more than its bounds, is refused as a whole.
func Open(r io.ReaderAt, size int64) (fs.FS, error) {
	if size > MaxArchive {
		return nil, fmt.Errorf("it is larger than %d MiB", MaxArchive>>20)
	}
	archive, err := zip.NewReader(r, size)
	if err != nil {
		return nil, errors.New("it is no zip archive, or a damaged one")
	}
	if len(archive.File) > maxMembers {
		return nil, fmt.Errorf("it holds more than %d files", maxMembers)
	}
	seen := newNames()
	total := uint64(0)
	for _, f := range archive.File {
		if problem := member(f, seen); problem != "" {
			return nil, fmt.Errorf("%q %s", f.Name, problem)
		}
		if total += f.UncompressedSize64; total > maxContent {
			return nil, fmt.Errorf("it unpacks to more than %d MiB", maxContent>>20)
		}
	}
	return archive, readable(archive.File)
}

// member says why an entry of an archive is refused, "" when it is fine.
func member(f *zip.File, seen *nameSet) string {
	name, folder := strings.CutSuffix(f.Name, "/")
	if folder {
		return nameProblem(name)
	}
	switch {
	case !f.Mode().IsRegular():
		return "is a link or another special file"
	case f.Flags&1 != 0:
		return "is encrypted"
	case f.Method != zip.Store && f.Method != zip.Deflate:
		return "is packed by a method that is not known"
	case f.UncompressedSize64 > maxMember:
		return fmt.Sprintf("is larger than %d MiB", maxMember>>20)
	}
	return seen.add(name)
}

// readable unpacks every file once, so that a damaged one is noticed here and
// not taken for an absent one. An entry that holds more than it says ends in
// an error.
func readable(files []*zip.File) error {
	for _, f := range files {
		r, err := f.Open()
		if err == nil {
			_, err = io.Copy(io.Discard, r)
			r.Close()
		}
		if err != nil {
			return fmt.Errorf("%q is damaged", f.Name)
		}
	}
	return nil
}

// nameSet is the names of an archive's files, without regard to case: some
// systems do not tell `A` from `a`.
type nameSet struct{ files, folders map[string]bool }

func newNames() *nameSet { return &nameSet{map[string]bool{}, map[string]bool{}} }

// add says why a file of this name cannot be added, "" when it could.
func (s *nameSet) add(name string) string {
	if problem := nameProblem(name); problem != "" {
		return problem
	}
	low := strings.ToLower(name)
	if s.files[low] || s.folders[low] {
		return "has the name of another file, capitals aside"
	}
	for dir := path.Dir(low); dir != "."; dir = path.Dir(dir) {
		if s.files[dir] {
			return "has a file for its folder"
		}
		s.folders[dir] = true
	}
	s.files[low] = true
	return ""
}

// nameProblem says why a path cannot be the name of a packed file: it leads
// out of the archive, or not every system could hold it.
func nameProblem(name string) string {
	switch {
	case !utf8.ValidString(name):
		return "has a name that is not UTF-8"
	case len(name) > maxName:
		return "has too long a name"
	case strings.ContainsAny(name, `\:*?"<>|`):
		return "has a name that not every system can hold"
	case strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }):
		return "has a name with hidden characters"
	case name == "." || !fs.ValidPath(name):
		return "has no plain relative path"
	}
	return ""
}
