package runtime

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"iterion/ir/outcome"
	"iterion/runtime/backend"
	"iterion/runtime/store"
)

// ledger is a store that counts its appends, and tells when a turn of a node is
// stored.
type ledger struct {
	store.Memory
	mu      sync.Mutex
	appends int
	turns   map[string]int
	stored  map[string]chan struct{}
}

func newLedger(nodes ...string) *ledger {
	l := &ledger{turns: map[string]int{}, stored: map[string]chan struct{}{}}
	for _, n := range nodes {
		l.stored[n] = make(chan struct{})
	}
	return l
}

func (l *ledger) Append(run string, events ...Event) error {
	err := l.Memory.Append(run, events...)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.appends++
	for _, e := range events {
		if e.Type == outcome.LLMRequest {
			if l.turns[e.NodeID]++; l.turns[e.NodeID] == 1 && l.stored[e.NodeID] != nil {
				close(l.stored[e.NodeID])
			}
		}
	}
	return err
}

// payer is a backend whose every turn is its last. Before each it looks whether
// the turns that it was paid for are stored.
type payer struct {
	l      *ledger
	texts  []string // of each task
	awaits string   // the node whose turn has to be stored before the others answer
	mu     sync.Mutex
	paid   map[string]int
	lost   []string
}

func (p *payer) Info() backend.Info { return backend.Info{Name: "payer"} }

func (p *payer) Priced(backend.Task) bool { return true }

func (p *payer) Run(_ context.Context, task backend.Task, sink backend.Sink) (backend.Result, error) {
	if p.awaits != "" && task.NodeID != p.awaits {
		<-p.l.stored[p.awaits]
	}
	p.mu.Lock()
	n := p.paid[task.NodeID]
	p.l.mu.Lock()
	if stored := p.l.turns[task.NodeID]; stored != n {
		p.lost = append(p.lost, fmt.Sprintf("%s: %d of %d turns", task.NodeID, stored, n))
	}
	p.l.mu.Unlock()
	p.paid[task.NodeID]++
	text := p.texts[min(n, len(p.texts)-1)]
	p.mu.Unlock()
	return backend.Result{Text: text}, sink.Turn(backend.Turn{Text: text, Last: true})
}

func (p *payer) find(string) (backend.Backend, bool) { return p, true }

// A visit of a model takes one append: its turn and its end go with the next
// start. Nothing that was paid for is out of the store when more is spent.
func TestAVisitOfAModelIsOneAppend(t *testing.T) {
	l := newLedger()
	p := &payer{l: l, texts: []string{"ok"}, paid: map[string]int{}}
	n, prompt := agent("a", "")
	r := play(t, Options{Store: l, Backends: p.find, Program: program(n, prompt,
		edge("a", "a", loop("l", 9)), edge("a", "done"), cycle("l", "a", "a"))})
	wantStatus(t, r, outcome.Finished, "")
	if p.paid["a"] != 10 || l.appends != 11 || p.lost != nil {
		t.Errorf("%d visits took %d appends; not stored in time: %v", p.paid["a"], l.appends, p.lost)
	}
}

// A turn whose answer does not fit is stored before the model is asked again.
func TestALastTurnThatIsNotTheLastIsStored(t *testing.T) {
	l := newLedger()
	p := &payer{l: l, texts: []string{"fine", `{"ok": true}`}, paid: map[string]int{}}
	n, prompt := agent("a", "")
	r := play(t, Options{Store: l, Backends: p.find, Program: program(output(n, "s"), prompt, schema("s", "ok", "bool"), edge("a", "done"))})
	wantStatus(t, r, outcome.Finished, "")
	if p.paid["a"] != 2 || p.lost != nil {
		t.Errorf("asked %d times; not stored in time: %v", p.paid["a"], p.lost)
	}
}

// A branch that has ended has its turn stored while others run on.
func TestATurnIsStoredWhileABranchRunsOn(t *testing.T) {
	l := newLedger("a")
	p := &payer{l: l, texts: []string{"ok"}, awaits: "a", paid: map[string]int{}}
	a, ask := agent("a", "")
	b, _ := agent("b", "")
	r := play(t, Options{Store: l, Backends: p.find, Program: program(router("fan", "fan_out_all"), a, b, ask,
		collects(compute("join", "x", "1"), "wait_all"),
		edge("fan", "a"), edge("fan", "b"), edge("a", "join"), edge("b", "join"), edge("join", "done"))})
	wantStatus(t, r, outcome.Finished, "")
	if p.lost != nil || p.paid["b"] != 1 {
		t.Errorf("not stored in time: %v; b answered %d times", p.lost, p.paid["b"])
	}
}
