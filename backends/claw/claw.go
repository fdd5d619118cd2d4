// Package claw is the agent loop in this process: a language model takes turns,
// the gate judges each of its tool calls, and what the gate allows is executed
// here.
//
// Where a task stands is read from its conversation alone. So a task that begins
// and one that goes on after a pause, a failure or the end of the process take
// the same way: what the last turn asked for is done, then comes the next turn.
package claw

import (
	"context"
	"fmt"

	"iterion/ir/gate"
	"iterion/ir/outcome"
	"iterion/runtime/backend"
	"iterion/runtime/toolrun"
)

// Name is what `backend:` calls it.
const Name = "claw"

// Backend is the loop over one language model.
type Backend struct {
	model   backend.LanguageModel
	files   gate.Files
	execute func(toolrun.Options) runner
}

// runner executes the calls of a task.
type runner interface {
	Run(ctx context.Context, p gate.Permit, c backend.Call) backend.CallResult
}

// New makes a backend. files are the links of the file system that the tools act
// on, which the gate follows.
func New(model backend.LanguageModel, files gate.Files) *Backend {
	return &Backend{model, files, func(o toolrun.Options) runner { return toolrun.New(o) }}
}

// Info implements backend.Backend. The engine keeps the conversations.
func (*Backend) Info() backend.Info { return backend.Info{Name: Name} }

// Priced implements backend.Backend.
func (b *Backend) Priced(task backend.Task) bool { return b.model.Priced(task.NodeID, task.Model) }

// Run implements backend.Backend. Besides the errors of the model, of the budget
// and of the sink it gives SCHEMA_VALIDATION when the model does not come to a
// valid output, and EXECUTION_FAILED for a defect of its own.
func (b *Backend) Run(ctx context.Context, task backend.Task, sink backend.Sink) (result backend.Result, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			result, err = backend.Result{}, backend.Errorf(outcome.ExecutionFailed, "the agent loop broke down, a defect of the program: %v", cause)
		}
	}()
	l, err := b.loop(task, sink)
	if err != nil {
		return backend.Result{}, err
	}
	return l.run(ctx)
}

func (b *Backend) loop(task backend.Task, sink backend.Sink) (*loop, error) {
	want, err := newShape(task.Schema)
	if err != nil {
		return nil, backend.Errorf(outcome.ExecutionFailed, "the output schema of %s cannot be used: %v", task.NodeID, err)
	}
	n := &node{model: b.model, files: b.files, task: task, sink: sink, gate: gate.New(task.Policy, b.files)}
	n.runner = b.execute(toolrun.Options{Dir: task.Dir, Env: task.Env, Spill: task.Files, ReadOnly: task.ReadOnly, Redact: task.Redact, Gate: func() *gate.Gate { return n.gate }})
	l := &loop{
		node: n, set: newToolset(task), shape: want, number: task.Turns,
		said: append([]backend.Message(nil), task.Session.Transcript...), limit: limitOf(b.model, task),
	}
	l.start = startOf(l.said, task)
	return l, nil
}

// node is what a task's own conversation and its subagents have in common.
type node struct {
	model  backend.LanguageModel
	files  gate.Files
	task   backend.Task
	sink   backend.Sink
	gate   *gate.Gate // as it is now: an approval replaces it, while no call runs
	runner runner
}

// regate takes up the policy that came with an approval.
func (n *node) regate(p *gate.Policy) {
	if p != nil {
		n.gate = gate.New(*p, n.files)
	}
}

// startOf is where a task begins in its conversation, which may hold earlier
// tasks: the last place where its own prompt stands, and no further back than it
// has had turns.
func startOf(said []backend.Message, task backend.Task) int {
	turns := task.Turns
	for i := len(said) - 1; i >= 0; i-- {
		switch m := said[i]; {
		case m.Role == backend.User && task.User != "" && m.Text == task.User:
			return i
		case m.Role == backend.Model && turns == 0:
			return i + 1
		case m.Role == backend.Model:
			turns--
		}
	}
	return 0
}

// fault says what a failure is in the contract's terms.
func fault(ctx context.Context, err error) *backend.Error {
	if typed, ok := asError(err); ok {
		return typed
	}
	code := outcome.ExecutionFailed
	if ctx.Err() != nil {
		code = outcome.Cancelled
	}
	return &backend.Error{Code: code, Message: fmt.Sprint(err), Cause: err}
}
