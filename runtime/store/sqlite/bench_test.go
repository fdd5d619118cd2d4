package sqlite

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"iterion/ir/outcome"
	"iterion/runtime/store"
)

// transition is a typical batch: a node ends, an edge is taken, the next node
// starts. About 300 bytes of data an event.
func transition(run string, before int64) []store.Event {
	words := strings.Repeat("a finding of the reviewer ", 8)
	e := storeEvent(run, before)
	return []store.Event{
		e(1, outcome.NodeFinished, map[string]any{"output": map[string]any{"summary": words, "approved": true, "score": 0.75, "_duration_ms": int64(1234)}}),
		e(2, outcome.EdgeSelected, map[string]any{"from": "reviewer", "to": "fixer", "edge": int64(3), "condition": words}),
		e(3, outcome.NodeStarted, map[string]any{"kind": "agent", "iteration": before, "input": map[string]any{"task": words, "count": int64(17)}}),
	}
}

func storeEvent(run string, before int64) func(int64, outcome.EventType, map[string]any) store.Event {
	return func(i int64, kind outcome.EventType, data map[string]any) store.Event {
		e := event(before+i, kind, data)
		e.RunID = run
		return e
	}
}

// BenchmarkAppend compares an Append of a transition with a bare commit of the
// same bytes by one prepared statement, in turns on one file system. The ratio is
// of the medians.
func BenchmarkAppend(b *testing.B) {
	s := opened(b, b.TempDir())
	must(b, s.Create(store.Run{ID: "r"}))
	lease, err := s.Own("r")
	must(b, err)
	defer lease.Release()
	bare, texts := bareCommit(b)
	events := transition("r", 0)
	appendNext := func() {
		must(b, s.Append("r", events...))
		for i := range events {
			events[i].Seq += int64(len(events))
		}
	}
	var bares, appends []time.Duration
	b.ReportAllocs()
	for b.Loop() {
		start := time.Now()
		appendNext()
		between := time.Now()
		b.StopTimer()
		bare(texts)
		appends, bares = append(appends, between.Sub(start)), append(bares, time.Since(between))
		b.StartTimer()
	}
	slices.Sort(bares)
	slices.Sort(appends)
	middle := len(bares) / 2
	b.ReportMetric(float64(bares[middle].Nanoseconds()), "bare-ns")
	b.ReportMetric(float64(appends[middle].Nanoseconds()), "append-ns")
	b.ReportMetric(float64(appends[middle])/float64(bares[middle]), "ratio")
}

// bareCommit commits texts as rows of a table of its own, and gives those of
// a transition.
func bareCommit(b *testing.B) (commit func(texts []string), texts []string) {
	db, err := sql.Open("sqlite", filepath.Join(b.TempDir(), "bare.db")+"?_journal_mode=WAL&_synchronous=FULL")
	must(b, err)
	b.Cleanup(func() { db.Close() })
	db.SetMaxOpenConns(1)
	_, err = db.Exec("CREATE TABLE t (k INTEGER PRIMARY KEY, v TEXT)")
	must(b, err)
	insert, err := db.Prepare("INSERT INTO t (v) VALUES (?), (?), (?)")
	must(b, err)
	for _, e := range transition("r", 0) {
		text, _, err := encode(e.Data, 0)
		must(b, err)
		texts = append(texts, string(e.Type)+e.NodeID+e.BranchID+text)
	}
	return func(texts []string) {
		_, err := insert.Exec(texts[0], texts[1], texts[2])
		must(b, err)
	}, texts
}

// BenchmarkAppendTogether appends to many runs at once; an op is one Append.
func BenchmarkAppendTogether(b *testing.B) {
	s := opened(b, b.TempDir())
	var runs atomic.Int64
	b.SetParallelism(8)
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		run := fmt.Sprint("r", runs.Add(1))
		must(b, s.Create(store.Run{ID: run}))
		for at := int64(0); pb.Next(); at += 3 {
			must(b, s.Append(run, transition(run, at)...))
		}
	})
}

// BenchmarkEvents reads a run of 100,000 events beside a SELECT that only looks
// at the same columns.
func BenchmarkEvents(b *testing.B) {
	const events = 100_000
	s := opened(b, b.TempDir())
	must(b, s.Create(store.Run{ID: "r"}))
	for at := int64(0); at < events; {
		var batch []store.Event
		for range 1000 {
			batch = append(batch, transition("r", at+int64(len(batch)))...)
		}
		batch = batch[:min(int64(len(batch)), events-at)]
		must(b, s.Append("r", batch...))
		at += int64(len(batch))
	}
	b.Run("select", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			rows, err := s.reads.Query("SELECT seq, time, type, node, branch, payload FROM events ORDER BY key")
			must(b, err)
			for rows.Next() {
			}
			must(b, rows.Err())
		}
	})
	b.Run("events", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			list, err := s.Events("r", 0)
			if err != nil || len(list) != events {
				b.Fatal(len(list), err)
			}
		}
	})
}

// BenchmarkOpen opens a store and closes it, as every command does.
func BenchmarkOpen(b *testing.B) {
	dir, _ := recorded(b)
	b.ReportAllocs()
	for b.Loop() {
		s, err := OpenExisting(dir)
		must(b, err)
		must(b, s.Close())
	}
}
