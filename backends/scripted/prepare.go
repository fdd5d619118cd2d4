package scripted

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"iterion/ir/outcome"
	"iterion/runtime/backend"
)

// outputTool is the tool by which a model gives its structured output.
const outputTool = "structured_output"

// ready is a turn as it is given.
type ready struct {
	turn   backend.Turn
	err    *backend.Error
	delay  time.Duration
	output string // the structured output as JSON, "" for none
}

// prepare checks a turn, the n-th of its list, and makes it ready.
func (t *Turn) prepare(n int) (err error) {
	r := ready{turn: backend.Turn{Text: t.Text, Model: t.Model, Usage: t.Usage.usage()}}
	if r.delay, err = duration(t.Delay); err != nil {
		return fmt.Errorf("delay: %w", err)
	}
	if err := t.Usage.check(); err != nil {
		return fmt.Errorf("usage: %w", err)
	}
	if t.Error != nil {
		if t.Text != "" || t.Tools != nil || t.Output != nil {
			return errors.New("a turn that fails gives nothing else: take the error or the rest out")
		}
		if r.err, err = t.Error.ready(); err != nil {
			return fmt.Errorf("error: %w", err)
		}
	}
	for i, c := range t.Tools {
		call, err := c.ready(callID(n, i+1))
		if err != nil {
			return fmt.Errorf("tool call %d: %w", i+1, err)
		}
		r.turn.Calls = append(r.turn.Calls, call)
	}
	if t.Output != nil {
		if r.output, err = toJSON(t.Output); err != nil {
			return fmt.Errorf("output: %w", err)
		}
		r.turn.Calls = append(r.turn.Calls, backend.Call{ID: callID(n, len(t.Tools)+1), Tool: outputTool, Input: r.output})
	}
	t.ready = r
	return nil
}

// callID is the id of a call: the same in every process.
func callID(turn, index int) string { return fmt.Sprintf("call_%d_%d", turn, index) }

func (c *Call) ready(id string) (backend.Call, error) {
	call := backend.Call{ID: id, Tool: c.Name, Input: "{}"}
	switch {
	case c.Name == "":
		return call, errors.New("it has no name")
	case c.Input != nil && c.JSON != nil:
		return call, errors.New("it has input and input_json: take one out")
	case c.JSON != nil:
		call.Input = *c.JSON
	case c.Input != nil:
		text, err := toJSON(c.Input)
		if err != nil {
			return call, fmt.Errorf("input: %w", err)
		}
		call.Input = text
	}
	return call, nil
}

func (f *Failure) ready() (*backend.Error, error) {
	after, err := duration(f.RetryAfter)
	if err != nil {
		return nil, fmt.Errorf("retry_after: %w", err)
	}
	code := f.Code
	if code == "" {
		code = outcome.ExecutionFailed
	}
	if _, ok := outcome.Lookup(code); !ok {
		return nil, fmt.Errorf("%s is no failure code", code)
	}
	return &backend.Error{Code: code, Message: f.Message, RetryAfter: after}, nil
}

func (u *Usage) check() error {
	if u != nil && (u.InputTokens < 0 || u.OutputTokens < 0 || u.CostUSD != nil && !(*u.CostUSD >= 0)) {
		return errors.New("a figure is negative")
	}
	return nil
}

// toJSON writes an object as a model would: without line breaks, its keys
// sorted.
func toJSON(object map[string]any) (string, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(object); err != nil {
		return "", err
	}
	return string(bytes.TrimSuffix(b.Bytes(), []byte("\n"))), nil
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
