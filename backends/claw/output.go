package claw

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

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
type shape struct{ schema *jsonschema.Schema }

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
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	c.UseLoader(noLoader{})
	if err := c.AddResource("output:schema", doc); err != nil {
		return nil, err
	}
	compiled, err := c.Compile("output:schema")
	if err != nil {
		return nil, err
	}
	return &shape{compiled}, nil
}

type noLoader struct{}

func (noLoader) Load(url string) (any, error) {
	return nil, errors.New("no other schema can be loaded: " + url)
}

// read reads an output and holds it against the schema.
func (s *shape) read(text string) (map[string]any, error) {
	output, err := object(text)
	if err != nil {
		return nil, err
	}
	var wrong *jsonschema.ValidationError
	if err := s.schema.Validate(output); errors.As(err, &wrong) {
		return nil, errors.New(faults(wrong))
	} else if err != nil {
		return nil, err
	}
	return output, nil
}

// object reads a JSON object whose keys stand once.
func object(text string) (map[string]any, error) {
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("it is no JSON (%w)", err)
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

// faults says what is wrong, place by place.
func faults(e *jsonschema.ValidationError) string {
	var list []string
	for _, unit := range e.BasicOutput().Errors {
		if unit.Error == nil {
			continue
		}
		text := unit.Error.String()
		if where := strings.TrimPrefix(unit.InstanceLocation, "/"); where != "" {
			text = where + ": " + text
		}
		list = append(list, text)
	}
	return strings.Join(list, "; ")
}

// submit takes an output: one that is valid ends the task.
func (r *round) submit(c backend.Call) error {
	_, err := r.shape.read(c.Input)
	if err == nil {
		return r.end(c, backend.CallResult{Text: "The output is taken.", Decision: never})
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
