package bottest

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"iterion/backends/scripted"
	"iterion/ir/gate"
	"iterion/ir/outcome"
	"iterion/runtime"
)

// Test is one run of a program with all that it meets, and what must come of it.
type Test struct {
	Name        string            `yaml:"name"`
	Vars        map[string]any    `yaml:"vars"`
	Preset      string            `yaml:"preset"`
	Script      Script            `yaml:"script"`
	Answers     map[string]Forms  `yaml:"answers"`   // of people, by node
	Approvals   []Approval        `yaml:"approvals"` // of calls, in the order in which they are asked for
	Tools       map[string]Tool   `yaml:"tools"`     // commands that are not run, by node
	Secrets     map[string]string `yaml:"secrets"`
	Env         map[string]string `yaml:"env"`
	Attachments map[string]string `yaml:"attachments"` // files beside the tests, by name
	Permission  string            `yaml:"permission"`  // the mode, as the flag of a run
	Files       map[string]string `yaml:"files"`       // laid into the workspace before the run
	Unused      bool              `yaml:"unused"`      // not all that is given here need be used
	Expect      Expect            `yaml:"expect"`
}

// Script is the script of a test: in its place, or in a file beside the tests.
type Script struct {
	file   string
	inline scripted.Script
}

// UnmarshalYAML takes the name of a file or a script.
func (s *Script) UnmarshalYAML(read func(any) error) error {
	if read(&s.file) == nil {
		return nil
	}
	return read(&s.inline)
}

// Forms are the answers of a person at one node: the same each time, or one
// after the other.
type Forms struct {
	always map[string]any
	each   []map[string]any
}

// UnmarshalYAML takes fields, or a list of such.
func (f *Forms) UnmarshalYAML(read func(any) error) error {
	if read(&f.each) == nil {
		return nil
	}
	f.each = nil
	return read(&f.always)
}

// Approval answers the question whether a call may run.
type Approval struct {
	Tool   string `yaml:"tool"`
	Match  string `yaml:"match"`  // contained in a text of the call's input
	Answer string `yaml:"answer"` // as on the card: allow, allow similar, allow always, deny
}

var approvals = []string{runtime.Allow, runtime.AllowSimilar, runtime.AllowAlways, runtime.Deny}

// Tool is what a command that is not run leaves behind.
type Tool struct {
	Output        map[string]any `yaml:"output"` // as JSON on stdout
	Stdout        string         `yaml:"stdout"`
	Stderr        string         `yaml:"stderr"`
	Exit          int            `yaml:"exit"`
	Postcondition []bool         `yaml:"postcondition"` // whether it holds, proof by proof; the last goes on
}

// Expect is what must come of a run; what is left out may be anything.
type Expect struct {
	Status      outcome.Status            `yaml:"status"`       // finished when absent, and no failure is expected
	FailureCode outcome.Code              `yaml:"failure_code"` // the run must fail with it
	Error       string                    `yaml:"error"`        // contained in the run's error
	Path        []string                  `yaml:"path"`         // nodes of the trunk; … stands for any number of them
	Branches    map[string][]string       `yaml:"branches"`     // nodes of branches, in the same way
	Outputs     map[string]map[string]any `yaml:"outputs"`      // fields by node, or NODE@BRANCH
	Artifacts   map[string]any            `yaml:"artifacts"`    // by published name
	Commands    map[string]string         `yaml:"commands"`     // contained in a command that was not run, by node
	Denied      []Call                    `yaml:"denied"`
	Asked       []Call                    `yaml:"asked"`
	Allowed     []Call                    `yaml:"allowed"`
	MaxCostUSD  *float64                  `yaml:"max_cost_usd"`
	MaxTokens   *int64                    `yaml:"max_tokens"`
	Files       map[string]*Content       `yaml:"files"` // in the workspace after the run; null for none
}

// Call is a call of a tool that must be found. An empty list demands that there
// was none.
type Call struct {
	Node  string `yaml:"node"`
	Tool  string `yaml:"tool"`
	Match string `yaml:"match"`
	Rule  string `yaml:"rule"`
}

// Content is what a file must hold.
type Content struct {
	text     *string
	contains string
}

// UnmarshalYAML takes the whole text, or `contains:` with a part of it.
func (c *Content) UnmarshalYAML(read func(any) error) error {
	var text string
	if read(&text) == nil {
		c.text = &text
		return nil
	}
	var part struct {
		Contains string `yaml:"contains"`
	}
	err := read(&part)
	c.contains = part.Contains
	return err
}

// anyNodes stands in a path for any number of nodes.
var anyNodes = []string{"…", "..."}

// ready completes the i-th test of a file, and refuses what no run could have.
func (t *Test) ready(f *File, i int) error {
	if t.Name == "" {
		t.Name = fmt.Sprintf("test %d", i+1)
	}
	if err := t.Script.ready(f, i); err != nil {
		return err
	}
	if _, ok := gate.ParseMode(t.Permission); !ok && t.Permission != "" {
		return f.at(fmt.Errorf("`permission:` is one of %s, not %q", strings.Join(gate.ModeNames(), ", "), t.Permission), "tests", i, "permission")
	}
	for k, a := range t.Approvals {
		if a.Tool == "" || !slices.Contains(approvals, a.Answer) {
			return f.at(fmt.Errorf("an approval has a `tool:` and an `answer:`, which is one of %s", strings.Join(approvals, ", ")), "tests", i, "approvals", k)
		}
	}
	for name, tool := range t.Tools {
		if tool.Output != nil && tool.Stdout != "" {
			return f.at(errors.New("`output:` is what stdout says: take one of them out"), "tests", i, "tools", name)
		}
	}
	for name := range t.Files {
		if err := inside(name); err != nil {
			return f.at(err, "tests", i, "files", name)
		}
	}
	for name, file := range t.Attachments {
		t.Attachments[name] = f.beside(file)
	}
	return t.Expect.ready(f, i)
}

// statuses are those that a run of a test can have.
var statuses = []outcome.Status{
	outcome.Finished, outcome.Failed, outcome.FailedResumable, outcome.PausedHuman, outcome.PausedOperator,
}

func (e *Expect) ready(f *File, i int) error {
	if e.Status == "" && e.FailureCode == "" {
		e.Status = outcome.Finished
	}
	if e.Status != "" && !slices.Contains(statuses, e.Status) {
		return f.at(fmt.Errorf("`status:` is one of %v, not %q", statuses, e.Status), "tests", i, "expect", "status")
	}
	for name := range e.Files {
		if err := inside(name); err != nil {
			return f.at(err, "tests", i, "expect", "files", name)
		}
	}
	return nil
}

// inside refuses a file that is not in the workspace.
func inside(name string) error {
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		return fmt.Errorf("the file %q is not below the workspace: name it relative to that, without `..`", name)
	}
	return nil
}

func (s *Script) ready(f *File, i int) error {
	if s.file == "" {
		return s.inline.Ready(func(err error, keys ...any) error {
			return f.at(err, append([]any{"tests", i, "script"}, keys...)...)
		})
	}
	script, err := scripted.Load(f.beside(s.file))
	if err != nil {
		return f.at(err, "tests", i, "script")
	}
	s.inline = *script
	return nil
}
