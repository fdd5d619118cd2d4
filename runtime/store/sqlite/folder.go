package sqlite

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

// makeFile makes the store's file, empty, and its folder. A folder that is made
// here is nobody else's and is kept out of git.
func makeFile(path string) error {
	dir := filepath.Dir(path)
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		if err := makeFolder(dir); err != nil {
			return err
		}
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrExist) { // another process was faster
		return nil
	}
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), syncFolder(dir))
}

func makeFolder(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, ".gitignore"), []byte("*\n"), 0o600); err != nil {
		return err
	}
	return syncFolder(filepath.Dir(dir))
}

// syncFolder makes the names in a folder durable.
func syncFolder(dir string) error {
	if runtime.GOOS == "windows" { // it has no such call
		return nil
	}
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// frozen tells whether the file is complete as it is: no write-ahead log holds
// more.
func (s *Store) frozen() bool {
	info, err := os.Stat(s.path + "-wal")
	return errors.Is(err, fs.ErrNotExist) || err == nil && info.Size() == 0
}
