package feature

import (
	"context"
	"path/filepath"
	"strings"

	"go.lsp.dev/protocol"

	"iterion/ir/symbols"
	"iterion/lsp/session"
)

// Definition is textDocument/definition: where a name is declared, or the file
// that a path names.
func Definition(_ context.Context, s *session.Snapshot, p *protocol.DefinitionParams) ([]protocol.Location, error) {
	return declarations(s, p.TextDocumentPositionParams)
}

// Declaration is textDocument/declaration, which is the same here.
func Declaration(_ context.Context, s *session.Snapshot, p *protocol.DeclarationParams) ([]protocol.Location, error) {
	return declarations(s, p.TextDocumentPositionParams)
}

func declarations(s *session.Snapshot, p protocol.TextDocumentPositionParams) ([]protocol.Location, error) {
	words, err := wordsAt(s, p)
	if err != nil {
		return nil, err
	}
	var found locations
	for _, w := range words {
		w = w.settled(s)
		if uri, ok := target(s, w.index, w.Occurrence); ok {
			return []protocol.Location{{URI: uri}}, nil
		}
		for _, symbol := range named(w.Occurrence) {
			found.declared(w, symbol)
		}
	}
	return found.list, nil
}

// declared adds the declaration of a symbol; of an artifact or an event each
// node that gives it.
func (l *locations) declared(w word, s symbols.Symbol) {
	if s.Kind == symbols.Artifact || s.Kind == symbols.Event {
		for _, o := range w.index.Of(s) {
			if o.Role == symbols.Declares {
				l.add(w.unit, w.index, o)
			}
		}
		return
	}
	if o, ok := w.index.Declaration(s); ok {
		l.add(w.unit, w.index, o)
	}
}

// target is the file that a path names, when it is there.
func target(s *session.Snapshot, x *symbols.Index, o symbols.Occurrence) (protocol.DocumentURI, bool) {
	name, ok := x.Target(o)
	if !ok {
		return "", false
	}
	f := x.File(o.Tree)
	root := strings.TrimSuffix(f.Source().Name, f.Path)
	uri := s.URI(filepath.FromSlash(root + name))
	_, err := s.File(uri)
	return uri, err == nil
}

// TypeDefinition is textDocument/typeDefinition: the schema of what a node
// gives or an artifact holds, the group of an instance.
func TypeDefinition(_ context.Context, s *session.Snapshot, p *protocol.TypeDefinitionParams) ([]protocol.Location, error) {
	words, err := wordsAt(s, p.TextDocumentPositionParams)
	if err != nil {
		return nil, err
	}
	var found locations
	for _, w := range words {
		for _, symbol := range named(w.Occurrence) {
			for _, of := range w.index.Types(symbol) {
				found.declared(w, of)
			}
		}
	}
	return found.list, nil
}
