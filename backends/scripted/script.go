package scripted

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/goccy/go-yaml"

	"iterion/ir/outcome"
	"iterion/runtime/backend"
)

// Script holds the turns that models give, by conversation. A key is a node's
// id, with `@branch` behind it for one branch and `#n` for one visit, in this
// order; `/agent` behind all that is a subagent of the node and `/agent#n` its
// n-th one. The most exact key counts: the subagent's number before the branch,
// the branch before the visit.
type Script struct {
	Nodes  map[string][]Turn `yaml:"nodes"`
	Window int64             `yaml:"window,omitempty"` // tokens that the models' context holds, 0 for unknown
}

// Turn is one turn of a model.
type Turn struct {
	Text   string         `yaml:"text,omitempty"`
	Tools  []Call         `yaml:"tools,omitempty"`
	Output map[string]any `yaml:"output,omitempty"` // structured output; ends the node
	Error  *Failure       `yaml:"error,omitempty"`
	Delay  string         `yaml:"delay,omitempty"` // before the turn, a duration
	Usage  *Usage         `yaml:"usage,omitempty"`
	Model  string         `yaml:"model,omitempty"`

	ready ready
}

// Call is a call of a tool.
type Call struct {
	Name  string         `yaml:"name"`
	Input map[string]any `yaml:"input,omitempty"` // absent is an empty object
	JSON  *string        `yaml:"input_json,omitempty"`
}

// Failure is a turn that fails.
type Failure struct {
	Code       outcome.Code `yaml:"code,omitempty"` // EXECUTION_FAILED when absent
	Message    string       `yaml:"message,omitempty"`
	RetryAfter string       `yaml:"retry_after,omitempty"` // a duration
}

// Usage is what a turn costs; a cost that is not given is unknown.
type Usage struct {
	InputTokens  int64    `yaml:"input_tokens"`
	OutputTokens int64    `yaml:"output_tokens"`
	CostUSD      *float64 `yaml:"cost_usd,omitempty"`
}

// Load reads a script from a file, YAML or JSON.
func Load(path string) (*Script, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	script, err := Parse(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return script, nil
}

// Parse reads a script, YAML or JSON. A key that is not known or stands twice is
// an error, which names line and column.
func Parse(text []byte) (*Script, error) {
	var s Script
	dec := yaml.NewDecoder(bytes.NewReader(text), yaml.Strict())
	if err := dec.Decode(&s); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("the script cannot be read: %w", err)
	}
	var more any
	if err := dec.Decode(&more); !errors.Is(err, io.EOF) {
		return nil, errors.New("the script cannot be read: it is more than one document")
	}
	err := s.Ready(func(err error, keys ...any) error { return fmt.Errorf("%s%w", position(text, keys...), err) })
	if err != nil {
		return nil, err
	}
	return &s, nil
}

// Ready checks a script that was read as a part of another file and makes it
// ready. place puts the place of a part of the script before an error.
func (s *Script) Ready(place func(err error, keys ...any) error) error {
	if s.Window < 0 {
		return place(fmt.Errorf("window: %d is negative", s.Window), "window")
	}
	for key, turns := range s.Nodes {
		for i := range turns {
			if err := turns[i].prepare(i + 1); err != nil {
				return place(fmt.Errorf("node %s, turn %d: %w", key, i+1, err), "nodes", key, i)
			}
		}
	}
	return nil
}

// position is where a part of a script stands, as the errors of the YAML reader
// write it; "" when it is not found.
func position(text []byte, keys ...any) string {
	path := (&yaml.PathBuilder{}).Root()
	for _, key := range keys {
		switch key := key.(type) {
		case string:
			path = path.Child(key)
		case int:
			path = path.Index(uint(key))
		}
	}
	node, err := path.Build().ReadNode(bytes.NewReader(text))
	if err != nil || node == nil || node.GetToken() == nil {
		return ""
	}
	at := node.GetToken().Position
	return fmt.Sprintf("[%d:%d] ", at.Line, at.Column)
}

// usage is a turn's use as the contract has it.
func (u *Usage) usage() backend.Usage {
	if u == nil {
		return backend.Usage{}
	}
	return backend.Usage{InputTokens: u.InputTokens, OutputTokens: u.OutputTokens, CostUSD: u.CostUSD}
}
