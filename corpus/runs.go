package corpus

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"
)

// Run is a bot that is meant to be executed, with what must come of it.
type Run struct {
	Name   string // file name without its extension
	File   File
	Script []byte // script of the model turns, nil for a bot without models

	Args    []string   `json:"args"`    // further arguments of `run`
	Answers [][]string `json:"answers"` // the k=v answers of each resume, in order
	Exit    int        `json:"exit"`    // exit status of the last command
	Status  string     `json:"status"`

	// Outputs holds fields of nodes after the run; fields not named may have any value.
	Outputs map[string]map[string]any `json:"outputs"`

	// Path is the nodes executed on the trunk in order, without branches and ends.
	Path []string `json:"path"`

	FailureCode string `json:"failure_code"` // "" is not checked
	Error       string `json:"error"`        // "" is not checked
}

// Runs returns the executable bots, sorted by name. It panics on an
// expectation that is missing or malformed.
func Runs() []Run {
	var runs []Run
	for _, f := range glob("run", ".bot", "") {
		r, err := readRun(f)
		if err != nil {
			panic(err)
		}
		runs = append(runs, r)
	}
	return runs
}

func readRun(f File) (Run, error) {
	base := strings.TrimSuffix(f.Name, ".bot")
	r := Run{Name: strings.TrimPrefix(base, "run/"), File: f}
	raw, err := fs.ReadFile(tree, base+".want.json")
	if err != nil {
		return r, err
	}
	if err := json.Unmarshal(raw, &r); err != nil {
		return r, fmt.Errorf("%s: %w", f.Name, err)
	}
	r.Script, err = fs.ReadFile(tree, base+".script.yaml")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return r, err
	}
	return r, nil
}
