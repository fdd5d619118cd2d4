package scripted

import (
	"fmt"
	"os"
	"time"

	"github.com/goccy/go-yaml"

	"iterion/ir/outcome"
)

// Script holds the turns that models would give, by node. A key is a node's id,
// with `@branch` behind it for one branch and `#n` for one visit; the most
// exact key counts, the branch before the visit.
type Script struct {
	Nodes map[string][]Turn `yaml:"nodes"`
}

// Turn is one turn of a model.
type Turn struct {
	Text   string         `yaml:"text"`
	Output map[string]any `yaml:"output"` // structured output; ends the node
	Error  *Failure       `yaml:"error"`
	Delay  string         `yaml:"delay"` // before the turn, a duration
	Usage  *Usage         `yaml:"usage"`
	Tools  []any          `yaml:"tools"`
	Model  string         `yaml:"model"`

	delay time.Duration
}

// Failure is a turn that fails.
type Failure struct {
	Code       outcome.Code `yaml:"code"`
	Message    string       `yaml:"message"`
	RetryAfter string       `yaml:"retry_after"` // a duration

	retryAfter time.Duration
}

// Usage is what a turn costs; a cost that is not given is unknown.
type Usage struct {
	InputTokens  int64    `yaml:"input_tokens"`
	OutputTokens int64    `yaml:"output_tokens"`
	CostUSD      *float64 `yaml:"cost_usd"`
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

// Parse reads a script, YAML or JSON. A key that is not known is an error.
func Parse(text []byte) (*Script, error) {
	var s Script
	if err := yaml.UnmarshalWithOptions(text, &s, yaml.Strict()); err != nil {
		return nil, fmt.Errorf("the script cannot be read: %w", err)
	}
	for key, turns := range s.Nodes {
		for i := range turns {
			if err := turns[i].check(); err != nil {
				return nil, fmt.Errorf("node %s, turn %d: %w", key, i+1, err)
			}
		}
	}
	return &s, nil
}

func (t *Turn) check() (err error) {
	if len(t.Tools) > 0 {
		return fmt.Errorf("tool calls are not available in this build")
	}
	if t.delay, err = duration(t.Delay); err != nil {
		return fmt.Errorf("delay: %w", err)
	}
	if t.Error == nil {
		return nil
	}
	if t.Error.retryAfter, err = duration(t.Error.RetryAfter); err != nil {
		return fmt.Errorf("retry_after: %w", err)
	}
	if t.Error.Code == "" {
		t.Error.Code = outcome.ExecutionFailed
	}
	return nil
}

func duration(text string) (time.Duration, error) {
	if text == "" {
		return 0, nil
	}
	d, err := time.ParseDuration(text)
	if err == nil && d < 0 {
		err = fmt.Errorf("%s is negative", text)
	}
	return d, err
}
