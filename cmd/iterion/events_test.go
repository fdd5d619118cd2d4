package main

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"iterion/ir/outcome"
	"iterion/runtime"
	"iterion/runtime/store"
)

// following follows a run of a store in memory and returns what was printed when
// it ended, with the error.
func following(t *testing.T, ctx context.Context, m *store.Memory, meanwhile func()) (seqs []int64, err error) {
	t.Helper()
	f := follower{Store: m, run: "r", print: func(e store.Event) error {
		seqs = append(seqs, e.Seq)
		return nil
	}}
	done := make(chan struct{})
	tick := time.NewTicker(followEvery)
	defer tick.Stop()
	go func() {
		defer close(done)
		err = f.follow(ctx, tick.C)
	}()
	meanwhile()
	<-done
	return seqs, err
}

func appended(t *testing.T, m *store.Memory, seq int64, kind outcome.EventType) {
	t.Helper()
	if err := m.Append("r", runtime.Event{Seq: seq, Type: kind, RunID: "r"}); err != nil {
		t.Fatal(err)
	}
}

func created(t *testing.T) *store.Memory {
	t.Helper()
	m := &store.Memory{}
	if err := m.Create(store.Run{ID: "r"}); err != nil {
		t.Fatal(err)
	}
	return m
}

// Events are printed once each as they come, to the last one.
func TestFollow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := created(t)
		lease, err := m.Own("r")
		if err != nil {
			t.Fatal(err)
		}
		seqs, err := following(t, t.Context(), m, func() {
			for seq, kind := range []outcome.EventType{outcome.RunStarted, outcome.NodeStarted, outcome.NodeFinished, outcome.RunFinished} {
				time.Sleep(3 * followEvery)
				appended(t, m, int64(seq)+1, kind)
			}
			if err := lease.Release(); err != nil {
				t.Error(err)
			}
		})
		if err != nil || !slices.Equal(seqs, []int64{1, 2, 3, 4}) {
			t.Errorf("%v, %v", seqs, err)
		}
	})
}

// A run whose process died is not waited for, and Ctrl-C is no failure.
func TestFollowEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := created(t)
		appended(t, m, 1, outcome.RunStarted)
		seqs, err := following(t, t.Context(), m, func() {})
		var s *status
		if !errors.As(err, &s) || s.code != exitFailed || len(seqs) != 1 {
			t.Errorf("a dead owner: %v, %v", seqs, err)
		}
		if _, err := m.Own("r"); err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(t.Context())
		if _, err := following(t, ctx, m, func() { time.Sleep(time.Hour); stop() }); err != nil {
			t.Errorf("Ctrl-C: %v", err)
		}
	})
}
