package runtime

import (
	"sync"

	"iterion/runtime/backend"
)

// turns keeps the turns of models that run at the same time within the budget:
// each reserves what the largest one so far has used. So branches pass a cap by
// no more than the one turn that reaches it. Before any turn was seen one runs
// alone.
type turns struct {
	mu       sync.Mutex
	tokens   int64   // of the largest turn
	cost     float64 // of the dearest turn, in USD
	seen     bool
	reserved map[*running]int // a task with subagents may hold several
	count    int
	change   chan struct{} // closed when a reservation is given back
}

// observe takes note of what a turn used.
func (t *turns) observe(u backend.Usage) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.seen = t.seen || u.Tokens() > 0
	t.tokens = max(t.tokens, u.Tokens())
	if u.CostUSD != nil {
		t.cost = max(t.cost, *u.CostUSD)
	}
}

// reserve makes room for one more turn of a task; false when it has to wait for
// one that runs.
func (t *turns) reserve(r *running, l limits, used Usage) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.count > 0 && (l.Tokens > 0 || l.CostUSD > 0) && (!t.seen || t.full(l, used)) {
		return false
	}
	if t.reserved == nil {
		t.reserved = map[*running]int{}
	}
	t.reserved[r]++
	t.count++
	return true
}

// full tells whether the turns that run may use up what is left.
func (t *turns) full(l limits, used Usage) bool {
	return l.Tokens > 0 && used.Tokens+int64(t.count)*t.tokens >= l.Tokens ||
		l.CostUSD > 0 && used.CostUSD+float64(t.count)*t.cost >= l.CostUSD
}

// release gives back one reservation of a task.
func (t *turns) release(r *running) { t.giveBack(r, 1) }

// end gives back all that a task still holds.
func (t *turns) end(r *running) { t.giveBack(r, 1<<30) }

func (t *turns) giveBack(r *running, most int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := min(most, t.reserved[r])
	if n == 0 {
		return
	}
	if t.reserved[r] -= n; t.reserved[r] == 0 {
		delete(t.reserved, r)
	}
	t.count -= n
	if t.change != nil {
		close(t.change)
		t.change = nil
	}
}

// changed is closed when a reservation is given back.
func (t *turns) changed() <-chan struct{} {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.change == nil {
		t.change = make(chan struct{})
	}
	return t.change
}
