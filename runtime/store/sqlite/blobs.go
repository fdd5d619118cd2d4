package sqlite

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"iterion/runtime/store"
)

// blobs is the folder of the large values, each in a file named by the SHA-256
// of its text.
type blobs struct{ folder string }

func (b blobs) path(sum string) string { return filepath.Join(b.folder, sum) }

// has tells whether a blob is there, whole.
func (b blobs) has(want blob) bool {
	info, err := os.Lstat(b.path(want.sum))
	return err == nil && info.Mode().IsRegular() && info.Size() == int64(len(want.text))
}

// put makes a blob durable, unless it is there. A reader never sees a part of
// it.
func (b blobs) put(one blob) error {
	if b.has(one) {
		return nil
	}
	if err := b.makeFolder(); err != nil {
		return faultOf(b.folder, err)
	}
	if err := b.write(one); err != nil {
		return faultOf(b.path(one.sum), err)
	}
	return nil
}

func (b blobs) makeFolder() error {
	switch err := os.Mkdir(b.folder, 0o700); {
	case errors.Is(err, fs.ErrExist):
		info, err := os.Lstat(b.folder)
		if err == nil && !info.IsDir() {
			err = errors.New("it is no folder")
		}
		return err
	case err != nil:
		return err
	}
	return syncFolder(filepath.Dir(b.folder))
}

// unfinished begins the names of files that are being written.
const unfinished = "new-"

func (b blobs) write(one blob) error {
	f, err := os.CreateTemp(b.folder, unfinished)
	if err != nil {
		return err
	}
	_, err = f.Write(one.text)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), b.path(one.sum))
	}
	if err != nil {
		os.Remove(f.Name())
		return err
	}
	return syncFolder(b.folder)
}

// load reads a blob and holds it against its name.
func (b blobs) load(sum string) (string, error) {
	if !isSum(sum) {
		return "", fmt.Errorf("%q is no name of a large value", sum)
	}
	text, err := os.ReadFile(b.path(sum))
	if errors.Is(err, fs.ErrNotExist) {
		return "", fault{b.path(sum), store.ErrCorrupt, errors.New("a large value of a run is missing"), adviceCorrupt}
	}
	if err != nil {
		return "", faultOf(b.path(sum), err)
	}
	if got := sha256.Sum256(text); hex.EncodeToString(got[:]) != sum {
		return "", fault{b.path(sum), store.ErrCorrupt, errors.New("a large value of a run was changed"), adviceCorrupt}
	}
	return string(text), nil
}

func isSum(name string) bool {
	return len(name) == sumLength && strings.Trim(name, hexDigits) == ""
}

// abandoned is after what time nobody writes to an unfinished file any more.
const abandoned = time.Hour

// sweep deletes the blobs that no run needs. It runs inside a transaction, and
// whoever refers to a blob looks inside theirs whether it is still there.
func (b blobs) sweep(needed func(sum string) (bool, error)) error {
	entries, err := os.ReadDir(b.folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		keep := true
		switch {
		case isSum(e.Name()):
			if keep, err = needed(e.Name()); err != nil {
				return err
			}
		case strings.HasPrefix(e.Name(), unfinished):
			info, err := e.Info()
			keep = err == nil && time.Since(info.ModTime()) < abandoned
		}
		if !keep {
			err = errors.Join(err, os.Remove(b.path(e.Name())))
		}
	}
	if err != nil {
		return faultOf(b.folder, err)
	}
	return nil
}
