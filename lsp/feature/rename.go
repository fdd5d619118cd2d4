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
	if to := w.settled(s); to.index.Renamable(to.Symbol) != nil {
		return nil, refusal(to.unit, to.index, to.index.Renamable(to.Symbol))
	}
	at, _ := location(w.unit, w.index, w.Tree, w.Span)
	return &RenameRange{at.Range, w.Name}, nil
}

// Rename is textDocument/rename: in all units that share a file which changes.
// The error names what stands against it, and its line.
func Rename(ctx context.Context, s *session.Snapshot, p *protocol.RenameParams) (*protocol.WorkspaceEdit, error) {
	words, err := wordsAt(s, p.TextDocumentPositionParams)
	if err != nil {
		return nil, err
	}
	if len(words) == 0 {
		return nil, jsonrpc2.NewError(requestFailed, "no name stands here")
	}
	r := renaming{snapshot: s, symbol: words[0].settled(s).Symbol, name: p.NewName, edits: symbols.Edits{}, places: map[string]*session.Unit{}}
	for _, w := range words {
		if w = w.settled(s); w.Symbol != r.symbol {
			return nil, jsonrpc2.Errorf(requestFailed, "this word names something else in %s than in %s",
				filepath.Base(words[0].unit.Main), filepath.Base(w.unit.Main))
		}
		r.units = append(r.units, w.unit)
	}
	if err := r.run(ctx); err != nil {
		return nil, err
	}
	return r.edit()
}

// renaming is a new name on its way through the units that share files.
type renaming struct {
	snapshot *session.Snapshot
	symbol   symbols.Symbol
	name     string
	units    []*session.Unit // in which the symbol gets the name
	edits    symbols.Edits
	places   map[string]*session.Unit // a unit that holds each file
}

// run collects the edits of all units, the list of which grows, and looks at
// each unit once more as all of them together leave it.
func (r *renaming) run(ctx context.Context) error {
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
			r.share(file)
			r.merge(u, file, list)
		}
	}
	changed := r.handed(ctx)
	for _, u := range r.units {
		changed[u] = append(changed[u], r.symbol)
	}
	if len(changed) == 1 {
		return nil // Rename has looked at it
	}
	for u, list := range changed {
		if c := Names(u).Verify(r.name, r.edits, list...); c != nil {
			return refusal(u, Names(u), c)
		}
	}
	return nil
}

// handed adds the edits of units that run the changed ones as subbots, and hand
// over the variable.
func (r *renaming) handed(ctx context.Context) map[*session.Unit][]symbols.Symbol {
	changed := map[*session.Unit][]symbols.Symbol{}
	for _, u := range r.units {
		for _, c := range callers(ctx, r.snapshot, u, r.symbol) {
			changed[c.unit] = append(changed[c.unit], c.symbol)
			for file, list := range c.index.Edits(c.symbol, r.name) {
				r.merge(c.unit, file, list)
			}
		}
	}
	return changed
}

// share adds the units that a file belongs to.
func (r *renaming) share(file string) {
	if r.edits[file] != nil {
		return
	}
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

// merge adds the edits of a file of a unit.
func (r *renaming) merge(u *session.Unit, file string, list []source.Edit) {
	r.places[file] = u
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
func (r *renaming) edit() (*protocol.WorkspaceEdit, error) {
	out := &protocol.WorkspaceEdit{}
	versioned := r.snapshot.Client.Workspace.WorkspaceEdit.DocumentChanges
	for _, file := range slices.Sorted(maps.Keys(r.edits)) {
		uri := r.snapshot.URI(filepath.FromSlash(file))
		edits, err := r.textEdits(file)
		if err != nil {
			return nil, err
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
	return out, nil
}

// textEdits are the edits of a file in its lines and columns. Half of a change
// is worse than none.
func (r *renaming) textEdits(file string) (list []protocol.TextEdit, err error) {
	for _, e := range r.edits[file] {
		at, ok := r.places[file].Range(diagnostics.Range{File: file, Offsets: e.Span})
		if !ok {
			return nil, jsonrpc2.Errorf(requestFailed, "the text of %s is not known here", file)
		}
		list = append(list, protocol.TextEdit{Range: at, NewText: e.New})
	}
	return list, nil
}
