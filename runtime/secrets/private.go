package secrets

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"iterion/ir"
	"iterion/runtime/filelock"
)

const (
	privatePrefix = "iterion-secrets-"
	// lockName is a file in each private folder that its run holds locked, so
	// that the folder of a run that was killed is known. No secret has its name.
	lockName = ".lock"
)

// addFile writes a secret's file. There is no sandbox here whose file system a
// mount could change, and the private folder is named by chance: a written path
// can never be honoured. Neither can hosts.
func (r *resolver) addFile(s *ir.Secret, value string) error {
	if s.MountPath.Set() {
		return fmt.Errorf("it wants to be mounted at %s, and this build has no sandbox to mount it in; remove `mount_path` and read the path from {{secrets.%s.path}} or `env:`", s.MountPath.V, s.Name)
	}
	if len(s.Hosts.V) > 0 {
		return errors.New("it may go to some hosts only, and nothing here holds a file to them: whatever can read it can send it; take `hosts:` away, or `as: file`")
	}
	if name := s.Env.V; s.Env.Set() {
		if other, taken := r.variables[name]; taken {
			return fmt.Errorf("its path goes to the variable %s, and so does that of %s", name, other)
		}
		r.variables[name] = s.Name
	}
	if !plainName(s.Name) || s.Name == lockName {
		return errors.New("its name cannot be that of a file")
	}
	if err := r.openPrivate(); err != nil {
		return err
	}
	path := filepath.Join(r.set.Dir, s.Name)
	if err := writeNew(path, value); err != nil {
		return err
	}
	r.set.Paths[s.Name] = path
	if s.Env.Set() {
		r.set.Env = append(r.set.Env, s.Env.V+"="+path)
	}
	return nil
}

func writeNew(path, value string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(value)
	return errors.Join(err, f.Close())
}

// openPrivate makes the private folder, on first use. Folders of runs that were
// killed are removed on the way.
func (r *resolver) openPrivate() error {
	if r.set.lock != nil {
		return nil
	}
	base, err := r.base()
	if err != nil {
		return err
	}
	sweep(base)
	for {
		dir, err := os.MkdirTemp(base, privatePrefix)
		if err != nil {
			return err
		}
		held := filepath.Join(dir, lockName)
		lock, err := filelock.Try(held)
		switch {
		case err == nil && lock.Owns(held):
			r.set.Dir, r.set.lock = dir, lock
			return nil
		case err == nil:
			lock.Release() // another run's sweep took the folder before the lock was held
		case !errors.Is(err, filelock.ErrHeld) && !errors.Is(err, fs.ErrNotExist):
			return errors.Join(err, os.Remove(dir))
		}
	}
}

// base is the folder for private folders: the session's own, which is in memory,
// else that for temporary files.
func (r *resolver) base() (string, error) {
	session, _ := r.Lookup("XDG_RUNTIME_DIR")
	for _, dir := range []string{session, os.TempDir()} {
		info, err := os.Stat(dir)
		if err == nil && info.IsDir() && filepath.IsAbs(dir) && !inside(dir, r.Workspace) {
			return resolved(dir), nil
		}
	}
	return "", fmt.Errorf("its file would lie in the workspace: the folder for temporary files is %s; point TMPDIR elsewhere", os.TempDir())
}

// sweep removes private folders that nobody holds.
func sweep(base string) {
	entries, _ := os.ReadDir(base)
	for _, entry := range entries {
		if !strings.HasPrefix(entry.Name(), privatePrefix) {
			continue
		}
		dir := filepath.Join(base, entry.Name())
		// Others' folders are left to them: what they hold may be made to harm.
		if info, err := os.Lstat(dir); err != nil || !info.IsDir() || info.Mode().Perm() != 0o700 {
			continue
		}
		held := filepath.Join(dir, lockName)
		if _, err := os.Lstat(held); err != nil {
			os.Remove(dir) // ours before the lock is made, and then empty
			continue
		}
		if lock, err := filelock.Try(held); err == nil {
			os.RemoveAll(dir)
			lock.Release()
		}
	}
}
