package claw

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"iterion/ir/gate"
	"iterion/ir/outcome"
	"iterion/runtime/backend"
)

// How misses of an output are told to the model; they are counted by their
// beginning.
const (
	notValid   = "The output is not valid: "
	noOutput   = "The answer cannot be used as the output: "
	callOutput = "Call the tool structured_output with the output."
)

// shape is the schema of an output.
type shape struct{ schema *jsonschema.Resolved }

// newShape compiles a schema; nil for none. It may refer to nothing outside of
// itself.
func newShape(schema map[string]any) (*shape, error) {
	if schema == nil {
		return nil, nil
	}
	text, err := json.Marshal(schema)
	if err != nil {
		return nil, err
	}
	var read jsonschema.Schema
	if err := json.Unmarshal(text, &read); err != nil {
		return nil, err
	}
	resolved, err := read.Resolve(nil)
	if err != nil {
		return nil, err
	}
	return &shape{resolved}, nil
}

// read reads an output and holds it against the schema.
func (s *shape) read(text string) (map[string]any, error) {
	output, err := object(text)
	if err != nil {
		return nil, err
	}
	var plain any // the library takes no json.Number
	if err := json.Unmarshal([]byte(text), &plain); err != nil {
		return nil, err
	}
	if err := s.schema.Validate(plain); err != nil {
		return nil, err
	}
	return output, nil
}

// object reads a JSON object whose keys stand once.
func object(text string) (map[string]any, error) {
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	var value any
	if err := dec.Decode(&value); err != nil {
		return nil, fmt.Errorf("it is no JSON (%w)", err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, errors.New("it is no JSON (text stands behind the value)")
	}
	object, ok := value.(map[string]any)
	if !ok {
		return nil, errors.New("it is no JSON object")
	}
	if key := gate.RepeatedKey([]byte(text)); key != "" {
		return nil, fmt.Errorf("the key %q stands twice", key)
	}
	return object, nil
}

// submit takes an output: one that is valid ends the task.
func (r *round) submit(c backend.Call) error {
	_, err := r.shape.read(c.Input)
	if err == nil {
		return r.end(c, backend.CallResult{Text: "The output is taken.", Decision: never, Pure: true})
	}
	if err := r.refuse(c, never, notValid+err.Error()+". Call structured_output again."); err != nil {
		return err
	}
	return r.missed(err)
}

// output is what the turn has submitted.
func (r *round) output() (map[string]any, bool) {
	if r.shape == nil {
		return nil, false
	}
	for _, c := range r.calls {
		if m, done := r.results[c.ID]; !done || m.Failed || !isOf(c, outputTool) {
			continue
		}
		if output, err := r.shape.read(c.Input); err == nil {
			return output, true
		}
	}
	return nil, false
}

// missed fails the task when it has asked often enough. The count is the
// conversation's; a task that is tried again after that has as many questions
// more.
func (l *loop) missed(cause error) error {
	if l.misses()%(mostRepairs+1) != 0 {
		return nil
	}
	return backend.Errorf(outcome.SchemaValidation, "the model gave no valid output in %d answers: %v", mostRepairs+1, cause)
}

// misses counts the outputs of the task that were not valid.
func (l *loop) misses() (n int) {
	submitted := map[string]bool{}
	for _, m := range l.said[l.start:] {
		for _, c := range m.Calls {
			submitted[c.ID] = isOf(c, outputTool)
		}
		if m.Role == backend.Tool && m.Failed && submitted[m.CallID] && strings.HasPrefix(m.Text, notValid) ||
			m.Role == backend.User && strings.HasPrefix(m.Text, noOutput) {
			n++
		}
	}
	return n
}
