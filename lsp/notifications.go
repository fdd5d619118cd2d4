package lsp

import (
	"context"
	"encoding/json"
	"slices"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"iterion/lsp/protocol317"
	"iterion/lsp/session"
)

// notification does what a client tells. An error goes to its log.
type notification func(s *server, ctx context.Context, params json.RawMessage) error

// notifications are those that a client sends once the session is ready. Others
// are passed over.
var notifications = map[string]notification{
	protocol.MethodInitialized:                        notify((*server).initialized),
	protocol.MethodCancelRequest:                      notify((*server).cancel),
	protocol.MethodTextDocumentDidOpen:                notify((*server).didOpen),
	protocol.MethodTextDocumentDidChange:              notify((*server).didChange),
	protocol.MethodTextDocumentDidClose:               notify((*server).didClose),
	protocol.MethodWorkspaceDidChangeWatchedFiles:     notify((*server).didChangeWatchedFiles),
	protocol.MethodWorkspaceDidChangeWorkspaceFolders: notify((*server).didChangeFolders),
}

// notify makes a notification of a method of the server.
func notify[P any](do func(*server, context.Context, *P) error) notification {
	return func(s *server, ctx context.Context, params json.RawMessage) error {
		var p P
		if len(params) > 0 {
			if err := json.Unmarshal(params, &p); err != nil {
				return err
			}
		}
		return do(s, ctx, &p)
	}
}

func (s *server) initialized(ctx context.Context, _ *protocol.InitializedParams) error {
	s.watchFiles(ctx)
	return nil
}

// cancelParams takes ids of both kinds; protocol.CancelParams loses numbers.
type cancelParams struct {
	ID jsonrpc2.ID `json:"id"`
}

func (s *server) cancel(_ context.Context, p *cancelParams) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if cancel := s.pending[p.ID]; cancel != nil {
		cancel()
	}
	return nil
}

func (s *server) didOpen(_ context.Context, p *protocol.DidOpenTextDocumentParams) error {
	s.session.Open(p.TextDocument)
	s.pub.changed()
	return nil
}

func (s *server) didChange(_ context.Context, p *protocol317.DidChangeTextDocumentParams) error {
	backwards, err := s.session.Change(p)
	if backwards {
		s.log(protocol.MessageTypeWarning, "%s: version %d is not behind the one before", p.TextDocument.URI, p.TextDocument.Version)
	}
	s.pub.changed()
	return err
}

func (s *server) didClose(_ context.Context, p *protocol.DidCloseTextDocumentParams) error {
	err := s.session.Close(p.TextDocument.URI)
	s.pub.closed(p.TextDocument.URI)
	return err
}

func (s *server) didChangeWatchedFiles(ctx context.Context, p *protocol.DidChangeWatchedFilesParams) error {
	var uris []protocol.DocumentURI
	for _, c := range p.Changes {
		uris = append(uris, protocol.DocumentURI(c.URI))
	}
	s.session.Touched(uris)
	s.pub.changed()
	s.refresh(ctx)
	return nil
}

// refresh asks the client to pull again: what it asked for may have changed
// without a change of its texts.
func (s *server) refresh(ctx context.Context) {
	w := s.client.Workspace
	for method, supported := range map[string]bool{
		"workspace/diagnostic/refresh": w.Diagnostics.RefreshSupport,
		"workspace/inlayHint/refresh":  w.InlayHint.RefreshSupport,
		"workspace/codeLens/refresh":   w.CodeLens.RefreshSupport,
	} {
		if supported {
			s.request(ctx, method, nil)
		}
	}
}

func (s *server) didChangeFolders(_ context.Context, p *protocol.DidChangeWorkspaceFoldersParams) error {
	folders := slices.Clone(s.session.Snapshot().Folders)
	for _, gone := range p.Event.Removed {
		path, _ := session.PathOf(protocol.DocumentURI(gone.URI))
		folders = slices.DeleteFunc(folders, func(f string) bool { return f == path })
	}
	for _, added := range p.Event.Added {
		if path, ok := session.PathOf(protocol.DocumentURI(added.URI)); ok && !slices.Contains(folders, path) {
			folders = append(folders, path)
		}
	}
	s.session.SetFolders(folders)
	return nil
}
