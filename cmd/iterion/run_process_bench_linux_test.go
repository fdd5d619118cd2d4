package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"
)

// BenchmarkRunStart is what a person waits for between Enter and the first node:
// the process, the program, a store made anew, and the start of the run in it.
func BenchmarkRunStart(b *testing.B) {
	dir := builds(b)
	var all []time.Duration
	for b.Loop() {
		store := b.TempDir()
		all = append(all, firstNode(b, exec.Command(filepath.Join(dir, "iterion"),
			"run", "../../corpus/run/hello.bot", "--store", store, "--json")))
	}
	slices.Sort(all)
	b.ReportMetric(float64(all[len(all)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(all[len(all)*9/10].Microseconds())/1000, "p90-ms")
}

// firstNode runs a command that prints events, and returns when it has told that
// a node has started.
func firstNode(b *testing.B, cmd *exec.Cmd) time.Duration {
	b.Helper()
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	began := time.Now()
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	var took time.Duration
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if took == 0 && bytes.Contains(lines.Bytes(), []byte(`"node_started"`)) {
			took = time.Since(began)
		}
	}
	if err := cmd.Wait(); err != nil || took == 0 {
		b.Fatal("no node has started: ", err)
	}
	return took
}

// BenchmarkWideRun is a run with many branches of a node that does nothing, as a
// process on a synced store. BenchmarkFanOut has a plain loop over as many.
func BenchmarkWideRun(b *testing.B) {
	dir := builds(b)
	for _, n := range []int{5_000, 10_000, 20_000} {
		vars := manyItems(b, n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			var most int64
			for b.Loop() {
				cmd := exec.Command(filepath.Join(dir, "iterion"), "run", "testdata/bench/wide.bot", "--vars-file", vars, "--store", b.TempDir())
				if err := cmd.Run(); err != nil {
					b.Fatal(err)
				}
				most = max(most, cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss)
			}
			b.ReportMetric(float64(most)/1024, "MiB")
		})
	}
}

func manyItems(b *testing.B, n int) string {
	b.Helper()
	items := make([]int, n)
	for i := range items {
		items[i] = i
	}
	text, err := json.Marshal(map[string]any{"items": items})
	if err != nil {
		b.Fatal(err)
	}
	file := filepath.Join(b.TempDir(), "vars.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		b.Fatal(err)
	}
	return file
}
