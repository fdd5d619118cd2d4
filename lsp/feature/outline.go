package feature

import (
	"context"
	"strings"

	"go.lsp.dev/protocol"

	"iterion/ast"
	"iterion/ast/source"
	"iterion/lsp/session"
)

// DocumentSymbol is textDocument/documentSymbol: the declarations of a file, and
// below them what they name.
func DocumentSymbol(_ context.Context, s *session.Snapshot, p *protocol.DocumentSymbolParams) ([]protocol.DocumentSymbol, error) {
	f, err := s.File(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	parsed := f.Parsed(f.Unit())
	if parsed == nil {
		return nil, nil
	}
	list := []protocol.DocumentSymbol{}
	for i, tree := range parsed.AST.Decls {
		o := outline{file: f, tree: tree, base: parsed.AST.Bases[i]}
		list = append(list, o.declaration(0)...)
	}
	return list, nil
}

// outline makes the symbols of one declaration.
type outline struct {
	file *session.File
	tree *ast.Declaration
	base uint32
}

// declaration is the symbol of a declaration node; none for one without a name.
func (o *outline) declaration(n int) []protocol.DocumentSymbol {
	switch o.tree.Nodes[n].Kind {
	case ast.Import:
		if path := o.tree.First(n, ast.String); path >= 0 {
			return o.symbol(n, path, "import", protocol.SymbolKindFile)
		}
	case ast.Use:
		return o.use(n)
	case ast.Decl:
		keyword := o.tree.KeywordOf(n)
		if name := o.tree.First(n, ast.Ident); name >= 0 {
			return o.symbol(n, name, keyword, kindOf(keyword))
		}
		start := o.tree.Nodes[n].Start
		return o.named(n, keyword, source.Span{Start: start, End: start + uint32(len(keyword))}, "", kindOf(keyword))
	}
	return nil
}

// use is an instance, by its prefix.
func (o *outline) use(n int) []protocol.DocumentSymbol {
	var names []int
	for c := range o.tree.Children(n) {
		if o.tree.Nodes[c].Kind == ast.Ident {
			names = append(names, c)
		}
	}
	if len(names) < 2 {
		return nil
	}
	return o.symbol(n, names[1], "use "+o.tree.Slice(names[0]), protocol.SymbolKindObject)
}

func (o *outline) symbol(n, name int, detail string, kind protocol.SymbolKind) []protocol.DocumentSymbol {
	return o.named(n, strings.Trim(o.tree.Slice(name), "\"`"), o.tree.Nodes[name].Span(), detail, kind)
}

// named is the symbol of node n with those below it.
func (o *outline) named(n int, name string, at source.Span, detail string, kind protocol.SymbolKind) []protocol.DocumentSymbol {
	if strings.TrimSpace(name) == "" {
		return nil
	}
	return []protocol.DocumentSymbol{{Name: name, Detail: detail, Kind: kind, Range: o.place(o.tree.Nodes[n].Span()),
		SelectionRange: o.place(at), Children: o.members(n, kind)}}
}

func (o *outline) place(at source.Span) protocol.Range { return o.file.Range(at.Shift(o.base)) }

// members are the named things in a body: entries, blocks of them, the nodes of
// a group. Properties that hold one value are left out.
func (o *outline) members(n int, inside protocol.SymbolKind) (list []protocol.DocumentSymbol) {
	for c := range o.tree.Children(n) {
		switch node := o.tree.Nodes[c]; {
		case node.Kind == ast.Decl:
			list = append(list, o.declaration(c)...)
		case node.Kind == ast.Entry && c+1 < int(node.Next):
			list = append(list, o.symbol(c, c+1, o.detail(c), entryKind(inside))...)
		case node.Kind == ast.Prop && node.Flags&ast.FlagBlock != 0:
			key := o.tree.Slice(c + 1)
			block := o.symbol(c, c+1, "", kindOf(key))
			if len(block) > 0 && len(block[0].Children) > 0 {
				list = append(list, block...)
			}
		}
	}
	return list
}

// detail is the type of an entry.
func (o *outline) detail(entry int) string {
	if t := o.tree.First(entry, ast.Type); t >= 0 {
		return o.tree.Slice(t)
	}
	return ""
}

// kindOf is the symbol kind of a declaration or a block by its keyword. The
// protocol has the words of programming languages only.
func kindOf(keyword string) protocol.SymbolKind {
	switch keyword {
	case "workflow":
		return protocol.SymbolKindModule
	case "agent", "judge", "router", "human", "tool", "compute", "subbot", "emit", "wait", "await_answers", "fail":
		return protocol.SymbolKindFunction
	case "schema":
		return protocol.SymbolKindStruct
	case "prompt":
		return protocol.SymbolKindString
	case "group":
		return protocol.SymbolKindClass
	case "contract", "mcp_server":
		return protocol.SymbolKindInterface
	case "cursor", "values", "bands":
		return protocol.SymbolKindEnum
	case "supervisor":
		return protocol.SymbolKindEvent
	}
	return protocol.SymbolKindNamespace
}

// entryKind is the kind of an entry by what holds it.
func entryKind(inside protocol.SymbolKind) protocol.SymbolKind {
	switch inside {
	case protocol.SymbolKindStruct:
		return protocol.SymbolKindField
	case protocol.SymbolKindEnum:
		return protocol.SymbolKindEnumMember
	case protocol.SymbolKindNamespace:
		return protocol.SymbolKindVariable
	}
	return protocol.SymbolKindProperty
}
