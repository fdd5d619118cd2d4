package lsp

import (
	"context"
	"encoding/json"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"iterion/lsp/feature"
	"iterion/lsp/protocol317"
	"iterion/lsp/session"
)

// method is a request that the server answers.
type method struct {
	name     string
	answer   func(context.Context, *server, *session.Snapshot, json.RawMessage) (any, error)
	announce func(*protocol317.ServerCapabilities) // nil when another row announces it
}

// methods is the one list of requests; what the server announces is made of it.
func methods() []method {
	return []method{
		request("textDocument/diagnostic", feature.DocumentDiagnostic, func(c *protocol317.ServerCapabilities) {
			c.DiagnosticProvider = &protocol317.DiagnosticOptions{Identifier: "iterion", InterFileDependencies: true, WorkspaceDiagnostics: true}
		}),
		long("workspace/diagnostic", feature.WorkspaceDiagnostic, nil),
	}
}

func methodNamed(name string) (method, bool) {
	for _, m := range methods() {
		if m.name == name {
			return m, true
		}
	}
	return method{}, false
}

// capabilities is what the server announces.
func capabilities() protocol317.ServerCapabilities {
	c := protocol317.ServerCapabilities{}
	c.TextDocumentSync = &protocol.TextDocumentSyncOptions{OpenClose: true, Change: protocol.TextDocumentSyncKindIncremental}
	c.Workspace = &protocol.ServerCapabilitiesWorkspace{WorkspaceFolders: &protocol.ServerCapabilitiesWorkspaceFolders{Supported: true, ChangeNotifications: true}}
	for _, m := range methods() {
		if m.announce != nil {
			m.announce(&c)
		}
	}
	return c
}

// request is a method whose answer is a function of the snapshot and its
// parameters.
func request[P, R any](name string, answer func(context.Context, *session.Snapshot, *P) (R, error), announce func(*protocol317.ServerCapabilities)) method {
	return method{name, func(ctx context.Context, _ *server, snapshot *session.Snapshot, raw json.RawMessage) (any, error) {
		p, err := decode[P](name, raw)
		if err != nil {
			return nil, err
		}
		return answer(ctx, snapshot, p)
	}, announce}
}

// long is a request that tells how far it has come, when its client wants to
// know.
func long[P, R any](name string, answer func(context.Context, *session.Snapshot, *P, feature.Progress) (R, error), announce func(*protocol317.ServerCapabilities)) method {
	return method{name, func(ctx context.Context, s *server, snapshot *session.Snapshot, raw json.RawMessage) (any, error) {
		p, err := decode[P](name, raw)
		if err != nil {
			return nil, err
		}
		progress, end := s.progress(name, raw)
		defer end()
		return answer(ctx, snapshot, p, progress)
	}, announce}
}

func decode[P any](name string, raw json.RawMessage) (*P, error) {
	p := new(P)
	if len(raw) == 0 {
		return p, nil
	}
	if err := json.Unmarshal(raw, p); err != nil {
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%s: %v", name, err)
	}
	return p, nil
}
