package toolrun

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// openWhole lets the kernel refuse links anywhere in the path. The handle that
// it gives cannot be made a Root, so the Root is compared with it. Other than
// openByParts it needs no leave to list the folders above.
func openWhole(real string) (*os.Root, error) {
	fd, err := unix.Openat2(unix.AT_FDCWD, real, &unix.OpenHow{
		Flags: unix.O_PATH | unix.O_DIRECTORY | unix.O_CLOEXEC, Resolve: unix.RESOLVE_NO_SYMLINKS,
	})
	switch {
	case errors.Is(err, unix.ENOSYS), errors.Is(err, unix.EPERM): // an old kernel, or a filter that does not know the call
		return nil, errors.ErrUnsupported
	case errors.Is(err, unix.ELOOP):
		return nil, errSwapped
	case err != nil:
		return nil, &os.PathError{Op: "open", Path: real, Err: err}
	}
	plain := os.NewFile(uintptr(fd), real)
	defer plain.Close()
	root, err := os.OpenRoot(real + "/.")
	if err != nil {
		return nil, err
	}
	if err := sameFolder(plain, root); err != nil {
		return nil, errors.Join(err, root.Close())
	}
	return root, nil
}

func sameFolder(plain *os.File, root *os.Root) error {
	want, err := plain.Stat()
	if err != nil {
		return err
	}
	held, err := root.Stat(".")
	if err != nil {
		return err
	}
	if !os.SameFile(want, held) {
		return fmt.Errorf("%s: %w", plain.Name(), errSwapped)
	}
	return nil
}
