package runtime

import (
	"fmt"

	"iterion/ir"
	"iterion/ir/outcome"
)

// confine says what this build does about a sandbox. It has none: what demands
// one is refused before anything runs, and what leaves the choice to the engine
// runs on the host, which is said once.
func (e *engine) confine() error {
	w := e.p.Workflow
	if err := demanded("the workflow", w.Sandbox); err != nil {
		return err
	}
	for _, n := range e.p.Nodes {
		s := (*ir.Sandbox)(nil)
		switch {
		case n.LLM != nil:
			s = n.LLM.Sandbox
		case n.Tool != nil:
			s = n.Tool.Sandbox
		}
		if err := demanded(n.ID, s); err != nil {
			return err
		}
	}
	if w.Sandbox == nil || w.Sandbox.EffectiveMode() == "auto" {
		e.OnWarning("there is no sandbox in this build: commands run on this host")
	}
	return nil
}

// demanded refuses a sandbox that is described and not left to the engine.
func demanded(who string, s *ir.Sandbox) error {
	if s == nil || s.EffectiveMode() != "inline" {
		return nil
	}
	return &Failure{Code: outcome.Unsupported,
		Message: fmt.Sprintf("%s asks for a sandbox, which this build cannot make: nothing was run", who)}
}
