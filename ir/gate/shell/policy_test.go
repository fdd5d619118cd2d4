package shell_test

import (
	"encoding/json"
	"testing"

	"iterion/ir/gate"
)

// policy is what a gate judges commands by, in a workspace without files.
type policy struct {
	Mode             string
	Allow, Ask, Deny []string
}

// verdict judges a command.
func (p policy) verdict(t *testing.T, command, workdir string) string {
	t.Helper()
	level := gate.Level{Mode: p.Mode}
	for k, list := range [3][]string{gate.DenyList: p.Deny, gate.AskList: p.Ask, gate.AllowList: p.Allow} {
		for _, text := range list {
			rule, err := gate.ParseRule(text)
			must(t, err)
			level.Lists[k] = append(level.Lists[k], rule)
		}
	}
	resolved, err := gate.Resolve(gate.Levels{Node: level})
	must(t, err)
	fields := map[string]string{"command": command}
	if workdir != "" {
		fields["workdir"] = workdir
	}
	input, err := json.Marshal(fields)
	must(t, err)
	g := gate.New(resolved.Arm("/work/repo", "/home/me"), nil)
	return g.Evaluate(gate.Call{Tool: "Bash", Input: string(input)}).Decision.String()
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
