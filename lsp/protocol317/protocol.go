// Package protocol317 is what release 3.17 of the Language Server Protocol added
// to the types of go.lsp.dev/protocol, and those of its types that cannot hold
// what a client sends. Names and JSON forms are those of the specification:
// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17
package protocol317

import "go.lsp.dev/protocol"

// PositionEncodingKind is how the characters of a line are counted.
type PositionEncodingKind string

// The encodings that this server knows.
const (
	UTF8  PositionEncodingKind = "utf-8"
	UTF16 PositionEncodingKind = "utf-16"
)

// InitializeParams opens a session.
type InitializeParams struct {
	ProcessID        *int                       `json:"processId"`
	ClientInfo       *protocol.ClientInfo       `json:"clientInfo,omitempty"`
	RootPath         string                     `json:"rootPath,omitempty"`
	RootURI          protocol.DocumentURI       `json:"rootUri,omitempty"`
	Capabilities     ClientCapabilities         `json:"capabilities"`
	WorkspaceFolders []protocol.WorkspaceFolder `json:"workspaceFolders,omitempty"`
}

// ClientCapabilities is what of a client's abilities makes a difference here.
type ClientCapabilities struct {
	General struct {
		PositionEncodings []PositionEncodingKind `json:"positionEncodings,omitempty"`
	} `json:"general,omitempty"`
	TextDocument struct {
		Diagnostic *struct{} `json:"diagnostic,omitempty"` // it pulls
		Completion struct {
			CompletionItem struct {
				SnippetSupport bool `json:"snippetSupport,omitempty"`
			} `json:"completionItem,omitempty"`
		} `json:"completion,omitempty"`
	} `json:"textDocument,omitempty"`
	Workspace struct {
		ApplyEdit     bool `json:"applyEdit,omitempty"`
		WorkspaceEdit struct {
			DocumentChanges bool `json:"documentChanges,omitempty"`
		} `json:"workspaceEdit,omitempty"`
		DidChangeWatchedFiles struct {
			DynamicRegistration bool `json:"dynamicRegistration,omitempty"`
		} `json:"didChangeWatchedFiles,omitempty"`
		Diagnostics   Refreshing `json:"diagnostics,omitempty"`
		InlayHint     Refreshing `json:"inlayHint,omitempty"`
		CodeLens      Refreshing `json:"codeLens,omitempty"`
		SemanticToken Refreshing `json:"semanticTokens,omitempty"`
	} `json:"workspace,omitempty"`
	Window struct {
		WorkDoneProgress bool `json:"workDoneProgress,omitempty"`
	} `json:"window,omitempty"`
}

// Refreshing tells whether a client can be asked to ask again.
type Refreshing struct {
	RefreshSupport bool `json:"refreshSupport,omitempty"`
}

// InitializeResult answers InitializeParams.
type InitializeResult struct {
	Capabilities ServerCapabilities   `json:"capabilities"`
	ServerInfo   *protocol.ServerInfo `json:"serverInfo,omitempty"`
}

// ServerCapabilities adds what 3.17 has.
type ServerCapabilities struct {
	protocol.ServerCapabilities
	PositionEncoding   PositionEncodingKind `json:"positionEncoding,omitempty"`
	DiagnosticProvider *DiagnosticOptions   `json:"diagnosticProvider,omitempty"`
	InlayHintProvider  bool                 `json:"inlayHintProvider,omitempty"`
	CodeLensProvider   *CodeLensOptions     `json:"codeLensProvider,omitempty"`
}

// CodeLensOptions says whether lenses are resolved one by one. It is written
// out: clients have been seen to take an empty object for none.
type CodeLensOptions struct {
	ResolveProvider bool `json:"resolveProvider"`
}

// DiagnosticOptions says how diagnostics are pulled.
type DiagnosticOptions struct {
	Identifier            string `json:"identifier,omitempty"`
	InterFileDependencies bool   `json:"interFileDependencies"`
	WorkspaceDiagnostics  bool   `json:"workspaceDiagnostics"`
}

// SemanticTokensOptions says which tokens there are.
type SemanticTokensOptions struct {
	Legend protocol.SemanticTokensLegend `json:"legend"`
	Range  bool                          `json:"range,omitempty"`
	Full   SemanticTokensFull            `json:"full"`
}

// SemanticTokensFull says whether differences can be asked for.
type SemanticTokensFull struct {
	Delta bool `json:"delta,omitempty"`
}

// DidChangeTextDocumentParams holds changes that follow each other.
type DidChangeTextDocumentParams struct {
	TextDocument   protocol.VersionedTextDocumentIdentifier `json:"textDocument"`
	ContentChanges []ContentChange                          `json:"contentChanges"`
}

// ContentChange replaces a range, or the whole text when there is none.
type ContentChange struct {
	Range *protocol.Range `json:"range,omitempty"`
	Text  string          `json:"text"`
}

// DocumentDiagnosticParams pulls the diagnostics of a file.
type DocumentDiagnosticParams struct {
	TextDocument     protocol.TextDocumentIdentifier `json:"textDocument"`
	Identifier       string                          `json:"identifier,omitempty"`
	PreviousResultID string                          `json:"previousResultId,omitempty"`
}

// The kinds of a report.
const (
	FullReport      = "full"
	UnchangedReport = "unchanged"
)

// DocumentDiagnosticReport is a full report, or says that nothing changed.
type DocumentDiagnosticReport struct {
	Kind             string                                            `json:"kind"`
	ResultID         string                                            `json:"resultId,omitempty"`
	Items            *[]protocol.Diagnostic                            `json:"items,omitempty"` // of a full report
	RelatedDocuments map[protocol.DocumentURI]DocumentDiagnosticReport `json:"relatedDocuments,omitempty"`
}

// WorkspaceDiagnosticParams pulls the diagnostics of all files.
type WorkspaceDiagnosticParams struct {
	protocol.WorkDoneProgressParams
	PreviousResultIDs []PreviousResultID `json:"previousResultIds"`
}

// PreviousResultID is what a client has of a file.
type PreviousResultID struct {
	URI   protocol.DocumentURI `json:"uri"`
	Value string               `json:"value"`
}

// WorkspaceDiagnosticReport holds a report for each file.
type WorkspaceDiagnosticReport struct {
	Items []WorkspaceDocumentDiagnosticReport `json:"items"`
}

// WorkspaceDocumentDiagnosticReport is the report of one file.
type WorkspaceDocumentDiagnosticReport struct {
	DocumentDiagnosticReport
	URI     protocol.DocumentURI `json:"uri"`
	Version *int32               `json:"version"` // null for a file that is not open
}

// InlayHintParams asks for the hints of a range.
type InlayHintParams struct {
	TextDocument protocol.TextDocumentIdentifier `json:"textDocument"`
	Range        protocol.Range                  `json:"range"`
}

// InlayHintKind is what a hint is about.
type InlayHintKind int

// The kinds of hints.
const (
	TypeHint      InlayHintKind = 1
	ParameterHint InlayHintKind = 2
)

// InlayHint is a text shown between those of a line.
type InlayHint struct {
	Position     protocol.Position       `json:"position"`
	Label        string                  `json:"label"`
	Kind         InlayHintKind           `json:"kind,omitempty"`
	Tooltip      *protocol.MarkupContent `json:"tooltip,omitempty"`
	PaddingLeft  bool                    `json:"paddingLeft,omitempty"`
	PaddingRight bool                    `json:"paddingRight,omitempty"`
}
