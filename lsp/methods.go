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

		request("textDocument/completion", feature.Completion, func(c *protocol317.ServerCapabilities) {
			c.CompletionProvider = &protocol.CompletionOptions{ResolveProvider: true, TriggerCharacters: feature.CompletionTriggers}
		}),
		request("completionItem/resolve", feature.ResolveCompletion, nil),
		request("textDocument/signatureHelp", feature.SignatureHelp, func(c *protocol317.ServerCapabilities) {
			c.SignatureHelpProvider = &protocol.SignatureHelpOptions{TriggerCharacters: feature.SignatureTriggers}
		}),
		request(protocol.MethodTextDocumentFormatting, feature.Formatting, func(c *protocol317.ServerCapabilities) { c.DocumentFormattingProvider = true }),
		request(protocol.MethodTextDocumentRangeFormatting, feature.RangeFormatting, func(c *protocol317.ServerCapabilities) { c.DocumentRangeFormattingProvider = true }),
		request(protocol.MethodTextDocumentOnTypeFormatting, feature.OnTypeFormatting, func(c *protocol317.ServerCapabilities) {
			c.DocumentOnTypeFormattingProvider = &protocol.DocumentOnTypeFormattingOptions{FirstTriggerCharacter: "\n"}
		}),
		request(protocol.MethodTextDocumentFoldingRange, feature.FoldingRanges, func(c *protocol317.ServerCapabilities) { c.FoldingRangeProvider = true }),
		request("textDocument/selectionRange", feature.SelectionRanges, func(c *protocol317.ServerCapabilities) { c.SelectionRangeProvider = true }),
		request(protocol.MethodSemanticTokensFull, feature.SemanticTokensFull, func(c *protocol317.ServerCapabilities) {
			c.SemanticTokensProvider = &protocol317.SemanticTokensOptions{Legend: feature.Legend, Range: true, Full: protocol317.SemanticTokensFull{Delta: true}}
		}),
		request(protocol.MethodSemanticTokensFullDelta, feature.SemanticTokensDelta, nil),
		request(protocol.MethodSemanticTokensRange, feature.SemanticTokensRange, nil),
		request(protocol.MethodTextDocumentHover, feature.Hover, func(c *protocol317.ServerCapabilities) { c.HoverProvider = true }),
		request("textDocument/inlayHint", feature.InlayHints, func(c *protocol317.ServerCapabilities) { c.InlayHintProvider = true }),
		request(protocol.MethodTextDocumentCodeLens, feature.CodeLens, func(c *protocol317.ServerCapabilities) { c.CodeLensProvider = &protocol317.CodeLensOptions{} }),
		request(protocol.MethodWorkspaceExecuteCommand, feature.ExecuteCommand, func(c *protocol317.ServerCapabilities) {
			c.ExecuteCommandProvider = &protocol.ExecuteCommandOptions{Commands: feature.Commands}
		}),
		request(protocol.MethodTextDocumentDefinition, feature.Definition, func(c *protocol317.ServerCapabilities) { c.DefinitionProvider = true }),
		request(protocol.MethodTextDocumentDeclaration, feature.Declaration, func(c *protocol317.ServerCapabilities) { c.DeclarationProvider = true }),
		request(protocol.MethodTextDocumentTypeDefinition, feature.TypeDefinition, func(c *protocol317.ServerCapabilities) { c.TypeDefinitionProvider = true }),
		request(protocol.MethodTextDocumentReferences, feature.References, func(c *protocol317.ServerCapabilities) { c.ReferencesProvider = true }),
		request(protocol.MethodTextDocumentDocumentHighlight, feature.DocumentHighlight, func(c *protocol317.ServerCapabilities) { c.DocumentHighlightProvider = true }),
		request(protocol.MethodTextDocumentPrepareRename, feature.PrepareRename, nil),
		request(protocol.MethodTextDocumentRename, feature.Rename, func(c *protocol317.ServerCapabilities) {
			c.RenameProvider = &protocol.RenameOptions{PrepareProvider: true}
		}),
		request(protocol.MethodTextDocumentDocumentSymbol, feature.DocumentSymbol, func(c *protocol317.ServerCapabilities) { c.DocumentSymbolProvider = true }),
		long(protocol.MethodWorkspaceSymbol, feature.WorkspaceSymbol, func(c *protocol317.ServerCapabilities) { c.WorkspaceSymbolProvider = true }),
		request(protocol.MethodTextDocumentDocumentLink, feature.DocumentLink, func(c *protocol317.ServerCapabilities) { c.DocumentLinkProvider = &protocol.DocumentLinkOptions{} }),
		request(protocol.MethodTextDocumentPrepareCallHierarchy, feature.PrepareCallHierarchy, func(c *protocol317.ServerCapabilities) { c.CallHierarchyProvider = true }),
		request(protocol.MethodCallHierarchyIncomingCalls, feature.IncomingCalls, nil),
		request(protocol.MethodCallHierarchyOutgoingCalls, feature.OutgoingCalls, nil),
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
