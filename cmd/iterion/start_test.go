package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// starts are command lines whose start is measured; the first is a program of
// cobra alone.
var starts = [][]string{
	{"bare", "--version"},
	{"iterion", "--version"},
	{"iterion", "fmt", "--check", "../../corpus/examples/note.bot"},
	{"iterion", "validate", "../../corpus/examples/note.bot"},
}

func builds(tb testing.TB) string {
	tb.Helper()
	dir := tb.TempDir()
	for name, pkg := range map[string]string{"iterion": ".", "bare": "./testdata/bare"} {
		build := exec.Command("go", "build", "-o", filepath.Join(dir, name), pkg)
		build.Env = append(os.Environ(), "CGO_ENABLED=0") // as the README says
		if out, err := build.CombinedOutput(); err != nil {
			tb.Fatalf("%v\n%s", err, out)
		}
	}
	return dir
}

func start(tb testing.TB, dir string, args []string) time.Duration {
	tb.Helper()
	cmd := exec.Command(filepath.Join(dir, args[0]), args[1:]...)
	began := time.Now()
	out, err := cmd.CombinedOutput()
	took := time.Since(began)
	if err != nil {
		tb.Fatalf("%v: %v\n%s", args, err, out)
	}
	return took
}

// BenchmarkStart is what a commit hook or an editor pays before any work, in
// turns: medians, and how many times that of a bare program of the same library.
func BenchmarkStart(b *testing.B) {
	dir := builds(b)
	all := make([][]time.Duration, len(starts))
	for b.Loop() {
		for i, args := range starts {
			all[i] = append(all[i], start(b, dir, args))
		}
	}
	var bare time.Duration
	for i, args := range starts {
		slices.Sort(all[i])
		took := all[i][len(all[i])/2]
		if i == 0 {
			bare = took
		}
		name := filepath.Join(args[:2]...)
		b.ReportMetric(float64(took.Microseconds())/1000, name+"-ms")
		b.ReportMetric(float64(took)/float64(bare), name+"-ratio")
	}
}
