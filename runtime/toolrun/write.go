package toolrun

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"

	"iterion/runtime/backend"
)

// writeFile writes a whole file.
func writeFile(_ context.Context, r *Runner, a args) backend.CallResult {
	var in struct {
		Path    string `json:"file_path"`
		Content string `json:"content"`
	}
	if err := a.into(&in); err != nil {
		return failed("%v", err)
	}
	created, err := r.write(a, in.Path, in.Content)
	if err != nil {
		return failed("%s cannot be written: %v", show(in.Path), plain(err))
	}
	done := "overwrote"
	if created {
		done = "created"
	}
	return said(fmt.Sprintf("%s %s, %d bytes", done, show(in.Path), len(in.Content)))
}

func (r *Runner) write(a args, name, content string) (created bool, err error) {
	folder, base, err := r.place(a, name)
	if err != nil {
		return false, err
	}
	dir, err := r.folderFor(folder)
	if err != nil {
		return false, err
	}
	defer dir.Close()
	old, err := regular(dir, base)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	return old == nil, r.replace(dir, base, old, []byte(content))
}

// folderFor opens a folder, and makes it where it lies in the workspace.
func (r *Runner) folderFor(real string) (*os.Root, error) {
	dir, err := openFolder(real)
	if !errors.Is(err, fs.ErrNotExist) {
		return dir, err
	}
	if _, inside := under(r.workspace(), real); !inside || real == "/" {
		return nil, errors.New("its folder does not exist, and none is made outside of the working directory")
	}
	above, err := r.folderFor(path.Dir(real))
	if err != nil {
		return nil, err
	}
	defer above.Close()
	if err := above.Mkdir(path.Base(real), 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	return step(above, path.Base(real))
}

// replace puts a new file in the place of an old one, or of none, in one step: a
// reader sees all of the one or all of the other. What has come to the place
// since it was looked at stays. Another name of the old file (a hard link) keeps
// what it holds.
func (r *Runner) replace(dir *os.Root, name string, old fs.FileInfo, content []byte) error {
	mode := fs.FileMode(0o666) // less the umask
	if old != nil {
		if old.Mode()&0o200 == 0 {
			return errors.New("it is read-only")
		}
		mode = 0o600 // until it has the old one's
	}
	temp := ".iterion-" + rand.Text()
	f, err := dir.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	err = fill(f, old, content)
	r.hook("commit")
	if err == nil {
		err = unchanged(dir, name, old)
	}
	if err == nil {
		err = dir.Rename(temp, name)
	}
	if err != nil {
		return errors.Join(err, dir.Remove(temp))
	}
	return nil
}

// fill writes the file to the disk. It is closed then.
func fill(f *os.File, old fs.FileInfo, content []byte) error {
	_, err := f.Write(content)
	if err == nil && old != nil {
		err = f.Chmod(old.Mode().Perm())
	}
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// unchanged tells whether a place still holds what was seen there.
func unchanged(dir *os.Root, name string, old fs.FileInfo) error {
	now, err := dir.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist) && old == nil:
		return nil
	case err != nil:
		return err
	case old == nil || !os.SameFile(now, old) || now.Size() != old.Size() || !now.ModTime().Equal(old.ModTime()):
		return errSwapped
	}
	return nil
}
