// Package toolrun executes calls of tools in this process. It is the only
// place that does, and it takes a permit of the gate for each: what the gate did
// not allow cannot be run here.
package toolrun

import (
	"context"
	"net/http"

	"iterion/ir/gate"
	"iterion/runtime/backend"
)

// Options say where and under what the tools of one node act.
type Options struct {
	Dir  string            // working directory, absolute
	Env  []string          // of processes
	Gate func() *gate.Gate // what judges the files a search meets and the hops of a fetch, as it is now
	HTTP http.RoundTripper // nil for the standard one
}

// Runner executes the calls of one node. It is safe for concurrent use; what
// outlives a call (a list of things to do) is the node's.
type Runner struct{ Options }

// New makes a runner.
func New(o Options) *Runner { return &Runner{Options: o} }

// Run executes a call. A call that the permit does not cover is refused. A
// failure, a panic of a tool or the end of ctx is a result for the model.
func (r *Runner) Run(ctx context.Context, p gate.Permit, c backend.Call) backend.CallResult {
	if !p.Covers(c.Gate()) {
		return backend.CallResult{Text: "no permit of the gate covers this call", Failed: true}
	}
	return backend.CallResult{Text: "there is no such tool: " + c.Tool, Failed: true}
}
