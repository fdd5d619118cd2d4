package main

import (
	"os/exec"
	"path/filepath"
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
		if out, err := exec.Command("go", "build", "-o", filepath.Join(dir, name), pkg).CombinedOutput(); err != nil {
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

// fmt and validate run in commit hooks and editors: heavy packages stay out of
// the way to them. The best of many starts is what the machine's load leaves alone.
func TestStart(t *testing.T) {
	dir := builds(t)
	best := make([]time.Duration, len(starts))
	for range 40 {
		for i, args := range starts {
			if took := start(t, dir, args); best[i] == 0 || took < best[i] {
				best[i] = took
			}
		}
	}
	for i, args := range starts[1:] {
		t.Logf("%v: %v, bare %v", args, best[i+1], best[0])
		if best[i+1] > 2*best[0] {
			t.Errorf("%v takes %v, more than twice a bare program (%v)", args, best[i+1], best[0])
		}
	}
}

func BenchmarkStart(b *testing.B) {
	dir := builds(b)
	for _, args := range starts {
		b.Run(filepath.Join(args[:2]...), func(b *testing.B) {
			for b.Loop() {
				start(b, dir, args)
			}
		})
	}
}
