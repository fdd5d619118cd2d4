package toolrun

import (
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"iterion/ir/gate"
	"iterion/ir/tools"
)

// validate tells what of an input does not fit the tool's schema. A key that
// the schema does not name, or that stands twice, is refused: the gate may have
// judged another value than the one that a tool would take.
func validate(t *tools.Tool, input string) error {
	schema := schemas()[t.Key]
	if schema == nil {
		return errors.New("the tool has no schema")
	}
	if key := gate.RepeatedKey([]byte(input)); key != "" {
		return fmt.Errorf("the key %q stands twice", key)
	}
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(input))
	if err != nil {
		return fmt.Errorf("it is no JSON: %w", err)
	}
	var wrong *jsonschema.ValidationError
	if err := schema.Validate(value); errors.As(err, &wrong) {
		return errors.New(strings.Join(faults(wrong), "; "))
	} else if err != nil {
		return err
	}
	return nil
}

// faults says what is wrong, key by key.
func faults(e *jsonschema.ValidationError) (list []string) {
	for _, unit := range e.BasicOutput().Errors {
		if unit.Error == nil {
			continue
		}
		where := strings.TrimPrefix(unit.InstanceLocation, "/")
		if where == "" {
			list = append(list, unit.Error.String())
		} else {
			list = append(list, fmt.Sprintf("%q: %s", where, unit.Error))
		}
	}
	return list
}

// schemas are the compiled schemas of the tools that run here, by key. One that
// does not compile is not there, so that its tool refuses every call.
var schemas = sync.OnceValue(func() map[string]*jsonschema.Schema {
	all := make(map[string]*jsonschema.Schema, len(executors))
	for i := range executors {
		if schema, err := compile(executors[i].key); err == nil {
			all[executors[i].key] = schema
		}
	}
	return all
})

func compile(key string) (*jsonschema.Schema, error) {
	spec, ok := tools.Lookup(key).Spec()
	if !ok {
		return nil, errors.New(key + " has no spec")
	}
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(spec.Schema))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	name := "tool:" + key
	if err := c.AddResource(name, value); err != nil {
		return nil, err
	}
	return c.Compile(name)
}
