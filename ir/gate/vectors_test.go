package gate_test

import (
	"encoding/json"
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
			g := gate.New(line.policy(t), diskFiles{})
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

// vectorLine is a vector with its places filled in.
type vectorLine struct {
	FS struct {
		Dirs, Files []string
		Links       map[string]string
	}
	Policy struct {
		Mode             string
		Allow, Ask, Deny []string
		Grants           []struct {
			Tool  string
			Input json.RawMessage
			Scope gate.Scope
		}
	}
	Call struct {
		Tool  string
		Input json.RawMessage
	}
	cwd string
}

// lay puts a vector's files into a workspace of its own.
func lay(t *testing.T, v corpus.GateVector) vectorLine {
	t.Helper()
	w, o := real(t, t.TempDir()), real(t, t.TempDir())
	var line vectorLine
	if err := json.Unmarshal([]byte(v.At(w, o)), &line); err != nil {
		t.Fatal(err)
	}
	line.cwd = w
	at := func(name string) string {
		if !filepath.IsAbs(name) {
			name = filepath.Join(w, name)
		}
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		return name
	}
	for _, dir := range line.FS.Dirs {
		must(t, os.MkdirAll(at(dir), 0o755))
	}
	for _, file := range line.FS.Files {
		must(t, os.WriteFile(at(file), nil, 0o644))
	}
	for name, target := range line.FS.Links {
		must(t, os.Symlink(target, at(name)))
	}
	return line
}

func (l *vectorLine) policy(t *testing.T) gate.Policy {
	t.Helper()
	var level gate.Level
	level.Mode = l.Policy.Mode
	for k, list := range map[gate.Kind][]string{gate.DenyList: l.Policy.Deny, gate.AskList: l.Policy.Ask, gate.AllowList: l.Policy.Allow} {
		for _, text := range list {
			rule, err := gate.ParseRule(text)
			if err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			level.Lists[k] = append(level.Lists[k], rule)
		}
	}
	p, err := gate.Resolve(gate.Levels{Node: level})
	must(t, err)
	p.Cwd, p.Trees = l.cwd, gate.SecretTrees
	for _, g := range l.Policy.Grants {
		p.Grants = append(p.Grants, gate.Grant{Tool: g.Tool, Input: string(g.Input), Scope: g.Scope})
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
