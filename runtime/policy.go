package runtime

import (
	"slices"

	"iterion/ir"
	"iterion/ir/effective"
	"iterion/ir/gate"
)

// policies resolves the policy of every node: the one place of a run that does.
type policies struct {
	program *effective.Permissions
	run     Permission
	cwd     string
}

// Permission is what the operator says about the permission of a run, beside
// what the program says.
type Permission struct {
	Flag        gate.Level // of the command line
	Environment string     // a mode, "" for none
	Home        string     // what `~/` stands for in rules, "" for nothing
	Closed      []string   // folders and files that no rule opens, absolute
}

func newPolicies(o *Options) (*policies, error) {
	p := &policies{program: effective.NewPermissions(o.Program.Workflow), run: o.Permission, cwd: o.Workspace}
	for _, n := range o.Program.Nodes {
		if _, err := p.of(n); err != nil {
			return nil, err
		}
	}
	return p, nil
}

func (p *policies) of(n *ir.Node) (gate.Policy, error) {
	levels := p.program.Levels(n)
	levels.Flag, levels.Environment = p.run.Flag, p.run.Environment
	policy, err := gate.Resolve(levels)
	if err != nil {
		return policy, err
	}
	return policy.Arm(p.cwd, p.run.Home, p.run.Closed...), nil
}

// policy is a node's policy with what people have granted in this run.
func (e *engine) policy(n *ir.Node) gate.Policy {
	policy, _ := e.policies.of(n) // it was resolved before the run began
	policy.Grants = slices.Clone(e.state.Grants)
	return policy
}
