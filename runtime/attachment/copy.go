package attachment

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"unicode"
)

// maxSize is the size of the largest file, in bytes. Tests lower it.
var maxSize int64 = 100 << 20

// maxName is how long the name of a copy may be, in bytes.
const maxName = 200

// keep copies a file to FOLDER/SHA-256/NAME, once its media type is accepted.
// Links are followed: what counts is the file they lead to, which must be a
// regular one.
func keep(path, folder string, accept func(mime string) error) (file, error) {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return file{}, err
	}
	from, err := open(path)
	if err != nil {
		return file{}, err
	}
	defer from.Close()
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return file{}, err
	}
	to, err := os.CreateTemp(folder, ".new-")
	if err != nil {
		return file{}, err
	}
	defer os.Remove(to.Name()) // gone already when all went well
	f, head, err := copied(to, from)
	if err := errors.Join(err, to.Close()); err != nil {
		return file{}, fmt.Errorf("%s: %w", path, err)
	}
	f.name, f.mime = safeName(path), mimeOf(path, head)
	if err := accept(f.mime); err != nil {
		return file{}, fmt.Errorf("%s: %w", path, err)
	}
	f.path = filepath.Join(folder, f.sha256, f.name)
	return f, place(to.Name(), f.path)
}

// open opens a regular file.
func open(path string) (*os.File, error) {
	// Without O_NONBLOCK a named pipe would hold us.
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	switch {
	case err != nil:
	case info.IsDir():
		err = fmt.Errorf("%s is a folder; hand over a file", path)
	case !info.Mode().IsRegular():
		err = fmt.Errorf("%s is no regular file", path)
	case info.Size() > maxSize:
		err = tooLarge(path)
	default:
		return f, nil
	}
	f.Close()
	return nil, err
}

func tooLarge(path string) error {
	return fmt.Errorf("%s is larger than %d MiB", path, maxSize>>20)
}

// copied writes the content and returns its facts and first bytes. It counts
// itself: the file may grow.
func copied(to io.Writer, from *os.File) (file, []byte, error) {
	sum, head := sha256.New(), &start{}
	n, err := io.Copy(io.MultiWriter(to, sum, head), io.LimitReader(from, maxSize+1))
	if err == nil && n > maxSize {
		err = tooLarge(from.Name())
	}
	return file{size: n, sha256: hex.EncodeToString(sum.Sum(nil))}, head.data, err
}

// start keeps the first bytes that are written to it.
type start struct{ data []byte }

func (s *start) Write(p []byte) (int, error) {
	s.data = append(s.data, p[:min(len(p), sniffed-len(s.data))]...)
	return len(p), nil
}

// place moves a finished copy to its path. One that is there has the same
// content.
func place(from, to string) error {
	if _, err := os.Lstat(to); err == nil {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return err
	}
	if err := os.Chmod(from, 0o400); err != nil {
		return err
	}
	return os.Rename(from, to)
}

// safeName is the last part of a path without what a name should not hold where
// it is shown: control and invisible characters, and a leading dash or dot.
func safeName(path string) string {
	name := strings.Map(func(r rune) rune {
		if r == unicode.ReplacementChar || !unicode.IsGraphic(r) {
			return '_'
		}
		return r
	}, filepath.Base(path))
	name = strings.TrimLeft(name, "-.")
	for len(name) > maxName {
		name = strings.ToValidUTF8(name[len(name)-maxName:], "")
	}
	if name == "" {
		return "file"
	}
	return name
}
