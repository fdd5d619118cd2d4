package corpus

import (
	"encoding/json"
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

// At is the line with its workspace and its outside folder filled in.
func (v GateVector) At(workspace, outside string) string {
	return strings.NewReplacer("$W", workspace, "$O", outside).Replace(v.Text)
}
