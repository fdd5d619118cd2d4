package gate_test

import (
	"os"
	"path/filepath"
	"testing"

	"iterion/corpus"
	"iterion/ir/gate"
)

// The conformance vectors agree with the Go API.
func TestVectors(t *testing.T) {
	for _, v := range corpus.GateVectors() {
		t.Run(v.ID, func(t *testing.T) {
			line := lay(t, v)
			g := gate.New(policyOf(t, line.Policy), diskFiles{})
			call := gate.Call{Tool: line.Call.Tool, Input: string(line.Call.Input)}
			got := g.Evaluate(call)
			if got.Decision.String() != v.Want || v.Rule != nil && got.Rule != *v.Rule {
				t.Errorf("%s: got %v (%v, %q: %s), want %s\ncall %s %s\npolicy %+v", v.Why, got.Decision, got.Stage, got.Rule, got.Reason(), v.Want,
					call.Tool, call.Input, line.Policy)
			}
			again, trace := g.Explain(call)
			if again.Decision != got.Decision || again.Stage != got.Stage || again.Rule != got.Rule {
				t.Errorf("explained, it is %v (%v, %q)\n%+v", again.Decision, again.Stage, again.Rule, trace)
			}
			if kept := g.Evaluate(call); kept.Decision != got.Decision || kept.Stage != got.Stage || kept.Rule != got.Rule {
				t.Errorf("the second time it is %v (%v, %q)", kept.Decision, kept.Stage, kept.Rule)
			}
		})
	}
}

// lay puts a vector's files into a workspace of its own.
func lay(t *testing.T, v corpus.GateVector) corpus.GateCase {
	t.Helper()
	c, err := v.At(real(t, t.TempDir()), real(t, t.TempDir()))
	must(t, err)
	must(t, c.Lay())
	return c
}

func policyOf(t testing.TB, from corpus.GatePolicy) gate.Policy {
	t.Helper()
	level := gate.Level{Mode: from.Mode}
	for k, list := range map[gate.Kind][]string{gate.DenyList: from.Deny, gate.AskList: from.Ask, gate.AllowList: from.Allow} {
		for _, text := range list {
			rule, err := gate.ParseRule(text)
			if err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			level.Lists[k] = append(level.Lists[k], rule)
		}
	}
	p, err := gate.Resolve(gate.Levels{Node: level})
	if err != nil {
		t.Fatal(err)
	}
	p = p.Arm(from.Cwd, "")
	for _, g := range from.Grants {
		p.Grants = append(p.Grants, gate.Grant{Tool: g.Tool, Input: string(g.Input), Scope: gate.Scope(g.Scope)})
	}
	return p
}

func real(t *testing.T, dir string) string {
	t.Helper()
	name, err := filepath.EvalSymlinks(dir)
	must(t, err)
	return name
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// diskFiles reads the links of the real file system.
type diskFiles struct{}

func (diskFiles) Link(name string) (target string, ok, missing bool) {
	info, err := os.Lstat(name)
	if err != nil {
		return "", false, true
	}
	if info.Mode()&os.ModeSymlink == 0 {
		return "", false, false
	}
	target, err = os.Readlink(name)
	return target, err == nil, false
}
