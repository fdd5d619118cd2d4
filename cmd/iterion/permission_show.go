package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"iterion/diagnostics/render"
	"iterion/ir"
	"iterion/ir/facts"
	"iterion/ir/gate"
)

func newPermissionShow(std streams) *cobra.Command {
	var flags permissionFlags
	var node string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "show FILE",
		Short: "Show the policy of each node, and where it comes from",
		Long: `Show for each node whose model calls tools the mode and the rules in force, each
with its origin, and for each route whether its backend enforces them.`,
		Example: "  iterion permission show bots/review.bot\n  iterion permission show --node worker --permission deny bots/review.bot",
		Args:    takes(1, 1, "one file"),
	}
	cmd.Flags().StringVar(&node, "node", "", "show this node only")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	flags.add(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		p, err := newPolicies(std, cmd, args[0], flags)
		if err != nil {
			return err
		}
		facts, err := p.facts(node)
		if err != nil {
			return err
		}
		if asJSON {
			return render.Encode(std.out, shownJSON{facts, gate.SecretTrees})
		}
		dress, err := lookOf("auto", std.out)
		if err != nil {
			return err
		}
		if err := render.FactsText(std.out, render.Facts{Nodes: facts}, dress.color); err != nil {
			return err
		}
		_, err = fmt.Fprintf(std.out, "closed to every gated node, whatever the rules say: %s\n", strings.Join(gate.SecretTrees, ", "))
		return err
	}
	return cmd
}

// shownJSON is what show prints as JSON.
type shownJSON struct {
	Nodes []render.NodeFacts `json:"nodes"`
	Trees []string           `json:"trees"` // folders that no rule opens
}

// facts tells the policies of all nodes, or of one.
func (p *policies) facts(node string) ([]render.NodeFacts, error) {
	if node != "" {
		if _, err := p.reader(node); err != nil {
			return nil, err
		}
	}
	list := facts.With(p.Result, func(n *ir.Node) gate.Policy {
		policy, _ := p.resolve(n) // the modes were read before
		return policy
	}).Nodes()
	if node == "" {
		return list, nil
	}
	var one []render.NodeFacts
	for _, f := range list {
		if f.Node == node {
			one = append(one, f)
		}
	}
	return one, nil
}
