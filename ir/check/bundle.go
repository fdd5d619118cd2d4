package check

import (
	"iterion/ast/source"
	"iterion/diagnostics"
	"iterion/ir/bundle"
	"iterion/ir/finding"
	"iterion/ir/scope"
)

// Bundle is what the checks of a bundle see besides its program.
type Bundle struct {
	*bundle.Bundle
	Folder   string     // name of its folder, or of its archive without the extension; "" when unknown
	Engine   string     // the release to hold its requirement against; "" for none
	Programs []*Program // what it runs: its own program first, then those of subbots
}

// Program is a program that a bundle runs.
type Program struct {
	Scope   *scope.Scope
	Main    string // path of its main file
	Valid   bool   // of a subbot's: it has no error
	Subbots []Subbot
}

// Subbot is a subbot that names a program.
type Subbot struct {
	Node    *scope.Node
	Program *Program // nil when it is not read
	Unread  string   // why
}

// bundleRules judge a bundle whose workflow is a graph.
var bundleRules = []rule{
	{name: "manifest-vars", unit: checkManifestVars},
	{name: "chat", unit: checkChat},
	{name: "forge", unit: checkForge},
	{name: "manifest-capabilities", unit: checkManifestCapabilities},
	{name: "bundle-name", unit: checkBundleName},
	{name: "bundle-skills", unit: checkBundleSkills},
	{name: "manifest-contract", unit: checkManifestContract},
	{name: "child-inputs", unit: checkChildInputs},
}

// sourceRules judge what a bundle's sources need, whatever they hold.
var sourceRules = []rule{
	{name: "engine", unit: checkEngine},
	{name: "floor", unit: checkFloor},
	{name: "children", unit: checkUnreadChildren},
}

// OfBundle runs the checks of a bundle.
func OfBundle(s *scope.Scope, main string, b *Bundle, out *finding.List) {
	c := New(s, main)
	c.bundle, c.out = b, out
	rules := sourceRules
	if c.isGraph() {
		rules = append(rules[:len(rules):len(rules)], bundleRules...)
	}
	for _, r := range rules {
		r.unit(c)
	}
}

// isGraph tells whether the workflow has an entry to start from.
func (c *Context) isGraph() bool {
	return c.Workflow != nil && !c.foreignWorkflow() && c.Node(c.Program.Workflow.Entry.V) != nil
}

// root is the root of the manifest, nil without one.
func (c *Context) root() *bundle.Value {
	if m := c.bundle.Manifest; m != nil {
		return m.Root
	}
	return nil
}

// manifest reports at a place of the manifest; path is the dotted path of what
// stands there.
func (c *Context) manifest(code diagnostics.Code, path string, at source.Span, format string, args ...any) *finding.Finding {
	f := c.out.Add(code, c.bundle.Manifest.Tree, at, format, args...)
	f.Field = path
	return f
}

// at reports at a value of the manifest.
func (c *Context) at(code diagnostics.Code, v *bundle.Value, format string, args ...any) *finding.Finding {
	return c.manifest(code, v.Path, v.Span, format, args...)
}

// key reports at a key of the manifest.
func (c *Context) key(code diagnostics.Code, e *bundle.Entry, format string, args ...any) *finding.Finding {
	return c.manifest(code, e.Value.Path, e.KeySpan, format, args...)
}
