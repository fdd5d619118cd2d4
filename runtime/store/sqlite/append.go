package sqlite

import (
	"database/sql"
	"errors"
	"fmt"

	"iterion/ir/outcome"
	"iterion/runtime/store"
)

// Create implements store.Store.
func (s *Store) Create(r store.Run) error {
	return s.change(func(t *tx) error {
		var key int64
		err := t.get(`INSERT INTO runs (id, parent, workflow, hash, file, workspace, status, seq, created, updated)
			VALUES (?, ?, ?, ?, ?, ?, ?, 0, ?, ?) ON CONFLICT DO NOTHING RETURNING key`,
			[]any{r.ID, r.Parent, r.Workflow, r.Hash, r.File, r.Workspace, string(outcome.Queued), nanos(r.Created), nanos(r.Updated)}, &key)
		if errors.Is(err, sql.ErrNoRows) {
			return fmt.Errorf("run %s: %w", r.ID, store.ErrExists)
		}
		if err == nil && r.Program != nil {
			_, err = t.exec(`INSERT INTO programs (run, program) VALUES (?, ?)`, key, r.Program)
		}
		return err
	})
}

// batch is what one Append writes.
type batch struct {
	run    string
	before int64 // Seq that the run has to stand at
	last   store.Event
	status any // that the events lead to; nil: it stays
	rows   []row
	open   []store.Event
	blobs  []blob
	token  any // of the lease held here; nil for none
}

// Append implements store.Store.
func (s *Store) Append(run string, events ...store.Event) error {
	if len(events) == 0 {
		_, err := s.Run(run)
		return err
	}
	b, err := spell(run, events)
	if err != nil {
		return err
	}
	for _, one := range b.blobs {
		if err := s.blobs.put(one); err != nil {
			return err
		}
	}
	b.token = s.token(run)
	return s.change(func(t *tx) error { return t.append(b) })
}

// spell makes the rows of events, without touching the store.
func spell(run string, events []store.Event) (*batch, error) {
	b := &batch{run: run, before: events[0].Seq - 1, last: events[len(events)-1]}
	var sum checksum
	for i := range events {
		e := events[i]
		e.RunID = run
		if want := b.before + int64(i) + 1; e.Seq != want {
			return nil, fmt.Errorf("run %s, event %d after %d: %w", run, e.Seq, want-1, store.ErrOrder)
		}
		written, blobs, err := spelled(e, &sum)
		if err != nil {
			return nil, fmt.Errorf("run %s: event %d (%s) cannot be recorded: %w", run, e.Seq, e.Type, err)
		}
		b.rows, b.blobs = append(b.rows, written), append(b.blobs, blobs...)
		if status, ok := store.StatusAfter(e); ok {
			b.status = string(status)
		}
	}
	rows, open := derive(events)
	b.rows, b.open = append(b.rows, rows...), open
	return b, nil
}

// advance moves a run on, if it stands where the events begin and is the
// writer's; it tells whether an artifact waits for its node's end.
const advance = `UPDATE runs SET seq = ?1, updated = ?2, status = coalesce(?3, status)
	WHERE id = ?4 AND seq = ?5 AND (SELECT token FROM leases WHERE run = key) IS ?6
	RETURNING key, EXISTS (SELECT 1 FROM artifacts WHERE run = key AND finished IS NULL)`

func (t *tx) append(b *batch) error {
	for _, one := range b.blobs { // a Remove elsewhere may have swept it since
		if err := t.s.blobs.put(one); err != nil {
			return err
		}
	}
	var key int64
	var waits bool
	err := t.get(advance, []any{b.last.Seq, nanos(b.last.Time), b.status, b.run, b.before, b.token}, &key, &waits)
	if errors.Is(err, sql.ErrNoRows) {
		return t.refusal(b)
	}
	if err != nil {
		return err
	}
	for _, r := range b.rows {
		if err := t.insert(key, r); err != nil {
			return err
		}
	}
	for _, one := range b.blobs {
		if _, err := t.exec(`INSERT OR IGNORE INTO blobs (run, sha256) VALUES (?, ?)`, key, one.sum); err != nil {
			return err
		}
	}
	if waits {
		for _, e := range b.open {
			if err := t.insert(key, finished(e)); err != nil {
				return err
			}
		}
	}
	return nil
}

func (t *tx) insert(key int64, r row) error {
	args := append(make([]any, 0, 10), key)
	_, err := t.exec(r.sql, append(args, r.values...)...)
	return err
}

// refusal says why a run takes no events.
func (t *tx) refusal(b *batch) error {
	r, err := t.ownership(b.run)
	switch {
	case err != nil:
		return err
	case b.token != nil && r.token != b.token:
		return fmt.Errorf("run %s: %w: it was taken over%s", b.run, store.ErrLost, r.driver())
	case b.token == nil && r.token != "":
		return fmt.Errorf("run %s: %w: it is driven%s", b.run, store.ErrLost, r.driver())
	}
	return fmt.Errorf("run %s, event %d after %d: %w", b.run, b.before+1, r.seq, store.ErrOrder)
}

// Remove implements store.Store.
func (s *Store) Remove(ids ...string) error {
	err := s.change(func(t *tx) error {
		for _, id := range ids {
			if r, err := t.ownership(id); err != nil {
				return err
			} else if s.here.lives(r.owner) {
				return &store.OwnedError{Run: id, Owner: r.owner}
			}
		}
		for _, id := range ids {
			if err := t.forget(id); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	// The rows are gone for good before a file is: a crash in between leaves a
	// file too many, never one too few.
	return s.change(func(t *tx) error { return s.blobs.sweep(t.needs) })
}

// forget removes a run; all but its events goes with its row.
func (t *tx) forget(id string) error {
	r, err := t.ownership(id)
	if errors.Is(err, store.ErrUnknownRun) { // named twice
		return nil
	}
	if err == nil {
		_, err = t.exec(`DELETE FROM events WHERE key > ?1 << 32 AND key < ?1 + 1 << 32`, r.key)
	}
	if err == nil {
		_, err = t.exec(`DELETE FROM runs WHERE key = ?`, r.key)
	}
	return err
}

func (t *tx) needs(sum string) (needed bool, err error) {
	err = t.get(`SELECT EXISTS (SELECT 1 FROM blobs WHERE sha256 = ?)`, []any{sum}, &needed)
	return needed, err
}
