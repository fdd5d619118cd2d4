package feature

import (
	"cmp"
	"context"
	"slices"

	"go.lsp.dev/protocol"

	"iterion/ir/symbols"
	"iterion/lsp/session"
)

// mostSymbols is how many names of a workspace are listed.
const mostSymbols = 500

// WorkspaceSymbol is workspace/symbol: the declared names of all units that fit
// what was typed, the best first.
func WorkspaceSymbol(ctx context.Context, s *session.Snapshot, p *protocol.WorkspaceSymbolParams, progress Progress) ([]protocol.SymbolInformation, error) {
	units, err := workspaceUnits(ctx, s, progress)
	if err != nil {
		return nil, err
	}
	type scored struct {
		protocol.SymbolInformation
		score int
	}
	var list []scored
	seen := map[protocol.Location]bool{}
	type key struct{}
	for _, u := range units {
		for _, symbol := range session.Memo(u, key{}, declaredIn) {
			if score, ok := fuzzy(symbol.Name, p.Query); ok && !seen[symbol.Location] {
				seen[symbol.Location] = true
				list = append(list, scored{symbol, score})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b scored) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.Name, b.Name))
	})
	out := []protocol.SymbolInformation{}
	for _, one := range list[:min(len(list), mostSymbols)] {
		out = append(out, one.SymbolInformation)
	}
	return out, nil
}

// declaredIn lists what a unit declares.
func declaredIn(u *session.Unit) (list []protocol.SymbolInformation) {
	x := Names(u)
	if x == nil {
		return nil
	}
	for _, f := range x.Files() {
		for _, tree := range f.AST.Decls {
			for _, o := range x.In(tree) {
				first, _ := x.Declaration(o.Symbol)
				if o.Role != symbols.Declares || first.Tree != o.Tree || first.Span != o.Span {
					continue
				}
				if at, ok := location(u, x, o.Tree, o.Span); ok {
					list = append(list, protocol.SymbolInformation{Name: o.Name, Kind: symbolKind(o.Kind), Location: at, ContainerName: container(o.Symbol)})
				}
			}
		}
	}
	return list
}

// container is what a list shows beside a name.
func container(s symbols.Symbol) string {
	if s.Owner != "" {
		return s.Owner
	}
	return s.Kind.String()
}

func symbolKind(k symbols.Kind) protocol.SymbolKind {
	switch k {
	case symbols.Node:
		return protocol.SymbolKindFunction
	case symbols.Field:
		return protocol.SymbolKindField
	case symbols.Var:
		return protocol.SymbolKindVariable
	case symbols.Setting:
		return protocol.SymbolKindEnumMember
	case symbols.Param:
		return protocol.SymbolKindTypeParameter
	case symbols.Instance:
		return protocol.SymbolKindObject
	case symbols.Schema, symbols.Prompt, symbols.Group, symbols.Contract, symbols.Cursor, symbols.Supervisor, symbols.Workflow:
		return kindOf(k.String())
	}
	return protocol.SymbolKindProperty
}
