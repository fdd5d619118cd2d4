package lsp_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"iterion/lsp"
	"iterion/lsp/lsptest"
)

// A column counts UTF-16 units unless the client and the server agreed otherwise.
func TestColumns(t *testing.T) {
	text := "dsl: 2\n\nagent a:\n  model: \"m/x\"\n  system: \"été 🚀 {{vars.nope}}\"\n\nworkflow w:\n  entry: a\n\n  a -> done\n"
	for encoding, want := range map[string]uint32{"utf-16": 18, "utf-8": 22} {
		var offered any
		if encoding == "utf-8" {
			offered = map[string]any{"general": map[string]any{"positionEncodings": []string{"utf-8", "utf-16"}}}
		}
		c := lsptest.Start(t, nil, offered)
		if got := c.Capabilities["positionEncoding"]; got != encoding {
			t.Errorf("the server chose %v, not %s", got, encoding)
		}
		c.Open("a.bot", text)
		list := c.Diagnostics("a.bot", 1)
		if len(list) != 1 || list[0].Code != "C033" || list[0].Range.Start.Line != 4 || list[0].Range.Start.Character != want {
			t.Errorf("%s: %+v", encoding, list)
		}
	}
}

// A version that goes backwards and a change of a text that is not open are
// told, and the server goes on.
func TestWrongChanges(t *testing.T) {
	c := lsptest.Start(t, nil, nil)
	c.Open("a.bot", "agent a:\n")
	c.Change("a.bot", 0, "dsl: 2\n")
	c.WaitLog("is not behind")
	c.Notify("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": c.URI("b.bot"), "version": 2}, "contentChanges": []any{}})
	c.WaitLog("b.bot is not open")
	c.Notify("textDocument/didChange", "nonsense")
	c.WaitLog("cannot unmarshal")
	c.Must("textDocument/diagnostic", c.Document("a.bot"))
}

// A text is the same however its URI is spelled, and answers spell it as the
// client did.
func TestSpelling(t *testing.T) {
	c := lsptest.Start(t, nil, nil)
	dir := string(c.URI(""))
	odd := strings.Replace(dir, "file://", "FILE://localhost", 1) + "/x/../%61.bot"
	c.Notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": odd, "languageId": "bot", "version": 1, "text": "nonsense\n"}})
	c.WaitPublished(func(uri string, version uint32, n int) bool { return uri == odd && version == 1 && n > 0 })
	c.Notify("textDocument/didClose", map[string]any{"textDocument": map[string]any{"uri": c.URI("a.bot")}})
	c.WaitPublished(func(uri string, _ uint32, n int) bool { return n == 0 })
}

// Closing a text takes its findings away.
func TestClosing(t *testing.T) {
	c := lsptest.Start(t, map[string]string{"a.bot": "dsl: 2\n"}, nil)
	c.Open("a.bot", "nonsense\n")
	if len(c.Diagnostics("a.bot", 1)) == 0 {
		t.Fatal("no findings")
	}
	c.Close("a.bot")
	c.WaitPublished(func(uri string, _ uint32, n int) bool { return strings.HasSuffix(uri, "/a.bot") && n == 0 })
}

// An unsaved import counts for the file that imports it, and the file on disk
// again when it is closed.
func TestOverlay(t *testing.T) {
	main := "dsl: 2\n\nimport \"lib/part.bot\"\n\nworkflow w:\n  entry: check\n\n  check -> done\n"
	c := lsptest.Start(t, map[string]string{"main.bot": main, "lib/part.bot": "tool check:\n  command: \"true\"\n"}, nil)
	c.Open("main.bot", main)
	if list := c.Diagnostics("main.bot", 1); len(list) > 0 {
		t.Fatalf("%+v", list)
	}
	c.Open("lib/part.bot", "tool other:\n  command: \"true\"\n")
	c.WaitPublished(func(uri string, _ uint32, n int) bool { return strings.HasSuffix(uri, "/main.bot") && n > 0 })
	c.Close("lib/part.bot")
	c.WaitPublished(func(uri string, _ uint32, n int) bool { return strings.HasSuffix(uri, "/main.bot") && n == 0 })
}

// The order of the protocol is kept: nothing before initialize, nothing behind
// shutdown, no second initialize.
func TestStates(t *testing.T) {
	c := lsptest.Connect(t)
	refused := func(method, reason string) {
		t.Helper()
		if _, err := c.Call(method, map[string]any{}); err == nil || !strings.Contains(err.Error(), reason) {
			t.Errorf("%s: %v", method, err)
		}
	}
	refused("textDocument/hover", "the first request is initialize")
	c.Initialize(nil)
	refused("initialize", "cannot follow")
	refused("no/such", "not known")
	if _, err := c.Call("textDocument/diagnostic", "text"); err == nil || !strings.Contains(err.Error(), "textDocument/diagnostic") {
		t.Errorf("parameters that are none: %v", err)
	}
	c.Must("shutdown", nil)
	refused("textDocument/hover", "cannot follow")
	c.Notify("exit", nil)
	if err := <-c.Left; err != nil {
		t.Errorf("a client that said shutdown: %v", err)
	}
	other := lsptest.Start(t, nil, nil)
	other.Notify("exit", nil)
	if err := <-other.Left; !errors.Is(err, lsp.ErrLeft) {
		t.Errorf("a client that did not say shutdown: %v", err)
	}
}

// A burst of typing in a large file: few checks, never an older version after a
// newer one, every cancelled request is answered as such.
func TestBurst(t *testing.T) {
	text := large(20_000)
	c := lsptest.Start(t, nil, nil)
	c.Open("big.bot", text)
	c.Diagnostics("big.bot", 1)
	before := c.Published("big.bot")
	var waits []func() (json.RawMessage, error)
	const edits = 100
	for i := range edits {
		at := map[string]any{"line": 40, "character": 0}
		c.Notify("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": c.URI("big.bot"), "version": i + 2},
			"contentChanges": []any{map[string]any{"range": map[string]any{"start": at, "end": at}, "text": "#"}}})
		if i%10 == 9 {
			id, wait := c.Begin("textDocument/diagnostic", c.Document("big.bot"))
			if waits = append(waits, wait); i < edits-1 {
				c.Notify("$/cancelRequest", map[string]any{"id": id})
			}
		}
	}
	for i, wait := range waits {
		_, err := wait()
		if last := i == len(waits)-1; last != (err == nil) || !last && !strings.Contains(err.Error(), "cancelled") {
			t.Errorf("request %d: %v", i, err)
		}
	}
	c.Diagnostics("big.bot", edits+1)
	versions := c.Published("big.bot")[len(before):]
	for i := 1; i < len(versions); i++ {
		if versions[i] <= versions[i-1] {
			t.Errorf("version %d was published behind %d", versions[i], versions[i-1])
		}
	}
	if len(versions) > edits/3 {
		t.Errorf("%d changes made %d checks", edits, len(versions))
	}
}

// large is a valid program of at least so many lines.
func large(lines int) string {
	var b, edges strings.Builder
	b.WriteString("dsl: 2\n\n")
	for i := 0; 12*i < lines; i++ {
		fmt.Fprintf(&b, "schema out_%d:\n  text: string\n\nprompt task_%d:\n  Do step %d.\n  Say what came of it.\n\nagent step_%d:\n  model: \"m/x\"\n  output: out_%d\n  user: task_%d\n\n", i, i, i, i, i, i)
		if i > 0 {
			fmt.Fprintf(&edges, "  step_%d -> step_%d\n", i-1, i)
		}
	}
	last := strings.Count(edges.String(), "\n")
	return b.String() + "workflow big:\n  entry: step_0\n\n" + edges.String() + fmt.Sprintf("  step_%d -> done\n", last)
}
