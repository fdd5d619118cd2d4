package sqlite

import (
	"context"
	"database/sql"
	"errors"

	driver "modernc.org/sqlite"
)

// background never ends: what is being written is written to its end.
var background = context.Background()

// maxGroup is how many operations share a commit at most.
const maxGroup = 128

// writer makes all changes on one connection: operations that wait at the same
// time share a transaction and so a sync.
type writer struct {
	s     *Store
	conn  *sql.Conn
	stmts map[string]*sql.Stmt
	ops   chan *op
}

// op is one change. What it refuses, it refuses before it changes anything; so
// an error that is not SQLite's leaves the others of its group alone.
type op struct {
	do   func(*tx) error
	err  error
	done chan struct{}
}

// tx is the writer inside a transaction.
type tx writer

func newWriter(s *Store, conn *sql.Conn) *writer {
	return &writer{s: s, conn: conn, stmts: map[string]*sql.Stmt{}, ops: make(chan *op)}
}

// change runs an operation in a transaction; it is durable when change returns
// nil.
func (s *Store) change(do func(*tx) error) error {
	if s.readOnly != nil {
		return s.readOnly
	}
	o := &op{do: do, done: make(chan struct{})}
	select {
	case s.writer.ops <- o:
	case <-s.quit:
		return s.fault(errClosed)
	}
	<-o.done
	return o.err
}

func (w *writer) loop(quit <-chan struct{}) {
	for {
		select {
		case o := <-w.ops:
			group := w.gather(o)
			w.commit(group)
			for _, o := range group {
				close(o.done)
			}
		case <-quit:
			return
		}
	}
}

// gather takes the operations that wait already.
func (w *writer) gather(first *op) []*op {
	group := []*op{first}
	for len(group) < maxGroup {
		select {
		case o := <-w.ops:
			group = append(group, o)
		default:
			return group
		}
	}
	return group
}

// commit runs a group in one transaction. When SQLite fails it, each operation
// is tried alone, so that none fails for another's sake.
func (w *writer) commit(group []*op) {
	err := w.transact(func(t *tx) error {
		changed := errNothing
		for _, o := range group {
			switch o.err = o.do(t); {
			case isSQLite(o.err):
				return o.err
			case o.err == nil:
				changed = nil
			}
		}
		return changed
	})
	switch {
	case err == nil, errors.Is(err, errNothing):
	case len(group) == 1:
		group[0].err = w.s.fault(err)
	default:
		for _, o := range group {
			w.commit([]*op{o})
		}
	}
}

func isSQLite(err error) bool {
	var code *driver.Error
	return errors.As(err, &code) || errors.Is(err, sql.ErrConnDone)
}

// transact runs do between BEGIN and COMMIT. After any error nothing is changed.
func (w *writer) transact(do func(*tx) error) error {
	t := (*tx)(w)
	if _, err := t.exec("BEGIN IMMEDIATE"); err != nil {
		return err
	}
	err := do(t)
	if err == nil {
		_, err = t.exec("COMMIT")
	}
	if err != nil {
		_, _ = t.exec("ROLLBACK") // fails where SQLite has rolled back by itself
	}
	return err
}

// stmt prepares a statement once.
func (t *tx) stmt(query string) (*sql.Stmt, error) {
	if st := t.stmts[query]; st != nil {
		return st, nil
	}
	st, err := t.conn.PrepareContext(background, query)
	if err == nil {
		t.stmts[query] = st
	}
	return st, err
}

func (t *tx) exec(query string, args ...any) (sql.Result, error) {
	st, err := t.stmt(query)
	if err != nil {
		return nil, err
	}
	return st.ExecContext(background, args...)
}

// get reads one row into the targets; the error is sql.ErrNoRows when there is
// none.
func (t *tx) get(query string, args []any, into ...any) error {
	st, err := t.stmt(query)
	if err != nil {
		return err
	}
	return st.QueryRowContext(background, args...).Scan(into...)
}

func (w *writer) close() error {
	var err error
	for _, st := range w.stmts {
		err = errors.Join(err, st.Close())
	}
	return errors.Join(err, w.conn.Close())
}
