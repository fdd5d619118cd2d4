// Package store keeps runs. The events of a run are its whole truth:
// everything else is folded from them.
package store

import (
	"errors"
	"fmt"
	"time"

	"iterion/ir/outcome"
)

// Event is one line of a run's log. Data holds values only: nil, bool, int64,
// float64, string, []any and map[string]any; it is shared and never written to.
type Event struct {
	Seq      int64             `json:"seq"` // from 1, without gaps
	Time     time.Time         `json:"timestamp"`
	Type     outcome.EventType `json:"type"`
	RunID    string            `json:"run_id"`
	BranchID string            `json:"branch_id,omitempty"` // "" on the trunk
	NodeID   string            `json:"node_id,omitempty"`
	Data     map[string]any    `json:"data,omitempty"`
}

// Run is what is known of a run beside its events.
type Run struct {
	ID        string         `json:"id"`
	Parent    string         `json:"parent,omitempty"` // the run whose subbot it is
	Workflow  string         `json:"workflow_name"`
	Hash      string         `json:"workflow_hash"`
	File      string         `json:"file_path"` // of the program, absolute
	Workspace string         `json:"workspace"` // folder that the run was started in, absolute
	Program   []byte         `json:"-"`         // the compiled program as JSON, "" when not kept
	Status    outcome.Status `json:"status"`    // as the last event says
	Seq       int64          `json:"seq"`       // of the last event, 0 for none
	Created   time.Time      `json:"created_at"`
	Updated   time.Time      `json:"updated_at"` // time of the last event
}

// Owner is the process that drives a run.
type Owner struct {
	Host    string    `json:"host"`
	PID     int       `json:"pid"`
	Boot    string    `json:"boot_id"` // of the host, "" where it has none
	Started string    `json:"started"` // of the process, so that a number that was given again is known
	Beat    time.Time `json:"heartbeat"`
}

// The errors of a store, to be told apart with errors.Is. Their texts name the
// file and the cause; those about the file itself begin with a code for scripts.
var (
	// ErrOrder: events do not follow the last stored one: another process writes
	// to the same run.
	ErrOrder = errors.New("the events do not follow the last stored one")
	// ErrUnknownRun: there is no such run.
	ErrUnknownRun = errors.New("there is no such run")
	// ErrExists: the run exists already.
	ErrExists = errors.New("the run exists already")
	// ErrFull: there is no room left.
	ErrFull = errors.New("STORE_FULL: there is no room left on the device")
	// ErrReadOnly: the store cannot be written to.
	ErrReadOnly = errors.New("STORE_READ_ONLY: the store is read-only")
	// ErrCorrupt: the store's file is damaged.
	ErrCorrupt = errors.New("STORE_CORRUPT: the store is damaged")
	// ErrNewer: a newer build wrote the store.
	ErrNewer = errors.New("STORE_NEWER: the store was written by a newer build")
	// ErrNone: there is no store where one was expected.
	ErrNone = errors.New("STORE_MISSING: there is no store")
	// ErrBusy: another process kept the store locked for too long.
	ErrBusy = errors.New("STORE_BUSY: another process keeps the store locked")
	// ErrLost: the run is not this process's to write to, any more or at all.
	ErrLost = errors.New("the lease of the run is not held here")
)

// OwnedError tells that a live process drives the run.
type OwnedError struct {
	Run   string
	Owner Owner
}

func (e *OwnedError) Error() string {
	return fmt.Sprintf("run %s is driven by process %d on %s, last heard of %s", e.Run, e.Owner.PID, e.Owner.Host, e.Owner.Beat.Format(time.RFC3339))
}

// Lease is the right to drive a run. It is renewed until it is released.
type Lease interface {
	// Release gives the run free. It may be called twice.
	Release() error
}

// Store keeps runs. It is safe for concurrent use, and several processes may
// have one open.
type Store interface {
	// Create adds a run without events. The error is ErrExists for a known id.
	Create(r Run) error
	// Append adds the events, all or none, durably. Their Seq must go on from the
	// last stored one (1 for a new run), else the error is ErrOrder. A run that
	// has an owner takes events from the owner's store only: the error is ErrLost,
	// for an owner that was taken over, too.
	Append(run string, events ...Event) error
	// Events returns a run's events behind a Seq in order, none for an unknown
	// run.
	Events(run string, after int64) ([]Event, error)
	// Run returns one run; the error is ErrUnknownRun.
	Run(id string) (Run, error)
	// Runs lists all runs, the newest first, without their Programs.
	Runs() ([]Run, error)
	// Remove forgets runs that nobody drives, with all that belongs to them; the
	// error is ErrUnknownRun or an *OwnedError, and nothing is removed then.
	Remove(ids ...string) error
	// Own takes the lease of a run. A lease whose owner is dead is taken over;
	// the error is an *OwnedError when it lives.
	Own(run string) (Lease, error)
	// Owner returns the live process that drives a run.
	Owner(run string) (Owner, bool, error)
	// Close ends the use of the store; its leases are released.
	Close() error
}
