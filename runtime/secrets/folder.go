package secrets

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
)

// fromFolder reads a file of the folder of secrets; "" when there is no folder
// or no such file.
func (r *resolver) fromFolder(name string) (string, error) {
	dir, ok := r.Lookup(FolderVariable)
	if !ok || dir == "" || !plainName(name) {
		return "", nil
	}
	if !filepath.IsAbs(dir) {
		return "", fmt.Errorf("%s must be an absolute path, not %q", FolderVariable, dir)
	}
	if inside(dir, r.Workspace) {
		return "", fmt.Errorf("the folder of %s, %s, lies in the workspace, where the program's own tools could write secrets; move it out", FolderVariable, dir)
	}
	value, err := r.read(dir, name)
	if err != nil {
		return "", fmt.Errorf("%s of %s: %w", filepath.Join(dir, name), FolderVariable, err)
	}
	return value, nil
}

// read reads a file. Container engines make the files links within the folder;
// a link that leaves it is an error of os.Root.
func (r *resolver) read(dir, name string) (string, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return "", err
	}
	defer root.Close()
	// Without O_NONBLOCK a named pipe would hold us.
	f, err := root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return "", err
	case !info.Mode().IsRegular():
		return "", errors.New("it is no regular file")
	}
	if mode := info.Mode().Perm(); mode&0o077 != 0 && runtime.GOOS != "windows" {
		r.Warn(fmt.Sprintf("others can read the secret in %s (mode %04o); chmod 600 closes it", filepath.Join(dir, name), mode))
	}
	data, err := io.ReadAll(io.LimitReader(f, maxSize+1))
	return string(data), err
}

// plainName tells whether a name can be a file right in a folder.
func plainName(name string) bool {
	return filepath.IsLocal(name) && name != "." && !strings.ContainsAny(name, `/\`)
}

// inside tells whether a path is a folder or lies in it, links resolved.
func inside(path, folder string) bool {
	if folder == "" {
		return false
	}
	rel, err := filepath.Rel(resolved(folder), resolved(path))
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

func resolved(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}
