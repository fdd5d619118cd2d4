package serve

import (
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"iterion/backends/scripted"
)

var update = flag.Bool("update", false, "rewrite the expected answers in testdata")

// handlerOf plays a script's text.
func handlerOf(t testing.TB, text string, log *strings.Builder) *Handler {
	t.Helper()
	script, err := scripted.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	h, err := New(script.Nodes, nil)
	if err != nil {
		t.Fatal(err)
	}
	if log != nil {
		h.log = log
	}
	return h
}

// A file has a script and then requests, each with the raw answer behind it. A
// request is named by its method and address; its first lines may be headers.
func TestGoldens(t *testing.T) {
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatal("no files", err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			files := archive.Files
			h := handlerOf(t, string(files[0].Data), nil)
			for i := 1; i+1 < len(files); i += 2 {
				got := ask(h, files[i].Name, string(files[i].Data))
				switch {
				case *update:
					files[i+1].Data = []byte(got)
				case got != string(files[i+1].Data):
					t.Errorf("%s (request %d)\n--- got\n%s--- want\n%s", files[i].Name, i/2+1, got, files[i+1].Data)
				}
			}
			if *update {
				if err := os.WriteFile(name, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// ask sends a request and writes down its answer.
func ask(h http.Handler, line, text string) string {
	method, address, _ := strings.Cut(line, " ")
	headers := map[string]string{}
	for {
		first, rest, _ := strings.Cut(text, "\n")
		name, value, ok := strings.Cut(first, ": ")
		if !ok || strings.ContainsAny(name, `{[" `) {
			break
		}
		headers[name], text = value, rest
	}
	r := httptest.NewRequest(method, address, strings.NewReader(text))
	for name, value := range headers {
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	answer := fmt.Sprintf("%d\n", w.Code)
	for _, name := range []string{"Content-Type", "Retry-After", "Retry-After-Ms", "X-Should-Retry", "Anthropic-Ratelimit-Unified-Status"} {
		if value := w.Header().Get(name); value != "" {
			answer += name + ": " + value + "\n"
		}
	}
	return answer + "\n" + strings.TrimRight(w.Body.String(), "\n") + "\n"
}
