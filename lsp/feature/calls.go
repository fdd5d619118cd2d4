package feature

import (
	"context"
	"encoding/json"
	"slices"

	"go.lsp.dev/protocol"

	"iterion/ast"
	"iterion/ast/source"
	"iterion/ir/scope"
	"iterion/ir/symbols"
	"iterion/lsp/session"
)

// A node's call hierarchy is its graph: who leads to it, and where it leads.

// nodeID is what an item carries between two requests: a node of a unit.
type nodeID struct {
	Main string `json:"main"` // key of the unit's main file
	ID   string `json:"id"`
}

// PrepareCallHierarchy is textDocument/prepareCallHierarchy. A member of a group
// gives an item for each of its instances.
func PrepareCallHierarchy(_ context.Context, s *session.Snapshot, p *protocol.CallHierarchyPrepareParams) ([]protocol.CallHierarchyItem, error) {
	words, err := wordsAt(s, p.TextDocumentPositionParams)
	if err != nil {
		return nil, err
	}
	var list []protocol.CallHierarchyItem
	for _, w := range words {
		for _, symbol := range named(w.Occurrence) {
			for _, n := range nodesOf(w.unit, symbol) {
				if item, ok := item(w.unit, n); ok {
					list = append(list, item)
				}
			}
		}
	}
	return list, nil
}

// nodesOf lists the nodes that a symbol stands for.
func nodesOf(u *session.Unit, s symbols.Symbol) (list []*scope.Node) {
	for _, n := range u.Result().Scope.Nodes {
		own := ""
		if n.Instance != nil {
			own = n.Instance.Group
		}
		if s == (symbols.Symbol{Kind: symbols.Node, Owner: own, Name: n.Name}) {
			list = append(list, n)
		}
	}
	return list
}

func item(u *session.Unit, n *scope.Node) (out protocol.CallHierarchyItem, ok bool) {
	x := Names(u)
	at, ok := location(u, x, n.Tree, n.NameSpan)
	if !ok {
		return out, false
	}
	whole := at
	if e := n.Tree.Enclosing(ast.Decl, n.NameSpan); e >= 0 {
		whole, _ = location(u, x, n.Tree, n.Tree.Nodes[e].Span())
	}
	return protocol.CallHierarchyItem{Name: n.ID, Kind: protocol.SymbolKindFunction, Detail: string(n.Kind), URI: at.URI,
		Range: whole.Range, SelectionRange: at.Range, Data: nodeID{u.Main, n.ID}}, true
}

// IncomingCalls is callHierarchy/incomingCalls: the predecessors of a node.
func IncomingCalls(_ context.Context, s *session.Snapshot, p *protocol.CallHierarchyIncomingCallsParams) ([]protocol.CallHierarchyIncomingCall, error) {
	u, n := nodeOf(s, p.Item)
	if n == nil {
		return nil, nil
	}
	list := []protocol.CallHierarchyIncomingCall{}
	for _, g := range byEnd(n.In, func(e *scope.Edge) *scope.Node { return e.Source }) {
		if from, ok := item(u, g.node); ok {
			list = append(list, protocol.CallHierarchyIncomingCall{From: from, FromRanges: arrows(u, g.edges, from.URI)})
		}
	}
	return list, nil
}

// OutgoingCalls is callHierarchy/outgoingCalls: the successors of a node.
func OutgoingCalls(_ context.Context, s *session.Snapshot, p *protocol.CallHierarchyOutgoingCallsParams) ([]protocol.CallHierarchyOutgoingCall, error) {
	u, n := nodeOf(s, p.Item)
	if n == nil {
		return nil, nil
	}
	list := []protocol.CallHierarchyOutgoingCall{}
	for _, g := range byEnd(n.Out, func(e *scope.Edge) *scope.Node { return e.Target }) {
		if to, ok := item(u, g.node); ok {
			list = append(list, protocol.CallHierarchyOutgoingCall{To: to, FromRanges: arrows(u, g.edges, p.Item.URI)})
		}
	}
	return list, nil
}

// nodeOf is the node of an item, nil when it is gone.
func nodeOf(s *session.Snapshot, item protocol.CallHierarchyItem) (*session.Unit, *scope.Node) {
	var id nodeID
	raw, err := json.Marshal(item.Data)
	if err != nil || json.Unmarshal(raw, &id) != nil {
		return nil, nil
	}
	for _, u := range s.UnitsOf(session.KeyOf(item.URI)) {
		if r := u.Result(); u.Main == id.Main && r != nil {
			return u, r.Scope.Node(id.ID)
		}
	}
	return nil, nil
}

// edgesTo are the edges between a node and one of its neighbours.
type edgesTo struct {
	node  *scope.Node
	edges []*scope.Edge
}

// byEnd groups edges by one of their ends; the terminals are left out.
func byEnd(edges []*scope.Edge, end func(*scope.Edge) *scope.Node) (list []edgesTo) {
	for _, e := range edges {
		n := end(e)
		if n == nil {
			continue
		}
		i := slices.IndexFunc(list, func(g edgesTo) bool { return g.node == n })
		if i < 0 {
			i = len(list)
			list = append(list, edgesTo{node: n})
		}
		list[i].edges = append(list[i].edges, e)
	}
	return list
}

// arrows are the ranges of edges that stand in a file. The protocol has no
// place for one that stands in another file than its source.
func arrows(u *session.Unit, edges []*scope.Edge, uri protocol.DocumentURI) []protocol.Range {
	ranges := []protocol.Range{}
	for _, e := range edges {
		at, ok := location(u, Names(u), e.Decl.Tree, source.Span{Start: e.FromSpan.Start, End: e.ToSpan.End})
		if ok && at.URI == uri {
			ranges = append(ranges, at.Range)
		}
	}
	return ranges
}
