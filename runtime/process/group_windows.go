package process

import (
	"os"
	"os/exec"
)

// group is one command: what it starts is not followed here.
type group struct{ cmd *exec.Cmd }

func newGroup(string) (*group, error) { return &group{}, nil }

func (g *group) add(cmd *exec.Cmd) { g.cmd = cmd }

func (g *group) terminate() { g.kill() }

func (g *group) kill() {
	if g.cmd.Process != nil {
		_ = g.cmd.Process.Kill()
	}
}

func (g *group) close() {}

func exitCode(state *os.ProcessState) int { return state.ExitCode() }
