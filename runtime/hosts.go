package runtime

import (
	"fmt"
	"strings"

	"iterion/ir"
	"iterion/ir/outcome"
)

// bounded refuses a program whose commands would be handed a secret that may go to
// some hosts only: a command is a process of this host, and nothing here holds
// what it sends to them.
func (e *engine) bounded() error {
	for _, n := range e.p.Nodes {
		if n.Tool == nil {
			continue
		}
		for _, text := range []ir.Opt[ir.Text]{n.Tool.Command, n.Tool.Script, n.Tool.Postcondition} {
			for _, ref := range text.V.Refs() {
				if hosts := e.Secrets.Hosts[ref.Path[0]]; ref.Namespace == "secrets" && len(hosts) > 0 {
					return &Failure{Code: outcome.Unsupported, Node: n.ID, Message: fmt.Sprintf(
						"the secret %s may go to %s only, and %s hands it to a command, which this build cannot hold to hosts: nothing was run. "+
							"Take `hosts:` away from the secret if you trust the command with it", ref.Path[0], strings.Join(hosts, ", "), n.ID)}
				}
			}
		}
	}
	return nil
}
