package main

import (
	"os"
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

// BenchmarkStart is what a commit hook or an editor pays before any work: fmt
// and validate may take twice as long as a bare program of the same library.
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
