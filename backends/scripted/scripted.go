// Package scripted is a backend without a model: it answers from a script, so
// that a bot runs the same way every time and without a key.
package scripted

import (
	"context"
	"fmt"
	"sync"
	"time"

	"iterion/ir/outcome"
	"iterion/runtime/backend"
)

// Name is what `backend:` calls it.
const Name = "scripted"

// Backend answers tasks from a script. Each visit of a node starts its list of
// turns anew; retries and repairs of one visit go on where the list stands.
type Backend struct {
	script *Script
	mu     sync.Mutex
	used   map[visit]int
}

type visit struct {
	run, node, branch string
	number            int64
}

// New returns a backend over a script.
func New(script *Script) *Backend {
	return &Backend{script: script, used: map[visit]int{}}
}

// Info implements backend.Backend.
func (b *Backend) Info() backend.Info { return backend.Info{Name: Name} }

// Run implements backend.Backend: it gives turns until one ends the node.
func (b *Backend) Run(ctx context.Context, task backend.Task, sink backend.Sink) (backend.Result, error) {
	turn, err := b.next(task)
	if err != nil {
		return backend.Result{}, err
	}
	if err := wait(ctx, turn.delay); err != nil {
		return backend.Result{}, err
	}
	report(sink, turn.Usage)
	if f := turn.Error; f != nil {
		return backend.Result{}, &backend.Error{Code: f.Code, Message: f.Message, RetryAfter: f.retryAfter}
	}
	return backend.Result{
		Output:    turn.Output,
		Text:      turn.Text,
		Model:     turn.Model,
	}, nil
}

// next takes the visit's next turn off the most exact list.
func (b *Backend) next(task backend.Task) (Turn, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	v := visit{task.RunID, task.NodeID, task.BranchID, task.Visit}
	turns, found := b.turns(task)
	at := b.used[v]
	if at >= len(turns) {
		where := ""
		if task.BranchID != "" {
			where = " in " + task.BranchID
		}
		if !found {
			return Turn{}, backend.Errorf(outcome.ScriptExhausted, "the script has no entry for node %s%s, so no turn 1", task.NodeID, where)
		}
		return Turn{}, backend.Errorf(outcome.ScriptExhausted, "the script has no turn %d for node %s%s (visit %d)", at+1, task.NodeID, where, task.Visit)
	}
	b.used[v] = at + 1
	return turns[at], nil
}

func (b *Backend) turns(task backend.Task) ([]Turn, bool) {
	number := fmt.Sprintf("#%d", task.Visit)
	keys := []string{task.NodeID + number, task.NodeID}
	if task.BranchID != "" {
		inBranch := task.NodeID + "@" + task.BranchID
		keys = append([]string{inBranch + number, inBranch}, keys...)
	}
	for _, key := range keys {
		if turns, ok := b.script.Nodes[key]; ok {
			return turns, true
		}
	}
	return nil, false
}

func report(sink backend.Sink, u *Usage) {
	if u != nil {
		_ = sink.Turn(backend.Turn{Usage: backend.Usage{InputTokens: u.InputTokens, OutputTokens: u.OutputTokens, CostUSD: u.CostUSD}})
	}
}

func wait(ctx context.Context, d time.Duration) error {
	if d == 0 {
		return ctx.Err()
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
