//go:build unix

package main

import (
	"bufio"
	"context"
	"net"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"go.lsp.dev/jsonrpc2"
)

// The real process on an address: editors come one after the other, and it ends
// when it is told to.
func TestListen(t *testing.T) {
	cmd := exec.Command("iterion", "lsp", "--listen", "127.0.0.1:0")
	errs, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Process.Kill()
	line, err := bufio.NewReader(errs).ReadString('\n')
	address, ok := strings.CutPrefix(strings.TrimSpace(line), "iterion: lsp: listening on ")
	if err != nil || !ok {
		t.Fatalf("%q, %v", line, err)
	}
	for range 2 {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		c := jsonrpc2.NewConn(jsonrpc2.NewStream(conn))
		c.Go(context.Background(), jsonrpc2.MethodNotFoundHandler)
		var result struct{ Capabilities map[string]any }
		if _, err := c.Call(context.Background(), "initialize", map[string]any{"processId": nil, "capabilities": map[string]any{}}, &result); err != nil || result.Capabilities["hoverProvider"] != true {
			t.Errorf("%v, %v", result, err)
		}
		c.Close()
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}
