// Package storetest holds a store against what store.Store promises.
package storetest

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"iterion/ir/outcome"
	"iterion/runtime/store"
)

// Run tests stores that open makes: empty ones, each for itself.
func Run(t *testing.T, open func(t *testing.T) store.Store) {
	for name, test := range map[string]func(*testing.T, store.Store){
		"runs": runs, "order": order, "events": events, "status": status, "remove": remove,
		"leases": leases, "parallel runs": parallelRuns, "one run, many writers": manyWriters, "close": closing,
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t)
			defer s.Close()
			test(t, s)
		})
	}
}

var noon = time.Date(2026, 3, 1, 12, 0, 0, 123456789, time.UTC)

// Event makes the event of a Seq.
func Event(run string, seq int64) store.Event {
	return store.Event{
		Seq: seq, Time: noon.Add(time.Duration(seq) * time.Millisecond), Type: outcome.NodeStarted, RunID: run,
		NodeID: "n", Data: map[string]any{"iteration": seq, "input": map[string]any{"text": fmt.Sprintf("%s %d", run, seq)}},
	}
}

func create(t *testing.T, s store.Store, ids ...string) {
	t.Helper()
	for i, id := range ids {
		if err := s.Create(store.Run{ID: id, Created: noon.Add(time.Duration(i) * time.Second)}); err != nil {
			t.Fatal(err)
		}
	}
}

func add(t *testing.T, s store.Store, run string, events ...store.Event) {
	t.Helper()
	if err := s.Append(run, events...); err != nil {
		t.Fatal(err)
	}
}

func holds(t *testing.T, s store.Store, run string, after int64, want []store.Event) {
	t.Helper()
	got, err := s.Events(run, after)
	if err != nil || !(len(got) == 0 && len(want) == 0 || reflect.DeepEqual(got, want)) {
		t.Fatalf("run %s after %d holds %v, %v; want %v", run, after, got, err, want)
	}
}

// refused asserts that an error is the one that is meant and names the run.
func refused(t *testing.T, err, want error, run string) {
	t.Helper()
	if !errors.Is(err, want) || !strings.Contains(err.Error(), run) {
		t.Fatalf("%v is no %q that names %s", err, want, run)
	}
}

func runs(t *testing.T, s store.Store) {
	first := store.Run{
		ID: "first", Parent: "above", Workflow: "w", Hash: "h", File: "/f.bot", Workspace: "/work",
		Program: []byte(`{"a":1}`), Created: noon,
	}
	if err := s.Create(first); err != nil {
		t.Fatal(err)
	}
	refused(t, s.Create(store.Run{ID: "first"}), store.ErrExists, "first")
	if err := s.Create(store.Run{ID: "second", Created: noon.Add(time.Nanosecond)}); err != nil {
		t.Fatal(err)
	}
	first.Status = outcome.Queued
	if got, err := s.Run("first"); err != nil || !reflect.DeepEqual(got, first) {
		t.Fatalf("%+v, %v", got, err)
	}
	_, err := s.Run("third")
	refused(t, err, store.ErrUnknownRun, "third")
	list, err := s.Runs()
	if err != nil || len(list) != 2 || list[0].ID != "second" || list[1].ID != "first" || list[1].Program != nil || list[1].Workflow != "w" {
		t.Fatalf("%+v, %v", list, err)
	}
}

func order(t *testing.T, s store.Store) {
	refused(t, s.Append("r", Event("r", 1)), store.ErrUnknownRun, "r")
	create(t, s, "r", "other")
	add(t, s, "r", Event("r", 1), Event("r", 2))
	for _, wrong := range [][]int64{{3, 5}, {4}, {2}, {3, 3}, {0}} {
		var batch []store.Event
		for _, seq := range wrong {
			batch = append(batch, Event("r", seq))
		}
		refused(t, s.Append("r", batch...), store.ErrOrder, "r")
	}
	refused(t, s.Append("other", Event("other", 2)), store.ErrOrder, "other")
	add(t, s, "r")
	refused(t, s.Append("third"), store.ErrUnknownRun, "third")
	holds(t, s, "r", 0, []store.Event{Event("r", 1), Event("r", 2)})
	holds(t, s, "other", 0, nil)
	add(t, s, "r", Event("r", 3))
	holds(t, s, "r", 2, []store.Event{Event("r", 3)})
}

func events(t *testing.T, s store.Store) {
	create(t, s, "r")
	list := []store.Event{
		{Seq: 1, RunID: "r", Type: outcome.RunStarted},
		{Seq: 2, RunID: "r", Type: "of another build", Time: noon, BranchID: "fan_b1/in\"ner", NodeID: "né", Data: map[string]any{}},
		{Seq: 3, RunID: "r", Type: outcome.NodeFinished, Time: noon, NodeID: "n", Data: map[string]any{
			"int": int64(1), "float": 1.0, "zero": 0.0, "large": 1e300, "no": nil, "yes": true, "": "empty key",
			"text": "line\nquote\" back\\slash \x00 \xff é 💡 </script>", "list": []any{int64(-1), []any{}, map[string]any{}},
			"big": strings.Repeat("long ", 300_000),
		}},
	}
	add(t, s, "r", list...)
	for after := range int64(5) {
		holds(t, s, "r", after, list[min(int(after), 3):])
	}
	holds(t, s, "unknown", 0, nil)
}

func status(t *testing.T, s store.Store) {
	create(t, s, "r")
	for i, step := range []struct {
		kind outcome.EventType
		data map[string]any
		want outcome.Status
	}{
		{outcome.RunStarted, nil, outcome.Running},
		{outcome.NodeStarted, nil, outcome.Running},
		{outcome.RunPaused, map[string]any{"status": "paused_waiting_human"}, outcome.PausedHuman},
		{outcome.RunResumed, nil, outcome.Running},
		{outcome.RunFailed, nil, outcome.FailedResumable},
		{outcome.RunFailed, map[string]any{"final": true}, outcome.Failed},
		{outcome.RunCancelled, nil, outcome.CancelledRun},
		{outcome.RunFinished, nil, outcome.Finished},
	} {
		e := Event("r", int64(i+1))
		e.Type, e.Data = step.kind, step.data
		add(t, s, "r", e)
		if r, err := s.Run("r"); err != nil || r.Status != step.want || r.Seq != e.Seq || !r.Updated.Equal(e.Time) {
			t.Fatalf("after %s the run is %+v, %v", step.kind, r, err)
		}
	}
}

func remove(t *testing.T, s store.Store) {
	create(t, s, "a", "b", "c")
	add(t, s, "a", Event("a", 1))
	refused(t, s.Remove("a", "unknown"), store.ErrUnknownRun, "unknown")
	lease, err := s.Own("b")
	if err != nil {
		t.Fatal(err)
	}
	var owned *store.OwnedError
	if err := s.Remove("a", "b"); !errors.As(err, &owned) || owned.Run != "b" {
		t.Fatalf("a run that is driven: %v", err)
	}
	holds(t, s, "a", 0, []store.Event{Event("a", 1)})
	if err := lease.Release(); err != nil {
		t.Fatal(err)
	}
	if err := s.Remove("a", "b"); err != nil {
		t.Fatal(err)
	}
	list, err := s.Runs()
	if err != nil || len(list) != 1 || list[0].ID != "c" {
		t.Fatalf("%v, %v are left", list, err)
	}
	create(t, s, "a")
	holds(t, s, "a", 0, nil)
	add(t, s, "a", Event("a", 1))
}

func leases(t *testing.T, s store.Store) {
	_, err := s.Own("r")
	refused(t, err, store.ErrUnknownRun, "r")
	create(t, s, "r", "other")
	lease, err := s.Own("r")
	if err != nil {
		t.Fatal(err)
	}
	add(t, s, "r", Event("r", 1))
	var owned *store.OwnedError
	if _, err := s.Own("r"); !errors.As(err, &owned) || owned.Run != "r" {
		t.Fatalf("taken twice: %v", err)
	}
	for run, want := range map[string]bool{"r": true, "other": false, "unknown": false} {
		if _, live, err := s.Owner(run); err != nil || live != want {
			t.Fatalf("%s is driven: %v, %v", run, live, err)
		}
	}
	for range 2 {
		if err := lease.Release(); err != nil {
			t.Fatal(err)
		}
	}
	if _, live, err := s.Owner("r"); err != nil || live {
		t.Fatalf("released, but driven: %v, %v", live, err)
	}
	again, err := s.Own("r")
	if err != nil {
		t.Fatal(err)
	}
	if err := lease.Release(); err != nil {
		t.Fatal(err)
	}
	if _, live, err := s.Owner("r"); err != nil || !live {
		t.Fatalf("an old lease gave the new one free: %v, %v", live, err)
	}
	if err := again.Release(); err != nil {
		t.Fatal(err)
	}
}

func parallelRuns(t *testing.T, s store.Store) {
	const writers, batches = 8, 20
	var group sync.WaitGroup
	want := make([][]store.Event, writers)
	for w := range writers {
		run := fmt.Sprint("run ", w)
		create(t, s, run)
		group.Go(func() {
			lease, err := s.Own(run)
			if err != nil {
				t.Error(err)
				return
			}
			defer lease.Release()
			for range batches {
				at := int64(len(want[w]))
				batch := []store.Event{Event(run, at+1), Event(run, at+2)}
				if err := s.Append(run, batch...); err != nil {
					t.Error(err)
				}
				want[w] = append(want[w], batch...)
				if got, err := s.Events(run, at); err != nil || !reflect.DeepEqual(got, batch) {
					t.Errorf("%s holds %v, %v", run, got, err)
				}
			}
		})
	}
	group.Wait()
	for w := range writers {
		holds(t, s, fmt.Sprint("run ", w), 0, want[w])
	}
}

// Of writers to one run, one is next; the others are refused.
func manyWriters(t *testing.T, s store.Store) {
	create(t, s, "r")
	const rounds = 20
	for seq := int64(1); seq <= rounds; seq++ {
		errs := make([]error, 4)
		var group sync.WaitGroup
		for i := range errs {
			group.Go(func() { errs[i] = s.Append("r", Event("r", seq)) })
		}
		group.Wait()
		won := slices.DeleteFunc(errs, func(err error) bool { return errors.Is(err, store.ErrOrder) })
		if len(won) != 1 || won[0] != nil {
			t.Fatalf("event %d was taken from %v", seq, won)
		}
	}
	if got, err := s.Events("r", 0); err != nil || len(got) != rounds {
		t.Fatalf("%d events, %v", len(got), err)
	}
}

func closing(t *testing.T, s store.Store) {
	create(t, s, "r")
	if _, err := s.Own("r"); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
