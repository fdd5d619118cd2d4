//go:build unix

package main

import (
	"io/fs"
	"os"
	"syscall"
)

// keepOwner gives a file the owner of another. Who may not give files away
// owns the other already, or could not have both.
func keepOwner(f *os.File, like fs.FileInfo) error {
	stat, ok := like.Sys().(*syscall.Stat_t)
	if ok && os.Geteuid() == 0 {
		return f.Chown(int(stat.Uid), int(stat.Gid))
	}
	return nil
}
