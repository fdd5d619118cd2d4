package sqlite

import (
	"errors"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"iterion/runtime/store"
)

func TestWhoLives(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	here := machine{
		Owner: store.Owner{Host: "here", PID: 1, Boot: "boot", Started: "ns/1"},
		now:   func() time.Time { return now },
		started: func(pid int) (string, bool) {
			return map[int]string{10: "100", 11: "111"}[pid], pid == 10
		},
	}
	for name, c := range map[string]struct {
		owner store.Owner
		want  bool
	}{
		"none":                            {store.Owner{}, false},
		"runs, long silent":               {store.Owner{Host: "here", PID: 10, Boot: "boot", Started: "ns/100"}, true},
		"its number was given again":      {store.Owner{Host: "here", PID: 10, Boot: "boot", Started: "ns/99", Beat: now}, false},
		"gone":                            {store.Owner{Host: "here", PID: 12, Boot: "boot", Started: "ns/100", Beat: now}, false},
		"dead, not collected":             {store.Owner{Host: "here", PID: 11, Boot: "boot", Started: "ns/111", Beat: now}, false},
		"before the last boot":            {store.Owner{Host: "here", PID: 10, Boot: "other", Started: "ns/100", Beat: now}, false},
		"another container, beating":      {store.Owner{Host: "here", PID: 10, Boot: "boot", Started: "other/1", Beat: now.Add(-silence)}, true},
		"another container, silent":       {store.Owner{Host: "here", PID: 10, Boot: "boot", Started: "other/100", Beat: now.Add(-silence - 1)}, false},
		"another host, beating":           {store.Owner{Host: "there", PID: 10, Boot: "other", Started: "ns/100", Beat: now.Add(-silence)}, true},
		"another host, silent":            {store.Owner{Host: "there", PID: 10, Boot: "other", Started: "ns/100", Beat: now.Add(-silence - 1)}, false},
		"another host, from the future":   {store.Owner{Host: "there", PID: 10, Beat: now.Add(silence + 1)}, false},
		"another host, a clock off a bit": {store.Owner{Host: "there", PID: 10, Beat: now.Add(silence)}, true},
	} {
		if got := here.lives(c.owner); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	us := thisMachine()
	us.Beat = time.Time{}
	if !us.lives(us.Owner) || us.Host == "" || us.PID != os.Getpid() {
		t.Errorf("this process is dead: %+v", us.Owner)
	}
}

func on(t *testing.T, dir, host string) *Store {
	t.Helper()
	here := thisMachine()
	here.Host = host
	s, err := open(dir, true, here)
	must(t, err)
	t.Cleanup(func() { must(t, s.Close()) })
	return s
}

func TestLeaseHoldsWhileItsOwnerIsHeardOf(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		ours, theirs := on(t, dir, "ours"), on(t, dir, "theirs")
		must(t, ours.Create(store.Run{ID: "r"}))
		lease, err := ours.Own("r")
		must(t, err)
		time.Sleep(time.Hour)
		var owned *store.OwnedError
		if _, err := theirs.Own("r"); !errors.As(err, &owned) || owned.Owner.Host != "ours" || owned.Owner.PID != os.Getpid() || time.Since(owned.Owner.Beat) > 2*beatEvery {
			t.Fatalf("%v", err)
		}
		named(t, theirs.Append("r", transition("r", 0)...), store.ErrLost, "run r", "on ours")
		must(t, lease.Release())
		must(t, theirs.Append("r", transition("r", 0)...))
	})
}

// An owner that was asleep for so long that another took the run over writes
// nothing any more, and gives nothing free.
func TestOwnerThatSleptCannotWrite(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		ours, theirs := on(t, dir, "ours"), on(t, dir, "theirs")
		must(t, ours.Create(store.Run{ID: "r"}))
		ours.beating = true // asleep
		lease, err := ours.Own("r")
		must(t, err)
		must(t, ours.Append("r", transition("r", 0)...))
		time.Sleep(silence + 1)
		taken, err := theirs.Own("r")
		must(t, err)
		named(t, ours.Append("r", transition("r", 3)...), store.ErrLost, "run r", "taken over by process", "on theirs")
		must(t, ours.change(ours.renew))
		must(t, lease.Release())
		if owner, live, err := ours.Owner("r"); err != nil || !live || owner.Host != "theirs" {
			t.Fatalf("%+v, %v, %v", owner, live, err)
		}
		must(t, taken.Release())
		must(t, ours.Append("r", transition("r", 3)...))
	})
}

// A lease that was taken over and given back is lost all the same.
func TestLeaseGivenBackIsLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		ours, theirs := on(t, dir, "ours"), on(t, dir, "theirs")
		must(t, ours.Create(store.Run{ID: "r"}))
		ours.beating = true
		must(t, second(ours.Own("r")))
		time.Sleep(silence + 1)
		taken, err := theirs.Own("r")
		must(t, err)
		must(t, taken.Release())
		named(t, ours.Append("r", transition("r", 0)...), store.ErrLost)
	})
}

func TestClosingReleases(t *testing.T) {
	dir := t.TempDir()
	s := opened(t, dir)
	must(t, s.Create(store.Run{ID: "r"}))
	must(t, second(s.Own("r")))
	other := opened(t, dir)
	var owned *store.OwnedError
	if err := other.Remove("r"); !errors.As(err, &owned) {
		t.Fatal(err)
	}
	must(t, s.Close())
	must(t, other.Remove("r"))
}
