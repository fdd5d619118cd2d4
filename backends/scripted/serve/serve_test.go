package serve

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"iterion/backends/scripted"
)

const ask1 = `{"model":"m","messages":[{"role":"user","content":"go"}]}`

// Every request is a line, written before its answer, and no line has a key.
func TestLog(t *testing.T) {
	var log strings.Builder
	h := handlerOf(t, "nodes: { worker: [ { text: hi } ] }", &log)
	r := httptest.NewRequest("POST", "/node/worker/v1/messages?key=SECRET", strings.NewReader("{\n"+ask1[1:]))
	for _, name := range secretHeaders {
		r.Header.Set(name, "Bearer SECRET")
	}
	r.Header.Set("Anthropic-Version", "1")
	h.ServeHTTP(httptest.NewRecorder(), r)
	ask(h, "POST /v1/responses", "not\nJSON")
	ask(h, "GET /nothing", "")
	if strings.Contains(log.String(), "SECRET") {
		t.Errorf("a key in the log: %s", log.String())
	}
	lines := strings.Split(strings.TrimSpace(log.String()), "\n")
	want := []entry{
		{Method: "POST", Path: "/node/worker/v1/messages", Node: "worker", Turn: 1, Status: 200},
		{Method: "POST", Path: "/v1/responses", Status: 400, Code: badRequest, Body: "not\nJSON"},
		{Method: "GET", Path: "/nothing", Status: 404, Code: notFound},
	}
	for i, line := range lines {
		var got entry
		if err := json.Unmarshal([]byte(line), &got); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if i == 0 && (got.Headers.Get("Authorization") != "[redacted]" || got.Headers.Get("Anthropic-Version") != "1" || got.Body.(map[string]any)["model"] != "m") {
			t.Errorf("%s", line)
		}
		got.Headers = nil
		if i == 0 {
			got.Body = nil
		}
		text, _ := encode(got)
		expected, _ := encode(want[i])
		if text != expected {
			t.Errorf("line %d: %s, want %s", i+1, text, expected)
		}
	}
	if len(lines) != len(want) {
		t.Errorf("%d lines", len(lines))
	}
}

type brokenDisk struct{}

func (brokenDisk) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestALogThatCannotBeWrittenFailsRequests(t *testing.T) {
	h := handlerOf(t, "nodes: { worker: [ { text: hi } ] }", nil)
	h.log = brokenDisk{}
	for _, line := range []string{"POST /v1/messages", "POST /v1/chat/completions", "GET /v1/models", "GET /nothing", "POST /v1/messages/count_tokens"} {
		if got := ask(h, line, ask1); !strings.HasPrefix(got, "500\n") || !strings.Contains(got, "the log cannot be written: no space left") {
			t.Errorf("%s: %s", line, got)
		}
	}
}

// endless is a body that never ends.
type endless struct{ read int }

func (e *endless) Read(p []byte) (int, error) {
	e.read += len(p)
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

func TestALargeBodyIsRefused(t *testing.T) {
	body := &endless{}
	w := httptest.NewRecorder()
	handlerOf(t, "nodes: {}", nil).ServeHTTP(w, httptest.NewRequest("POST", "/v1/messages", body))
	if w.Code != http.StatusRequestEntityTooLarge || !strings.Contains(w.Body.String(), "request_too_large") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if body.read > 2*maxBody {
		t.Errorf("%d bytes were read", body.read)
	}
}

func TestDelays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := handlerOf(t, "nodes: { worker: [ { delay: 90m, error: { code: TIMEOUT } }, { delay: 2h, text: hi } ] }", nil)
		for _, want := range []struct {
			after  time.Duration
			status string
		}{{90 * time.Minute, "504"}, {2 * time.Hour, "200"}} {
			start := time.Now()
			if got := ask(h, "POST /v1/messages", ask1); !strings.HasPrefix(got, want.status) || time.Since(start) != want.after {
				t.Errorf("after %v: %s", time.Since(start), got)
			}
		}
	})
}

func TestAWaitingTurnEndsWithItsClient(t *testing.T) {
	h := handlerOf(t, "nodes: { worker: [ { delay: 1000h, text: hi } ] }", nil)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequestWithContext(ctx, "POST", "/v1/messages", strings.NewReader(ask1)))
	if w.Body.Len() > 0 {
		t.Errorf("%s", w.Body)
	}
}

// signalled tells of each write.
type signalled chan struct{}

func (s signalled) Write(p []byte) (int, error) {
	s <- struct{}{}
	return len(p), nil
}

func TestServeEndsWithWaitingTurns(t *testing.T) {
	h := handlerOf(t, "nodes: { worker: [ { delay: 1000h, text: hi } ] }", nil)
	begun := make(signalled, 1)
	h.log = begun
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended, answered := make(chan error), make(chan struct{})
	go func() { ended <- Serve(ctx, l, h) }()
	go func() {
		defer close(answered)
		r, err := http.Post("http://"+l.Addr().String()+"/v1/messages", "application/json", strings.NewReader(ask1))
		if err == nil {
			r.Body.Close()
		}
	}()
	<-begun
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	<-answered
	if _, err := net.Dial("tcp", l.Addr().String()); err == nil {
		t.Error("it still listens")
	}
}

func TestBranchesAtOnce(t *testing.T) {
	server := httptest.NewServer(handlerOf(t, "nodes: { worker: [ { error: { code: RATE_LIMITED } }, { text: hi, tools: [ { name: bash } ] } ] }", nil))
	defer server.Close()
	var mu sync.Mutex
	ids := map[string]bool{}
	var group sync.WaitGroup
	for range 20 {
		group.Go(func() {
			for {
				r, err := http.Post(server.URL+"/v1/messages", "application/json", strings.NewReader(ask1))
				if err != nil {
					t.Error(err)
					return
				}
				body, _ := io.ReadAll(r.Body)
				r.Body.Close()
				if r.StatusCode != http.StatusOK {
					continue
				}
				var got struct{ Content []struct{ ID string } }
				if err := json.Unmarshal(body, &got); err != nil || len(got.Content) != 2 {
					t.Errorf("%s: %v", body, err)
					return
				}
				mu.Lock()
				ids[got.Content[1].ID] = true
				mu.Unlock()
				return
			}
		})
	}
	group.Wait()
	if len(ids) != 20 {
		t.Errorf("%d ids for 20 calls", len(ids))
	}
}

func TestKeys(t *testing.T) {
	tools := []tool{{name: "bash"}}
	title := []tool{{name: "session_title"}}
	for _, c := range []struct {
		keys  string
		named string
		tools []tool
		want  string
	}{
		{"a", "", tools, "a"}, {"a", "b", tools, "b"}, {"a aux", "", tools, "a"}, {"a b", "", tools, "default"},
		{"default b", "", tools, "default"}, {"", "", tools, "default"}, {"aux", "", tools, "default"},
		{"a a#2 a/agent", "", tools, "a"}, {"a a@x b", "", tools, "default"}, {"a", "", nil, "a"}, {"a aux", "", nil, "aux"}, {"a aux", "a", nil, "aux"},
		{"a", "a", title, "aux"}, {"a", "a", append(title, tools...), "a"},
	} {
		s := &script{nodes: map[string][]turn{}}
		for _, key := range strings.Fields(c.keys) {
			s.nodes[key] = nil
		}
		if got := s.key(c.named, request{tools: c.tools}); got != c.want {
			t.Errorf("keys %q, named %q, %d tools: %s, want %s", c.keys, c.named, len(c.tools), got, c.want)
		}
	}
}

// A title is no turn, whether the script has one or not.
func TestTitles(t *testing.T) {
	const ask = `{"model":"m","messages":[{"role":"user","content":"go"},{"role":"assistant","content":"x"}],"tools":[{"function":{"name":"session_title"}}]}`
	for script, want := range map[string]string{
		"nodes: { a: [ { text: no } ] }":                             `"content":"scripted"`,
		"nodes: { a: [ { text: no } ], aux: [ { text: A title } ] }": `"content":"A title"`,
	} {
		if got := chatOf(t, script, ask); !strings.Contains(got, want) {
			t.Errorf("%s: %s", script, got)
		}
	}
}

func chatOf(t *testing.T, script, body string) string {
	return ask(handlerOf(t, script, nil), "POST /v1/chat/completions", body)
}

func TestBrokenTurns(t *testing.T) {
	for want, given := range map[string]scripted.Turn{
		"node a, turn 1: the input of bash": {Tools: []scripted.Call{{Name: "bash", Input: map[string]any{"a": func() {}}}}},
		"node a, turn 1: delay":             {Delay: "soon"},
		"node a, turn 1: retry_after":       {Error: &scripted.Failure{RetryAfter: "soon"}},
	} {
		if _, err := New(map[string][]scripted.Turn{"a": {given}}, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// Broken JSON of a model goes over a stream as it is, and over Messages as a
// whole as a text.
func TestBrokenInput(t *testing.T) {
	const script = `nodes: { a: [ { tools: [ { name: bash, input_json: '{"a":' } ] } ] }`
	if got := ask(handlerOf(t, script, nil), "POST /v1/messages", ask1); !strings.Contains(got, `"input":"{\"a\":"`) {
		t.Error(got)
	}
	if got := ask(handlerOf(t, script, nil), "POST /v1/messages", strings.Replace(ask1, "{", `{"stream":true,`, 1)); !strings.Contains(got, `"partial_json":"{\"a\":"`) {
		t.Error(got)
	}
}

func TestPieces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text")
		list := pieces(text)
		if strings.Join(list, "") != text || len(list) > 8 && len(text) > 128 || slices.Contains(list, "") {
			t.Fatalf("%q", list)
		}
		for _, piece := range list {
			if strings.ToValidUTF8(piece, "?") != piece {
				t.Fatalf("%q", list)
			}
		}
	})
}

// Whatever is sent is answered: by a turn, or by an error in a provider's form.
func FuzzRequests(f *testing.F) {
	for _, body := range []string{
		ask1, "", "null", "[]", "{", `{"model":"m","messages":{}}`, `{"model":"m","messages":[null]}`, `{"model":"m","input":"go","stream":true}`,
		`{"model":"m","input":[null,{"type":"function_call"},{"tools":[{"type":"namespace","tools":[{}]}]}],"tools":null}`,
		`{"model":"m","messages":[{"role":"assistant"}],"tools":[{"function":null}],"stream":true}`, `{"model":"\ud800","input":[[]]}`,
	} {
		f.Add(body, uint8(0))
		f.Add(body, uint8(1))
		f.Add(body, uint8(2))
	}
	paths := []string{"/v1/messages", "/v1/responses", "/v1/chat/completions", "/v1/messages/count_tokens"}
	f.Fuzz(func(t *testing.T, body string, path uint8) {
		h := handlerOf(t, "nodes: { a: [ { text: hi, tools: [ { name: bash } ] } ] }", nil)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("POST", paths[int(path)%len(paths)], strings.NewReader(body)))
		if w.Code == http.StatusOK {
			return
		}
		var problem struct {
			Error struct{ Type, Message string }
		}
		if err := json.Unmarshal(w.Body.Bytes(), &problem); err != nil || problem.Error.Type == "" || problem.Error.Message == "" {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
	})
}
