package runtime

import (
	"time"

	"iterion/ir"
)

// BudgetUse is how much of one cap a run has used. Duration is in seconds.
type BudgetUse struct {
	Axis  string  `json:"axis"` // iterations, tokens, cost_usd, duration
	Used  float64 `json:"used"`
	Limit float64 `json:"limit"`
}

// BudgetUsed lists the caps of a program and of its operator with what the run has used of each. A
// cap that stands in the environment and cannot be looked up is left out.
func BudgetUsed(p *ir.Program, s *State, now time.Time, lookupEnv func(string) (string, bool)) []BudgetUse {
	if p == nil || p.Workflow == nil {
		return nil
	}
	l := limitsOf(p.Workflow, lookupEnv)
	l.cap(s.Caps)
	var out []BudgetUse
	for _, a := range l.axes(s.used(now), Usage{}) {
		out = append(out, BudgetUse{a.name, a.used, a.cap})
	}
	return out
}
