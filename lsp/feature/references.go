package feature

import (
	"context"

	"go.lsp.dev/protocol"

	"iterion/ir/symbols"
	"iterion/lsp/session"
)

// References is textDocument/references: in all units that share the file that
// declares the name.
func References(ctx context.Context, s *session.Snapshot, p *protocol.ReferenceParams) ([]protocol.Location, error) {
	words, err := wordsAt(s, p.TextDocumentPositionParams)
	if err != nil {
		return nil, err
	}
	var found locations
	for _, w := range words {
		w = w.settled(s)
		for _, symbol := range named(w.Occurrence) {
			for _, u := range sharing(s, w, symbol) {
				x := Names(u)
				for _, o := range x.Of(symbol) {
					if o.Role == symbols.Refers || p.Context.IncludeDeclaration {
						found.add(u, x, o)
					}
				}
				for _, c := range callers(ctx, s, u, symbol) {
					for _, o := range c.index.Of(c.symbol) {
						found.add(c.unit, c.index, o)
					}
				}
			}
		}
	}
	return found.list, nil
}

// sharing lists the units in which a symbol is declared by the same word, that
// of the word itself first.
func sharing(s *session.Snapshot, w word, symbol symbols.Symbol) []*session.Unit {
	list := []*session.Unit{w.unit}
	declared, ok := w.index.Declaration(symbol)
	if !ok {
		return list
	}
	key := keyOf(w.index.File(declared.Tree))
	here, _ := location(w.unit, w.index, declared.Tree, declared.Span)
	for _, u := range s.UnitsOf(key) {
		x := Names(u)
		if u == w.unit || x == nil {
			continue
		}
		if o, ok := x.Declaration(symbol); ok {
			if there, ok := location(u, x, o.Tree, o.Span); ok && there == here {
				list = append(list, u)
			}
		}
	}
	return list
}

// DocumentHighlight is textDocument/documentHighlight: the name's words in its
// file, those that declare it as written.
func DocumentHighlight(_ context.Context, s *session.Snapshot, p *protocol.DocumentHighlightParams) ([]protocol.DocumentHighlight, error) {
	words, err := wordsAt(s, p.TextDocumentPositionParams)
	if err != nil || len(words) == 0 {
		return nil, err
	}
	w := words[0]
	file := w.index.File(w.Tree)
	var list []protocol.DocumentHighlight
	seen := map[protocol.Range]bool{}
	for _, symbol := range named(w.Occurrence) {
		for _, o := range w.index.Of(symbol) {
			at, ok := location(w.unit, w.index, o.Tree, o.Span)
			if !ok || w.index.File(o.Tree) != file || o.Form == symbols.FileName || seen[at.Range] {
				continue
			}
			seen[at.Range] = true
			kind := protocol.DocumentHighlightKindRead
			if o.Role == symbols.Declares {
				kind = protocol.DocumentHighlightKindWrite
			}
			list = append(list, protocol.DocumentHighlight{Range: at.Range, Kind: kind})
		}
	}
	return list, nil
}
