//go:build unix

package main

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// The real process: its first line, a turn over HTTP, its log and its end.
func TestModelServe(t *testing.T) {
	dir := t.TempDir()
	script, log := filepath.Join(dir, "turns.yaml"), filepath.Join(dir, "log.jsonl")
	if err := os.WriteFile(script, []byte("nodes: { worker: [ { text: hi there } ] }"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		cmd := exec.Command("iterion", "model", "serve", "--script", script, "--log", log, "--json")
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		cmd.Stderr = os.Stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		defer cmd.Process.Kill()
		line, err := bufio.NewReader(out).ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		var at struct{ URL string }
		if err := json.Unmarshal([]byte(line), &at); err != nil || !strings.HasPrefix(at.URL, "http://127.0.0.1:") {
			t.Fatalf("%q, %v", line, err)
		}
		if got := post(t, at.URL+"/node/worker/v1/chat/completions"); !strings.Contains(got, "hi there") {
			t.Errorf("%s", got)
		}
		if err := cmd.Process.Signal(sig); err != nil {
			t.Fatal(err)
		}
		if err := cmd.Wait(); err != nil {
			t.Errorf("%s: %v", sig, err)
		}
	}
	lines, err := os.ReadFile(log)
	if err != nil || strings.Count(string(lines), "\n") != 2 || strings.Contains(string(lines), "SECRET") {
		t.Errorf("%s, %v", lines, err)
	}
}

func post(t *testing.T, url string) string {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), "POST", url, strings.NewReader(`{"model":"m","messages":[{"role":"user","content":"go"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer SECRET")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

func TestOpenAddressesAreWarnedOf(t *testing.T) {
	for address, want := range map[string]string{"127.0.0.1:0": "", "localhost:0": "", "0.0.0.0:0": "is open to other machines"} {
		var said strings.Builder
		l, err := listenOn(nil, streams{err: &said}, address)
		if err != nil {
			t.Fatal(err)
		}
		l.Close()
		if (want == "") != (said.Len() == 0) || !strings.Contains(said.String(), want) {
			t.Errorf("%s: %q", address, said.String())
		}
	}
}
