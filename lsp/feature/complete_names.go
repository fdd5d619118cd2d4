package feature

import (
	"maps"
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	"iterion/grammar/schema"
	"iterion/ir"
	"iterion/ir/compile"
)

// suggestion is a name with what is said about it.
type suggestion struct{ name, detail string }

func sortedKeys[T any](m map[string]T) []string { return slices.Sorted(maps.Keys(m)) }

// node is the node around the cursor, nil when it is none or has no name yet.
func (c *completer) node() *ir.Node {
	if kind, name := c.declaration(); kind != nil && kind.Node {
		return c.nodeNamed(name)
	}
	return nil
}

// nodeNamed is a node by the name that the text around the cursor knows it by:
// inside of a group its members go without a prefix.
func (c *completer) nodeNamed(name string) *ir.Node {
	for _, n := range c.groupNodes() {
		if n.Name == name {
			return n.Node
		}
	}
	if n := c.scope.Node(name); n != nil {
		return n.Node
	}
	return nil
}

// groupNodes are the members of the group around the cursor.
func (c *completer) groupNodes() []*compile.NodePart {
	if g := c.scope.Groups[c.group()]; g != nil {
		return g.Group.Nodes
	}
	return nil
}

// allNodes are the nodes that the text around the cursor can name, with those
// names. The members of a group come first, its instances not at all.
func (c *completer) allNodes() (list []*ir.Node) {
	for _, n := range c.groupNodes() {
		list = append(list, n.Node)
	}
	group := c.group()
	for _, n := range c.scope.Nodes {
		if n.Instance == nil || n.Instance.Group != group {
			list = append(list, n.Node)
		}
	}
	return list
}

// sources are the nodes that an edge may leave.
func (c *completer) sources() (list []suggestion) {
	for _, n := range c.edgeEnds() {
		if n.Kind != ir.KindFail {
			list = append(list, suggestion{n.ID, nodeDetail(n)})
		}
	}
	return list
}

// edgeEnds are the nodes that edges of this body may join.
func (c *completer) edgeEnds() (list []*ir.Node) {
	if c.group() == "" {
		return c.allNodes()
	}
	for _, n := range c.groupNodes() {
		list = append(list, n.Node)
	}
	return list
}

// nodes offers names of nodes.
func (c *completer) nodes(list []suggestion) {
	for _, n := range list {
		c.name(n.name, n.detail, protocol.CompletionItemKindClass)
	}
}

func nodeDetail(n *ir.Node) string {
	if n.Common.Output.Set() {
		return string(n.Kind) + " → " + n.Common.Output.V
	}
	return string(n.Kind)
}

// vars are the variables of the unit.
func (c *completer) vars() (list []suggestion) {
	for _, v := range c.scope.Program.Vars {
		detail := v.Type
		if v.Default.Set() {
			detail += " = " + v.Default.V.Text
		}
		list = append(list, suggestion{v.Name, detail})
	}
	return list
}

// fields are those of a schema; nil has none.
func (c *completer) fields(s *ir.Schema) (list []suggestion) {
	if s == nil {
		return nil
	}
	for _, f := range s.Fields {
		list = append(list, suggestion{f.Name, fieldDetail(&f)})
	}
	return list
}

func fieldDetail(f *ir.Field) string {
	if len(f.Enum.V) == 0 {
		return f.Type
	}
	return f.Type + " [" + strings.Join(ir.Strings(f.Enum), ", ") + "]"
}

// declared are the names that a kind of reference looks up.
func (c *completer) declared(ref schema.Ref) (list []suggestion, kind protocol.CompletionItemKind) {
	p := c.scope.Program
	switch ref {
	case schema.RefSchema:
		return declsOf(p.Schemas, func(s *ir.Schema) suggestion { return suggestion{s.Name, schemaDetail(s)} }), protocol.CompletionItemKindStruct
	case schema.RefPrompt:
		return slices.DeleteFunc(declsOf(p.Prompts, func(s *ir.Prompt) suggestion { return suggestion{s.Name, firstLine(s.Text.Value())} }), func(n suggestion) bool {
			return strings.HasPrefix(n.name, "_inline_")
		}), protocol.CompletionItemKindText
	case schema.RefResource:
		for _, r := range sortedKeys(c.scope.Resources) {
			list = append(list, suggestion{r, "resource"})
		}
		return list, protocol.CompletionItemKindUnit
	case schema.RefContract:
		for _, k := range sortedKeys(c.scope.Contracts) {
			list = append(list, suggestion{k, "contract"})
		}
		return list, protocol.CompletionItemKindInterface
	case schema.RefServer:
		return declsOf(p.Servers, func(s *ir.Server) suggestion { return suggestion{s.Name, "mcp_server"} }), protocol.CompletionItemKindModule
	case schema.RefVar:
		return c.vars(), protocol.CompletionItemKindVariable
	case schema.RefCursor:
		return declsOf(p.Cursors, func(s *ir.Cursor) suggestion { return suggestion{s.Name, "cursor"} }), protocol.CompletionItemKindEnum
	case schema.RefGroup:
		for _, g := range sortedKeys(c.scope.Groups) {
			list = append(list, suggestion{g, "group"})
		}
		return list, protocol.CompletionItemKindModule
	}
	return nil, protocol.CompletionItemKindText
}

func declsOf[T any](list []*T, name func(*T) suggestion) []suggestion {
	var out []suggestion
	for _, d := range list {
		out = append(out, name(d))
	}
	return out
}

func schemaDetail(s *ir.Schema) string {
	names := make([]string, len(s.Fields))
	for i := range s.Fields {
		names[i] = s.Fields[i].Name
	}
	return strings.Join(names, ", ")
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimLeft(text, " \n"), "\n")
	if r := []rune(line); len(r) > 60 {
		return string(r[:60]) + "…"
	}
	return line
}

// written are the values that nodes of the unit have in one of their
// properties, each once.
func (c *completer) written(of func(*ir.Node) []string) (list []string) {
	for _, n := range c.scope.Nodes {
		for _, v := range of(n.Node) {
			if v != "" && !strings.ContainsAny(v, "\"\n\\") && !slices.Contains(list, v) {
				list = append(list, v)
			}
		}
	}
	return list
}
