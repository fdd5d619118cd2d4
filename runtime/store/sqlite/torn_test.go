package sqlite

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"iterion/runtime/store"
)

// A log whose end is torn off anywhere, or scribbled over, holds whole batches
// up to some point; what is appended follows the last of them, under its own
// number, and all of it is read again.
func TestTornEnd(t *testing.T) {
	dir := t.TempDir()
	s := opened(t, dir)
	must(t, s.Create(store.Run{ID: "r"}))
	_, err := s.writer.conn.ExecContext(background, "PRAGMA wal_checkpoint(TRUNCATE)")
	must(t, err)
	var want []store.Event
	for at := int64(0); at < 36; at += 3 {
		batch := transition("r", at)
		must(t, s.Append("r", batch...))
		want = append(want, batch...)
	}
	whole, err := os.ReadFile(filepath.Join(dir, fileName))
	must(t, err)
	log, err := os.ReadFile(filepath.Join(dir, fileName+"-wal"))
	must(t, err)
	const frame = 24 + 4096
	random := rand.New(rand.NewPCG(1, 2))
	cuts := []int{0, 1, 31, 32, 33, len(log) - 1, len(log)}
	for at := 32; at < len(log); at += frame {
		cuts = append(cuts, at, at+1, at+24, at+24+random.IntN(4096))
	}
	seen := map[int]bool{}
	for _, cut := range cuts {
		for _, tail := range []int{0, 1 + random.IntN(2*frame)} {
			torn := append([]byte{}, log[:cut]...)
			for range tail {
				torn = append(torn, byte(random.Uint32()))
			}
			at := t.TempDir()
			must(t, os.WriteFile(filepath.Join(at, fileName), whole, 0o600))
			must(t, os.WriteFile(filepath.Join(at, fileName+"-wal"), torn, 0o600))
			seen[goesOn(t, at, want)] = true
		}
	}
	if len(seen) < 10 || !seen[len(want)] {
		t.Errorf("the cuts left these numbers of events: %v", seen)
	}
}

// goesOn holds that a store has a whole part of events, and appends to it. It
// returns how many there were.
func goesOn(t *testing.T, dir string, want []store.Event) int {
	t.Helper()
	s, err := Open(dir)
	must(t, err)
	got, err := s.Events("r", 0)
	must(t, err)
	n := len(got)
	if n%3 != 0 || n > len(want) || n > 0 && !reflect.DeepEqual(got, want[:n]) {
		t.Fatalf("%d events, not those that were written", n)
	}
	if r, err := s.Run("r"); err != nil || r.Seq != int64(n) {
		t.Fatalf("%+v, %v, %d events", r, err, n)
	}
	next := transition("r", int64(n))
	named(t, s.Append("r", transition("r", int64(n)+1)...), store.ErrOrder)
	must(t, s.Append("r", next...))
	must(t, s.Close())
	s, err = Open(dir)
	must(t, err)
	if got, err := s.Events("r", int64(n)); err != nil || !reflect.DeepEqual(got, next) {
		t.Fatalf("%d events behind %d, %v", len(got), n, err)
	}
	must(t, s.Close())
	return n
}
