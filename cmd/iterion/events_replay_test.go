package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"iterion/corpus"
	"iterion/ir/expr"
	"iterion/runtime"
	"iterion/runtime/store"
	"iterion/runtime/store/sqlite"
)

// What `run --json` prints while a run goes on is what `events --json` prints
// later, and read again it is the run: it folds to the same state as the store's
// own events.
func TestPrintedEventsAreTheRun(t *testing.T) {
	for _, run := range corpus.Runs() {
		t.Run(run.Name, func(t *testing.T) {
			dir := t.TempDir()
			t.Setenv("ITERION_STORE", dir)
			_, printed, _ := runCorpus(t, run)
			id := lastRun(t, dir)
			for _, answers := range run.Answers {
				args := []string{"resume", id, "--json"}
				for _, answer := range answers {
					args = append(args, "--answer", answer)
				}
				var out, errs bytes.Buffer
				if code := execute(args, streams{strings.NewReader(""), &out, &errs}); code != run.Exit {
					t.Fatalf("exit status %d\n%s", code, errs.String())
				}
				printed += out.String()
			}
			var out, errs bytes.Buffer
			if code := execute([]string{"events", id, "--json"}, streams{strings.NewReader(""), &out, &errs}); code != exitOK || out.String() != printed {
				t.Errorf("exit status %d %s, later\n%s\nwhile it went on\n%s", code, errs.String(), out.String(), printed)
			}
			if got, want := stateText(t, readEvents(t, out.String())), stateText(t, storedEvents(t, dir, id)); got != want {
				t.Errorf("what is printed folds to another state\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// lastRun is the one run of a store that is no subbot's.
func lastRun(t *testing.T, dir string) string {
	t.Helper()
	s, err := sqlite.OpenExisting(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	runs, err := s.Runs()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range runs {
		if r.Parent == "" {
			return r.ID
		}
	}
	t.Fatal("there is no run")
	return ""
}

func storedEvents(t *testing.T, dir, id string) []store.Event {
	t.Helper()
	s, err := sqlite.OpenExisting(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	events, err := s.Events(id, 0)
	if err != nil || len(events) == 0 {
		t.Fatal(len(events), err)
	}
	return events
}

// readEvents reads printed events as a program of a user's would, their data as
// values.
func readEvents(t *testing.T, lines string) (events []store.Event) {
	t.Helper()
	dec := json.NewDecoder(strings.NewReader(lines))
	dec.UseNumber()
	for dec.More() {
		var e store.Event
		if err := dec.Decode(&e); err != nil {
			t.Fatal(err)
		}
		data, err := expr.Normalize(e.Data)
		if err != nil {
			t.Fatal(err)
		}
		e.Data, _ = data.(map[string]any)
		events = append(events, e)
	}
	return events
}

func stateText(t *testing.T, events []store.Event) string {
	t.Helper()
	text, err := json.Marshal(runtime.Fold(events))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
