package runtime

import (
	"slices"
	"sync"
	"testing"

	"iterion/ir/outcome"
	"iterion/runtime/process"
)

// A stand-in answers in the place of commands, knows which visit and which part
// of a node it answers for, and what it leaves is run as ever.
func TestStandIn(t *testing.T) {
	var mu sync.Mutex
	var seen []ToolStep
	standIn := func(s ToolStep) (process.Output, bool) {
		mu.Lock()
		defer mu.Unlock()
		seen = append(seen, s)
		switch {
		case s.NodeID == "broken":
			return process.Output{Stderr: "no", Exit: 75}, true
		case s.Postcondition:
			return process.Output{Exit: min(1, 3-len(seen))}, true // the second proof holds
		}
		return process.Output{Stdout: `{"n":1}`}, true
	}
	n := shellTool("a", "exit {{vars.code}}")
	n.Tool.Postcondition = str("exit 9")
	broken := shellTool("broken", "true")
	r := play(t, Options{Tools: standIn, RunID: "r", Vars: map[string]any{"code": int64(7)},
		Program: program(n, broken, edge("a", "broken"), edge("broken", "done"), variable("code", "int", ""))})
	wantStatus(t, r, outcome.FailedResumable, outcome.ToolFailedTransient)
	wantOutput(t, r, "a", `{"n":1}`)
	want := []ToolStep{
		{RunID: "r", NodeID: "a", Visit: 1, Postcondition: true, Text: "exit 9"},
		{RunID: "r", NodeID: "a", Visit: 1, Text: "exit '7'"},
		{RunID: "r", NodeID: "a", Visit: 1, Postcondition: true, Text: "exit 9"},
		{RunID: "r", NodeID: "broken", Visit: 1, Text: "true"},
	}
	if !slices.Equal(seen, want) {
		t.Errorf("the stand-in was asked %+v", seen)
	}
}
