// Package disk answers the gate's questions about the file system.
package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// Links reads the links of the file system for a gate.
type Links struct{}

// Link reads a link. One that cannot be read is a link to itself, which leads
// nowhere: what is behind it must not be opened.
func (Links) Link(name string) (target string, ok, missing bool) {
	info, err := os.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return "", false, true
	case err != nil:
		return name, true, false
	case info.Mode()&os.ModeSymlink == 0:
		return "", false, false
	}
	if target, err = os.Readlink(name); err != nil {
		return name, true, false
	}
	return filepath.ToSlash(target), true, false
}
