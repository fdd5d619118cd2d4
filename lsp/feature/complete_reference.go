package feature

import (
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	"iterion/grammar/template"
	"iterion/ir"
)

// dotted are characters that take an item and go on behind it.
var dotted = []string{"."}

// reference completes `{{namespace.name.field`. path is what stands before the
// segment that the cursor touches.
func (c *completer) reference(r *reading, path []string) {
	if len(path) == 0 {
		c.namespaces(r)
		return
	}
	if c.allowed(r, path[0]) {
		c.segment(r, path[0], path[1:])
	}
}

func (c *completer) allowed(r *reading, namespace string) bool {
	if namespace == "params" {
		return c.group() != ""
	}
	return template.Allowed(r.place, namespace)
}

func (c *completer) namespaces(r *reading) {
	for _, ns := range template.Namespaces {
		if c.allowed(r, ns) {
			c.namespace(ns)
		}
	}
	if r.place == template.Prompt && c.text[max(0, c.start-len(template.Open)):c.start] == template.Open {
		c.add(rankRest, protocol.CompletionItem{Label: "include", Detail: "the text of a file beside this one", Kind: protocol.CompletionItemKindKeyword}, `include "`)
	}
}

func (c *completer) namespace(ns string) {
	c.add(rankUsual, protocol.CompletionItem{Label: ns, Detail: template.About(ns), Kind: protocol.CompletionItemKindModule,
		Data: "namespace:" + ns, CommitCharacters: dotted}, "")
}

// segment offers what may follow a namespace and the names behind it, in
// templates and in expressions.
func (c *completer) segment(r *reading, namespace string, path []string) {
	switch namespace {
	case "vars":
		if len(path) == 0 {
			c.names(c.vars(), protocol.CompletionItemKindVariable)
		}
	case "input":
		c.inputField(r, path)
	case "outputs":
		c.output(path)
	case "artifacts":
		c.artifact(path)
	case "attachments", "secrets", "each":
		c.declaredPart(namespace, path)
	case "loop":
		c.loopPart(path)
	case "run":
		if len(path) == 0 {
			c.parts("run")
		}
	case "params":
		if len(path) == 0 {
			c.names(c.params(c.group()), protocol.CompletionItemKindTypeParameter)
		}
	}
}

// names offers names, those in use nearby first.
func (c *completer) names(list []suggestion, kind protocol.CompletionItemKind) {
	for _, n := range list {
		c.name(n.name, n.detail, kind)
	}
}

// parts offers the fixed parts of a namespace.
func (c *completer) parts(namespace string) {
	for _, m := range template.Members(namespace) {
		c.add(rankUsual, protocol.CompletionItem{Label: m.Name, Detail: m.Doc, Kind: protocol.CompletionItemKindProperty, Data: "member:" + namespace + "." + m.Name}, "")
	}
}

func (c *completer) inputField(r *reading, path []string) {
	if len(path) > 0 {
		return
	}
	for _, s := range r.input {
		c.names(c.fields(s), protocol.CompletionItemKindField)
	}
	if r.launch {
		c.names(c.vars(), protocol.CompletionItemKindVariable)
	}
	if r.item != "" {
		c.name(r.item, "the item of this branch", protocol.CompletionItemKindVariable)
	}
}

// output offers nodes, and behind a node its fields. An instance's members have
// dots in their names.
func (c *completer) output(path []string) {
	lead := ""
	if len(path) > 0 {
		lead = strings.Join(path, ".") + "."
	}
	for _, n := range c.allNodes() {
		if rest, ok := strings.CutPrefix(n.ID, lead); ok && n.Kind != ir.KindFail && (lead == "" || n.Instance != nil) {
			c.add(c.nearRank(n.ID), protocol.CompletionItem{Label: rest, Detail: nodeDetail(n), Kind: protocol.CompletionItemKindClass, CommitCharacters: dotted}, "")
		}
	}
	n := c.nodeNamed(strings.Join(path, "."))
	if n == nil {
		return
	}
	c.names(c.fields(c.scope.Schema(n.Common.Output.V)), protocol.CompletionItemKindField)
	if n.Kind == ir.KindAwait {
		c.name("answers", "json", protocol.CompletionItemKindField)
	}
	if c.onLoop(n) {
		c.add(rankRest, protocol.CompletionItem{Label: "history", Detail: "its outputs over the loop", Kind: protocol.CompletionItemKindField}, "")
	}
}

func (c *completer) nearRank(name string) int {
	if c.near(name) {
		return rankNear
	}
	return rankUsual
}

// onLoop tells whether an edge of a loop touches a node.
func (c *completer) onLoop(n *ir.Node) bool {
	at := c.scope.Node(n.ID)
	if at == nil {
		return false
	}
	for _, e := range slices.Concat(at.In, at.Out) {
		if e.Loop != nil || e.Foreach != nil {
			return true
		}
	}
	return false
}

func (c *completer) artifact(path []string) {
	switch len(path) {
	case 0:
		for _, name := range sortedKeys(c.scope.Publishers) {
			c.name(name, "published by "+c.scope.Publishers[name][0].ID, protocol.CompletionItemKindReference)
		}
	case 1:
		for _, n := range c.scope.Publishers[path[0]] {
			c.names(c.fields(n.OutputSchema), protocol.CompletionItemKindField)
		}
	}
}

// declaredPart offers attachments, secrets and foreach loops, and their parts.
func (c *completer) declaredPart(namespace string, path []string) {
	if len(path) == 1 {
		if s := c.scope.Secrets[path[0]]; namespace != "secrets" || s != nil && s.As.V == "file" {
			c.parts(namespace)
		}
	}
	if len(path) > 0 {
		return
	}
	switch namespace {
	case "attachments":
		for _, a := range c.scope.Program.Attachments {
			c.name(a.Name, a.Type, protocol.CompletionItemKindFile)
		}
	case "secrets":
		for _, s := range c.scope.Program.Secrets {
			c.name(s.Name, "secret", protocol.CompletionItemKindConstant)
		}
	case "each":
		for _, name := range sortedKeys(c.scope.Foreaches) {
			c.name(name, "foreach", protocol.CompletionItemKindReference)
		}
	}
}

// loopPart offers loops, their parts, and the fields of the output before.
func (c *completer) loopPart(path []string) {
	switch len(path) {
	case 0:
		for _, name := range sortedKeys(c.scope.Loops) {
			c.name(name, "loop", protocol.CompletionItemKindReference)
		}
	case 1:
		c.parts("loop")
	case 2:
		for _, e := range c.scope.Loops[path[0]] {
			if path[1] == "previous_output" && e.Source != nil {
				c.names(c.fields(e.Source.OutputSchema), protocol.CompletionItemKindField)
			}
		}
	}
}
