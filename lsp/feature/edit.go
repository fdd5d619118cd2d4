package feature

import (
	"maps"
	"slices"

	"go.lsp.dev/protocol"

	"iterion/ast/source"
	"iterion/grammar/parser"
	"iterion/lsp/session"
)

// workspaceEdit is a change of files, by key, as the client takes it.
func workspaceEdit(s *session.Snapshot, byKey map[string][]protocol.TextEdit) *protocol.WorkspaceEdit {
	out := &protocol.WorkspaceEdit{}
	versioned := s.Client.Workspace.WorkspaceEdit.DocumentChanges
	for _, key := range slices.Sorted(maps.Keys(byKey)) {
		uri := s.URI(key)
		if versioned {
			id := protocol.OptionalVersionedTextDocumentIdentifier{TextDocumentIdentifier: protocol.TextDocumentIdentifier{URI: uri}}
			if d := s.Doc(uri); d != nil {
				id.Version = &d.Version
			}
			out.DocumentChanges = append(out.DocumentChanges, protocol.TextDocumentEdit{TextDocument: id, Edits: byKey[key]})
			continue
		}
		if out.Changes == nil {
			out.Changes = map[protocol.DocumentURI][]protocol.TextEdit{}
		}
		out.Changes[uri] = byKey[key]
	}
	return out
}

// change is edits of files, by key. Those of a file are in order, do not overlap
// and count in its File.Text.
type change map[string][]source.Edit

// edit is the change as the client takes it. The error says which file is not
// there.
func (c change) edit(s *session.Snapshot) (*protocol.WorkspaceEdit, error) {
	byKey := map[string][]protocol.TextEdit{}
	for key, edits := range c {
		f, err := s.File(s.URI(key))
		if err != nil {
			return nil, err
		}
		for _, e := range edits {
			byKey[key] = append(byKey[key], protocol.TextEdit{Range: f.Range(e.Span), NewText: withLineEnds(f, e.New)})
		}
	}
	return workspaceEdit(s, byKey), nil
}

// texts are the files as the change leaves them on disk.
func (c change) texts(s *session.Snapshot) (map[string]string, error) {
	texts := map[string]string{}
	for key, edits := range c {
		f, err := s.File(s.URI(key))
		if err != nil {
			return nil, err
		}
		texts[key] = source.Rewrite(f.Raw, edits)
	}
	return texts, nil
}

// rewritten is the least change by lines that makes another text of a file.
func rewritten(f *session.File, after string) change {
	var edits []source.Edit
	for _, h := range hunks(f.Text, after) {
		start, _ := f.LineSpan(h.start)
		end, _ := f.LineSpan(h.end)
		edits = append(edits, source.Edit{Span: source.Span{Start: uint32(start), End: uint32(end)}, New: h.with})
	}
	return change{f.Key: edits}
}

// faults counts what does not parse in a text.
func faults(name, raw string) int {
	tree := parser.File(source.Load(name, raw))
	n := len(tree.Problems)
	for _, d := range tree.Decls {
		n += len(d.Problems)
	}
	return n
}
