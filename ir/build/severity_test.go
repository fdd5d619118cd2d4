package build_test

import (
	"testing"

	"iterion/diagnostics"
	"iterion/ir/build"
)

// C135 has two severities: a surely mistaken name is an error, unless servers
// may bring tools of any name.
func TestToolNameSeverity(t *testing.T) {
	program := func(name, mcp string) string {
		return mcp + "agent a:\n  backend: \"claw\"\n  model: \"anthropic/claude-opus-5\"\n  tools: [" + name + "]\n\n" +
			"workflow w:\n  entry: a\n\n  a -> done\n"
	}
	const server = "mcp_server docs:\n  transport: stdio\n  command: \"docs-mcp\"\n\n"
	for _, c := range []struct {
		name, mcp string
		want      diagnostics.Severity
	}{
		{"read_fil", "", diagnostics.Error}, {"git_diff", "", diagnostics.Error}, {`"x.${Y}"`, "", diagnostics.Error},
		{"quarterly_report", "", diagnostics.Warning}, {"ls", "", diagnostics.Warning},
		{"read_fil", server, diagnostics.Warning}, {"git_diff", server, diagnostics.Warning},
	} {
		list := build.Text("a.bot", program(c.name, c.mcp)).Diagnostics
		if len(list) != 1 || list[0].Code != "C135" || list[0].Severity != c.want {
			t.Errorf("%s: %s, want C135 as %v", c.name, lines(list), c.want)
		}
	}
}
