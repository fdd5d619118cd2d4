package shell_test

import (
	"bufio"
	"encoding/json"
	"os"
	"testing"
)

type vector struct {
	ID     string
	Policy policy
	Call   struct {
		Tool  string
		Input struct{ Command, Workdir *string }
	}
	Want, Why string
}

// The conformance lines about the shell hold for a gate that does what the
// package says.
func TestVectors(t *testing.T) {
	f, err := os.Open("../../../corpus/gate/shell.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var v vector
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		if v.Call.Input.Command == nil {
			continue // nothing to read: the gate's own business
		}
		workdir := ""
		if v.Call.Input.Workdir != nil {
			workdir = *v.Call.Input.Workdir
		}
		if got := v.Policy.verdict(*v.Call.Input.Command, workdir); got != v.Want {
			t.Errorf("%s: %q: %s, want %s (%s)", v.ID, *v.Call.Input.Command, got, v.Want, v.Why)
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
}
