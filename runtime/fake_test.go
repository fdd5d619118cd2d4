package runtime

import (
	"context"
	"sync"
	"time"

	"iterion/ir/outcome"
	"iterion/runtime/backend"
)

// turn is one answer of a fake model.
type turn struct {
	output map[string]any
	text   string
	err    error
	usage  backend.Usage
	block  bool // until the context ends
	panics bool
}

// fake is a backend that answers each node from a list, whatever the visit.
type fake struct {
	mu    sync.Mutex
	turns map[string][]turn
	tasks []backend.Task
	own   bool
}

func (f *fake) Info() backend.Info { return backend.Info{Name: "fake", OwnTools: f.own} }

func (f *fake) Priced(backend.Task) bool { return true }

func (f *fake) Run(ctx context.Context, task backend.Task, sink backend.Sink) (backend.Result, error) {
	f.mu.Lock()
	f.tasks = append(f.tasks, task)
	next := turn{err: backend.Errorf(outcome.ScriptExhausted, "no turn for %s", task.NodeID)}
	if list := f.turns[task.NodeID]; len(list) > 0 {
		next, f.turns[task.NodeID] = list[0], list[1:]
	}
	f.mu.Unlock()
	if next.panics {
		panic("a broken backend")
	}
	if next.block {
		<-ctx.Done()
		return backend.Result{}, ctx.Err()
	}
	if _, err := sink.More(ctx); err != nil {
		return backend.Result{}, err
	}
	if err := sink.Turn(backend.Turn{Text: next.text, Usage: next.usage}); err != nil {
		return backend.Result{}, err
	}
	return backend.Result{Output: next.output, Text: next.text}, next.err
}

func (f *fake) find(string) (backend.Backend, bool) { return f, true }

// counting is a backend that tells how many tasks ran at once.
type counting struct {
	mu        sync.Mutex
	now, most int
}

func (c *counting) Info() backend.Info { return backend.Info{Name: "counting"} }

func (c *counting) Priced(backend.Task) bool { return true }

func (c *counting) Run(ctx context.Context, _ backend.Task, _ backend.Sink) (backend.Result, error) {
	c.add(1)
	defer c.add(-1)
	time.Sleep(time.Second) // of the bubble's clock
	return backend.Result{Text: "ok"}, ctx.Err()
}

func (c *counting) add(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now += n
	c.most = max(c.most, c.now)
}

func (c *counting) find(string) (backend.Backend, bool) { return c, true }
