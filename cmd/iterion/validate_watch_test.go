package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// lines is a writer that hands over what was written, piece by piece.
type lines chan string

func (l lines) Write(p []byte) (int, error) {
	l <- string(p)
	return len(p), nil
}

// until waits for a piece that holds a text.
func (l lines) until(t *testing.T, want string) {
	t.Helper()
	limit := time.After(20 * time.Second)
	for {
		select {
		case got := <-l:
			if strings.Contains(got, want) {
				return
			}
		case <-limit:
			t.Fatalf("never saw %q", want)
		}
	}
}

const (
	watchedGood = "dsl: 2\n\nimport \"lib/part.bot\"\n\nworkflow w:\n  entry: t\n\n  t -> done\n"
	watchedPart = "dsl: 2\n\ntool t:\n  command: \"true\"\n"
)

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestWatch(t *testing.T) {
	dir := t.TempDir()
	main, part := filepath.Join(dir, "main.bot"), filepath.Join(dir, "lib", "part.bot")
	write(t, main, watchedGood)
	out, notes := make(lines, 1000), make(lines, 1000)
	ctx, cancel := context.WithCancel(t.Context())
	v := &validator{streams: streams{nil, out, notes}, args: []string{dir}, opt: validateOptions{maxWarnings: -1}}
	ended := make(chan error)
	go func() { ended <- v.watch(ctx) }()

	out.until(t, "E046") // the import is missing, and so is its folder
	notes.until(t, "waiting for changes")
	write(t, part, watchedPart)
	out.until(t, "result: OK")
	notes.until(t, "waiting for changes")
	write(t, main, strings.Replace(watchedGood, "done", "gone", 1))
	out.until(t, "C001")
	notes.until(t, "waiting for changes")

	cancel()
	var last *status
	if err := <-ended; !errors.As(err, &last) || last.code != exitFailed {
		t.Errorf("ended with %v, want the last status", err)
	}
}

// Only what a check looked at can change its outcome.
func TestWhatMatters(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "main.bot"), watchedGood)
	v := &validator{streams: streams{nil, make(lines, 100), make(lines, 100)}, args: []string{dir},
		opt: validateOptions{maxWarnings: -1}, seen: newSightings()}
	if _, err := v.run(); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{
		"main.bot": true, "other.bot": true, ".gitignore": true, "lib/part.bot": true,
		"report.txt": false, "main.bot~": false, "lib/other.txt": false,
	} {
		if got := v.seen.matters(filepath.Join(dir, name)); got != want {
			t.Errorf("%s matters: %v, want %v", name, got, want)
		}
	}
}
