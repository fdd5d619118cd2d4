package toolrun

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"

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
	var value any
	if err := json.Unmarshal([]byte(input), &value); err != nil {
		return fmt.Errorf("it is no JSON: %w", err)
	}
	if err := schema.Validate(value); err != nil {
		return errors.New(fault(err))
	}
	return nil
}

// fault is what a validation says, by the key: the library begins with its name
// for the schema, and may show the value.
func fault(err error) string {
	text := strings.TrimPrefix(err.Error(), "validating root: ")
	text = strings.ReplaceAll(text, "validating /properties/", "")
	return cut(text, longestFault)
}

// longestFault bounds what is said of an input, in bytes.
const longestFault = 1 << 10

// schemas are the compiled schemas of the tools that run here, by key. One that
// does not compile is not there, so that its tool refuses every call.
var schemas = sync.OnceValue(func() map[string]*jsonschema.Resolved {
	all := make(map[string]*jsonschema.Resolved, len(executors))
	for i := range executors {
		if schema, err := compile(executors[i].key); err == nil {
			all[executors[i].key] = schema
		}
	}
	return all
})

func compile(key string) (*jsonschema.Resolved, error) {
	spec, ok := tools.Lookup(key).Spec()
	if !ok {
		return nil, errors.New(key + " has no spec")
	}
	var schema jsonschema.Schema
	if err := json.Unmarshal([]byte(spec.Schema), &schema); err != nil {
		return nil, err
	}
	return schema.Resolve(nil)
}
