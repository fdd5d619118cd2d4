// Package sqlite keeps runs in a SQLite file, `runs.db` in a folder, beside
// `blobs/` with the large values. An append is durable when it returns.
//
// The events are the truth. The tables beside them are an index into the events
// for those who inspect a run: they are written in the same transaction and hold
// nothing that the events do not say.
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"time"

	driver "modernc.org/sqlite"

	"iterion/runtime/store"
)

const (
	fileName = "runs.db"
	// lockWait is how long a transaction waits for another process's, in ms.
	lockWait = "10000"
	// readers is how many queries may run at once.
	readers = 4
)

// Store is a store.Store in a folder.
type Store struct {
	path     string // of the file
	here     machine
	blobs    blobs
	reads    *sql.DB
	writes   *sql.DB // one connection, the writer's
	writer   *writer
	readOnly error // why nothing can be written, nil when it can

	workers sync.WaitGroup
	quit    chan struct{}
	mu      sync.Mutex
	leases  map[string]*lease // held here, by run
	beating bool
	closed  bool
}

var _ store.Store = (*Store)(nil)

// Open opens the store in a folder and makes what is missing of it. The errors
// are store.ErrFull, ErrReadOnly, ErrCorrupt, ErrNewer and ErrBusy.
func Open(dir string) (*Store, error) { return open(dir, true, thisMachine()) }

// OpenExisting opens a store that is there already, one on a read-only file
// system for reading. It makes nothing: the error is store.ErrNone where there is
// no store, else one of Open's.
func OpenExisting(dir string) (*Store, error) { return open(dir, false, thisMachine()) }

func open(dir string, create bool, here machine) (*Store, error) {
	path, err := filepath.Abs(filepath.Join(dir, fileName))
	if err != nil {
		return nil, fmt.Errorf("store %s: %w", dir, err)
	}
	s := &Store{path: path, here: here, quit: make(chan struct{}), leases: map[string]*lease{}}
	if err := s.locate(create); err != nil {
		return nil, err
	}
	s.blobs = blobs{folder: filepath.Join(filepath.Dir(path), "blobs")}
	if err := s.connect(create); err != nil {
		_ = s.disconnect()
		return nil, s.fault(err)
	}
	s.workers.Go(func() { s.writer.loop(s.quit) })
	return s, nil
}

// locate finds the file, or makes it with its folder. A link in place of the
// file is not followed: a repository may bring one along.
func (s *Store) locate(create bool) error {
	info, err := os.Lstat(s.path)
	switch {
	case err == nil && !info.Mode().IsRegular():
		return fault{s.path, store.ErrCorrupt, errors.New("it is no file"), adviceCorrupt}
	case errors.Is(err, fs.ErrNotExist) && create:
		return s.fault(makeFile(s.path))
	case errors.Is(err, fs.ErrNotExist), err == nil && info.Size() == 0 && !create:
		return fault{s.path, store.ErrNone, errors.New("no run was recorded there"), adviceNone}
	}
	return s.fault(err)
}

// connect opens the connections and brings the tables up to this build's.
func (s *Store) connect(create bool) error {
	// SQLite's own default where it is built for the system; without it a commit
	// waits for the file's times, too.
	if _, err := driver.Fdatasync(true); err != nil && !errors.Is(err, driver.ErrFdatasyncUnavailable) {
		return err
	}
	err := s.dial("")
	if !create && errors.Is(s.fault(err), store.ErrReadOnly) && s.frozen() {
		// SQLite wants to make a write-ahead log even to read; here nobody can.
		_ = s.disconnect()
		err = s.dial("&immutable=1")
	}
	if err != nil {
		return err
	}
	if s.readOnly != nil && create {
		return s.readOnly
	}
	return nil
}

func (s *Store) dial(extra string) (err error) {
	common := "?mode=rw&_defensive=1&_busy_timeout=" + lockWait + "&_pragma=trusted_schema(0)&_pragma=cell_size_check(1)" + extra
	at := (&url.URL{Scheme: "file", Path: slashed(s.path)}).String() + common
	if s.writes, err = sql.Open("sqlite", at+"&_synchronous=FULL&_foreign_keys=1"); err != nil {
		return err
	}
	if s.reads, err = sql.Open("sqlite", at+"&_query_only=1"); err != nil {
		return err
	}
	s.reads.SetMaxOpenConns(readers)
	s.reads.SetMaxIdleConns(readers)
	conn, err := s.writes.Conn(context.Background())
	if err != nil {
		return err
	}
	s.writer = newWriter(s, conn)
	s.readOnly, err = s.writer.prepare()
	return err
}

// slashed is a path as a URL has it.
func slashed(path string) string {
	path = filepath.ToSlash(path)
	if path[0] != '/' { // a drive
		return "/" + path
	}
	return path
}

func (s *Store) disconnect() (err error) {
	if s.reads != nil {
		err = s.reads.Close()
	}
	if s.writer != nil {
		err = errors.Join(err, s.writer.close())
	}
	if s.writes != nil {
		err = errors.Join(err, s.writes.Close())
	}
	return err
}

// Close implements store.Store.
func (s *Store) Close() error {
	s.mu.Lock()
	done := s.closed
	s.closed = true
	held := make([]*lease, 0, len(s.leases))
	for _, l := range s.leases {
		held = append(held, l)
	}
	s.mu.Unlock()
	if done {
		return nil
	}
	err := s.release(held...)
	close(s.quit)
	s.workers.Wait()
	return errors.Join(err, s.fault(s.disconnect()))
}

// nanos is a time as the file keeps it: nanoseconds since 1970, nothing for the
// zero time.
func nanos(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UnixNano()
}

func timeOf(n sql.NullInt64) time.Time {
	if !n.Valid {
		return time.Time{}
	}
	return time.Unix(0, n.Int64).UTC()
}
