package runtime

import (
	"fmt"
	"os"
	"path/filepath"

	"iterion/ir"
	"iterion/ir/outcome"
)

// confine says what this build does about the places that a program asks to
// work in. It has no sandbox: what demands one is refused before anything
// runs, and what leaves the choice to the engine runs on the host, which is
// said once. The same goes for a worktree.
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
	if w.Worktree.Or("auto") == "auto" && inRepository(e.Workspace) {
		e.OnWarning("there are no worktrees in this build: the run works in " + e.Workspace)
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

// inRepository tells whether a folder lies in a git working tree.
func inRepository(dir string) bool {
	for {
		if _, err := os.Stat(filepath.Join(dir, ".git")); err == nil {
			return true
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return false
		}
		dir = parent
	}
}
