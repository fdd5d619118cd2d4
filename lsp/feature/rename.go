package feature

import (
	"cmp"
	"context"
	"maps"
	"path/filepath"
	"slices"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"iterion/ast/source"
	"iterion/diagnostics"
	"iterion/ir/symbols"
	"iterion/lsp/session"
)

// requestFailed is the error code of a request that is well formed and cannot
// be done.
const requestFailed jsonrpc2.Code = -32803

// RenameRange is what a rename would change, and the text to start from.
type RenameRange struct {
	Range       protocol.Range `json:"range"`
	Placeholder string         `json:"placeholder"`
}

// PrepareRename is textDocument/prepareRename. The error says why a name stays;
// where no name stands the answer is null.
func PrepareRename(_ context.Context, s *session.Snapshot, p *protocol.PrepareRenameParams) (*RenameRange, error) {
	words, err := wordsAt(s, p.TextDocumentPositionParams)
	if err != nil || len(words) == 0 {
		return nil, err
	}
	w := words[0]
	if c := w.index.Renamable(w.Symbol); c != nil {
		return nil, refusal(w.unit, w.index, c)
	}
	at, _ := location(w.unit, w.index, w.Tree, w.Span)
	return &RenameRange{at.Range, w.Name}, nil
}

// Rename is textDocument/rename: in all units that share a file which changes.
// The error names what stands against it, and its line.
func Rename(_ context.Context, s *session.Snapshot, p *protocol.RenameParams) (*protocol.WorkspaceEdit, error) {
	words, err := wordsAt(s, p.TextDocumentPositionParams)
	if err != nil {
		return nil, err
	}
	if len(words) == 0 {
		return nil, jsonrpc2.NewError(requestFailed, "no name stands here")
	}
	r := renaming{snapshot: s, symbol: words[0].Symbol, name: p.NewName, edits: symbols.Edits{}}
	for _, w := range words {
		if w.Symbol != r.symbol {
			return nil, jsonrpc2.Errorf(requestFailed, "this word names something else in %s than in %s",
				filepath.Base(words[0].unit.Main), filepath.Base(w.unit.Main))
		}
		r.units = append(r.units, w.unit)
	}
	if err := r.run(); err != nil {
		return nil, err
	}
	return r.edit(), nil
}

// renaming is a new name on its way through the units that share files.
type renaming struct {
	snapshot *session.Snapshot
	symbol   symbols.Symbol
	name     string
	units    []*session.Unit
	edits    symbols.Edits
}

// run collects the edits of all units, the list of which grows, and looks at
// each unit once more as all of them together leave it.
func (r *renaming) run() error {
	asked := len(r.units)
	for i := 0; i < len(r.units); i++ {
		u := r.units[i]
		x := Names(u)
		if _, declared := x.Declaration(r.symbol); i >= asked && !declared {
			continue // what it means there, if anything, stays unknown
		}
		edits, c := x.Rename(r.symbol, r.name)
		if c != nil {
			return refusal(u, x, c)
		}
		for file, list := range edits {
			r.merge(file, list)
		}
	}
	if len(r.units) == 1 {
		return nil
	}
	for _, u := range r.units {
		x := Names(u)
		if c := x.Verify(r.symbol, r.name, r.edits); c != nil {
			return refusal(u, x, c)
		}
	}
	return nil
}

// merge adds the edits of a file, and the units that it belongs to.
func (r *renaming) merge(file string, list []source.Edit) {
	if r.edits[file] == nil {
		key := filepath.FromSlash(file)
		units := r.snapshot.UnitsOf(key)
		if units == nil {
			units = r.snapshot.UnitsReading(key, filepath.Dir(r.units[0].Main))
		}
		for _, u := range units {
			if !slices.Contains(r.units, u) && Names(u) != nil {
				r.units = append(r.units, u)
			}
		}
	}
	all := append(r.edits[file], list...)
	slices.SortFunc(all, func(a, b source.Edit) int { return cmp.Compare(a.Start, b.Start) })
	r.edits[file] = slices.Compact(all)
}

// refusal is a conflict with the place where it stands.
func refusal(u *session.Unit, x *symbols.Index, c *symbols.Conflict) error {
	at, ok := location(u, x, c.Tree, c.Span)
	if !ok {
		return jsonrpc2.NewError(requestFailed, c.Message)
	}
	return jsonrpc2.Errorf(requestFailed, "%s (%s:%d)", c.Message, filepath.Base(session.KeyOf(at.URI)), at.Range.Start.Line+1)
}

// edit is the change as the client takes it.
func (r *renaming) edit() *protocol.WorkspaceEdit {
	out := &protocol.WorkspaceEdit{}
	versioned := r.snapshot.Client.Workspace.WorkspaceEdit.DocumentChanges
	for _, file := range slices.Sorted(maps.Keys(r.edits)) {
		uri := r.snapshot.URI(filepath.FromSlash(file))
		var edits []protocol.TextEdit
		for _, e := range r.edits[file] {
			edits = append(edits, protocol.TextEdit{Range: r.place(file, e.Span), NewText: e.New})
		}
		if versioned {
			id := protocol.OptionalVersionedTextDocumentIdentifier{TextDocumentIdentifier: protocol.TextDocumentIdentifier{URI: uri}}
			if d := r.snapshot.Doc(uri); d != nil {
				id.Version = &d.Version
			}
			out.DocumentChanges = append(out.DocumentChanges, protocol.TextDocumentEdit{TextDocument: id, Edits: edits})
			continue
		}
		if out.Changes == nil {
			out.Changes = map[protocol.DocumentURI][]protocol.TextEdit{}
		}
		out.Changes[uri] = edits
	}
	return out
}

// place converts a span of a file that one of the units holds.
func (r *renaming) place(file string, at source.Span) protocol.Range {
	for _, u := range r.units {
		if fileOf(Names(u), filepath.FromSlash(file)) != nil {
			out, _ := u.Range(diagnostics.Range{File: file, Offsets: at})
			return out
		}
	}
	return protocol.Range{}
}
