package toolrun

import (
	"context"
	"encoding/json"
	"strings"

	"iterion/ir/tools"
	"iterion/runtime/backend"
)

// executor carries out a call whose input fits the tool's schema.
type executor func(ctx context.Context, r *Runner, a args) backend.CallResult

// executors are the tools that run here, by their key in the catalogue. The
// other tools of the in-process loop are the loop's own.
var executors = [...]struct {
	key string
	run executor
}{
	{"read", readFile},
	{"write", writeFile},
	{"edit", fileEdit},
	{"notebookedit", notebookEdit},
	{"read_image", readImage},
	{"glob", globFiles},
	{"grep", grep},
	{"workspace_grep", workspaceGrep},
	{"bash", bash},
	{"diagnostic_shell", diagnosticShell},
	{"repl", repl},
	{"webfetch", webFetch},
	{"todowrite", todoWrite},
}

// executorOf returns the executor of a tool, or nil.
func executorOf(t *tools.Tool) executor {
	for i := range executors {
		if t != nil && executors[i].key == t.Key {
			return executors[i].run
		}
	}
	return nil
}

// args are the input of one call.
type args struct {
	backend.Call
	Opens []string // what its paths led to when the gate allowed it, in their order; "" for nothing
}

// search tells whether the call is of a tool that searches.
func (a args) search() bool { return tools.Lookup(a.Tool).Subject == tools.Search }

// into reads the input into a struct. The schema has been checked, so that only
// a number out of range fails.
func (a args) into(v any) error {
	return json.NewDecoder(strings.NewReader(a.Input)).Decode(v)
}

// Spec returns what a model is told of a tool of the in-process loop, under its
// name there. It is not ok for a tool that the loop does not have. The schema of
// structured_output is the node's, and nil here.
func Spec(name string) (backend.ToolSpec, bool) {
	tool := tools.Lookup(name)
	if tool == nil {
		return backend.ToolSpec{}, false
	}
	spec, ok := tool.Spec()
	if !ok {
		return backend.ToolSpec{}, false
	}
	out := backend.ToolSpec{Name: tool.Claw, Description: spec.About}
	if spec.Schema != "" && json.Unmarshal([]byte(spec.Schema), &out.Schema) != nil {
		return backend.ToolSpec{}, false
	}
	return out, true
}
