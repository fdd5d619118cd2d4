// Package filelock locks files between processes. A lock ends with the process
// that holds it, however that ends.
package filelock

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"
)

// retry is how long Acquire waits between two attempts.
const retry = 10 * time.Millisecond

// ErrHeld tells that another holder has the lock.
var ErrHeld = errors.New("the lock is held")

// Lock is held until it is released.
type Lock struct{ file *os.File }

// Try takes the lock of a file, which is made when there is none. The error is
// ErrHeld when another process, or another Lock of this one, has it.
func Try(path string) (*Lock, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := lock(f); err != nil {
		f.Close()
		return nil, err
	}
	return &Lock{f}, nil
}

// Acquire waits for the lock of a file. The error of an ended ctx is its cause.
func Acquire(ctx context.Context, path string) (*Lock, error) {
	tick := time.NewTicker(retry)
	defer tick.Stop()
	for {
		l, err := Try(path)
		if !errors.Is(err, ErrHeld) {
			return l, err
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("another process holds %s: %w", path, context.Cause(ctx))
		case <-tick.C:
		}
	}
}

// Owns tells whether the lock is still that of the file at a path, which another
// holder may have removed before.
func (l *Lock) Owns(path string) bool {
	mine, err := l.file.Stat()
	if err != nil {
		return false
	}
	there, err := os.Lstat(path)
	return err == nil && os.SameFile(mine, there)
}

// Release ends the lock; the file stays. It may be called twice.
func (l *Lock) Release() { l.file.Close() }
