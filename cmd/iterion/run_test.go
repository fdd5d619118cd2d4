package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"iterion/corpus"
	"iterion/ir/outcome"
	"iterion/runtime/store"
)

// Every bot of corpus/run ends as it says, seen from outside. One that asks a
// person stops at the question here.
func TestRunsOfTheCorpus(t *testing.T) {
	for _, want := range corpus.Runs() {
		t.Run(want.Name, func(t *testing.T) {
			code, stdout, stderr := runCorpus(t, want)
			got := told(t, stdout)
			if len(want.Answers) > 0 {
				want.Exit, want.FailureCode, want.Path = exitPaused, "", want.Path[:min(len(got.path), len(want.Path))]
			}
			if code != want.Exit || !slices.Equal(got.path, want.Path) || want.FailureCode != "" && got.failure != want.FailureCode {
				t.Errorf("exit %d, path %v, failure %q, want %d, %v, %q\n%s",
					code, got.path, got.failure, want.Exit, want.Path, want.FailureCode, stderr)
			}
		})
	}
}

// runCorpus runs a bot of the corpus and returns the exit status and what the
// command wrote.
func runCorpus(t *testing.T, r corpus.Run) (code int, stdout, stderr string) {
	t.Helper()
	args := append([]string{"run", "--json", "--no-interactive"}, r.Args...)
	if r.Script != nil {
		script := filepath.Join(t.TempDir(), "script.yaml")
		if err := os.WriteFile(script, r.Script, 0o644); err != nil {
			t.Fatal(err)
		}
		args = append(args, "--script", script)
	}
	var out, errs bytes.Buffer
	code = execute(append(args, filepath.Join("../../corpus", r.File.Name)), streams{strings.NewReader(""), &out, &errs})
	return code, out.String(), errs.String()
}

// story is what the events of a run tell.
type story struct {
	path    []string // the nodes started on the trunk
	failure string
}

func told(t *testing.T, lines string) story {
	t.Helper()
	var s story
	for line := range strings.Lines(lines) {
		var e store.Event
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		switch {
		case e.Type == outcome.NodeStarted && e.BranchID == "":
			s.path = append(s.path, e.NodeID)
		case e.Type == outcome.RunFailed:
			s.failure, _ = e.Data["failure_code"].(string)
		}
	}
	return s
}
