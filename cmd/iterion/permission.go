package main

import (
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"iterion/ir"
	"iterion/ir/build"
	"iterion/ir/effective"
	"iterion/ir/facts"
	"iterion/ir/gate"
)

func newPermission(std streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "permission",
		Short: "Show, try and test what a program's models may call",
		Long: `Show, try and test the policy that decides every tool call of a program's nodes.

A policy is the mode and the rules of a node, else of the workflow; flags and
ITERION_PERMISSION, a mode for programs that name none, are added to it.`,
		Example: "  iterion permission show bots/review.bot\n  iterion permission check bots/review.bot --node worker --tool Bash --input '{\"command\":\"git push\"}'",
		Args:    noVerb,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newPermissionShow(std), newPermissionCheck(std), newPermissionTest(std), newPermissionEval(std))
	return cmd
}

// permissionFlags are what a command line adds to a program's policies.
type permissionFlags struct {
	mode             string
	allow, ask, deny []string
}

func (f *permissionFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.mode, "permission", "", "the mode, before the program's: off, ask or deny")
	flags.StringArrayVar(&f.allow, "permission-allow", nil, "add a rule that opens calls; may stand several times")
	flags.StringArrayVar(&f.ask, "permission-ask", nil, "add a rule that asks")
	flags.StringArrayVar(&f.deny, "permission-deny", nil, "add a rule that closes calls")
	completes(cmd, "permission", gate.ModeNames())
}

// level reads the flags. A word that is no mode and a rule that cannot be read
// are wrong requests.
func (f *permissionFlags) level(cmd *cobra.Command) (gate.Level, error) {
	level := gate.Level{Mode: f.mode}
	if _, ok := gate.ParseMode(f.mode); !ok && f.mode != "" {
		return level, misuse(cmd, "--permission takes %s, not %q", orList(gate.ModeNames()), f.mode)
	}
	for k, list := range [3][]string{gate.DenyList: f.deny, gate.AskList: f.ask, gate.AllowList: f.allow} {
		for _, text := range list {
			rule, err := gate.ParseRule(text)
			if err != nil {
				return level, misuse(cmd, "--permission-%s %q cannot be read: %s", gate.Kind(k), text, err)
			}
			level.Lists[k] = append(level.Lists[k], rule)
		}
	}
	return level, nil
}

// policies resolves the policies of one program's nodes.
type policies struct {
	*build.Result
	program  *effective.Permissions
	flags    gate.Level
	cwd      string
	home     string
	fromEnv  string
	workflow *ir.Workflow
}

// newPolicies builds the program that an argument names. One with errors has no
// policy to show.
func newPolicies(std streams, cmd *cobra.Command, arg string, flags permissionFlags) (*policies, error) {
	level, err := flags.level(cmd)
	if err != nil {
		return nil, err
	}
	r, err := validUnit(std, cmd, arg, "")
	if err != nil {
		return nil, err
	}
	p := &policies{Result: r, flags: level, fromEnv: os.Getenv("ITERION_PERMISSION"), workflow: facts.Workflow(r.Scope)}
	p.program = effective.NewPermissions(p.workflow)
	if p.cwd, err = os.Getwd(); err != nil {
		return nil, failf("the current folder cannot be found: %s", reason(err))
	}
	p.cwd, p.home = filepath.ToSlash(p.cwd), homeFolder()
	if _, err := p.resolve(nil); err != nil {
		return nil, failf("%s", err)
	}
	return p, nil
}

func homeFolder() string {
	home, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return filepath.ToSlash(home)
}

// resolve is a node's policy as a run would have it, but for the run's own
// secret folders; of nil it is that of a node without a word of its own.
func (p *policies) resolve(n *ir.Node) (gate.Policy, error) {
	levels := p.program.Levels(n)
	levels.Flag, levels.Environment = p.flags, p.fromEnv
	policy, err := gate.Resolve(levels)
	if err != nil {
		return policy, err
	}
	return policy.Arm(p.cwd, p.home), nil
}

// reader finds a node whose model calls tools.
func (p *policies) reader(id string) (*ir.Node, error) {
	var ids []string
	for _, n := range p.Scope.Nodes {
		if !effective.Reader(n.Node) {
			continue
		}
		if n.ID == id {
			return n.Node, nil
		}
		ids = append(ids, n.ID)
	}
	switch {
	case len(ids) == 0:
		return nil, failf("no node of the program calls tools")
	case id == "":
		return nil, failf("--node is missing; the nodes are %s", andList(ids))
	}
	return nil, failf("no node that calls tools is %q%s; the nodes are %s", id, didYouMean(id, ids, ""), andList(ids))
}
