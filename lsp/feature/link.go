package feature

import (
	"context"

	"go.lsp.dev/protocol"

	"iterion/ir/symbols"
	"iterion/lsp/session"
)

// DocumentLink is textDocument/documentLink: imports, included texts, subbots,
// and prompts that are files of their own.
func DocumentLink(_ context.Context, s *session.Snapshot, p *protocol.DocumentLinkParams) ([]protocol.DocumentLink, error) {
	f, err := s.File(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	u := f.Unit()
	if u == nil {
		return nil, nil
	}
	x := Names(u)
	file := fileOf(x, f.Key)
	if file == nil {
		return nil, nil
	}
	var list []protocol.DocumentLink
	for _, tree := range file.AST.Decls {
		for _, o := range x.In(tree) {
			uri, ok := linked(s, u, x, o)
			if at, placed := location(u, x, o.Tree, o.Span); ok && placed {
				list = append(list, protocol.DocumentLink{Range: at.Range, Target: uri})
			}
		}
	}
	return list, nil
}

// linked is the file behind a word.
func linked(s *session.Snapshot, u *session.Unit, x *symbols.Index, o symbols.Occurrence) (protocol.DocumentURI, bool) {
	if o.Kind == symbols.Prompt && o.Role == symbols.Refers {
		declared, ok := x.Declaration(o.Symbol)
		if !ok || declared.Form != symbols.FileName {
			return "", false
		}
		return u.URI(keyOf(x.File(declared.Tree))), true
	}
	if o.Kind == symbols.Argument {
		return "", false
	}
	return target(s, x, o)
}
