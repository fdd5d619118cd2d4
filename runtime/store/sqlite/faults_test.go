package sqlite

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"iterion/ir/outcome"
	"iterion/runtime/store"
)

// recorded makes a store with runs of 60 events each and returns its folder and
// what is in it.
func recorded(t testing.TB) (dir string, events map[string][]store.Event) {
	t.Helper()
	dir, events = t.TempDir(), map[string][]store.Event{}
	s := opened(t, dir)
	for _, run := range []string{"first", "second", "third"} {
		must(t, s.Create(store.Run{ID: run}))
		for at := int64(0); at < 60; at += 3 {
			batch := transition(run, at)
			must(t, s.Append(run, batch...))
			events[run] = append(events[run], batch...)
		}
	}
	must(t, s.Close())
	return dir, events
}

// change opens the file behind the store's back.
func onFile(t testing.TB, dir, statements string) {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(dir, fileName))
	must(t, err)
	defer db.Close()
	_, err = db.Exec(statements)
	must(t, err)
}

func TestWhatIsNoStoreIsRefused(t *testing.T) {
	other := func(statements string) func(*testing.T, string) {
		return func(t *testing.T, path string) {
			must(t, os.Remove(path))
			onFile(t, filepath.Dir(path), statements)
		}
	}
	changed := func(statements string) func(*testing.T, string) {
		return func(t *testing.T, path string) { onFile(t, filepath.Dir(path), statements) }
	}
	for _, c := range []struct {
		name string
		make func(t *testing.T, path string)
		want error
		says string
	}{
		{"garbage", func(t *testing.T, path string) {
			must(t, os.WriteFile(path, []byte(strings.Repeat("garbage ", 2000)), 0o600))
		}, store.ErrCorrupt, "not a database"},
		{"a folder", func(t *testing.T, path string) { must(t, errors.Join(os.Remove(path), os.Mkdir(path, 0o700))) }, store.ErrCorrupt, "it is no file"},
		{"a link", func(t *testing.T, path string) {
			must(t, errors.Join(os.Rename(path, path+"2"), os.Symlink(path+"2", path)))
		}, store.ErrCorrupt, "it is no file"},
		{"half of it", func(t *testing.T, path string) { must(t, os.Truncate(path, 20000)) }, store.ErrCorrupt, "malformed"},
		{"less than a page", func(t *testing.T, path string) { must(t, os.Truncate(path, 700)) }, store.ErrCorrupt, "put a copy back"},
		{"another program's", other("CREATE TABLE moz_places (id)"), store.ErrCorrupt, "another program's"},
		{"another program's with a version", other("PRAGMA user_version = 1"), store.ErrCorrupt, "another program's"},
		{"a trigger in it", changed("CREATE TRIGGER t AFTER INSERT ON events BEGIN DELETE FROM runs; END"), store.ErrCorrupt, "triggers"},
		{"a view in it", changed("CREATE VIEW v AS SELECT 1"), store.ErrCorrupt, "triggers or views"},
		{"a newer one", changed("PRAGMA user_version = 7"), store.ErrNewer, fmt.Sprintf("its version is 7, this build reads up to %d", len(migrations))},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir, _ := recorded(t)
			path := filepath.Join(dir, fileName)
			c.make(t, path)
			before, _ := os.ReadFile(path)
			named(t, second(Open(dir)), c.want, path, c.says)
			named(t, second(OpenExisting(dir)), c.want, path, c.says)
			if after, _ := os.ReadFile(path); string(after) != string(before) {
				t.Error("the file was changed")
			}
		})
	}
}

// Whatever page of the file is lost, and whatever bit, what reads as events is
// what was written; all else is a named error.
func TestDamageIsNeverReadAsEvents(t *testing.T) {
	dir, want := recorded(t)
	healthy, err := os.ReadFile(filepath.Join(dir, fileName))
	must(t, err)
	const page = 4096
	damages := map[string]func([]byte){}
	for at := 0; at < len(healthy); at += page {
		damages[fmt.Sprintf("page at %d gone", at)] = func(file []byte) { clear(file[at : at+page]) }
		damages[fmt.Sprintf("page at %d garbage", at)] = func(file []byte) { copy(file[at:at+page], strings.Repeat("\xa5\x0d", page/2)) }
		for i := 7; i < page; i += 1021 {
			damages[fmt.Sprintf("bit at %d", at+i)] = func(file []byte) { file[at+i] ^= 1 << (i % 8) }
		}
	}
	damaged, read := 0, 0
	for name, damage := range damages {
		file := append([]byte{}, healthy...)
		damage(file)
		at := filepath.Join(t.TempDir(), fileName)
		must(t, os.WriteFile(at, file, 0o600))
		s, err := Open(filepath.Dir(at))
		if err != nil {
			damaged++
			continue
		}
		for run, events := range want {
			got, err := s.Events(run, 0)
			_, unknown := s.Run(run) // the damage took the run itself away
			switch {
			case err != nil:
				named(t, err, store.ErrCorrupt, at)
				damaged++
			case errors.Is(unknown, store.ErrUnknownRun) && len(got) == 0:
				damaged++
			case !reflect.DeepEqual(got, events):
				t.Errorf("%s: run %s is silently another", name, run)
			default:
				read++
			}
		}
		_ = s.Close() // may meet the damage, too
	}
	if damaged == 0 || read < len(damages) {
		t.Fatalf("%d damages: %d found, %d runs still read", len(damages), damaged, read)
	}
}

func TestLostBlobsAreNamed(t *testing.T) {
	s := opened(t, t.TempDir())
	must(t, s.Create(store.Run{ID: "r"}))
	must(t, s.Append("r", event(1, outcome.NodeFinished, map[string]any{"text": large("x")})))
	must(t, s.Append("r", event(2, outcome.NodeFinished, nil)))
	file := s.blobs.path(blobNames(t, s)[0])
	must(t, os.WriteFile(file, []byte(large("y")+"  "), 0o600))
	named(t, second(s.Events("r", 0)), store.ErrCorrupt, file, "was changed")
	must(t, os.Remove(file))
	named(t, second(s.Events("r", 0)), store.ErrCorrupt, file, "is missing")
	if got, err := s.Events("r", 1); err != nil || len(got) != 1 {
		t.Fatalf("the healthy events: %v, %v", got, err)
	}
	must(t, os.WriteFile(s.blobs.folder+"2", nil, 0o600))
	must(t, os.Remove(s.blobs.folder))
	must(t, os.Rename(s.blobs.folder+"2", s.blobs.folder))
	err := s.Append("r", event(3, outcome.NodeFinished, map[string]any{"text": large("z")}))
	if err == nil || !strings.Contains(err.Error(), s.blobs.folder+": it is no folder") {
		t.Fatal(err)
	}
	must(t, s.Append("r", event(3, outcome.NodeFinished, nil)))
}

// A file that SQLite may not grow.
func TestFullFile(t *testing.T) {
	s := opened(t, t.TempDir())
	must(t, s.Create(store.Run{ID: "r"}))
	_, err := s.writer.conn.ExecContext(background, "PRAGMA max_page_count = 40")
	must(t, err)
	at := fillUp(t, s, "r")
	named(t, s.Create(store.Run{ID: "large", Program: make([]byte, maxInline)}), store.ErrFull, s.path)
	_, err = s.writer.conn.ExecContext(background, "PRAGMA max_page_count = 4000")
	must(t, err)
	must(t, s.Append("r", transition("r", at)...))
}

// fillUp appends until there is no room; what was taken is there then, all of
// it and nothing else. It returns the last Seq.
func fillUp(t testing.TB, s *Store, run string) int64 {
	t.Helper()
	var want []store.Event
	for {
		batch := transition(run, int64(len(want)))
		if err := s.Append(run, batch...); err != nil {
			named(t, err, store.ErrFull, s.path, "free some space")
			break
		}
		want = append(want, batch...)
	}
	if got, err := s.Events(run, 0); err != nil || !reflect.DeepEqual(got, want) {
		t.Fatalf("%d events of %d, %v", len(got), len(want), err)
	}
	if r, err := s.Run(run); err != nil || r.Seq != int64(len(want)) {
		t.Fatalf("%+v, %v", r, err)
	}
	return int64(len(want))
}
