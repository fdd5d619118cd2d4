package tools

import "strings"

// MCP is the name of a tool of an MCP server, as its two parts: the joined text
// of two servers can be the same.
type MCP struct{ Server, Tool string }

// SplitMCP reads a name of an MCP tool, `mcp__server__tool` or
// `mcp.server.tool`. The tool is empty when only a server is named. A name that
// is none of a server gives false.
func SplitMCP(name string) (MCP, bool) {
	for _, sep := range []string{"__", "."} {
		if len(name) < 3 || !strings.EqualFold(name[:3], "mcp") || !strings.HasPrefix(name[3:], sep) {
			continue
		}
		server, tool, _ := strings.Cut(name[3+len(sep):], sep)
		return MCP{server, tool}, server != ""
	}
	return MCP{}, false
}

// Name writes the parts in the form that rules and calls are compared in.
func (m MCP) Name() string { return "mcp__" + m.Server + "__" + m.Tool }
