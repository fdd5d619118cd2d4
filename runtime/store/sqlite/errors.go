package sqlite

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	driver "modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	"iterion/runtime/store"
)

// fault is what is wrong with a file of the store.
type fault struct {
	path   string
	kind   error // one of the store's errors
	cause  error
	advice string
}

func (f fault) Error() string {
	return fmt.Sprintf("store %s: %s (%s); %s", f.path, f.kind, f.cause, f.advice)
}

func (f fault) Unwrap() []error { return []error{f.kind, f.cause} }

const (
	adviceFull     = "nothing of the last step was recorded: free some space, or raise the quota or the limit on file sizes, then resume the run"
	adviceReadOnly = "make the folder writable, or name another one with --store"
	adviceCorrupt  = "put a copy back in its place, or move the folder away and start with a new store"
	adviceNewer    = "use that build, or name another folder with --store"
	adviceNone     = "start a run first, or name the store's folder with --store"
	adviceBusy     = "end that process, then try again"
)

// kinds tells what a result code of SQLite comes to: the whole code, else its
// low byte.
var kinds = map[int]struct {
	kind   error
	advice string
}{
	lib.SQLITE_FULL:             {store.ErrFull, adviceFull},
	lib.SQLITE_IOERR_WRITE:      {store.ErrFull, adviceFull}, // SQLite's name for a quota or a limit on file sizes
	lib.SQLITE_IOERR_SHMSIZE:    {store.ErrFull, adviceFull},
	lib.SQLITE_READONLY:         {store.ErrReadOnly, adviceReadOnly},
	lib.SQLITE_PERM:             {store.ErrReadOnly, adviceReadOnly},
	lib.SQLITE_CANTOPEN:         {store.ErrReadOnly, adviceReadOnly}, // the file is there: its log cannot be made beside it
	lib.SQLITE_CORRUPT:          {store.ErrCorrupt, adviceCorrupt},
	lib.SQLITE_NOTADB:           {store.ErrCorrupt, adviceCorrupt},
	lib.SQLITE_ERROR:            {store.ErrCorrupt, adviceCorrupt}, // the statements are sound, so the tables are not
	lib.SQLITE_CONSTRAINT:       {store.ErrCorrupt, adviceCorrupt},
	lib.SQLITE_IOERR_SHORT_READ: {store.ErrCorrupt, adviceCorrupt},
	lib.SQLITE_BUSY:             {store.ErrBusy, adviceBusy},
}

// fault names what went wrong with the store's file. What is no error of the
// file stays as it is.
func (s *Store) fault(err error) error { return faultOf(s.path, err) }

func faultOf(path string, err error) error {
	var code *driver.Error
	var known fault
	switch {
	case err == nil, errors.As(err, &known):
		return err
	case errors.As(err, &code):
		row, ok := kinds[code.Code()]
		if !ok {
			row, ok = kinds[code.Code()&0xff]
		}
		if ok {
			return fault{path, row.kind, err, row.advice}
		}
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT), errors.Is(err, syscall.EFBIG):
		return fault{path, store.ErrFull, err, adviceFull}
	case errors.Is(err, syscall.EROFS), errors.Is(err, fs.ErrPermission):
		return fault{path, store.ErrReadOnly, err, adviceReadOnly}
	}
	return fmt.Errorf("store %s: %w", path, err)
}

// unread names why a row could not be read: what does not fit its column was
// not written by us.
func (s *Store) unread(err error) error {
	var known fault
	if err == nil || isSQLite(err) || errors.As(err, &known) {
		return s.fault(err)
	}
	return s.corrupt("%w", err)
}

func (s *Store) corrupt(format string, args ...any) error {
	return fault{s.path, store.ErrCorrupt, fmt.Errorf(format, args...), adviceCorrupt}
}

var errClosed = errors.New("the store is closed")
