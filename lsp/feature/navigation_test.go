package feature_test

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"iterion/ast/source"
	"iterion/corpus"
	"iterion/lsp/feature"
	"iterion/lsp/protocol317"
	"iterion/lsp/session"
)

// Navigation holds for every name of every text of the corpus, whole and cut
// off anywhere: an answer never points out of a text, a declaration spells the
// name, and the name is among its own references.
func TestNavigationOverTheCorpus(t *testing.T) {
	words := 0
	for _, f := range corpus.Files() {
		text := string(f.Data)
		for _, cut := range []int{1, 2, 3, 5, 8, 13} {
			words += navigate(t, f.Name, text[:len(text)-len(text)/cut%len(text)])
		}
	}
	for _, c := range corpus.Cases() {
		words += navigate(t, "broken.bot", string(c.Files[0].Data))
	}
	if words < 10000 {
		t.Errorf("only %d names", words)
	}
}

// opened is a text in a session of its own.
type opened struct {
	t    *testing.T
	s    *session.Snapshot
	file *session.File
	name string
}

func navigate(t *testing.T, name, text string) (words int) {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("../../corpus", filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	one := session.New(&protocol317.ClientCapabilities{}, nil)
	one.Open(protocol.TextDocumentItem{URI: uri.File(path), Text: text})
	s := one.Snapshot()
	f, err := s.File(uri.File(path))
	if err != nil {
		t.Fatal(err)
	}
	o := &opened{t, s, f, name}
	o.outline()
	o.links()
	for _, u := range s.UnitsOf(f.Key) {
		x := feature.Names(u)
		for _, file := range x.Files() {
			if filepath.FromSlash(file.Source().Name) != f.Key {
				continue
			}
			for i, tree := range file.AST.Decls {
				for _, word := range x.In(tree) {
					words++
					o.word(word.Name, word.Span.Shift(file.AST.Bases[i]))
				}
			}
		}
	}
	return words
}

// word asks everything about a name at a place of the file.
func (o *opened) word(name string, at source.Span) {
	ctx := context.Background()
	where := protocol.TextDocumentPositionParams{TextDocument: protocol.TextDocumentIdentifier{URI: o.file.URI}, Position: o.file.Position(int(at.Start))}
	declared, err := feature.Definition(ctx, o.s, &protocol.DefinitionParams{TextDocumentPositionParams: where})
	o.check(err)
	for _, l := range declared {
		if got := o.text(l); got != "" && got != name && strings.Trim(got, "\"`") != name {
			o.t.Errorf("%s: the declaration of %q is %q", o.name, name, got)
		}
	}
	types, err := feature.TypeDefinition(ctx, o.s, &protocol.TypeDefinitionParams{TextDocumentPositionParams: where})
	o.check(err)
	for _, l := range types {
		o.text(l)
	}
	refs, err := feature.References(ctx, o.s, &protocol.ReferenceParams{TextDocumentPositionParams: where, Context: protocol.ReferenceContext{IncludeDeclaration: true}})
	o.check(err)
	own := protocol.Location{URI: o.file.URI, Range: o.file.Range(at)}
	if !slices.Contains(refs, own) {
		o.t.Errorf("%s: %q at %v is not among its references", o.name, name, own.Range)
	}
	for _, l := range refs {
		if got := o.text(l); got != name && !strings.HasSuffix(string(l.URI), ".md") {
			o.t.Errorf("%s: a reference to %q is %q", o.name, name, got)
		}
	}
	marks, err := feature.DocumentHighlight(ctx, o.s, &protocol.DocumentHighlightParams{TextDocumentPositionParams: where})
	o.check(err)
	if !slices.ContainsFunc(marks, func(h protocol.DocumentHighlight) bool { return h.Range == own.Range }) {
		o.t.Errorf("%s: %q at %v is not marked", o.name, name, own.Range)
	}
	items, err := feature.PrepareCallHierarchy(ctx, o.s, &protocol.CallHierarchyPrepareParams{TextDocumentPositionParams: where})
	o.check(err)
	for _, item := range items {
		_, err := feature.IncomingCalls(ctx, o.s, &protocol.CallHierarchyIncomingCallsParams{Item: item})
		o.check(err)
		_, err = feature.OutgoingCalls(ctx, o.s, &protocol.CallHierarchyOutgoingCallsParams{Item: item})
		o.check(err)
	}
	// What stands against a new name is an error; the edits are tested with the index.
	_, _ = feature.PrepareRename(ctx, o.s, &protocol.PrepareRenameParams{TextDocumentPositionParams: where})
}

func (o *opened) check(err error) {
	o.t.Helper()
	if err != nil {
		o.t.Errorf("%s: %v", o.name, err)
	}
}

// text is what stands at a place, which must lie in its text.
func (o *opened) text(l protocol.Location) string {
	o.t.Helper()
	f, err := o.s.File(l.URI)
	if err != nil {
		o.t.Fatal(err)
	}
	span := f.Span(l.Range)
	if f.Range(span) != l.Range {
		o.t.Errorf("%s: %v lies outside of %s", o.name, l.Range, l.URI)
	}
	return f.Text[span.Start:span.End]
}

func (o *opened) links() {
	list, err := feature.DocumentLink(context.Background(), o.s, &protocol.DocumentLinkParams{TextDocument: protocol.TextDocumentIdentifier{URI: o.file.URI}})
	o.check(err)
	for _, l := range list {
		o.text(protocol.Location{URI: o.file.URI, Range: l.Range})
		o.text(protocol.Location{URI: l.Target})
	}
}

func (o *opened) outline() {
	list, err := feature.DocumentSymbol(context.Background(), o.s, &protocol.DocumentSymbolParams{TextDocument: protocol.TextDocumentIdentifier{URI: o.file.URI}})
	o.check(err)
	o.nested(list, source.Span{End: uint32(len(o.file.Text))})
}

// nested: symbols lie in the one above them, and their names in them.
func (o *opened) nested(list []protocol.DocumentSymbol, within source.Span) {
	for _, s := range list {
		at, name := o.file.Span(s.Range), o.file.Span(s.SelectionRange)
		if at.Start < within.Start || at.End > within.End || name.Start < at.Start || name.End > at.End || s.Name == "" {
			o.t.Errorf("%s: %q at %v, %v", o.name, s.Name, s.Range, s.SelectionRange)
		}
		o.nested(s.Children, at)
	}
}
