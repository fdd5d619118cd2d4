package hook_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"iterion/backends/hook"
	"iterion/ir/gate"
)

// ground is a workspace, the gate's program outside of it, and one inside.
type ground struct{ workspace, outside, inside string }

func newGround(t *testing.T) ground {
	t.Helper()
	dir := t.TempDir()
	g := ground{filepath.Join(dir, "work"), filepath.Join(dir, "opt", "iterion"), filepath.Join(dir, "work", "bin", "iterion")}
	for _, file := range []string{g.outside, g.inside} {
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, nil, 0o755)); err != nil {
			t.Fatal(err)
		}
	}
	return g
}

func (g ground) encoded(t *testing.T, mode string, deny ...string) string {
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
	text, err := p.Arm(filepath.ToSlash(g.workspace), "/home/me").Encode()
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
	kimi   = `{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"}}`
	grok   = `{"hookEventName":"pre_tool_use","toolName":"run_terminal_command","tool_name":"run_terminal_command","toolInput":{"command":"ls"},"tool_input": {"command": "ls"},"toolInputTruncated":false}`
	server = `{"toolName":"mk__touch","tool_name":"mk__touch","toolInput":{"tool_name":"mk__touch","tool_input":{"path":"x"}}}`
	bare   = `{"toolName":"mk__touch","toolInput":{"path":"x"}}`
)

func TestVerdicts(t *testing.T) {
	g := newGround(t)
	open, shut := g.encoded(t, "deny"), g.encoded(t, "deny", "Bash", "mcp__mk__touch(path=x)")
	for name, event := range map[string]string{"kimi": kimi, "grok": grok, "server": server, "bare": bare} {
		if code, out, reason := run(open, event, g.outside); code != 0 || out != "{}\n" || reason != "" {
			t.Errorf("%s, allowed: %d %q %q", name, code, out, reason)
		}
		code, out, reason := run(shut, event, g.outside)
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
	g := newGround(t)
	open := g.encoded(t, "deny")
	for name, c := range map[string]struct{ policy, event, exe string }{
		"no policy":         {"", kimi, g.outside},
		"no base64":         {"%", kimi, g.outside},
		"half a policy":     {open[:len(open)/2], kimi, g.outside},
		"empty":             {open, "", g.outside},
		"no JSON":           {open, "hello", g.outside},
		"two events":        {open, kimi + kimi, g.outside},
		"an array":          {open, "[]", g.outside},
		"no tool":           {open, `{"tool_input":{}}`, g.outside},
		"a number for tool": {open, `{"tool_name":1,"tool_input":{}}`, g.outside},
		"no input":          {open, `{"tool_name":"Bash"}`, g.outside},
		"a text for input":  {open, `{"tool_name":"Bash","tool_input":"{\"command\":\"ls\"} [truncated]"}`, g.outside},
		"truncated":         {open, `{"toolName":"Bash","toolInput":{},"toolInputTruncated":true}`, g.outside},
		"two names":         {open, `{"toolName":"Read","tool_name":"Bash","tool_input":{}}`, g.outside},
		"two inputs":        {open, `{"toolName":"Bash","toolInput":{"command":"ls"},"tool_input":{"command":"id"}}`, g.outside},
		"a key twice":       {open, `{"tool_name":"Bash","tool_input":{"command":"id"},"Tool_Input":{"command":"ls"}}`, g.outside},
		"a wrapped twice":   {open, `{"toolName":"a__b","toolInput":{"tool_name":"a__b","tool_input":{"x":"1"},"tool_input":{}}}`, g.outside},
		"two wrapped names": {open, `{"toolName":"a__b","toolInput":{"tool_name":"c__d","tool_input":{}}}`, g.outside},
		"in the workspace":  {open, kimi, g.inside},
		"at its root":       {open, kimi, g.workspace},
		"no executable":     {open, kimi, ""},
		"a lost executable": {open, kimi, g.outside + "2"},
	} {
		code, out, reason := run(c.policy, c.event, c.exe)
		checkRefusal(t, name, code, out, reason)
	}
}

// A decision that stalls is a refusal before the least patient program gives
// up: an input that does not end, a file system that does not answer.
func TestRefusesInTime(t *testing.T) {
	g := newGround(t)
	for name, change := range map[string]func(*hook.Process, <-chan struct{}){
		"the input": func(p *hook.Process, end <-chan struct{}) { p.In = stalled(end) },
		"the program": func(p *hook.Process, end <-chan struct{}) {
			p.Executable = func() (string, error) { <-end; return g.outside, nil }
		},
		"the file system": func(p *hook.Process, end <-chan struct{}) { p.Files = stalled(end) },
	} {
		synctest.Test(t, func(t *testing.T) {
			end := make(chan struct{})
			defer close(end)
			var stdout, stderr bytes.Buffer
			p := hook.Process{Args: []string{g.encoded(t, "deny", "Read(/etc/**)")}, Out: &stdout, Err: &stderr,
				In:         strings.NewReader(`{"tool_name":"Read","tool_input":{"file_path":"x"}}`),
				Executable: func() (string, error) { return g.outside, nil }}
			change(&p, end)
			began := time.Now()
			code := hook.Run(p)
			checkRefusal(t, name, code, stdout.String(), strings.TrimSpace(stderr.String()))
			if took := time.Since(began); took == 0 || took > 3*time.Second {
				t.Errorf("%s: refused after %s", name, took)
			}
		})
	}
}

// A fault of the gate is a refusal, also when it cannot be told in full.
func TestRefusesWhenItFails(t *testing.T) {
	g := newGround(t)
	found := func() (string, error) { return g.outside, nil }
	for name, p := range map[string]hook.Process{
		"a panic":      {In: strings.NewReader(kimi), Executable: func() (string, error) { panic("defect") }},
		"a read fails": {In: iotest.ErrReader(errors.New("broken")), Executable: found},
	} {
		var stdout, stderr bytes.Buffer
		p.Args, p.Out, p.Err = []string{g.encoded(t, "deny")}, &stdout, &stderr
		code := hook.Run(p)
		checkRefusal(t, name, code, stdout.String(), strings.TrimSpace(stderr.String()))
	}
	mute := hook.Process{Args: []string{g.encoded(t, "deny")}, In: strings.NewReader("["), Out: broken{}, Err: broken{}, Executable: found}
	if code := hook.Run(mute); code != hook.Denied {
		t.Errorf("without a reader it ends with %d", code)
	}
}

// stalled answers when the test ends.
type stalled <-chan struct{}

func (s stalled) Read([]byte) (int, error)                 { <-s; return 0, io.EOF }
func (s stalled) Link(string) (target string, ok, no bool) { <-s; return "", false, true }

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("broken") }
