package lsp_test

import (
	"fmt"
	"sync"
	"testing"

	"iterion/lsp/lsptest"
)

// Requests from all sides while the files of a unit are opened, changed and
// closed: each is answered, and the last findings are those of the last texts.
func TestRequestsDuringEdits(t *testing.T) {
	main := "dsl: 2\n\nimport \"lib/part.bot\"\n\nworkflow w:\n  entry: check\n\n  check -> done\n"
	part := "tool check:\n  command: \"true\"\n"
	c := lsptest.Start(t, map[string]string{"main.bot": main, "lib/part.bot": part}, nil)
	c.Open("main.bot", main)
	c.Open("lib/part.bot", part)
	stop := make(chan struct{})
	var asking sync.WaitGroup
	for i, method := range []string{"textDocument/hover", "textDocument/completion", "textDocument/references", "textDocument/semanticTokens/full", "workspace/diagnostic", "textDocument/documentSymbol"} {
		asking.Go(func() {
			params := c.Document([]string{"main.bot", "lib/part.bot"}[i%2])
			params["position"] = map[string]any{"line": 0, "character": 6}
			params["context"] = map[string]any{"includeDeclaration": true}
			for {
				select {
				case <-stop:
					return
				default:
				}
				id, wait := c.Begin(method, params)
				if id%3 == 0 {
					c.Notify("$/cancelRequest", map[string]any{"id": id})
				}
				_, _ = wait() // any answer will do, an error of a cancelled one too
			}
		})
	}
	for i := range 60 {
		c.Change("lib/part.bot", 2*i+2, fmt.Sprintf("tool other_%d:\n  command: \"true\"\n", i))
		if i%10 == 9 {
			c.Close("lib/part.bot")
			c.Open("lib/part.bot", part)
		}
		c.Change("main.bot", i+2, main+fmt.Sprintf("# %d\n", i))
	}
	close(stop)
	asking.Wait()
	c.Change("lib/part.bot", 1000, "tool gone:\n  command: \"true\"\n")
	c.Change("main.bot", 1000, main)
	list := c.Diagnostics("main.bot", 1000)
	if len(list) == 0 || list[0].Code != "C008" {
		t.Errorf("%+v", list)
	}
	c.Must("shutdown", nil)
}
