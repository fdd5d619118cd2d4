package toolrun

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"strings"
	"syscall"
)

// errSwapped is what stands between the verdict and the opening: the path was
// judged where no link is any more, so that one has come since.
var errSwapped = errors.New("the path has changed since it was judged: a link, or another file, has taken its place. Nothing was done; look at it again")

var errFolder = errors.New("it is a folder, and not a file")

// openFolder holds a folder open by its absolute path, in which no part is a
// link. A folder that is moved later stays the one that is held.
func openFolder(real string) (*os.Root, error) {
	if root, err := openWhole(real); !errors.Is(err, errors.ErrUnsupported) {
		return root, err
	}
	return openByParts(real)
}

// openByParts goes down from the root of the file system, folder by folder. It
// needs leave to list each of them.
func openByParts(real string) (*os.Root, error) {
	at, err := os.OpenRoot("/")
	for part := range strings.SplitSeq(strings.Trim(real, "/"), "/") {
		if err != nil || part == "" {
			return at, err
		}
		var next *os.Root
		next, err = step(at, part)
		err = errors.Join(err, at.Close())
		at = next
	}
	return at, err
}

// step opens a folder of a folder. It is compared with what has its name only
// when it is held: what is held cannot be exchanged any more.
func step(at *os.Root, name string) (*os.Root, error) {
	next, err := at.OpenRoot(name + "/.") // by the dot nothing but a folder is opened: a FIFO would wait for a writer
	if err != nil {
		if info, e := at.Lstat(name); e == nil && info.Mode()&fs.ModeSymlink != 0 {
			return nil, errSwapped
		}
		return nil, err
	}
	held, err := next.Stat(".")
	there, e := at.Lstat(name)
	if err = errors.Join(err, e); err == nil && !os.SameFile(held, there) {
		err = errSwapped
	}
	if err != nil {
		next.Close()
		return nil, err
	}
	return next, nil
}

// openRegular opens a file of a folder for reading. Nothing but a regular file
// is opened, and the opening waits for nobody. That a file has a second name (a
// hard link) cannot be told: the policy is about names.
func openRegular(dir *os.Root, name string) (*os.File, fs.FileInfo, error) {
	if _, err := regular(dir, name); err != nil {
		return nil, nil, err
	}
	f, err := dir.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK|syscall.O_NOCTTY, 0)
	if err != nil {
		return nil, nil, err
	}
	info, err := held(f, dir, name)
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, info, nil
}

// held tells whether an open file is the regular one that has a name in a folder:
// the opening may have followed a link that came after the first look.
func held(f *os.File, dir *os.Root, name string) (fs.FileInfo, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	there, err := dir.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || !os.SameFile(info, there) {
		return nil, errSwapped
	}
	return info, nil
}

// regular tells what has a name in a folder, and refuses all but a regular file.
func regular(dir *os.Root, name string) (fs.FileInfo, error) {
	info, err := dir.Lstat(name)
	switch {
	case err != nil:
		return nil, err
	case info.Mode()&fs.ModeSymlink != 0:
		return nil, errSwapped
	case info.IsDir():
		return nil, errFolder
	case !info.Mode().IsRegular():
		return nil, errors.New("it is no regular file: a device, a pipe or a socket is not opened")
	}
	return info, nil
}

// parted parts an absolute path into its folder and its name there.
func parted(real string) (dir, name string) {
	dir, name = path.Split(real)
	if len(dir) > 1 {
		dir = strings.TrimSuffix(dir, "/")
	}
	return dir, name
}
