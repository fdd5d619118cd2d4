package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"iterion/corpus"
	"iterion/ir/outcome"
	"iterion/runtime"
	"iterion/runtime/report"
	"iterion/runtime/store"
	"iterion/runtime/trace"
)

// What a reader sees and what the engine goes on with are two folds of the same
// events: they agree on every run of the corpus.
func TestTraceAgreesWithState(t *testing.T) {
	for _, run := range corpus.Runs() {
		t.Run(run.Name, func(t *testing.T) {
			t.Setenv("ITERION_STORE", t.TempDir())
			_, stdout, _ := runCorpus(t, run)
			var events []store.Event
			for line := range strings.Lines(stdout) {
				var e store.Event
				if err := json.Unmarshal([]byte(line), &e); err != nil {
					t.Fatal(err)
				}
				events = append(events, e)
			}
			agree(t, trace.Of(events), runtime.Fold(events))
			var page bytes.Buffer
			r := report.Build(store.Run{ID: "r"}, events, nil)
			if err := r.HTML(&page); err != nil || page.Len() == 0 {
				t.Error("no page", err)
			}
		})
	}
}

func agree(t *testing.T, tr *trace.Trace, s *runtime.State) {
	t.Helper()
	finished, visits := map[string]int64{}, int64(0)
	for _, v := range tr.Visits {
		key := placed(v.Node, v.Branch)
		if v.State == trace.Finished {
			finished[key]++
		}
		if v.Attempt == 1 {
			visits++
		}
		if v.End.IsZero() != (v.State == trace.Waiting) {
			t.Errorf("%s is %s and ended %v", key, v.State, v.End)
		}
	}
	for key, n := range s.Visits {
		if finished[key] != n {
			t.Errorf("%s finished %d times, the state says %d", key, finished[key], n)
		}
	}
	if visits != s.Usage.Iterations || tr.Usage.Tokens() != s.Usage.Tokens || tr.Usage.Unpriced != s.Usage.Unpriced ||
		tr.Status != s.Status || tr.Seq != s.Seq || (tr.Failure == nil) != (s.Failure == nil) {
		t.Errorf("%d visits, %+v, %s, %d; the state says %+v, %s, %d", visits, tr.Usage, tr.Status, tr.Seq, s.Usage, s.Status, s.Seq)
	}
	if tr.Status == outcome.PausedHuman && len(tr.Open()) != len(s.Parked) {
		t.Errorf("%d open questions, %d scopes wait", len(tr.Open()), len(s.Parked))
	}
}
