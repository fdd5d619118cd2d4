package bottest

import (
	"encoding/json"

	"iterion/ir/outcome"
	"iterion/ir/tools"
	"iterion/runtime"
)

// story is what the events of a run tell.
type story struct {
	paths   map[string][]string       // nodes that started, by branch
	outputs map[string]map[string]any // the last of a node in a branch, NODE@BRANCH
	denied  []made
	asked   []made
	allowed []made
	events  []runtime.Event
}

// made is a call of a tool that a model made.
type made struct{ node, tool, input, rule string }

func (s *story) hear(e runtime.Event) {
	s.events = append(s.events, e)
	switch e.Type {
	case outcome.NodeStarted:
		s.paths[e.BranchID] = append(s.paths[e.BranchID], e.NodeID)
	case outcome.NodeFinished:
		if out, ok := e.Data["output"].(map[string]any); ok && e.BranchID != runtime.Trunk {
			s.outputs[e.NodeID+"@"+e.BranchID] = out
		}
	case outcome.HumanInputRequested:
		if e.Data["kind"] == runtime.AskApproval {
			s.asked = append(s.asked, callOf(e))
		}
	case outcome.ToolStarted:
		s.allowed = append(s.allowed, callOf(e))
	case outcome.ToolError:
		if refused(e) {
			s.denied = append(s.denied, callOf(e))
		}
	}
}

// refused tells whether a call failed before it began: by a rule, by a person,
// or since the node has no such tool. Only then the event has the input.
func refused(e runtime.Event) bool {
	name, _ := e.Data["tool"].(string)
	_, early := e.Data["call_input"]
	tool := tools.Lookup(name)
	return early && (tool == nil || !tool.Exempt)
}

func callOf(e runtime.Event) made {
	text := func(key string) string { s, _ := e.Data[key].(string); return s }
	return made{e.NodeID, text("tool"), text("call_input"), text("rule")}
}

// is tells whether a call is one that is looked for.
func (m made) is(c Call) bool {
	return (c.Node == "" || c.Node == m.node) && same(c.Tool, m.tool) && matches(m.input, c.Match) && (c.Rule == "" || c.Rule == m.rule)
}

func (m made) String() string {
	text := m.tool + " " + brief(compact(m.input)) + " of " + m.node
	if m.rule != "" {
		text += " by " + m.rule
	}
	return text
}

func compact(input string) string {
	var v any
	if json.Unmarshal([]byte(input), &v) != nil {
		return input
	}
	return spell(v)
}
