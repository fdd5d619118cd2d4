package lsp_test

import (
	"context"
	"encoding/json"
	"net"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"iterion/lsp"
)

// client is an editor in this process, over a pipe.
type client struct {
	t    testing.TB
	conn jsonrpc2.Conn
	dir  string    // its workspace
	left chan bool // how Serve ended

	mu        sync.Mutex
	news      *sync.Cond
	published map[string]protocol.PublishDiagnosticsParams // by file name
	logs      []string
}

// startClient serves a workspace with these files. capabilities may be nil.
func startClient(t testing.TB, files map[string]string, capabilities any) *client {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	c := &client{t: t, dir: dir, left: make(chan bool, 1), published: map[string]protocol.PublishDiagnosticsParams{}}
	c.news = sync.NewCond(&c.mu)
	here, there := net.Pipe()
	ctx := context.Background()
	go func() { c.left <- lsp.Serve(ctx, there, lsp.Options{Version: "test"}) }()
	c.conn = jsonrpc2.NewConn(jsonrpc2.NewStream(here))
	c.conn.Go(ctx, c.heard)
	t.Cleanup(func() { c.conn.Close() })
	if capabilities == nil {
		capabilities = map[string]any{}
	}
	if _, err := c.call("initialize", map[string]any{"processId": nil, "rootUri": uri.File(dir), "capabilities": capabilities}); err != nil {
		t.Fatal(err)
	}
	c.notify("initialized", map[string]any{})
	return c
}

func (c *client) heard(ctx context.Context, reply jsonrpc2.Replier, req jsonrpc2.Request) error {
	c.mu.Lock()
	switch req.Method() {
	case protocol.MethodTextDocumentPublishDiagnostics:
		var p protocol.PublishDiagnosticsParams
		if err := json.Unmarshal(req.Params(), &p); err != nil {
			c.t.Error(err)
		}
		c.published[c.name(p.URI)] = p
	case protocol.MethodWindowLogMessage:
		c.logs = append(c.logs, string(req.Params()))
	}
	c.news.Broadcast()
	c.mu.Unlock()
	return reply(ctx, nil, nil)
}

// call sends a request and returns its result.
func (c *client) call(method string, params any) (json.RawMessage, error) {
	var result json.RawMessage
	_, err := c.conn.Call(context.Background(), method, params, &result)
	return result, err
}

// must is call for a request that has to succeed.
func (c *client) must(method string, params any) json.RawMessage {
	c.t.Helper()
	result, err := c.call(method, params)
	if err != nil {
		c.t.Fatalf("%s: %v", method, err)
	}
	return result
}

func (c *client) notify(method string, params any) {
	c.t.Helper()
	if err := c.conn.Notify(context.Background(), method, params); err != nil {
		c.t.Fatalf("%s: %v", method, err)
	}
}

func (c *client) uri(name string) protocol.DocumentURI {
	return uri.File(filepath.Join(c.dir, filepath.FromSlash(name)))
}

// name is the reverse of uri.
func (c *client) name(u protocol.DocumentURI) string {
	rel, err := filepath.Rel(c.dir, u.Filename())
	if err != nil {
		return string(u)
	}
	return filepath.ToSlash(rel)
}

func (c *client) open(name, text string) {
	c.t.Helper()
	c.notify("textDocument/didOpen", &protocol.DidOpenTextDocumentParams{
		TextDocument: protocol.TextDocumentItem{URI: c.uri(name), LanguageID: "bot", Version: 1, Text: text}})
}

// change replaces the whole text.
func (c *client) change(name string, version int, text string) {
	c.t.Helper()
	c.notify("textDocument/didChange", map[string]any{
		"textDocument":   map[string]any{"uri": c.uri(name), "version": version},
		"contentChanges": []any{map[string]any{"text": text}}})
}

func (c *client) close(name string) {
	c.t.Helper()
	c.notify("textDocument/didClose", map[string]any{"textDocument": map[string]any{"uri": c.uri(name)}})
}

// diagnostics waits until those of a version are published.
func (c *client) diagnostics(name string, version uint32) []protocol.Diagnostic {
	c.mu.Lock()
	defer c.mu.Unlock()
	for {
		if p, ok := c.published[name]; ok && p.Version >= version {
			return p.Diagnostics
		}
		c.news.Wait()
	}
}

// document is the parameter that most requests begin with.
func (c *client) document(name string) map[string]any {
	return map[string]any{"textDocument": map[string]any{"uri": c.uri(name)}}
}
