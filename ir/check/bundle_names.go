package check

import (
	"slices"
	"strings"

	"iterion/ast/source"
	"iterion/ir"
	"iterion/ir/bundle"
	"iterion/ir/scope"
)

// checkManifestCapabilities: C220, what the manifest announces is granted to
// somebody; C221, the frontmatter of the main file announces the same.
func checkManifestCapabilities(c *Context) {
	list := c.root().At("capabilities")
	if list == nil || len(list.Items) == 0 {
		return
	}
	granted := c.granted()
	for _, v := range list.Items {
		if !slices.Contains(granted, v.Text) {
			c.at("C220", v, "the manifest announces `%s`, and nothing in the program is granted it", v.Text).Near(v.Text, granted)
		}
	}
	checkFrontmatter(c, list)
}

// granted lists the capabilities of the workflow and of all nodes.
func (c *Context) granted() []string {
	var all []string
	if w := c.settings(); w != nil {
		all = append(all, ir.Strings(w.Capabilities)...)
	}
	for _, n := range c.Nodes {
		if n.LLM != nil {
			all = append(all, ir.Strings(n.LLM.Capabilities)...)
		}
	}
	return all
}

func checkFrontmatter(c *Context, announced *bundle.Value) {
	own := bundle.Frontmatter(c.Frontmatter()).Entry("capabilities")
	if own == nil || len(own.Value.Items) == 0 || sameSet(own.Value, announced) {
		return
	}
	tree, at := c.FrontmatterLine(own.Line)
	c.add("C221", tree, at, "the frontmatter announces %s, and the manifest %s", wordsOf(own.Value), wordsOf(announced)).
		See(c.bundle.Manifest.Tree, announced.Span, "the manifest").Field = announced.Path
}

func sameSet(a, b *bundle.Value) bool {
	return slices.Equal(set(a), set(b))
}

// set lists the texts of a list, sorted, each once.
func set(v *bundle.Value) []string {
	var words []string
	for _, item := range v.Items {
		words = append(words, item.Text)
	}
	slices.Sort(words)
	return slices.Compact(words)
}

func wordsOf(v *bundle.Value) string { return joined(set(v), "and") }

// checkBundleName: C230, a memory of the bot is filed under one name.
func checkBundleName(c *Context) {
	m := c.bundle.Manifest
	if m == nil || !c.ownMemory() {
		return
	}
	name, workflow := m.Root.At("name"), c.Workflow.Decl.Name
	if name.Str() == workflow && (c.bundle.Folder == "" || c.bundle.Folder == workflow) {
		return
	}
	parts := []string{"the manifest has no name"}
	at := source.Span{}
	if name != nil {
		at, parts = name.Span, []string{"the manifest says `" + name.Text + "`"}
	}
	parts = append(parts, "the workflow `"+workflow+"`")
	if c.bundle.Folder != "" {
		parts = append(parts, "the folder `"+c.bundle.Folder+"`")
	}
	c.manifest("C230", "name", at, "the bot keeps a memory of its own, and goes by several names: %s", strings.Join(parts, ", ")).
		See(c.Workflow.Tree, c.Workflow.Decl.NameSpan, "the workflow")
}

// ownMemory tells whether a memory belongs to the bot rather than to a project.
func (c *Context) ownMemory() bool {
	if w := c.settings(); w != nil && w.AutoMemory.V == "on" {
		return true
	}
	return slices.ContainsFunc(c.Nodes, func(n *scope.Node) bool {
		if n.LLM == nil {
			return false
		}
		m := n.LLM.Memory
		return n.LLM.AutoMemory.V == "on" || m != nil && m.Enabled.V && m.Visibility.V == "bot"
	})
}
