package runtime

import (
	"context"

	"iterion/ir"
	"iterion/runtime/process"
)

// ToolStep is a command of a tool node that is about to run.
type ToolStep struct {
	RunID         string
	NodeID        string
	BranchID      string // "" on the trunk
	Visit         int64  // which execution of the node in its branch, from 1
	Postcondition bool   // the proof of a Verified Action, not its command
	Text          string // the command or script, rendered; secrets are names of variables in it
}

// StandIn gives the output of a command in its place: then nothing is run. It
// is safe for concurrent use.
type StandIn func(ToolStep) (out process.Output, ok bool)

// steps are what a stand-in is told of a node's commands.
type steps struct {
	standIn StandIn
	step    ToolStep
}

func (e *engine) steps(n *ir.Node, sc *Scope) steps {
	return steps{e.Tools, ToolStep{
		RunID: e.RunID, NodeID: n.ID, BranchID: sc.ID, Visit: e.state.Visits[visitKey(n.ID, sc.ID)] + 1,
	}}
}

// run runs a command, unless the stand-in answers for it.
func (s steps) run(ctx context.Context, cmd process.Command, postcondition bool) (process.Output, error) {
	if s.standIn == nil {
		return cmd.Run(ctx)
	}
	step := s.step
	step.Postcondition, step.Text = postcondition, cmd.Script
	if step.Text == "" {
		step.Text = cmd.Args[len(cmd.Args)-1]
	}
	out, ok := s.standIn(step)
	switch {
	case !ok:
		return cmd.Run(ctx)
	case ctx.Err() != nil:
		return out, context.Cause(ctx)
	}
	return out, nil
}
