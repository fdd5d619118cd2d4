package sqlite

import (
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"iterion/runtime/store"
)

const (
	// beatEvery is how often a lease is renewed.
	beatEvery = 5 * time.Second
	// silence is after what time an owner that cannot be looked at is dead.
	silence = time.Minute
)

// lease is the right to a run that this store holds, or held: it keeps its token
// until it is released, so that an owner who was taken over cannot write.
type lease struct {
	s     *Store
	run   string
	token string
}

// Release implements store.Lease.
func (l *lease) Release() error { return l.s.release(l) }

func (s *Store) release(held ...*lease) error {
	s.mu.Lock()
	for _, l := range held {
		if s.leases[l.run] == l {
			delete(s.leases, l.run)
		}
	}
	s.mu.Unlock()
	if len(held) == 0 {
		return nil
	}
	err := s.change(func(t *tx) error {
		for _, l := range held {
			if _, err := t.exec(`DELETE FROM leases WHERE run = (SELECT key FROM runs WHERE id = ?) AND token = ?`, l.run, l.token); err != nil {
				return err
			}
		}
		return nil
	})
	return ifNot(err, errClosed) // closing has released it
}

// token is that of the lease held here, nil for none.
func (s *Store) token(run string) any {
	s.mu.Lock()
	defer s.mu.Unlock()
	if l := s.leases[run]; l != nil {
		return l.token
	}
	return nil
}

// ownership is a run's key and Seq with its lease, token "" for none.
type ownership struct {
	key, seq int64
	token    string
	owner    store.Owner
}

// driver names the owner, "" for none.
func (o ownership) driver() string {
	if o.token == "" {
		return ""
	}
	return fmt.Sprintf(" by process %d on %s, last heard of %s", o.owner.PID, o.owner.Host, o.owner.Beat.Format(time.RFC3339))
}

const selectOwnership = `SELECT key, seq, coalesce(token, ''), coalesce(host, ''), coalesce(pid, 0), coalesce(boot, ''), coalesce(started, ''), beat
	FROM runs LEFT JOIN leases ON run = key WHERE id = ?`

// ownershipOf reads through get, which scans the one row of a query.
func ownershipOf(run string, get func(query string, args []any, into ...any) error) (o ownership, err error) {
	var beat sql.NullInt64
	err = get(selectOwnership, []any{run}, &o.key, &o.seq, &o.token, &o.owner.Host, &o.owner.PID, &o.owner.Boot, &o.owner.Started, &beat)
	if errors.Is(err, sql.ErrNoRows) {
		return o, fmt.Errorf("run %s: %w", run, store.ErrUnknownRun)
	}
	o.owner.Beat = timeOf(beat)
	return o, err
}

func (t *tx) ownership(run string) (ownership, error) { return ownershipOf(run, t.get) }

// Own implements store.Store.
func (s *Store) Own(run string) (store.Lease, error) {
	l := &lease{s, run, rand.Text()}
	err := s.change(func(t *tx) error {
		o, err := t.ownership(run)
		if err != nil {
			return err
		}
		if o.token != "" && s.here.lives(o.owner) {
			return &store.OwnedError{Run: run, Owner: o.owner}
		}
		h := s.here
		_, err = t.exec(`INSERT OR REPLACE INTO leases (run, token, host, pid, boot, started, beat) VALUES (?, ?, ?, ?, ?, ?, ?)`,
			o.key, l.token, h.Host, h.PID, h.Boot, h.Started, h.now().UnixNano())
		return err
	})
	if err != nil {
		return nil, err
	}
	s.hold(l)
	return l, nil
}

// hold renews a lease from now on.
func (s *Store) hold(l *lease) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.leases[l.run] = l
	if !s.beating && !s.closed {
		s.beating = true
		s.workers.Go(s.beat)
	}
}

func (s *Store) beat() {
	ticker := time.NewTicker(beatEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			// One that fails is tried again; the lease holds as long as its
			// process lives, or for the time of silence elsewhere.
			_ = s.change(s.renew)
		case <-s.quit:
			return
		}
	}
}

func (s *Store) renew(t *tx) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.here.now().UnixNano()
	for _, l := range s.leases {
		if _, err := t.exec(`UPDATE leases SET beat = ? WHERE run = (SELECT key FROM runs WHERE id = ?) AND token = ?`, now, l.run, l.token); err != nil {
			return err
		}
	}
	return nil
}

// Owner implements store.Store.
func (s *Store) Owner(run string) (store.Owner, bool, error) {
	o, err := ownershipOf(run, func(query string, args []any, into ...any) error {
		return s.reads.QueryRow(query, args...).Scan(into...)
	})
	switch {
	case errors.Is(err, store.ErrUnknownRun):
		return store.Owner{}, false, nil
	case err != nil:
		return store.Owner{}, false, s.fault(err)
	case o.token == "" || !s.here.lives(o.owner):
		return store.Owner{}, false, nil
	}
	return o.owner, true, nil
}
