package feature

import (
	"path/filepath"
	"slices"

	"go.lsp.dev/protocol"

	"iterion/ast"
	"iterion/ast/source"
	"iterion/diagnostics"
	"iterion/ir/build"
	"iterion/ir/symbols"
	"iterion/lsp/session"
)

// Names is the index of a unit's names; nil when its main file cannot be read.
func Names(u *session.Unit) *symbols.Index {
	type key struct{}
	return session.Memo(u, key{}, func(u *session.Unit) *symbols.Index {
		if r := u.Result(); r != nil {
			return symbols.Of(r)
		}
		return nil
	})
}

// word is a name at a place of a file, in one of the file's units.
type word struct {
	symbols.Occurrence
	unit  *session.Unit
	index *symbols.Index
}

// wordsAt finds the name at a place, in each unit that the file belongs to: a
// fragment may say something else in each.
func wordsAt(s *session.Snapshot, p protocol.TextDocumentPositionParams) ([]word, error) {
	f, err := s.File(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	offset := uint32(f.Offset(p.Position))
	var list []word
	for _, u := range s.UnitsOf(f.Key) {
		index := Names(u)
		file := fileOf(index, f.Key)
		if file == nil {
			continue
		}
		if o, ok := nameAt(index, file, offset); ok {
			list = append(list, word{o, u, index})
		}
	}
	return list, nil
}

// fileOf is the file of a unit that has a key, its manifest included; nil for
// none.
func fileOf(x *symbols.Index, key string) *build.File {
	if x == nil {
		return nil
	}
	files := x.Files()
	if i := slices.IndexFunc(files, func(f *build.File) bool { return keyOf(f) == key }); i >= 0 {
		return files[i]
	}
	return nil
}

func keyOf(f *build.File) string { return filepath.FromSlash(f.Source().Name) }

// nameAt finds the name at an offset of the file's own text. That of an author
// document has its places elsewhere than the text of its tree.
func nameAt(x *symbols.Index, f *build.File, offset uint32) (symbols.Occurrence, bool) {
	if !f.IsDocument() {
		if tree, base := session.DeclarationAt(f.AST, int(offset)); tree != nil {
			return x.At(tree, offset-uint32(base))
		}
		return symbols.Occurrence{}, false
	}
	for i, tree := range f.AST.Decls {
		for _, o := range x.In(tree) {
			if at := f.Place(o.Span.Shift(f.AST.Bases[i])); at.Contains(offset) && at.End-at.Start >= uint32(len(o.Name)) {
				return o, true
			}
		}
	}
	return symbols.Occurrence{}, false
}

// location is the place of a span of a declaration.
func location(u *session.Unit, x *symbols.Index, tree *ast.Declaration, span source.Span) (protocol.Location, bool) {
	f := x.File(tree)
	if f == nil {
		return protocol.Location{}, false
	}
	at := f.Place(span.Shift(f.AST.Bases[slices.Index(f.AST.Decls, tree)]))
	r, ok := u.Range(diagnostics.Range{File: f.Source().Name, Offsets: at})
	return protocol.Location{URI: u.URI(keyOf(f)), Range: r}, ok
}

// locations are the places of occurrences in several units, each once.
type locations struct {
	list []protocol.Location
	seen map[protocol.Location]bool
}

func (l *locations) add(u *session.Unit, x *symbols.Index, o symbols.Occurrence) {
	at, ok := location(u, x, o.Tree, o.Span)
	if !ok || l.seen[at] {
		return
	}
	if l.seen == nil {
		l.seen = map[protocol.Location]bool{}
	}
	l.seen[at] = true
	l.list = append(l.list, at)
}

// named are the symbols of a word.
func named(o symbols.Occurrence) []symbols.Symbol {
	return append([]symbols.Symbol{o.Symbol}, o.Also...)
}
