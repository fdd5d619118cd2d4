package claw

import (
	"fmt"
	"slices"
	"strings"

	"iterion/ir/tools"
	"iterion/runtime/backend"
	"iterion/runtime/toolrun"
)

// Keys of the tools that the loop treats by themselves.
const (
	outputTool   = "structured_output"
	askTool      = "ask_user"
	askLaterTool = "ask_user_async"
	agentTool    = "agent"
	skillTool    = "skill"
	searchTool   = "toolsearch"
)

// isOf tells whether a call is of the tool with a key.
func isOf(c backend.Call, key string) bool {
	tool := tools.Lookup(c.Tool)
	return tool != nil && tool.Key == key
}

// toolset is what a conversation may call.
type toolset struct {
	specs  []backend.ToolSpec
	keys   []string // of the specs, in their order
	others []string // names on the node's list that cannot be called in this build
	barred bool     // the node is read-only: what writes files is withheld
}

// newToolset is what a task's list names, and the plumbing that its form asks
// for. A node without a list has no tools here, a read-only one none that writes.
func newToolset(task backend.Task) (s toolset) {
	s.barred = task.ReadOnly
	for _, name := range task.Tools.Names {
		if tool := tools.Lookup(name); s.bars(tool) == "" && (tool == nil || !tool.Exempt) {
			s.add(name)
		}
	}
	switch task.Asks {
	case backend.AskPerson:
		s.add(askTool)
	case backend.AskAsync:
		s.add(askLaterTool)
	}
	if task.Schema != nil {
		s.add(outputTool)
		s.specs[len(s.specs)-1].Schema = task.Schema
	}
	return s
}

func (s *toolset) add(name string) {
	tool, spec, ok := offered(name)
	switch {
	case !ok:
		s.others = append(s.others, name)
	case !slices.Contains(s.keys, tool.Key):
		s.specs, s.keys = append(s.specs, spec), append(s.keys, tool.Key)
	}
}

// offered finds a tool that the loop can offer.
func offered(name string) (*tools.Tool, backend.ToolSpec, bool) {
	tool := tools.Lookup(name)
	if tool == nil || tool.Key == skillTool {
		return nil, backend.ToolSpec{}, false
	}
	spec, ok := toolrun.Spec(name)
	return tool, spec, ok
}

// find returns the tool that a call names, or says why it cannot be called.
func (s *toolset) find(name string) (*tools.Tool, string) {
	tool := tools.Lookup(name)
	if tool != nil && slices.Contains(s.keys, tool.Key) {
		return tool, ""
	}
	if why := s.bars(tool); why != "" {
		return nil, why
	}
	for _, other := range s.others {
		if listed(other, name, tool) {
			return nil, missing(name)
		}
	}
	return nil, fmt.Sprintf("there is no tool %q; the tools are: %s", name, s.names())
}

// bars says why a tool is withheld from a read-only node. A shell is not: what a
// command does cannot be told, and that it only reads is its author's promise.
func (s *toolset) bars(tool *tools.Tool) string {
	if !s.barred || tool == nil || tool.Can&tools.Writes == 0 {
		return ""
	}
	return "refused: " + tool.Claw + " changes files, and the node is `readonly: true`"
}

// listed tells whether an entry of the node's list is about a name.
func listed(entry, name string, tool *tools.Tool) bool {
	if tool != nil {
		return tool.Named(entry)
	}
	mcp, ok := tools.SplitMCP(name)
	of, isServer := tools.SplitMCP(entry)
	if ok && isServer {
		return of.Server == mcp.Server && (of.Tool == "*" || of.Tool == mcp.Tool)
	}
	return entry == name
}

// missing says why a tool that the node lists cannot be called.
func missing(name string) string {
	if _, ok := tools.SplitMCP(name); ok {
		return fmt.Sprintf("%s cannot be called: this build's loop has no MCP servers yet", name)
	}
	return fmt.Sprintf("%s cannot be called: this build's loop has no such tool yet", name)
}

func (s *toolset) names() string {
	list := make([]string, len(s.specs))
	for i := range s.specs {
		list[i] = s.specs[i].Name
	}
	if len(list) == 0 {
		return "none"
	}
	return strings.Join(list, ", ")
}

// only keeps the tools that a predicate names by key.
func (s *toolset) only(keep func(key string) bool) (out toolset) {
	out.barred = s.barred
	for i, key := range s.keys {
		if keep(key) {
			out.specs, out.keys = append(out.specs, s.specs[i]), append(out.keys, key)
		}
	}
	return out
}

// closing is what is left when a task must conclude.
func (s *toolset) closing() toolset {
	return s.only(func(key string) bool { return key == outputTool })
}
