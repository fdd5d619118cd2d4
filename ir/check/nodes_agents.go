package check

import (
	"regexp"
	"strings"
	"sync"

	"iterion/ast"
	"iterion/diagnostics"
	"iterion/grammar/author"
	"iterion/ir"
	"iterion/ir/finding"
	"iterion/ir/routes"
	"iterion/ir/scope"
)

// checkDeadRecovery: C106, bounds of a recovery that the policy never starts.
// About an unknown policy C103 says enough.
func checkDeadRecovery(c *Context, n *scope.Node) {
	t := n.Tool
	if t == nil || t.Action.Set() || !hasBounds(t.Recovery) {
		return
	}
	switch policy := t.Policy.Or("required"); policy {
	case "required", "best_effort":
		f := c.node("C106", n, t.Recovery.KeySpan, "`recovery:` bounds what `policy: %s` never starts", policy)
		if t.Policy.Set() {
			f.See(n.Tree, t.Policy.Span, "the policy")
		}
	}
}

// checkVisibility: C170 and C171, who shares a memory that is on.
func checkVisibility(c *Context, n *scope.Node) {
	if n.LLM == nil || n.LLM.Memory == nil || !n.LLM.Memory.Enabled.V {
		return
	}
	m := n.LLM.Memory
	oneOf(c.about(n), "C170", m.Visibility, "agent", "memory", "visibility")
	if m.Visibility.Set() && m.ProjectRoot.V {
		c.node("C171", n, keyOf(n.Tree, m.ProjectRoot.Span), "the memory of `%s` has both `project_root:` and `visibility:`", n.Name).
			See(n.Tree, m.Visibility.Span, "the visibility").
			Fix(diagnostics.DropProjectRoot, finding.DropMember(n.Tree, ast.Prop, m.ProjectRoot.Span)...)
	}
}

// checkCommand: C174, one backend alone runs another binary on request.
func checkCommand(c *Context, n *scope.Node) {
	if n.LLM == nil || !n.LLM.Command.Set() {
		return
	}
	b := c.backendOf(n)
	if facts, known := routes.Lookup(b.Name); known && !facts.Command {
		c.node("C174", n, keyOf(n.Tree, n.LLM.Command.Span), "the backend `%s` of `%s` runs no other binary", b.Name, n.Name).
			See(b.Tree, b.At, "the backend").
			Fix(diagnostics.DropInertProperty, finding.DropMember(n.Tree, ast.Prop, n.LLM.Command.Span)...)
	}
}

// checkHumanAsync: C240, a person who is asked is waited for.
func checkHumanAsync(c *Context, n *scope.Node) {
	if n.Human != nil && n.Human.Interaction.V == "async" {
		c.node("C240", n, n.Human.Interaction.Span, "`%s` would go on without its answer", n.Name)
	}
}

// checkChildDocument: C305, what a subbot runs is a program.
func checkChildDocument(c *Context, n *scope.Node) {
	if n.Subbot == nil {
		return
	}
	source := n.Subbot.Source
	if name, isDocument := strings.CutSuffix(source.V, author.Ext); isDocument {
		c.node("C305", n, source.Span, "%q is a YAML document, and a subbot runs a program", source.V).
			Hintf("Write the document's `.bot`, and name that: `%s.bot`.", name)
	}
}

var skillName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_-][A-Za-z0-9._-]*$`) })

// checkSkills judges the skills of a node: C199.
func checkSkills(c *Context, n *scope.Node) {
	if n.LLM != nil {
		skills(c.about(n), n.LLM.Skills)
	}
}

// checkWorkflowSkills judges those that the workflow gives to every node.
func checkWorkflowSkills(c *Context) {
	if w := c.settings(); w != nil {
		skills(c.aboutDecl(w.Tree), w.Skills)
	}
}

func skills(r report, list ir.List) {
	for _, item := range list.V {
		if !skillName().MatchString(item.Text) {
			r("C199", item.Span, "%q cannot be the name of a skill", item.Text)
		}
	}
}
