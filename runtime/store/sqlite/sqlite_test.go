package sqlite

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"iterion/ir/outcome"
	"iterion/runtime/store"
	"iterion/runtime/store/storetest"
)

func opened(t testing.TB, dir string) *Store {
	t.Helper()
	s, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestStore(t *testing.T) {
	storetest.Run(t, func(t *testing.T) store.Store { return opened(t, t.TempDir()) })
}

func TestFolderIsOursAndKeptOutOfGit(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "deep", ".iterion")
	must(t, opened(t, dir).Close())
	for name, want := range map[string]os.FileMode{".": 0o700 | os.ModeDir, fileName: 0o600, ".gitignore": 0o600} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Mode() != want && os.PathSeparator == '/' {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
	if text, err := os.ReadFile(filepath.Join(dir, ".gitignore")); err != nil || string(text) != "*\n" {
		t.Errorf("%q, %v", text, err)
	}
	theirs := t.TempDir()
	must(t, opened(t, theirs).Close())
	if _, err := os.Stat(filepath.Join(theirs, ".gitignore")); err == nil {
		t.Error("a folder that was there got a .gitignore")
	}
}

func TestOpenExistingMakesNothing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "none")
	named(t, second(OpenExisting(dir)), store.ErrNone, dir, "--store")
	if _, err := os.Stat(dir); err == nil {
		t.Fatal("the folder was made")
	}
	must(t, os.Mkdir(dir, 0o700))
	must(t, os.WriteFile(filepath.Join(dir, fileName), nil, 0o600))
	named(t, second(OpenExisting(dir)), store.ErrNone, dir)
	must(t, opened(t, dir).Close())
	s, err := OpenExisting(dir)
	must(t, err)
	must(t, s.Create(store.Run{ID: "r"}))
	must(t, s.Close())
	named(t, s.Create(store.Run{ID: "late"}), errClosed, dir)
}

func second[T any](_ T, err error) error { return err }

// named asserts that an error is the one that is meant and its text says so.
func named(t testing.TB, err, want error, says ...string) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Fatalf("%v is no %q", err, want)
	}
	for _, part := range says {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%v does not say %s", err, part)
		}
	}
}

func TestRunsOutliveTheProcess(t *testing.T) {
	dir := t.TempDir()
	s := opened(t, dir)
	want := []store.Event{storetest.Event("r", 1), storetest.Event("r", 2)}
	must(t, s.Create(store.Run{ID: "r", Program: []byte("{}")}))
	must(t, s.Append("r", want...))
	other := opened(t, dir) // while the first one has it open
	for _, s := range []*Store{s, other} {
		if got, err := s.Events("r", 0); err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%v, %v", got, err)
		}
	}
	must(t, s.Close())
	must(t, other.Append("r", storetest.Event("r", 3)))
	must(t, other.Close())
	if r, err := opened(t, dir).Run("r"); err != nil || r.Seq != 3 || string(r.Program) != "{}" {
		t.Fatalf("%+v, %v", r, err)
	}
}

func TestManyOpenANewStoreAtOnce(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "s")
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			s, err := Open(dir)
			if err != nil {
				t.Error(err)
				return
			}
			if err := errors.Join(s.Create(store.Run{ID: string(rune('a' + i))}), s.Close()); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if list, err := opened(t, dir).Runs(); err != nil || len(list) != 8 {
		t.Fatalf("%d runs, %v", len(list), err)
	}
}

func event(seq int64, kind outcome.EventType, data map[string]any) store.Event {
	return store.Event{Seq: seq, Time: time.Unix(seq, 0).UTC(), Type: kind, RunID: "r", BranchID: "b", NodeID: "n", Data: data}
}

func TestWhatEventsSayIsListed(t *testing.T) {
	s := opened(t, t.TempDir())
	must(t, s.Create(store.Run{ID: "r"}))
	asked := map[string]any{"interaction_id": "i", "kind": "form", "instructions": "choose", "questions": []any{"q"}}
	granted := map[string]any{"interaction_id": "i", "answers": map[string]any{"a": int64(1)}, "grant": map[string]any{
		"tool": "Bash", "input": `{"command":"ls"}`, "scope": "similar", "by": "me"}}
	output := map[string]any{"text": "done"}
	must(t, s.Append("r",
		event(1, outcome.HumanInputRequested, asked),
		event(2, outcome.HumanInputRequested, map[string]any{"interaction_id": "open", "kind": "later"}),
		event(3, outcome.HumanAnswersRecorded, granted),
		event(4, outcome.ArtifactWritten, map[string]any{"publish": "report", "version": int64(0), "labels": []any{"l"}}),
		event(5, outcome.NodeFinished, map[string]any{"output": output, "session_slot": "s", "session_id": "old"}),
	))
	must(t, s.Append("r", event(6, outcome.ArtifactWritten, map[string]any{"publish": "report", "version": int64(1)})))
	artifacts, err := s.Artifacts("r")
	must(t, err)
	if len(artifacts) != 2 || artifacts[1].Finished {
		t.Fatalf("before the node's end: %+v", artifacts)
	}
	must(t, s.Append("r", event(7, outcome.NodeFinished, map[string]any{"output": output, "session_slot": "s", "session_id": "new"})))
	const sum = "23fb5c3482a5315f33eba760b84f175d7fb0ad91a527e5578baa1038a06482dd" // printf '{"text":"done"}' | sha256sum
	listed(t, s.Artifacts, []Artifact{
		{Name: "report", Node: "n", Branch: "b", Written: time.Unix(4, 0).UTC(), Labels: []any{"l"}, Finished: true, SHA256: sum, Size: 15, Value: output},
		{Name: "report", Node: "n", Branch: "b", Version: 1, Written: time.Unix(6, 0).UTC(), Finished: true, SHA256: sum, Size: 15, Value: output},
	})
	listed(t, s.Interactions, []Interaction{
		{ID: "i", Kind: "form", Node: "n", Branch: "b", Asked: time.Unix(1, 0).UTC(), Request: asked, Answered: time.Unix(3, 0).UTC(), Reply: granted},
		{ID: "open", Kind: "later", Node: "n", Branch: "b", Asked: time.Unix(2, 0).UTC(), Request: map[string]any{"interaction_id": "open", "kind": "later"}},
	})
	listed(t, s.Grants, []Grant{{Tool: "Bash", Input: `{"command":"ls"}`, Scope: "similar", By: "me", At: time.Unix(3, 0).UTC(), Node: "n"}})
	listed(t, s.Sessions, []Session{{Slot: "s", ID: "new", Node: "n", At: time.Unix(7, 0).UTC()}})
	must(t, s.Remove("r"))
	listed(t, s.Artifacts, []Artifact{})
	listed(t, s.Sessions, []Session{})
}

func listed[T any](t *testing.T, read func(string) ([]T, error), want []T) {
	t.Helper()
	if got, err := read("r"); err != nil || !reflect.DeepEqual(got, want) {
		t.Fatalf("%+v, %v; want %+v", got, err, want)
	}
}

func large(letter string) string { return strings.Repeat(letter, maxInline+1) }

func blobNames(t testing.TB, s *Store) []string {
	t.Helper()
	entries, err := os.ReadDir(s.blobs.folder)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	names := []string{}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestLargeValuesAreFilesForAsLongAsARunNeedsThem(t *testing.T) {
	s := opened(t, t.TempDir())
	for _, run := range []string{"r", "q"} {
		must(t, s.Create(store.Run{ID: run}))
	}
	// 12 strings that are small each, in a list that is not, beside a large one twice.
	parts := make([]any, 12)
	for i := range parts {
		parts[i] = strings.Repeat("p", maxInline/10)
	}
	own := event(1, outcome.NodeFinished, map[string]any{"output": map[string]any{"shared": large("s"), "again": large("s"), "parts": parts}})
	must(t, s.Append("r", own))
	shared := storetest.Event("q", 1)
	shared.Data = map[string]any{"text": large("s")}
	must(t, s.Append("q", shared))
	if names := blobNames(t, s); len(names) != 2 {
		t.Fatalf("files %v", names)
	}
	if got, err := s.Events("r", 0); err != nil || !reflect.DeepEqual(got, []store.Event{own}) {
		t.Fatal("the values differ", err)
	}
	must(t, os.WriteFile(filepath.Join(s.blobs.folder, "notes.txt"), nil, 0o600))
	must(t, s.Remove("r", "r"))
	if names := blobNames(t, s); len(names) != 2 {
		t.Fatalf("one run is left, and files %v", names)
	}
	if got, err := s.Events("q", 0); err != nil || !reflect.DeepEqual(got, []store.Event{shared}) {
		t.Fatal("the values differ", err)
	}
	must(t, s.Remove("q"))
	if names := blobNames(t, s); !reflect.DeepEqual(names, []string{"notes.txt"}) {
		t.Fatalf("no run is left, but files %v", names)
	}
}

// Values of a batch that was refused go with the next removal, and those that a
// removal took from under an append are written again.
func TestLargeValuesOfRefusedEvents(t *testing.T) {
	s := opened(t, t.TempDir())
	for _, run := range []string{"r", "gone"} {
		must(t, s.Create(store.Run{ID: run}))
	}
	e := event(2, outcome.NodeFinished, map[string]any{"text": large("x")})
	named(t, s.Append("r", e), store.ErrOrder)
	if names := blobNames(t, s); len(names) != 1 {
		t.Fatalf("files %v", names)
	}
	e.Seq = 1
	b, err := spell("r", []store.Event{e})
	must(t, err)
	must(t, s.Remove("gone")) // sweeps between the file and its row
	if names := blobNames(t, s); len(names) != 0 {
		t.Fatalf("files %v", names)
	}
	must(t, s.change(func(t *tx) error { return t.append(b) }))
	if got, err := s.Events("r", 0); err != nil || !reflect.DeepEqual(got, []store.Event{e}) {
		t.Fatal("the values differ", err)
	}
}

func TestWhatIsNoEventIsRefused(t *testing.T) {
	s := opened(t, t.TempDir())
	must(t, s.Create(store.Run{ID: "r"}))
	err := s.Append("r", event(1, outcome.NodeFinished, map[string]any{"n": 1}))
	if err == nil || !strings.Contains(err.Error(), "run r: event 1 (node_finished) cannot be recorded: a int is no value") {
		t.Fatal(err)
	}
}
