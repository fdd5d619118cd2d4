package filelock

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestOneHolder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	first, err := Try(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Try(path); !errors.Is(err, ErrHeld) {
		t.Fatalf("a second holder: %v", err)
	}
	got := make(chan error)
	go func() {
		l, err := Acquire(t.Context(), path)
		if err == nil {
			l.Release()
		}
		got <- err
	}()
	first.Release()
	first.Release()
	if err := <-got; err != nil {
		t.Fatal(err)
	}
}

func TestAcquireEndsWithItsContext(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	held, err := Try(path)
	if err != nil {
		t.Fatal(err)
	}
	defer held.Release()
	why := errors.New("no more time")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(why)
	if _, err := Acquire(ctx, path); !errors.Is(err, why) {
		t.Fatalf("got %v", err)
	}
}

func TestOwns(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	l, err := Try(path)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Release()
	if !l.Owns(path) {
		t.Error("a fresh lock does not own its file")
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if l.Owns(path) {
		t.Error("a lock owns a removed file")
	}
}
