package build_test

import (
	"testing"

	"iterion/ir/build"
)

// A fix is written as `.bot` text, so a document is offered none; what a comment
// allows in it is allowed.
func TestDocumentHasNoFixes(t *testing.T) {
	const tail = "nodes:\n  - tool: t\n    command: \"true\"\n    permission: deny\nworkflow:\n  name: w\n  entry: t\n  edges: [t -> done]\n"
	r := build.Text("a.bot.yaml", "dsl: 2\n"+tail)
	if len(r.Diagnostics) != 1 || r.Diagnostics[0].Code != "C112" || len(r.Diagnostics[0].Fixes) > 0 {
		t.Errorf("%s with fixes %v", lines(r.Diagnostics), r.Diagnostics)
	}
	r = build.Text("a.bot.yaml", "# lint: allow-file C112 -- historical\ndsl: 2\n"+tail)
	if len(r.Diagnostics) != 0 || len(r.Suppressed) != 1 {
		t.Errorf("%s, and allowed: %s", lines(r.Diagnostics), lines(r.Suppressed))
	}
}
