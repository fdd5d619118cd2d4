// Package store keeps the events of runs. The events are the whole truth of a
// run: everything else is folded from them.
package store

import (
	"errors"
	"fmt"
	"sync"
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

// ErrOrder is what Append answers when events do not follow the last stored
// one: another process writes to the same run.
var ErrOrder = errors.New("the events do not follow the last stored one")

// Store keeps events by run. It is safe for concurrent use.
type Store interface {
	// Append adds the events, all or none. Their Seq must go on from the last
	// stored one (1 for a new run), else the error is ErrOrder.
	Append(run string, events ...Event) error
	// Events returns a run's events in order, none for an unknown run.
	Events(run string) ([]Event, error)
}

// Memory is a Store that lives as long as the process. The zero value is ready.
type Memory struct {
	mu   sync.Mutex
	runs map[string][]Event
}

// Append implements Store.
func (m *Memory) Append(run string, events ...Event) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	last := int64(len(m.runs[run]))
	for i, e := range events {
		if e.Seq != last+int64(i)+1 {
			return fmt.Errorf("run %s, event %d after %d: %w", run, e.Seq, last+int64(i), ErrOrder)
		}
	}
	if m.runs == nil {
		m.runs = map[string][]Event{}
	}
	m.runs[run] = append(m.runs[run], events...)
	return nil
}

// Events implements Store.
func (m *Memory) Events(run string) ([]Event, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]Event(nil), m.runs[run]...), nil
}
