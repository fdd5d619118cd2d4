package feature

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"iterion/lsp/session"
)

// sourceFixAll is a kind that the release of the protocol's types does not have.
const (
	sourceFixAll        protocol.CodeActionKind = "source.fixAll"
	sourceFixAllIterion protocol.CodeActionKind = sourceFixAll + ".iterion"
)

// CodeActionKinds are the kinds that are offered.
var CodeActionKinds = []protocol.CodeActionKind{protocol.QuickFix, protocol.RefactorExtract, protocol.RefactorRewrite, sourceFixAll, sourceFixAllIterion}

// family is actions of one kind that are found in the same way.
type family struct {
	kind  protocol.CodeActionKind
	offer func(*spot) []action
}

func families() []family {
	return []family{
		{protocol.QuickFix, catalogueFixes},
		{protocol.QuickFix, creations},
		{protocol.QuickFix, allowances},
		{protocol.RefactorExtract, extractions},
		{protocol.RefactorRewrite, restatements},
		{protocol.RefactorRewrite, migrations},
		{sourceFixAllIterion, fixAll},
	}
}

// action is one change that is offered.
type action struct {
	title     string
	preferred bool
	remedies  []*finding
	edit      change
	// make gives the edit of an action whose edit is large; the error says why
	// there is none.
	make func() (change, error)
}

// actionData is what of an action goes to the client and back until its edit is
// asked for.
type actionData struct {
	URI   protocol.DocumentURI `json:"uri"`
	Range protocol.Range       `json:"range"`
	Text  string               `json:"text"` // the hash of the text it was offered for
}

// CodeAction is textDocument/codeAction: what can be changed at a range. Of a
// client that can ask again it leaves out large edits.
func CodeAction(ctx context.Context, s *session.Snapshot, p *protocol.CodeActionParams) ([]protocol.CodeAction, error) {
	list := []protocol.CodeAction{}
	client := s.Client.TextDocument.CodeAction
	if client.CodeActionLiteralSupport == nil {
		return list, nil // it takes commands only, and there is none
	}
	at, err := newSpot(s, p)
	if err != nil || at == nil {
		return list, err
	}
	late := client.DataSupport && slices.Contains(client.ResolveSupport.Properties, "edit")
	for _, f := range families() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if !asked(p.Context.Only, f.kind) {
			continue
		}
		for _, a := range f.offer(at) {
			out := a.shown(f.kind)
			if late && a.make != nil {
				out.Data = actionData{p.TextDocument.URI, p.Range, hashOf(at.file.Text)}
			} else if out.Edit, err = at.made(a); err != nil {
				continue
			}
			list = append(list, out)
		}
	}
	return list, nil
}

// ResolveCodeAction is codeAction/resolve: it gives the edit that CodeAction left
// out. The error says that the text is another one now, or why there is no edit.
func ResolveCodeAction(_ context.Context, s *session.Snapshot, a *protocol.CodeAction) (*protocol.CodeAction, error) {
	var data actionData
	raw, err := json.Marshal(a.Data)
	if err == nil {
		err = json.Unmarshal(raw, &data)
	}
	if err != nil || data.Text == "" {
		return a, nil // its edit is there already
	}
	at, err := newSpot(s, &protocol.CodeActionParams{TextDocument: protocol.TextDocumentIdentifier{URI: data.URI}, Range: data.Range})
	if err != nil {
		return nil, err
	}
	if at == nil || hashOf(at.file.Text) != data.Text {
		return nil, jsonrpc2.NewError(contentModified, "the text has changed; ask for its actions again")
	}
	for _, f := range families() {
		if f.kind != a.Kind {
			continue
		}
		for _, offered := range f.offer(at) {
			if offered.title == a.Title && offered.make != nil {
				if a.Edit, err = at.made(offered); err != nil {
					return nil, jsonrpc2.Errorf(requestFailed, "%s: %v", a.Title, err)
				}
				return a, nil
			}
		}
	}
	return nil, jsonrpc2.Errorf(contentModified, "%q is no longer offered", a.Title)
}

// contentModified is the error code of a request whose text is no more.
const contentModified jsonrpc2.Code = -32801

func (a *action) shown(kind protocol.CodeActionKind) protocol.CodeAction {
	out := protocol.CodeAction{Title: a.title, Kind: kind, IsPreferred: a.preferred}
	for _, d := range a.remedies {
		out.Diagnostics = append(out.Diagnostics, d.shown)
	}
	return out
}

// asked tells whether a client wants actions of a kind: any when it names none.
func asked(only []protocol.CodeActionKind, kind protocol.CodeActionKind) bool {
	return len(only) == 0 || slices.ContainsFunc(only, func(o protocol.CodeActionKind) bool {
		return o == "" || o == kind || strings.HasPrefix(string(kind), string(o)+".")
	})
}

func hashOf(text string) string {
	h := fnv.New64a()
	_, _ = h.Write([]byte(text))
	return fmt.Sprintf("%x", h.Sum64())
}
