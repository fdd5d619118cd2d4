package effective

import (
	"slices"
	"strings"

	"iterion/ir"
	"iterion/ir/routes"
	"iterion/ir/tools"
)

// ToolSet is what a node's `tools:` comes to on one route.
type ToolSet struct {
	Effect  string // what the backend makes of the line, in a sentence
	Granted []Tool // what the node may call
	Absent  []Tool // what it may not, of the backend's own set
}

// Tool is one name with the reason why it is, or is not, among the node's.
type Tool struct {
	Name string `json:"name"`
	Why  string `json:"why,omitempty"`
}

// Tools tells what a node's list grants on a route, and which names of the
// backend's own set leave it.
func Tools(w *ir.Workflow, n *ir.Node, r *Route) ToolSet {
	declared := n.LLM.Tools.Set()
	switch facts, known := routes.Lookup(r.Name); {
	case !known:
		return ToolSet{Effect: "only the run can tell: the backend is not known here"}
	case r.Name == routes.Claw:
		return loopTools(w, n)
	case !facts.ReceivesTools && declared:
		return ToolSet{Effect: "the backend is never told the list and keeps its own set"}
	case r.Name == routes.ClaudeCode:
		return nativeTools(n, declared)
	case !declared:
		return ToolSet{Effect: "no list: the backend keeps its own set"}
	}
	return sandboxTools(n)
}

// loopTools are those of our own loop: the list, and what the run adds.
func loopTools(w *ir.Workflow, n *ir.Node) ToolSet {
	set := ToolSet{Effect: "exactly these"}
	if !n.LLM.Tools.Set() {
		set.Effect = "no list: no tools"
	}
	for _, item := range n.LLM.Tools.V {
		if tool, ok := loopTool(item.Text); ok {
			set.Granted = append(set.Granted, tool)
		} else {
			set.Absent = append(set.Absent, tool)
		}
	}
	add := func(why string, names ...string) {
		for _, name := range names {
			set.Granted = append(set.Granted, Tool{name, why})
		}
	}
	interaction, memory := n.LLM.Interaction, n.LLM.AutoMemory
	if w != nil && !interaction.Set() {
		interaction = w.Interaction
	}
	if w != nil && !memory.Set() {
		memory = w.AutoMemory
	}
	if interaction.Set() && interaction.V != "none" {
		add("added by the interaction", "ask_user", "todo_write")
	}
	if memory.V == "on" {
		add("added by auto_memory", "read_file", "write_file", "glob")
	}
	return set
}

// loopTool is what an entry comes to; false for one that names nothing.
func loopTool(name string) (Tool, bool) {
	switch t := tools.Lookup(name); {
	case t != nil && t.Claw != "" && t.Claw != name:
		return Tool{t.Claw, "listed as " + name}, true
	case t != nil && t.Claw != "":
		return Tool{Name: name}, true
	case strings.ContainsAny(name, ".*") || strings.Contains(name, "__"):
		return Tool{name, "of an MCP server, if one has it"}, true
	case tools.IsBoard(name):
		return Tool{name, "when the node's capabilities grant it"}, true
	}
	return Tool{name, "no tool has this name"}, false
}

// nativeTools are those of Claude Code: what the list does not name is taken
// away from its closed set.
func nativeTools(n *ir.Node, declared bool) ToolSet {
	set := ToolSet{Effect: "each tool of the set that the list does not name is disallowed; later additions to the set stay"}
	if !declared {
		set.Effect = "no list: the whole set"
	}
	for _, item := range n.LLM.Tools.V {
		if !native(item.Text) {
			set.Absent = append(set.Absent, Tool{item.Text, "no tool of the set has this name"})
		}
	}
	for _, native := range tools.ClaudeNatives() {
		switch {
		case native.Withheld != "":
			set.Absent = append(set.Absent, Tool{native.Name, "withheld from every run: " + native.Withheld})
		case !declared:
			set.Granted = append(set.Granted, Tool{Name: native.Name})
		default:
			if name, ok := listedAs(n, native.Name); ok {
				set.Granted = append(set.Granted, Tool{native.Name, name})
			} else {
				set.Absent = append(set.Absent, Tool{native.Name, "the list does not name it"})
			}
		}
	}
	return set
}

// native tells whether an entry names a tool of Claude Code's set, or may name
// one of a server.
func native(name string) bool {
	if strings.ContainsAny(name, ".*") || strings.Contains(name, "__") || tools.IsBoard(name) {
		return true
	}
	t := tools.Lookup(name)
	return slices.ContainsFunc(tools.ClaudeNatives(), func(n tools.Native) bool {
		return n.Name == name || t != nil && t.Named(n.Name)
	})
}

// listedAs finds the entry that grants a native tool, and how it spells it when
// that differs.
func listedAs(n *ir.Node, native string) (why string, ok bool) {
	tool := tools.Lookup(native)
	for _, item := range n.LLM.Tools.V {
		if tool != nil && tool.Named(item.Text) || item.Text == native {
			if item.Text == native {
				return "", true
			}
			return "listed as " + item.Text, true
		}
	}
	return "", false
}

// sandboxTools: Codex takes no names; the list decides its sandbox.
func sandboxTools(n *ir.Node) ToolSet {
	if why := MayWrite(&ir.Node{LLM: &ir.LLM{Tools: n.LLM.Tools, Interaction: n.LLM.Interaction, Capabilities: n.LLM.Capabilities}},
		Bounds{OwnTools: true, ListHolds: true}, false); why != "" {
		return ToolSet{Effect: "the list decides the sandbox: the workspace may be written, because " + why}
	}
	return ToolSet{Effect: "the list decides the sandbox: read-only"}
}
