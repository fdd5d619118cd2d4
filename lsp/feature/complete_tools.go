package feature

import (
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	"iterion/ir"
	"iterion/ir/effective"
	"iterion/ir/routes"
	"iterion/ir/tools"
)

// tools offers the tools that the node's backends have, as a list names them.
func (c *completer) tools(has map[string]bool) {
	for _, t := range c.toolTable() {
		label := t.Claw
		if label == "" {
			label = t.Key
		}
		if !has[label] {
			c.tool(&t, label)
		}
	}
	for _, s := range c.scope.Program.Servers {
		if name := "mcp." + s.Name + ".*"; !has[name] {
			c.name(name, "every tool of the server", protocol.CompletionItemKindModule)
		}
	}
	for _, m := range c.serverTools() {
		if name := "mcp." + m.Server + "." + m.Tool; !has[name] {
			c.name(name, "a tool of the server", protocol.CompletionItemKindFunction)
		}
	}
}

// tool offers a tool of the catalogue under one of its names.
func (c *completer) tool(t *tools.Tool, label string) {
	detail := ""
	if spec, ok := t.Spec(); ok {
		detail = spec.About
	}
	rank := rankRest
	if t.Can&(tools.RunsCode|tools.Reads|tools.Writes|tools.Lists|tools.Network) != 0 {
		rank = rankUsual
	}
	c.add(rank, protocol.CompletionItem{Label: label, Detail: detail, Kind: protocol.CompletionItemKindFunction, Data: "tool:" + t.Key}, "")
}

// toolTable are the tools of the catalogue that a route of the node can have.
func (c *completer) toolTable() []tools.Tool {
	var names []string
	if n := c.node(); n != nil && n.LLM != nil {
		for _, r := range effective.Routes(c.scope.Program.Workflow, n) {
			names = append(names, r.Name)
		}
	}
	claude := slices.Contains(names, routes.ClaudeCode)
	others := len(names) == 0 || slices.ContainsFunc(names, func(name string) bool { return name != routes.ClaudeCode })
	var list []tools.Tool
	for _, t := range tools.All() {
		if !t.Exempt && !t.ClawAlias && (others && t.Claw != "" || claude && isNative(&t)) {
			list = append(list, t)
		}
	}
	return list
}

// nativeName is how Claude Code spells a tool, "" for one that it has not, or
// that no run gets.
func nativeName(t *tools.Tool) string {
	for _, n := range tools.ClaudeNatives() {
		if n.Withheld == "" && t.Named(n.Name) {
			return n.Name
		}
	}
	return ""
}

func isNative(t *tools.Tool) bool { return nativeName(t) != "" }

// serverTools are the tools of servers that lists and rules of the unit name.
func (c *completer) serverTools() (list []tools.MCP) {
	for _, name := range c.written(toolNames) {
		name, _, _ = strings.Cut(name, "(")
		if m, ok := tools.SplitMCP(name); ok && m.Tool != "" && !strings.Contains(m.Tool, "*") && !slices.Contains(list, m) {
			list = append(list, m)
		}
	}
	return list
}

func toolNames(n *ir.Node) []string {
	if n.LLM == nil {
		return nil
	}
	return slices.Concat(ir.Strings(n.LLM.Tools), ir.Strings(n.LLM.Allow), ir.Strings(n.LLM.Ask), ir.Strings(n.LLM.Deny))
}

// rules completes the subject of a permission rule: a tool, a class of tools,
// the tools of a server.
func (c *completer) rules(has map[string]bool) {
	if c.literal != nil && strings.Contains(c.content(), "(") {
		return
	}
	c.quote = c.literal == nil
	if c.literal != nil {
		c.word(":*-")
	}
	for _, t := range tools.All() {
		if t.Exempt || t.ClawAlias {
			continue
		}
		label := nativeName(&t)
		if label == "" {
			label = t.Key
		}
		if !has[label] {
			c.tool(&t, label)
		}
		c.pattern(&t, label)
	}
	for _, class := range tools.Classes() {
		c.name("class:"+class, "every tool that runs code the model supplies", protocol.CompletionItemKindEnum)
	}
	for _, s := range c.scope.Program.Servers {
		c.name(tools.MCP{Server: s.Name, Tool: "*"}.Name(), "every tool of the server", protocol.CompletionItemKindModule)
	}
	for _, m := range c.serverTools() {
		if !has[m.Name()] {
			c.name(m.Name(), "a tool of the server", protocol.CompletionItemKindFunction)
		}
	}
}

// pattern offers a rule about some calls of a tool.
func (c *completer) pattern(t *tools.Tool, label string) {
	open, stop, shut := "", "", ")"
	switch t.Subject {
	case tools.Command:
		open, stop, shut = "(", "git diff", ":*)"
	case tools.Path:
		open, stop = "(", "**"
	case tools.URL:
		open, stop = "(", "domain:example.com"
	}
	if open == "" || !isNative(t) || strings.HasPrefix(c.text[c.end:], "(") {
		return
	}
	item := protocol.CompletionItem{Label: label + "(…" + shut, FilterText: label, Kind: protocol.CompletionItemKindSnippet,
		Detail: "some calls of the tool", Data: "tool:" + t.Key}
	text := label + open + stop + shut
	if c.snippets {
		item.InsertTextFormat = protocol.InsertTextFormatSnippet
		text = label + open + "${1:" + stop + "}" + shut + "$0"
	}
	c.add(rankUsual, item, text)
}
