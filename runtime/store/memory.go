package store

import (
	"fmt"
	"slices"
	"sync"

	"iterion/ir/outcome"
)

// Memory is a Store that lives as long as the process. The zero value is ready.
type Memory struct {
	mu   sync.Mutex
	runs map[string]*memoryRun
}

type memoryRun struct {
	Run
	events []Event
	owned  bool
}

// Create implements Store.
func (m *Memory) Create(r Run) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.runs[r.ID] != nil {
		return fmt.Errorf("run %s: %w", r.ID, ErrExists)
	}
	if m.runs == nil {
		m.runs = map[string]*memoryRun{}
	}
	r.Status = outcome.Queued
	m.runs[r.ID] = &memoryRun{Run: r}
	return nil
}

// Append implements Store.
func (m *Memory) Append(run string, events ...Event) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	r := m.runs[run]
	if r == nil {
		return fmt.Errorf("run %s: %w", run, ErrUnknownRun)
	}
	for i, e := range events {
		if e.Seq != r.Seq+int64(i)+1 {
			return fmt.Errorf("run %s, event %d after %d: %w", run, e.Seq, r.Seq+int64(i), ErrOrder)
		}
	}
	for _, e := range events {
		r.Seq, r.Updated = e.Seq, e.Time
		if status, ok := StatusAfter(e); ok {
			r.Status = status
		}
	}
	r.events = append(r.events, events...)
	return nil
}

// StatusAfter is the status that an event gives its run; ok is false when it
// leaves the status as it was.
func StatusAfter(e Event) (status outcome.Status, ok bool) {
	switch e.Type {
	case outcome.RunStarted, outcome.RunResumed:
		return outcome.Running, true
	case outcome.RunFinished:
		return outcome.Finished, true
	case outcome.RunCancelled:
		return outcome.CancelledRun, true
	case outcome.RunPaused:
		word, _ := e.Data["status"].(string)
		return outcome.Status(word), true
	case outcome.RunFailed:
		if final, _ := e.Data["final"].(bool); final {
			return outcome.Failed, true
		}
		return outcome.FailedResumable, true
	}
	return "", false
}

// Events implements Store.
func (m *Memory) Events(run string, after int64) ([]Event, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	r := m.runs[run]
	if r == nil || after >= int64(len(r.events)) {
		return nil, nil
	}
	return slices.Clone(r.events[max(0, after):]), nil
}

// Run implements Store.
func (m *Memory) Run(id string) (Run, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if r := m.runs[id]; r != nil {
		return r.Run, nil
	}
	return Run{}, fmt.Errorf("run %s: %w", id, ErrUnknownRun)
}

// Runs implements Store.
func (m *Memory) Runs() ([]Run, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	list := []Run{}
	for _, r := range m.runs {
		r := r.Run
		r.Program = nil
		list = append(list, r)
	}
	slices.SortFunc(list, func(a, b Run) int { return b.Created.Compare(a.Created) })
	return list, nil
}

// Remove implements Store.
func (m *Memory) Remove(ids ...string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, id := range ids {
		switch r := m.runs[id]; {
		case r == nil:
			return fmt.Errorf("run %s: %w", id, ErrUnknownRun)
		case r.owned:
			return &OwnedError{Run: id}
		}
	}
	for _, id := range ids {
		delete(m.runs, id)
	}
	return nil
}

// Own implements Store.
func (m *Memory) Own(run string) (Lease, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	r := m.runs[run]
	switch {
	case r == nil:
		return nil, fmt.Errorf("run %s: %w", run, ErrUnknownRun)
	case r.owned:
		return nil, &OwnedError{Run: run}
	}
	r.owned = true
	return release(sync.OnceFunc(func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		r.owned = false
	})), nil
}

// Owner implements Store.
func (m *Memory) Owner(run string) (Owner, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	r := m.runs[run]
	return Owner{}, r != nil && r.owned, nil
}

// Close implements Store.
func (m *Memory) Close() error { return nil }

// release is a lease that a function ends.
type release func()

func (r release) Release() error {
	r()
	return nil
}
