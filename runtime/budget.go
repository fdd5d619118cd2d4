package runtime

import (
	"cmp"
	"fmt"
	"time"

	"iterion/ir"
	"iterion/ir/outcome"
)

// Shares of a cap at which something happens.
const (
	warnShare  = 0.8 // a warning
	hardShare  = 0.9 // no new node, no new round of a loop
	graceShare = 1.1 // the end of exit grace
)

// limits are a run's caps; 0 is none.
type limits struct {
	declared   bool
	Iterations int64
	Tokens     int64
	WarnTokens int64
	CostUSD    float64
	Duration   time.Duration
	Parallel   int
	pause      bool   // `on_exceeded: pause`
	guard      bool   // `loop_budget_guard`
	warning    string // about a cap that cannot be read
}

func limitsOf(w *ir.Workflow, lookupEnv func(string) (string, bool)) limits {
	l := limits{guard: w.LoopBudgetGuard.Or("on") != "off"}
	b := w.Budget
	if b == nil {
		return l
	}
	l.declared = true
	l.Iterations, l.Tokens, l.WarnTokens = b.MaxIterations.V, b.MaxTokens.V, b.WarnTokens.V
	l.CostUSD, l.Parallel = b.MaxCostUSD.V, int(b.MaxParallelBranches.V)
	l.pause = b.OnExceeded.V == "pause"
	if b.MaxDuration.Set() {
		text := b.MaxDuration.V.Value()
		var err error
		if l.Duration, err = duration(text, lookupEnv); err != nil || l.Duration <= 0 {
			l.Duration = 0
			l.warning = fmt.Sprintf("max_duration is %q, which is no positive duration: the run has no limit of time", text)
		}
	}
	return l
}

// Caps are caps of the operator's, which hold in the place of the program's; 0
// leaves that as it is.
type Caps struct {
	Iterations int64         `json:"iterations,omitempty"`
	Tokens     int64         `json:"tokens,omitempty"`
	CostUSD    float64       `json:"cost_usd,omitempty"`
	Duration   time.Duration `json:"duration,omitempty"`
}

// over is caps with others in their place where those are set.
func (c Caps) over(old Caps) Caps {
	return Caps{
		Iterations: cmp.Or(c.Iterations, old.Iterations), Tokens: cmp.Or(c.Tokens, old.Tokens),
		CostUSD: cmp.Or(c.CostUSD, old.CostUSD), Duration: cmp.Or(c.Duration, old.Duration),
	}
}

// cap puts the operator's caps in force.
func (l *limits) cap(c Caps) {
	l.declared = l.declared || c != Caps{}
	all := c.over(Caps{l.Iterations, l.Tokens, l.CostUSD, l.Duration})
	l.Iterations, l.Tokens, l.CostUSD, l.Duration = all.Iterations, all.Tokens, all.CostUSD, all.Duration
}

func (c Caps) data() map[string]any {
	if c == (Caps{}) {
		return nil
	}
	return map[string]any{
		"iterations": c.Iterations, "tokens": c.Tokens, "cost_usd": c.CostUSD, "duration_ms": c.Duration.Milliseconds(),
	}
}

func capsOf(d map[string]any) Caps {
	return Caps{
		Iterations: whole(d, "iterations"), Tokens: whole(d, "tokens"), CostUSD: number(d, "cost_usd"),
		Duration: time.Duration(whole(d, "duration_ms")) * time.Millisecond,
	}
}

// axis is one capped quantity: what is used, what one more round takes, the cap.
type axis struct {
	name  string
	used  float64
	round float64
	cap   float64
}

// axes lists the capped quantities. since is where the last round began.
func (l limits) axes(used, since Usage) []axis {
	all := [...]axis{
		{"iterations", float64(used.Iterations), float64(used.Iterations - since.Iterations), float64(l.Iterations)},
		{"tokens", float64(used.Tokens), float64(used.Tokens - since.Tokens), float64(l.Tokens)},
		{"cost_usd", used.CostUSD, used.CostUSD - since.CostUSD, l.CostUSD},
		{"duration", used.Elapsed.Seconds(), (used.Elapsed - since.Elapsed).Seconds(), l.Duration.Seconds()},
	}
	out := all[:0]
	for _, a := range all {
		if a.cap > 0 {
			out = append(out, a)
		}
	}
	return out
}

func (a axis) share() float64 { return a.used / a.cap }

func (a axis) data() map[string]any {
	return map[string]any{"axis": a.name, "used": a.used, "limit": a.cap, "percent": 100 * a.share()}
}

func (s *State) used(now time.Time) Usage {
	u := s.Usage
	u.Elapsed = s.Elapsed(now)
	return u
}

// guarded names the axis on which one more round of a loop, priced like the
// last one, would reach the hard limit; "" when there is none.
func (v view) guarded(l *LoopState) string {
	if !v.p.limits.guard {
		return ""
	}
	for _, a := range v.p.limits.axes(v.s.used(v.now), l.Mark) {
		if a.used+a.round >= hardShare*a.cap {
			return a.name
		}
	}
	return ""
}

// verdict is what the budget says about going on.
type verdict struct {
	events []Event  // warnings and the like, to be recorded first
	stop   *Failure // nil to go on
}

// Moments at which the budget is asked.
type moment int

const (
	beforeNode moment = iota
	afterNode         // an edge is chosen, not yet taken
)

// budget judges going on in a scope towards a node. back tells whether a loop
// or foreach edge leads there.
func (p *plan) budget(s *State, sc *Scope, at moment, to string, back bool, now time.Time) verdict {
	var out verdict
	used := s.used(now)
	say := func(kind outcome.EventType, data map[string]any) {
		e := Event{Type: kind, BranchID: sc.ID, NodeID: to, Data: data}
		if !s.Warned[warning(e)] || kind == outcome.BudgetExitGrace {
			out.events = append(out.events, e)
		}
	}
	if w := p.limits.WarnTokens; w > 0 && used.Tokens > w {
		say(outcome.BudgetWarning, map[string]any{"axis": "tokens", "advisory": true, "used": float64(used.Tokens), "limit": float64(w)})
	}
	if p.limits.CostUSD > 0 && used.Unpriced > 0 {
		say(outcome.BudgetWarning, map[string]any{"axis": "cost_usd", "reason": "unknown_price"})
	}
	for _, a := range p.limits.axes(used, Usage{}) {
		share := a.share()
		if share >= warnShare {
			say(outcome.BudgetWarning, a.data())
		}
		if share >= 1 {
			say(outcome.BudgetReached, a.data())
		}
		if out.stop != nil || share < hardShare || share < 1 && at == afterNode || to == ir.Done {
			continue
		}
		grace := share >= 1 && sc.ID == Trunk && p.limits.guard && !back && share < graceShare
		switch {
		case !grace:
			out.stop = stopped(a, share)
		case at == beforeNode:
			say(outcome.BudgetExitGrace, a.data())
		}
	}
	return out
}

// turn judges one more model turn of a node that has started; nil allows it.
func (p *plan) turn(s *State, scope string, now time.Time) *Failure {
	most := 1.0
	if scope == Trunk && p.limits.guard {
		most = graceShare
	}
	for _, a := range p.limits.axes(s.used(now), Usage{}) {
		if a.share() >= most {
			return stopped(a, a.share())
		}
	}
	return nil
}

func stopped(a axis, share float64) *Failure {
	message := "the budget's " + a.name + " cap is reached"
	if share < 1 {
		message = "the budget's " + a.name + " cap is nearly reached: no new node starts (hard_limit)"
	}
	return &Failure{Code: outcome.BudgetExceeded, Message: message}
}

// left is the time a node may still run, 0 for no bound.
func (p *plan) left(s *State, now time.Time) time.Duration {
	if p.limits.Duration <= 0 {
		return 0
	}
	allowed, spent := p.limits.Duration, s.Elapsed(now)
	if spent >= allowed {
		allowed = time.Duration(graceShare * float64(allowed))
	}
	return max(time.Nanosecond, allowed-spent)
}
