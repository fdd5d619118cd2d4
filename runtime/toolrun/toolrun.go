// Package toolrun executes calls of tools in this process. It is the only
// place that does, and it takes a permit of the gate for each: what the gate did
// not allow cannot be run here.
package toolrun

import (
	"context"
	"fmt"
	"net/http"

	"iterion/ir/gate"
	"iterion/ir/tools"
	"iterion/runtime/backend"

	"iterion/runtime/redact"
)

// Options say where and under what the tools of one node act.
type Options struct {
	Dir  string            // working directory, absolute
	Env  []string          // of processes
	Gate func() *gate.Gate // what judges the files a search meets and the hops of a fetch, as it is now
	HTTP http.RoundTripper // nil for the standard one
	// Spill is the folder for output of commands that is too long to be shown; ""
	// cuts it.
	Spill string
	// ReadOnly refuses tools that change files, whatever was permitted.
	ReadOnly bool
	Redact   *redact.Redactor // takes secrets out of what is cut or spilled; nil for nothing
}

// Runner executes the calls of one node. It is safe for concurrent use; what
// outlives a call (a list of things to do) is the node's.
type Runner struct {
	Options
	todos todoList
	hook  func(at string) // of tests: what happens when a path is known ("open") and when its new content is ("commit")
}

// New makes a runner.
func New(o Options) *Runner { return &Runner{Options: o, hook: func(string) {}} }

// Run executes a call. A call that the permit does not cover is refused. A
// failure, a panic of a tool or the end of ctx is a result for the model.
func (r *Runner) Run(ctx context.Context, p gate.Permit, c backend.Call) backend.CallResult {
	if !p.Covers(c.Gate()) {
		return failed("no permit of the gate covers this call")
	}
	tool := tools.Lookup(c.Tool)
	run := executorOf(tool)
	if run == nil {
		return failed("there is no such tool: %s", c.Tool)
	}
	if r.ReadOnly && tool.Can&tools.Writes != 0 {
		return failed("%s changes files, and the node is read-only: nothing was done", tool.Claw)
	}
	if err := validate(tool, c.Input); err != nil {
		return failed("the input of %s is not valid, nothing was done: %v", tool.Claw, err)
	}
	if err := ctx.Err(); err != nil {
		return failed("the call was stopped before it began, nothing was done: %v", err)
	}
	result := guarded(func() backend.CallResult { return run(ctx, r, args{Call: c, Opens: p.Opens()}) })
	if err := ctx.Err(); err != nil && result.Failed {
		result.Text += "\n(the call was stopped: " + err.Error() + ")"
	}
	result.Text = r.cut(result.Text, longestResult)
	return result
}

// guarded runs a tool. Its panic is a result, so that it does not end the run.
func guarded(run func() backend.CallResult) (result backend.CallResult) {
	defer func() {
		if cause := recover(); cause != nil {
			result = failed("the tool broke down, a defect of the program: %v. What it did before is unknown.", cause)
		}
	}()
	return run()
}

// failed is an error for the model.
func failed(format string, a ...any) backend.CallResult {
	return backend.CallResult{Text: fmt.Sprintf(format, a...), Failed: true}
}

// said is an answer for the model.
func said(text string) backend.CallResult { return backend.CallResult{Text: text} }
