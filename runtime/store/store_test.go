package store

import (
	"errors"
	"testing"
)

func TestMemoryAppendsAllOrNothing(t *testing.T) {
	var m Memory
	if err := m.Append("r", Event{Seq: 1}); !errors.Is(err, ErrUnknownRun) {
		t.Fatalf("a run that was not created: %v", err)
	}
	for _, id := range []string{"r", "other"} {
		if err := m.Create(Run{ID: id}); err != nil {
			t.Fatal(err)
		}
	}
	if err := m.Append("r", Event{Seq: 1}, Event{Seq: 2}); err != nil {
		t.Fatal(err)
	}
	if err := m.Append("r", Event{Seq: 3}, Event{Seq: 5}); !errors.Is(err, ErrOrder) {
		t.Fatalf("a gap: %v", err)
	}
	if err := m.Append("other", Event{Seq: 3}); !errors.Is(err, ErrOrder) {
		t.Fatalf("a new run starts at 1: %v", err)
	}
	events, err := m.Events("r", 0)
	if err != nil || len(events) != 2 || events[1].Seq != 2 {
		t.Fatalf("stored %v, %v", events, err)
	}
	if none, err := m.Events("unknown", 0); err != nil || len(none) != 0 {
		t.Fatalf("unknown run: %v, %v", none, err)
	}
}
