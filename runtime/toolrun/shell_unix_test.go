//go:build unix

package toolrun

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"iterion/ir/gate"
	"iterion/runtime/backend"
)

// called runs a call under a policy that allows all but what deny closes.
func called(t *testing.T, tool string, input map[string]any, deny ...string) backend.CallResult {
	t.Helper()
	dir := t.TempDir()
	policy := gate.Policy{Mode: gate.Off, Cwd: dir}
	for _, text := range deny {
		rule, err := gate.ParseRule(text)
		if err != nil {
			t.Fatal(err)
		}
		policy.Mode = gate.Ask
		policy.Rows[gate.DenyList] = append(policy.Rows[gate.DenyList], gate.Row{Rule: rule})
		allow, _ := gate.ParseRule("*")
		policy.Rows[gate.AllowList] = []gate.Row{{Rule: allow}}
	}
	g := gate.New(policy, disk{})
	raw, err := json.Marshal(input)
	if err != nil {
		t.Fatal(err)
	}
	c := backend.Call{ID: "1", Tool: tool, Input: string(raw)}
	v := g.Evaluate(c.Gate())
	permit, ok := v.Permit()
	if !ok {
		t.Fatalf("%s: %s", tool, v.Reason())
	}
	r := New(Options{Dir: dir, Env: []string{"PATH=" + os.Getenv("PATH")}, Gate: func() *gate.Gate { return g }})
	return r.Run(t.Context(), permit, c)
}

func TestCommands(t *testing.T) {
	for _, c := range []struct {
		tool   string
		input  map[string]any
		text   string
		failed bool
	}{
		{"bash", map[string]any{"command": "echo out; echo err >&2"}, "out\nerr\n", false},
		{"bash", map[string]any{"command": "echo no; exit 3"}, "no\n(exit code 3)\n", true},
		{"bash", map[string]any{"command": "true"}, "(no output)\n", false},
		{"bash", map[string]any{"command": "echo $HOME$SECRET"}, "\n", false},
		{"bash", map[string]any{"command": "exec sleep 600", "timeout": 50}, "(the command was stopped after 50ms, with what it had started)\n", true},
		{"diagnostic_shell", map[string]any{"command": "echo a\necho b"}, "diagnostic_shell takes one line; nothing was run", true},
		{"repl", map[string]any{"language": "bash", "code": "for i in 1 2; do echo $i; done"}, "1\n2\n", false},
		{"bash", map[string]any{"command": "true", "cmd": "x"}, "cmd", true},
	} {
		got := called(t, c.tool, c.input)
		if !strings.Contains(got.Text, c.text) || got.Failed != c.failed {
			t.Errorf("%s %v: %+v, want %q", c.tool, c.input, got, c.text)
		}
	}
}

// Each hop of a redirect is judged before anything is asked of it.
func TestRedirectsAreJudged(t *testing.T) {
	asked := false
	mux := http.NewServeMux()
	mux.HandleFunc("/secret", func(w http.ResponseWriter, _ *http.Request) { asked = true })
	mux.HandleFunc("/to", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, r.URL.Query().Get("u"), http.StatusFound)
	})
	mux.HandleFunc("/page", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte("<title>T</title><p>Hello <b>you</b><script>evil()</script>"))
	})
	server := httptest.NewServer(mux)
	defer server.Close()
	deny := "WebFetch(" + server.URL + "/secret)"
	for _, c := range []struct {
		path, text string
		failed     bool
	}{
		{"/page", "Hello you", false},
		{"/to?u=/page", "Hello you", false},
		{"/to?u=/secret", "WebFetch", true},
		{"/to?u=file:///etc/passwd", "only http and https", true},
		{"/to?u=http://169.254.169.254/", "169.254.169.254", true},
	} {
		got := called(t, "web_fetch", map[string]any{"url": server.URL + c.path}, deny)
		if !strings.Contains(got.Text, c.text) || got.Failed != c.failed || strings.Contains(got.Text, "evil") {
			t.Errorf("%s: %+v", c.path, got)
		}
	}
	if asked {
		t.Error("the closed address was asked for")
	}
}
