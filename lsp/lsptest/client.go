// Package lsptest is an editor in this process, for tests of the language
// server.
package lsptest

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"iterion/lsp"
)

// Client is an editor, over a pipe.
type Client struct {
	Dir          string         // its workspace
	Capabilities map[string]any // of the server
	Left         chan error     // what Serve returned

	t      testing.TB
	stream jsonrpc2.Stream
	write  sync.Mutex

	mu        sync.Mutex
	calls     int32
	pending   map[jsonrpc2.ID]chan *jsonrpc2.Response
	news      *sync.Cond
	published []protocol.PublishDiagnosticsParams // in order
	logs      []string
}

// Start serves a workspace with these files. capabilities may be nil.
func Start(t testing.TB, files map[string]string, capabilities any) *Client {
	t.Helper()
	c := Connect(t)
	for name, text := range files {
		path := filepath.Join(c.Dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	c.Initialize(capabilities)
	return c
}

// Connect is a client that has said nothing yet.
func Connect(t testing.TB) *Client {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	c := &Client{t: t, Dir: dir, Left: make(chan error, 1), pending: map[jsonrpc2.ID]chan *jsonrpc2.Response{}}
	c.news = sync.NewCond(&c.mu)
	here, there := net.Pipe()
	go func() { c.Left <- lsp.Serve(context.Background(), there, lsp.Options{Version: "test"}) }()
	c.stream = jsonrpc2.NewStream(here)
	go c.read()
	t.Cleanup(func() { here.Close() })
	return c
}

// read takes messages until the connection ends; requests without an answer
// then fail.
func (c *Client) read() {
	for {
		m, _, err := c.stream.Read(context.Background())
		if err != nil {
			c.mu.Lock()
			defer c.mu.Unlock()
			for _, answer := range c.pending {
				close(answer)
			}
			c.pending = nil
			return
		}
		switch m := m.(type) {
		case *jsonrpc2.Response:
			c.mu.Lock()
			c.pending[m.ID()] <- m
			delete(c.pending, m.ID())
			c.mu.Unlock()
		case *jsonrpc2.Call:
			answer, _ := jsonrpc2.NewResponse(m.ID(), nil, nil)
			go c.send(answer)
		case *jsonrpc2.Notification:
			c.heard(m)
		}
	}
}

func (c *Client) send(m jsonrpc2.Message) error {
	c.write.Lock()
	defer c.write.Unlock()
	_, err := c.stream.Write(context.Background(), m)
	return err
}

// Initialize opens the session in the client's folder.
func (c *Client) Initialize(capabilities any) {
	c.t.Helper()
	if capabilities == nil {
		capabilities = map[string]any{}
	}
	raw := c.Must("initialize", map[string]any{"processId": nil, "rootUri": uri.File(c.Dir), "capabilities": capabilities})
	var result struct {
		Capabilities map[string]any `json:"capabilities"`
	}
	if err := json.Unmarshal(raw, &result); err != nil {
		c.t.Fatal(err)
	}
	c.Capabilities = result.Capabilities
	c.Notify("initialized", map[string]any{})
}

func (c *Client) heard(m *jsonrpc2.Notification) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch m.Method() {
	case protocol.MethodTextDocumentPublishDiagnostics:
		var p protocol.PublishDiagnosticsParams
		if err := json.Unmarshal(m.Params(), &p); err != nil {
			c.t.Error(err)
		}
		c.published = append(c.published, p)
	case protocol.MethodWindowLogMessage:
		c.logs = append(c.logs, string(m.Params()))
	}
	c.news.Broadcast()
}

// Call sends a request and returns its result.
func (c *Client) Call(method string, params any) (json.RawMessage, error) {
	_, wait := c.Begin(method, params)
	return wait()
}

// Begin sends a request and returns its id, and what waits for its answer.
func (c *Client) Begin(method string, params any) (id int32, wait func() (json.RawMessage, error)) {
	c.mu.Lock()
	c.calls++
	id = c.calls
	answer := make(chan *jsonrpc2.Response, 1)
	c.pending[jsonrpc2.NewNumberID(id)] = answer
	c.mu.Unlock()
	call, err := jsonrpc2.NewCall(jsonrpc2.NewNumberID(id), method, params)
	if err == nil {
		err = c.send(call)
	}
	return id, func() (json.RawMessage, error) {
		if err != nil {
			return nil, err
		}
		r, ok := <-answer
		if !ok {
			return nil, io.ErrUnexpectedEOF
		}
		return r.Result(), r.Err()
	}
}

// Must is call for a request that has to succeed.
func (c *Client) Must(method string, params any) json.RawMessage {
	c.t.Helper()
	result, err := c.Call(method, params)
	if err != nil {
		c.t.Fatalf("%s: %v", method, err)
	}
	return result
}

func (c *Client) Notify(method string, params any) {
	c.t.Helper()
	m, err := jsonrpc2.NewNotification(method, params)
	if err == nil {
		err = c.send(m)
	}
	if err != nil {
		c.t.Fatalf("%s: %v", method, err)
	}
}

func (c *Client) URI(name string) protocol.DocumentURI {
	return uri.File(filepath.Join(c.Dir, filepath.FromSlash(name)))
}

func (c *Client) Open(name, text string) {
	c.t.Helper()
	c.Notify("textDocument/didOpen", &protocol.DidOpenTextDocumentParams{
		TextDocument: protocol.TextDocumentItem{URI: c.URI(name), LanguageID: "bot", Version: 1, Text: text}})
}

// Change replaces the whole text.
func (c *Client) Change(name string, version int, text string) {
	c.t.Helper()
	c.Notify("textDocument/didChange", map[string]any{
		"textDocument":   map[string]any{"uri": c.URI(name), "version": version},
		"contentChanges": []any{map[string]any{"text": text}}})
}

func (c *Client) Close(name string) {
	c.t.Helper()
	c.Notify("textDocument/didClose", map[string]any{"textDocument": map[string]any{"uri": c.URI(name)}})
}

// Diagnostics waits until those of a version are published.
func (c *Client) Diagnostics(name string, version uint32) (list []protocol.Diagnostic) {
	c.wait(func() bool {
		for _, p := range slices.Backward(c.published) {
			if p.URI == c.URI(name) {
				list = p.Diagnostics
				return p.Version >= version
			}
		}
		return false
	})
	return list
}

// WaitPublished waits until diagnostics of such a text, version and number are
// the last that were published for it.
func (c *Client) WaitPublished(want func(uri string, version uint32, n int) bool) {
	c.wait(func() bool {
		last := map[protocol.DocumentURI]protocol.PublishDiagnosticsParams{}
		for _, p := range c.published {
			last[p.URI] = p
		}
		for uri, p := range last {
			if want(string(uri), p.Version, len(p.Diagnostics)) {
				return true
			}
		}
		return false
	})
}

// Published lists the versions for which diagnostics of a text were published.
func (c *Client) Published(name string) (versions []uint32) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, p := range c.published {
		if p.URI == c.URI(name) {
			versions = append(versions, p.Version)
		}
	}
	return versions
}

// WaitLog waits for a line in the client's log.
func (c *Client) WaitLog(part string) {
	c.wait(func() bool {
		return slices.ContainsFunc(c.logs, func(line string) bool { return strings.Contains(line, part) })
	})
}

func (c *Client) wait(until func() bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for !until() {
		c.news.Wait()
	}
}

// Document is the parameter that most requests begin with.
func (c *Client) Document(name string) map[string]any {
	return map[string]any{"textDocument": map[string]any{"uri": c.URI(name)}}
}
