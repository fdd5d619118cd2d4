package hook_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"iterion/backends/hook"
	"iterion/ir/gate"
)

func encoded(t *testing.T, mode string, deny ...string) string {
	t.Helper()
	level := gate.Level{Mode: mode}
	for _, text := range deny {
		rule, err := gate.ParseRule(text)
		if err != nil {
			t.Fatal(err)
		}
		level.Lists[gate.DenyList] = append(level.Lists[gate.DenyList], rule)
	}
	allow, err := gate.ParseRule("*")
	if err != nil {
		t.Fatal(err)
	}
	level.Lists[gate.AllowList] = []gate.Rule{allow}
	p, err := gate.Resolve(gate.Levels{Node: level})
	if err != nil {
		t.Fatal(err)
	}
	text, err := p.Arm("/work", "/home/me").Encode()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// run answers an event and returns the status, the standard output and the
// reason.
func run(policy, event, exe string) (code int, out, reason string) {
	var stdout, stderr bytes.Buffer
	code = hook.Run(hook.Process{Args: []string{policy}, In: strings.NewReader(event), Out: &stdout, Err: &stderr,
		Executable: func() (string, error) {
			if exe == "" {
				return "", errors.New("gone")
			}
			return exe, nil
		}})
	return code, stdout.String(), strings.TrimSpace(stderr.String())
}

const (
	outside = "/opt/bin/iterion"
	kimi    = `{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"}}`
	grok    = `{"hookEventName":"pre_tool_use","toolName":"run_terminal_command","tool_name":"run_terminal_command","toolInput":{"command":"ls"},"tool_input": {"command": "ls"},"toolInputTruncated":false}`
	server  = `{"toolName":"mk__touch","tool_name":"mk__touch","toolInput":{"tool_name":"mk__touch","tool_input":{"path":"x"}}}`
	bare    = `{"toolName":"mk__touch","toolInput":{"path":"x"}}`
)

func TestVerdicts(t *testing.T) {
	open, shut := encoded(t, "deny"), encoded(t, "deny", "Bash", "mcp__mk__touch(path=x)")
	for name, event := range map[string]string{"kimi": kimi, "grok": grok, "server": server, "bare": bare} {
		if code, out, reason := run(open, event, outside); code != 0 || out != "" || reason != "" {
			t.Errorf("%s, allowed: %d %q %q", name, code, out, reason)
		}
		code, out, reason := run(shut, event, outside)
		checkRefusal(t, name, code, out, reason)
	}
}

func checkRefusal(t *testing.T, name string, code int, out, reason string) {
	t.Helper()
	var reply struct {
		Decision, Reason   string
		HookSpecificOutput struct{ PermissionDecision, PermissionDecisionReason string }
	}
	if err := json.Unmarshal([]byte(out), &reply); err != nil || code != hook.Denied || reason == "" || strings.Contains(reason, "\n") {
		t.Errorf("%s: %d, %q, %q, %v", name, code, out, reason, err)
	}
	if reply.Decision != "deny" || reply.Reason != reason || reply.HookSpecificOutput.PermissionDecision != "deny" || reply.HookSpecificOutput.PermissionDecisionReason != reason {
		t.Errorf("%s: %s", name, out)
	}
}

// Whatever cannot be read is refused.
func TestRefusesTheUnreadable(t *testing.T) {
	open := encoded(t, "deny")
	for name, c := range map[string]struct{ policy, event, exe string }{
		"no policy":         {"", kimi, outside},
		"no base64":         {"%", kimi, outside},
		"half a policy":     {open[:len(open)/2], kimi, outside},
		"empty":             {open, "", outside},
		"no JSON":           {open, "hello", outside},
		"two events":        {open, kimi + kimi, outside},
		"an array":          {open, "[]", outside},
		"no tool":           {open, `{"tool_input":{}}`, outside},
		"a number for tool": {open, `{"tool_name":1,"tool_input":{}}`, outside},
		"no input":          {open, `{"tool_name":"Bash"}`, outside},
		"a text for input":  {open, `{"tool_name":"Bash","tool_input":"{\"command\":\"ls\"} [truncated]"}`, outside},
		"truncated":         {open, `{"toolName":"Bash","toolInput":{},"toolInputTruncated":true}`, outside},
		"two names":         {open, `{"toolName":"Read","tool_name":"Bash","tool_input":{}}`, outside},
		"two inputs":        {open, `{"toolName":"Bash","toolInput":{"command":"ls"},"tool_input":{"command":"id"}}`, outside},
		"a key twice":       {open, `{"tool_name":"Bash","tool_input":{"command":"id"},"Tool_Input":{"command":"ls"}}`, outside},
		"a wrapped twice":   {open, `{"toolName":"a__b","toolInput":{"tool_name":"a__b","tool_input":{"x":"1"},"tool_input":{}}}`, outside},
		"two wrapped names": {open, `{"toolName":"a__b","toolInput":{"tool_name":"c__d","tool_input":{}}}`, outside},
		"in the workspace":  {open, kimi, "/work/bin/iterion"},
		"at its root":       {open, kimi, "/work"},
		"no executable":     {open, kimi, ""},
	} {
		code, out, reason := run(c.policy, c.event, c.exe)
		checkRefusal(t, name, code, out, reason)
	}
}

// An input that never ends is refused while the program still waits.
func TestRefusesInTime(t *testing.T) {
	var stdout, stderr bytes.Buffer
	code := hook.Run(hook.Process{Args: []string{encoded(t, "deny")}, In: endless{}, Out: &stdout, Err: &stderr,
		Executable: func() (string, error) { return outside, nil }})
	checkRefusal(t, "endless", code, stdout.String(), strings.TrimSpace(stderr.String()))
	code = hook.Run(hook.Process{Args: []string{encoded(t, "deny")}, In: broken{}, Out: &stdout, Err: &stderr,
		Executable: func() (string, error) { panic("defect") }})
	if code != hook.Denied {
		t.Errorf("a panic ends with %d", code)
	}
}

type endless struct{}

func (endless) Read([]byte) (int, error) { select {} }

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, errors.New("broken") }

// The registered command leaves the workspace and survives any path.
func TestCommand(t *testing.T) {
	home := filepath.Join(t.TempDir(), "a 'quoted' home")
	if err := exec.Command("mkdir", home).Run(); err != nil {
		t.Fatal(err)
	}
	echo, err := exec.LookPath("echo")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(hook.Command(home, echo, "po'li cy"), "exec ", "pwd && exec ", 1)
	out, err := exec.Command("/bin/sh", "-c", text).Output()
	if want := home + "\n" + hook.Verb + " po'li cy\n"; err != nil || string(out) != want {
		t.Errorf("%q, %v; want %q", out, err, want)
	}
}

func TestInside(t *testing.T) {
	for _, c := range []struct {
		folder, file string
		want         bool
	}{{"/w", "/w/a", true}, {"/w", "/w", true}, {"/w", "/wx/a", false}, {"/w", "/a", false}, {"/w", "/w/..a", true}, {"", "/a", true}} {
		if got := hook.Inside(c.folder, c.file); got != c.want {
			t.Errorf("Inside(%q, %q) = %v", c.folder, c.file, got)
		}
	}
}
