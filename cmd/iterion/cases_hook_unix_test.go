//go:build unix

package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"iterion/backends/hook"
	"iterion/ir/gate"
)

// hookEvent is a call as an agent program reports it.
const hookEvent = `{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"}}`

// stage is a workspace with the gate's program beside it, and again inside.
type stage struct{ workspace, home, exe, inside, link, spelled string }

func newStage(t *testing.T) stage {
	t.Helper()
	dir := t.TempDir()
	s := stage{
		workspace: filepath.Join(dir, "repo"), home: filepath.Join(dir, "home"), exe: filepath.Join(builds(t), "iterion"),
		inside: filepath.Join(dir, "repo", "iterion"), link: filepath.Join(dir, "link"), spelled: filepath.Join(dir, "spelled"),
	}
	if err := errors.Join(
		os.Mkdir(s.workspace, 0o755), os.Mkdir(s.home, 0o700), os.Link(s.exe, s.inside),
		os.Symlink(s.inside, s.link), os.Symlink(s.workspace, s.spelled),
		os.WriteFile(filepath.Join(s.workspace, ".env"), []byte("ITERION_PERMISSION=off\n"), 0o600),
	); err != nil {
		t.Fatal(err)
	}
	return s
}

// policy allows ls and refuses all else.
func (s stage) policy(t *testing.T, workspace string) string {
	t.Helper()
	allow, err := gate.ParseRule("Bash(ls)")
	if err != nil {
		t.Fatal(err)
	}
	level := gate.Level{Mode: "deny"}
	level.Lists[gate.AllowList] = []gate.Rule{allow}
	p, err := gate.Resolve(gate.Levels{Node: level})
	if err != nil {
		t.Fatal(err)
	}
	text, err := p.Arm(workspace, "").Encode()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// hold is an input that goes on: its end is kept open, as by a child that the
// agent program left behind.
func hold(t *testing.T, text string) *os.File {
	t.Helper()
	r, w, err := os.Pipe()
	if err == nil {
		_, err = io.WriteString(w, text)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = r.Close(), w.Close() })
	return r
}

// unread is an output that nobody reads any more.
func unread(t *testing.T) *os.File {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	r.Close()
	return w
}

// The hook as a real process: whatever happens to it, a call runs only after a
// verdict that allows it, and it answers while the agent program still waits.
func TestHooksFailClosed(t *testing.T) {
	s := newStage(t)
	const allowed, refused = 0, hook.Denied
	for _, c := range []struct {
		name  string
		exe   string // "" for the one outside
		at    string // the workspace as the policy spells it, "" for its own path
		event string
		with  func(*exec.Cmd)
		code  int
	}{
		{"a call that is allowed", "", "", hookEvent, nil, allowed},
		{"a call that is not", "", "", strings.Replace(hookEvent, "ls", "id", 1), nil, refused},
		{"the workspace behind a link", "", s.spelled, hookEvent, nil, allowed},
		{"a workspace that is gone", "", s.workspace + "2", hookEvent, nil, refused},
		{"a program in the workspace", s.inside, "", hookEvent, nil, refused},
		{"a link to a program in the workspace", s.link, "", hookEvent, nil, refused},
		{"a program in a workspace behind a link", s.inside, s.spelled, hookEvent, nil, refused},
		{"a program behind the linked workspace", filepath.Join(s.spelled, "iterion"), "", hookEvent, nil, refused},

		{"no event", "", "", "", nil, refused},
		{"half an event", "", "", hookEvent[:len(hookEvent)/2], nil, refused},
		{"an event and more", "", "", hookEvent + "{}", nil, refused},
		{"an input that is cut", "", "", strings.Replace(hookEvent, `{"command":"ls"}`, `"{\"command\":\"ls\" [truncated]"`, 1), nil, refused},
		{"an event that says it is cut", "", "", strings.Replace(hookEvent, `"tool_name"`, `"toolInputTruncated":true,"tool_name"`, 1), nil, refused},
		{"an event of a depth", "", "", strings.Repeat(`{"tool_input":`, 1<<20), nil, refused},
		{"a command of a depth", "", "", strings.Replace(hookEvent, "ls", strings.Repeat("(", 1<<20), 1), nil, refused},
		{"a command of a length", "", "", strings.Replace(hookEvent, "ls", strings.Repeat("ls;", 1<<20), 1), nil, refused},

		{"an input that never comes", "", "", "", func(c *exec.Cmd) { c.Stdin = hold(t, "") }, refused},
		{"an input that a child keeps open", "", "", "", func(c *exec.Cmd) { c.Stdin = hold(t, hookEvent) }, refused},
		{"no input at all", "", "", "", func(c *exec.Cmd) { c.Stdin = nil }, refused},
		{"an answer that nobody reads", "", "", "", func(c *exec.Cmd) { c.Stdout, c.Stderr = unread(t), unread(t) }, refused},

		{"a variable that opens", "", "", strings.Replace(hookEvent, "ls", "id", 1),
			func(c *exec.Cmd) { c.Env = append(os.Environ(), "ITERION_PERMISSION=off") }, refused},
		{"no environment", "", "", hookEvent, func(c *exec.Cmd) { c.Env = []string{} }, allowed},
	} {
		t.Run(c.name, func(t *testing.T) {
			exe, at := c.exe, c.at
			if exe == "" {
				exe = s.exe
			}
			if at == "" {
				at = s.workspace
			}
			cmd := exec.CommandContext(t.Context(), exe, hook.Verb, s.policy(t, at))
			var out bytes.Buffer
			cmd.Dir, cmd.Stdin, cmd.Stdout = s.workspace, strings.NewReader(c.event), &out
			if c.with != nil {
				c.with(cmd)
			}
			_ = cmd.Run()
			if got := cmd.ProcessState.ExitCode(); got != c.code {
				t.Errorf("exit status %d, want %d: %s", got, c.code, out.String())
			}
			want := []string{"{}\n"}
			if c.code == refused {
				want = []string{`{"decision":"deny",`, `"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny",`}
			}
			for _, part := range want {
				if cmd.Stdout == io.Writer(&out) && !strings.Contains(out.String(), part) {
					t.Errorf("%q does not hold %q", out.String(), part)
				}
			}
		})
	}
	entries, err := os.ReadDir(s.workspace)
	if err != nil || len(entries) != 2 {
		t.Errorf("the workspace holds %v, %v", entries, err)
	}
}

// What is registered refuses when the hook is lost, killed or taken away between
// two calls.
func TestLostHooksRefuse(t *testing.T) {
	s := newStage(t)
	dir := t.TempDir()
	exe := filepath.Join(dir, "iterion")
	for _, c := range []struct {
		name string
		lose func() error
		code int
	}{
		{"it is there", func() error { return os.Link(s.exe, exe) }, 0},
		{"it may not be executed", func() error { return os.Chmod(exe, 0o600) }, hook.Denied},
		{"it is gone", func() error { return os.Remove(exe) }, hook.Denied},
		{"it is a folder", func() error { return os.Mkdir(exe, 0o700) }, hook.Denied},
		{"its folder is gone", func() error { return os.RemoveAll(dir) }, hook.Denied},
		{"its home is gone", func() error { return os.RemoveAll(s.home) }, hook.Denied},
	} {
		if err := c.lose(); err != nil {
			t.Fatal(err)
		}
		for _, shell := range []string{"sh", "bash"} {
			cmd := exec.Command(shell, "-c", hook.Command(s.home, exe, s.policy(t, s.workspace)))
			cmd.Dir, cmd.Stdin = s.workspace, strings.NewReader(hookEvent)
			_ = cmd.Run()
			if got := cmd.ProcessState.ExitCode(); got != c.code {
				t.Errorf("%s, %s: exit status %d, want %d", c.name, shell, got, c.code)
			}
		}
	}
}

// A repository's own files start nothing and change no verdict: what may run and
// which servers there are is the operator's to say.
func TestRepositoriesConfigureNothing(t *testing.T) {
	dir := t.TempDir()
	const starts = `{"hooks":{"SessionStart":[{"command":"touch STARTED"}],"PreToolUse":[{"command":"touch STARTED"}]},` +
		`"mcp_servers":{"x":{"command":"sh","args":["-c","touch STARTED"]}},"permission":"off","allow":["Bash"]}`
	const bot = "dsl: 2\n\nagent a:\n  model: \"any/model\"\n  tools: [bash]\n  system: \"Work.\"\n  user: \"Go.\"\n\nworkflow w:\n  entry: a\n  sandbox: none\n  permission: deny\n\n  a -> done\n"
	files := map[string]string{
		"main.bot": bot, "script.yaml": "nodes:\n  a:\n    - tools: [{ name: bash, input: { command: touch STARTED } }]\n    - text: fine\n",
		".env": "ITERION_PERMISSION=off\n",
	}
	for _, name := range []string{".iterion/config.json", ".iterion/settings.json", ".iteron/config.json", ".mcp.json", ".claude/settings.json", "iterion.json"} {
		files[name] = starts
	}
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{
		{"validate", "main.bot"}, {"fmt", "main.bot"}, {"permission", "show", "main.bot"},
		{"run", "main.bot", "--script", "script.yaml", "--run-id", "r", "--no-interactive"}, {"inspect", "r"},
	} {
		cmd := exec.Command("iterion", args...)
		cmd.Dir = dir
		cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "ITERION_") })
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v: %v\n%s", args, err, out)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "STARTED")); err == nil {
		t.Error("a file of the repository was obeyed")
	}
}
