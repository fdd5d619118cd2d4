package sqlite

import (
	"errors"
	"fmt"

	"iterion/runtime/store"
)

// application marks the file as a store of runs ("iter").
const application = 0x69746572

// migrations bring the tables from one version to the next; the version of a
// file is how many it has seen. One that was released never changes.
//
// The key of an event is its run's, times 2^32, plus its Seq: a run's events are
// neighbours, and an append touches the end of one tree only.
// Times are nanoseconds since 1970, NULL for none. The payload of an event is
// spelled by encoder; crc is checksum's. The numbers in written, finished, asked,
// answered and seq are Seqs of events of the run.
var migrations = []string{`
CREATE TABLE runs (
	key INTEGER PRIMARY KEY,
	id TEXT NOT NULL UNIQUE,
	parent TEXT NOT NULL,
	workflow TEXT NOT NULL,
	hash TEXT NOT NULL,
	file TEXT NOT NULL,
	workspace TEXT NOT NULL,
	status TEXT NOT NULL,
	seq INTEGER NOT NULL,
	created INTEGER,
	updated INTEGER
) STRICT;
CREATE TABLE programs (
	run INTEGER PRIMARY KEY REFERENCES runs ON DELETE CASCADE,
	program BLOB NOT NULL
) STRICT;
CREATE TABLE events (
	key INTEGER PRIMARY KEY,
	run INTEGER AS (key >> 32),
	seq INTEGER AS (key & 0xffffffff),
	time INTEGER,
	type TEXT NOT NULL,
	node TEXT NOT NULL,
	branch TEXT NOT NULL,
	iteration INTEGER,
	payload TEXT NOT NULL,
	crc INTEGER NOT NULL
) STRICT;
CREATE TABLE artifacts (
	run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
	node TEXT NOT NULL,
	branch TEXT NOT NULL,
	version INTEGER NOT NULL,
	name TEXT NOT NULL,
	written INTEGER NOT NULL,
	finished INTEGER,
	sha256 TEXT,
	size INTEGER,
	PRIMARY KEY (run, node, version)
) STRICT, WITHOUT ROWID;
CREATE INDEX unfinished_artifacts ON artifacts (run) WHERE finished IS NULL;
CREATE TABLE interactions (
	run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
	id TEXT NOT NULL,
	kind TEXT NOT NULL,
	asked INTEGER NOT NULL,
	answered INTEGER,
	PRIMARY KEY (run, id)
) STRICT, WITHOUT ROWID;
CREATE TABLE grants (
	run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
	seq INTEGER NOT NULL,
	tool TEXT NOT NULL,
	scope TEXT NOT NULL,
	by TEXT NOT NULL,
	PRIMARY KEY (run, seq)
) STRICT, WITHOUT ROWID;
CREATE TABLE sessions (
	run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
	slot TEXT NOT NULL,
	id TEXT NOT NULL,
	seq INTEGER NOT NULL,
	PRIMARY KEY (run, slot)
) STRICT, WITHOUT ROWID;
CREATE TABLE blobs (
	run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
	sha256 TEXT NOT NULL,
	PRIMARY KEY (run, sha256)
) STRICT, WITHOUT ROWID;
CREATE INDEX blobs_by_sum ON blobs (sha256);
CREATE TABLE leases (
	run INTEGER PRIMARY KEY REFERENCES runs ON DELETE CASCADE,
	token TEXT NOT NULL,
	host TEXT NOT NULL,
	pid INTEGER NOT NULL,
	boot TEXT NOT NULL,
	started TEXT NOT NULL,
	beat INTEGER NOT NULL
) STRICT;
`}

// header is what tells whether a file is a store, and of which version.
type header struct{ application, version, tables, programs int }

// prepare brings the file to this build's version. readOnly is why it cannot be
// written to, nil when it can.
func (w *writer) prepare() (readOnly, err error) {
	h, err := w.header()
	if err == nil { // it is ours to change
		_, err = w.conn.ExecContext(background, "PRAGMA journal_mode = WAL")
	}
	if err != nil {
		return nil, err
	}
	if h.version < len(migrations) {
		return nil, w.migrate()
	}
	err = w.transact(func(t *tx) error {
		if _, err := t.exec(`DELETE FROM leases WHERE false`); err != nil { // BEGIN alone does not tell
			return err
		}
		return errNothing
	})
	if err = w.s.fault(ifNot(err, errNothing)); errors.Is(err, store.ErrReadOnly) {
		return err, nil
	}
	return nil, err
}

// errNothing ends a transaction that was never meant to change anything.
var errNothing = errors.New("nothing to do")

func (w *writer) migrate() error {
	for {
		h, last := header{}, false
		err := w.transact(func(t *tx) (err error) {
			if h, err = w.header(); err != nil { // again: another process may have been faster
				return err
			}
			if last = h.version == len(migrations); last {
				return errNothing
			}
			_, err = w.conn.ExecContext(background, fmt.Sprintf("%s; PRAGMA application_id = %d; PRAGMA user_version = %d",
				migrations[h.version], application, h.version+1))
			return err
		})
		if last || err != nil && !errors.Is(err, errNothing) {
			return ifNot(err, errNothing)
		}
	}
}

func ifNot(err, known error) error {
	if errors.Is(err, known) {
		return nil
	}
	return err
}

// header reads what the file is. The error is store.ErrCorrupt for what is no
// store, or holds programs of somebody else's that SQLite would run, and
// store.ErrNewer.
func (w *writer) header() (h header, err error) {
	err = w.conn.QueryRowContext(background, `SELECT
		(SELECT application_id FROM pragma_application_id), (SELECT user_version FROM pragma_user_version),
		(SELECT count(*) FROM sqlite_schema WHERE type = 'table'), (SELECT count(*) FROM sqlite_schema WHERE type IN ('trigger', 'view'))`,
	).Scan(&h.application, &h.version, &h.tables, &h.programs)
	switch {
	case err != nil:
		return h, err
	case h == header{}:
		return h, nil
	case h.application != application || h.version < 1:
		return h, w.s.corrupt("it is another program's database")
	case h.version > len(migrations):
		return h, fault{w.s.path, store.ErrNewer, fmt.Errorf("its version is %d, this build reads up to %d", h.version, len(migrations)), adviceNewer}
	case h.programs > 0:
		return h, w.s.corrupt("it holds triggers or views, which no build makes")
	}
	return h, nil
}
