package corpus

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
)

// GateVector is one call with the verdict that a policy must give.
type GateVector struct {
	ID   string
	Want string  // allow, ask or deny
	Rule *string // the rule that decides, where it matters
	Why  string
	Text string // the whole line
}

// GateCase is a vector with its places filled in.
type GateCase struct {
	FS struct {
		Dirs, Files []string
		Links       map[string]string
	}
	Policy GatePolicy
	Call   struct {
		Tool  string
		Input json.RawMessage
	}
}

// GatePolicy is a policy as a vector writes it.
type GatePolicy struct {
	Mode   string      `json:"mode"`
	Allow  []string    `json:"allow,omitempty"`
	Ask    []string    `json:"ask,omitempty"`
	Deny   []string    `json:"deny,omitempty"`
	Grants []GateGrant `json:"grants,omitempty"`
	Cwd    string      `json:"cwd,omitempty"`
}

// GateGrant is an approval as a vector writes it.
type GateGrant struct {
	Tool  string          `json:"tool"`
	Input json.RawMessage `json:"input"`
	Scope string          `json:"scope"`
}

// GateVectors returns the vectors of corpus/gate, by file and line.
func GateVectors() []GateVector {
	var list []GateVector
	for _, f := range glob("gate", ".jsonl", "") {
		for line := range strings.Lines(string(f.Data)) {
			v := GateVector{Text: strings.TrimSpace(line)}
			if err := json.Unmarshal([]byte(v.Text), &v); err != nil {
				panic(f.Name + ": " + err.Error())
			}
			list = append(list, v)
		}
	}
	return list
}

// At fills in the workspace and the folder outside of it.
func (v GateVector) At(workspace, outside string) (GateCase, error) {
	var c GateCase
	err := json.Unmarshal([]byte(strings.NewReplacer("$W", workspace, "$O", outside).Replace(v.Text)), &c)
	c.Policy.Cwd = workspace
	return c, err
}

// Lay puts the files of the case into its workspace.
func (c GateCase) Lay() error {
	at := func(name string) string {
		if filepath.IsAbs(name) {
			return name
		}
		return filepath.Join(c.Policy.Cwd, name)
	}
	for _, dir := range c.FS.Dirs {
		if err := os.MkdirAll(at(dir), 0o755); err != nil {
			return err
		}
	}
	for _, file := range c.FS.Files {
		if err := os.WriteFile(at(file), nil, 0o644); err != nil {
			return err
		}
	}
	for name, target := range c.FS.Links {
		if err := os.MkdirAll(filepath.Dir(at(name)), 0o755); err != nil {
			return err
		}
		if err := os.Symlink(target, at(name)); err != nil {
			return err
		}
	}
	return nil
}
