package hook

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"

	"iterion/ir/gate"
)

// event is a call as agent programs report it. Some write each key twice, in
// two spellings.
type event struct {
	Tool      *string         `json:"tool_name"`
	ToolCamel *string         `json:"toolName"`
	Input     json.RawMessage `json:"tool_input"`
	Camel     json.RawMessage `json:"toolInput"`
	Truncated bool            `json:"toolInputTruncated"`
}

var (
	errEvent = errors.New("the call cannot be read: it is no event of a tool")
	errCut   = errors.New("the call cannot be read: its input is cut short")
	errTwice = errors.New("the call cannot be read: it says two different things")
)

// readEvent reads the call of an event. What cannot be read in full, or reads
// in two ways, is refused.
func readEvent(text []byte) (gate.Call, error) {
	var e event
	if err := json.Unmarshal(text, &e); err != nil {
		return gate.Call{}, errEvent
	}
	if gate.RepeatedKey(text) != "" {
		return gate.Call{}, errTwice
	}
	tool, input := e.Tool, e.Input
	switch {
	case tool == nil:
		tool = e.ToolCamel
	case e.ToolCamel != nil && *e.ToolCamel != *tool:
		return gate.Call{}, errTwice
	}
	switch {
	case input == nil:
		input = e.Camel
	case e.Camel != nil && !equal(e.Camel, input):
		return gate.Call{}, errTwice
	}
	switch {
	case tool == nil || *tool == "":
		return gate.Call{}, errEvent
	case e.Truncated || !isObject(input):
		return gate.Call{}, errCut
	}
	call := gate.Call{Tool: *tool, Input: string(input)}
	if e.ToolCamel != nil {
		return unprefixed(call)
	}
	return call, nil
}

func isObject(value json.RawMessage) bool {
	value = bytes.TrimSpace(value)
	return len(value) > 0 && value[0] == '{'
}

// equal compares two values whatever their layout.
func equal(a, b json.RawMessage) bool {
	var x, y bytes.Buffer
	return json.Compact(&x, a) == nil && json.Compact(&y, b) == nil && bytes.Equal(x.Bytes(), y.Bytes())
}

// unprefixed gives an MCP tool that is reported as `server__tool` its full
// name, and takes its arguments out of the wrapper they may come in.
func unprefixed(call gate.Call) (gate.Call, error) {
	if !strings.Contains(call.Tool, "__") || strings.HasPrefix(call.Tool, "mcp__") {
		return call, nil
	}
	var wrapped map[string]json.RawMessage
	if err := json.Unmarshal([]byte(call.Input), &wrapped); err != nil {
		return call, errEvent
	}
	if gate.RepeatedKey([]byte(call.Input)) != "" {
		return call, errTwice
	}
	if name, inner := wrapped["tool_name"], wrapped["tool_input"]; len(wrapped) == 2 && name != nil && isObject(inner) {
		var inside string
		if json.Unmarshal(name, &inside) != nil || inside != call.Tool {
			return call, errTwice
		}
		call.Input = string(inner)
	}
	call.Tool = "mcp__" + call.Tool
	return call, nil
}
