package main

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"iterion/backends/claw"
	"iterion/backends/scripted"
	"iterion/ir"
	"iterion/ir/outcome"
	"iterion/runtime"
	"iterion/runtime/backend"
	"iterion/runtime/disk"
	"iterion/runtime/process"
	"iterion/runtime/store/sqlite"
)

// visits is how often a looping program visits its node.
const visits = 100

// looping is a loop over one node.
func looping(node string) string {
	return "dsl: 2\n\n" + node + `
workflow looping:
  entry: step
  sandbox: none
  worktree: none

  step -> step as rounds(99)
  step -> done
`
}

// durable are nodes that are visited on a synced store, with the commits that
// a visit must have: what announces an effect is stored before the effect, so a
// model's visit has its start and its turn, and its end goes with the next
// start. A visit of a node that does nothing outside shares a commit with many.
var durable = []struct{ name, node string }{
	{"compute", "compute step:\n  expr:\n    x: \"1\"\n"},
	{"tool", "tool step:\n  command: \"true\"\n"},
	{"agent", "agent step:\n  model: \"any/model\"\n  system: \"s\"\n  user: \"u\"\n"},
}

// BenchmarkDurableNode is a visit of a node with every commit synced, in turns
// with as many bare synced commits: engine-µs is what a visit takes more than
// the process that it starts.
func BenchmarkDurableNode(b *testing.B) {
	script, err := scripted.Parse([]byte("nodes: { step: [ { text: ok } ] }"))
	if err != nil {
		b.Fatal(err)
	}
	model := claw.New(scripted.New(script), disk.Links{})
	for _, d := range durable {
		b.Run(d.name, func(b *testing.B) {
			p := benchProgram(b, looping(d.node))
			dir := b.TempDir()
			s, err := sqlite.Open(filepath.Join(dir, "store"))
			if err != nil {
				b.Fatal(err)
			}
			defer s.Close()
			commit := bareCommit(b, dir)
			var visit, bare, spawn []time.Duration
			for b.Loop() {
				visit = append(visit, took(func() {
					r, err := runtime.Run(context.Background(), runtime.Options{
						Program: p, Store: s, Workspace: dir, Backends: func(string) (backend.Backend, bool) { return model, true },
					})
					if err != nil || r.Status != outcome.Finished {
						b.Fatal(r.Status, r.Error, err)
					}
				}))
				bare = append(bare, took(func() { repeat(commit) }))
				if d.name == "tool" {
					spawn = append(spawn, took(func() { repeat(nothing(dir)) }))
				}
			}
			one, start := middle(visit), middle(bare)
			engine := one - middle(spawn)
			b.ReportMetric(one, "µs/visit")
			b.ReportMetric(start, "µs/commit")
			b.ReportMetric(engine, "engine-µs")
			b.ReportMetric(engine/start, "ratio")
		})
	}
}

func benchProgram(b *testing.B, text string) *ir.Program {
	b.Helper()
	file := filepath.Join(b.TempDir(), "main.bot")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		b.Fatal(err)
	}
	p, _, err := childProgram("main.bot", file)
	if err != nil {
		b.Fatal(err)
	}
	return p
}

// bareCommit commits a row of 300 bytes in a database of its own.
func bareCommit(b *testing.B, dir string) func() error {
	b.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, "bare.db")+"?_synchronous=FULL&_pragma=journal_mode(WAL)")
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { db.Close() })
	db.SetMaxOpenConns(1)
	if _, err := db.Exec("CREATE TABLE t (v BLOB)"); err != nil {
		b.Fatal(err)
	}
	row := []byte(strings.Repeat("x", 300))
	insert, err := db.Prepare("INSERT INTO t VALUES (?)")
	if err != nil {
		b.Fatal(err)
	}
	return func() error {
		_, err := insert.Exec(row)
		return err
	}
}

// nothing runs the tool's process alone, in its group and with its watcher.
func nothing(dir string) func() error {
	return func() error {
		_, err := process.Command{Args: []string{"bash", "-c", "true"}, Dir: dir}.Run(context.Background())
		return err
	}
}

func took(do func()) time.Duration {
	began := time.Now()
	do()
	return time.Since(began)
}

func repeat(do func() error) {
	for range visits {
		if err := do(); err != nil {
			panic(err)
		}
	}
}

// middle is the median of one visit, in microseconds; 0 of nothing.
func middle(all []time.Duration) float64 {
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	return float64(all[len(all)/2].Nanoseconds()) / visits / 1000
}
