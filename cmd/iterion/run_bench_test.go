package main

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"testing"

	"iterion/backends/claw"
	"iterion/backends/scripted"
	"iterion/ir/outcome"
	"iterion/runtime"
	"iterion/runtime/backend"
	"iterion/runtime/disk"
	"iterion/runtime/store/sqlite"
)

// stepped is a loop over one scripted agent.
const stepped = `dsl: 2

agent step:
  model: "any/model"
  system: "s"
  user: "u"

workflow stepped:
  entry: step
  sandbox: none
  worktree: none

  step -> step as rounds(99)
  step -> done
`

// BenchmarkDurableNode is a visit of a model whose every step is synced, beside
// one bare synced commit. It has two commits that must not be joined: its start
// and its turn; its end goes with the next start.
func BenchmarkDurableNode(b *testing.B) {
	dir := b.TempDir()
	file := filepath.Join(dir, "main.bot")
	if err := os.WriteFile(file, []byte(stepped), 0o600); err != nil {
		b.Fatal(err)
	}
	p, _, err := childProgram("main.bot", file)
	if err != nil {
		b.Fatal(err)
	}
	script, err := scripted.Parse([]byte("nodes: { step: [ { text: ok } ] }"))
	if err != nil {
		b.Fatal(err)
	}
	model := claw.New(scripted.New(script), disk.Links{})
	b.Run("node", func(b *testing.B) {
		s, err := sqlite.Open(filepath.Join(dir, "store"))
		if err != nil {
			b.Fatal(err)
		}
		defer s.Close()
		b.ReportAllocs()
		for b.Loop() {
			r, err := runtime.Run(context.Background(), runtime.Options{
				Program: p, Store: s, Workspace: dir, Backends: func(string) (backend.Backend, bool) { return model, true },
			})
			if err != nil || r.Status != outcome.Finished {
				b.Fatal(r.Status, r.Error, err)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*100), "µs/node")
	})
	b.Run("commit", func(b *testing.B) {
		db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, "bare.db")+"?_synchronous=FULL&_pragma=journal_mode(WAL)")
		if err != nil {
			b.Fatal(err)
		}
		defer db.Close()
		db.SetMaxOpenConns(1)
		if _, err := db.Exec("CREATE TABLE t (v BLOB)"); err != nil {
			b.Fatal(err)
		}
		row := make([]byte, 300)
		for b.Loop() {
			if _, err := db.Exec("INSERT INTO t VALUES (?)", row); err != nil {
				b.Fatal(err)
			}
		}
	})
}
