package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"runtime"
	"syscall"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"iterion/lsp/protocol317"
	"iterion/lsp/session"
)

// initialize opens the session and says what the server can do.
func (s *server) initialize(ctx context.Context, params json.RawMessage) (*protocol317.InitializeResult, error) {
	var p protocol317.InitializeParams
	if err := json.Unmarshal(params, &p); err != nil {
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "initialize: %v", err)
	}
	s.mu.Lock()
	s.client = &p.Capabilities
	s.session = session.New(s.client, foldersOf(&p))
	s.state = ready
	s.mu.Unlock()
	if p.ProcessID != nil {
		go s.watchClient(ctx, *p.ProcessID)
	}
	go s.pub.run(ctx)
	out := &protocol317.InitializeResult{Capabilities: capabilities(),
		ServerInfo: &protocol.ServerInfo{Name: "iterion", Version: s.Version}}
	out.Capabilities.PositionEncoding = encodingName(s.session.Snapshot())
	return out, nil
}

func encodingName(s *session.Snapshot) protocol317.PositionEncodingKind {
	return [...]protocol317.PositionEncodingKind{protocol317.UTF16, protocol317.UTF8}[s.Encoding]
}

// foldersOf are the folders that a client works in.
func foldersOf(p *protocol317.InitializeParams) (folders []string) {
	for _, f := range p.WorkspaceFolders {
		if path, ok := session.PathOf(protocol.DocumentURI(f.URI)); ok {
			folders = append(folders, path)
		}
	}
	if len(folders) > 0 || p.WorkspaceFolders != nil {
		return folders
	}
	if path, ok := session.PathOf(p.RootURI); ok {
		return []string{path}
	}
	if p.RootPath != "" {
		return []string{p.RootPath}
	}
	return nil
}

// watchEvery is how often the client's process is looked at.
const watchEvery = 2 * time.Second

// watchClient leaves when the client's process has ended: its pipe may be held
// open by another process.
func (s *server) watchClient(ctx context.Context, pid int) {
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	for alive(pid) {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
	s.leave()
}

func alive(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	defer p.Release()
	if runtime.GOOS == "windows" { // finding it was the test
		return true
	}
	err = p.Signal(syscall.Signal(0))
	return err == nil || !errors.Is(err, os.ErrProcessDone)
}

// watchFiles asks the client to tell what changes on disk.
func (s *server) watchFiles(ctx context.Context) {
	if !s.client.Workspace.DidChangeWatchedFiles.DynamicRegistration {
		return
	}
	s.request(ctx, protocol.MethodClientRegisterCapability, &protocol.RegistrationParams{Registrations: []protocol.Registration{{
		ID: "files", Method: protocol.MethodWorkspaceDidChangeWatchedFiles,
		RegisterOptions: &protocol.DidChangeWatchedFilesRegistrationOptions{Watchers: []protocol.FileSystemWatcher{{GlobPattern: "**/*.{bot,md,yaml,yml,txt}"}}},
	}}})
}
