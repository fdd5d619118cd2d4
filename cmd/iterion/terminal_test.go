//go:build unix

package main

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/creack/pty"
)

// onTerminal runs iterion with a terminal as all its channels, types input,
// and returns what the terminal showed and the exit status. The terminal is
// read to its end, so nothing that was written is lost.
func onTerminal(t *testing.T, dir, input string, args ...string) (shown string, code int) {
	t.Helper()
	return onTerminalWith(t, nil, dir, input, args...)
}

func onTerminalWith(t *testing.T, env []string, dir, input string, args ...string) (shown string, code int) {
	t.Helper()
	cmd := exec.Command("iterion", args...)
	cmd.Dir = dir
	cmd.Env = append(append(os.Environ(), "GORACE=atexit_sleep_ms=0", "NO_COLOR=", "TERM=xterm"), env...)
	terminal, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 40, Cols: 120})
	if err != nil {
		t.Fatal(err)
	}
	defer terminal.Close()
	if _, err := io.WriteString(terminal, input); err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(terminal)
	if err != nil && !errors.Is(err, syscall.EIO) { // EIO is how a terminal ends on Linux
		t.Fatal(err)
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); errors.As(err, &exit) {
		return string(text), exit.ExitCode()
	} else if err != nil {
		t.Fatal(err)
	}
	return string(text), 0
}

// Questions are asked on the terminal, field by field, and again when an
// answer does not fit.
func TestQuestionsOnTerminal(t *testing.T) {
	const answers = "maybe\ntrue\nAda\nhigh\nthree\n3\n"
	shown, code := onTerminal(t, "../../corpus", answers, "run", "--json", "run/ask.bot")
	if code != exitOK {
		t.Errorf("exit status %d", code)
	}
	for _, want := range []string{"ready: go on?", "go (true | false): ", "level (low | high): ", "count (int): ", `"text":"Ada high 3"`} {
		if !strings.Contains(shown, want) {
			t.Errorf("the terminal does not show %q:\n%s", want, shown)
		}
	}
	if _, code := onTerminal(t, "../../corpus", answers, "run", "--no-interactive", "run/ask.bot"); code != exitPaused {
		t.Errorf("with --no-interactive the exit status is %d", code)
	}
}

// JSON is the same text on a terminal: no colour, no snippet.
func TestJSONOnTerminal(t *testing.T) {
	dir := t.TempDir()
	const head = "dsl: 2\n\ntool t:\n  command: \"true\"\n"
	for name, text := range map[string]string{
		"ok.bot":    head + "\nworkflow w:\n  entry: t\n\n  t -> done\n",
		"warn.bot":  head + "  artifact_labels: [a]\n\nworkflow w:\n  entry: t\n\n  t -> done\n",
		"wrong.bot": head + "\nworkflow w:\n  entry: t\n\n  t -> gone\n",
	} {
		if err := os.WriteFile(dir+"/"+name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		file, want string
		code       int
	}{
		{"ok.bot", `"valid": true`, exitOK},
		{"warn.bot", `"code": "C049"`, exitOK},
		{"wrong.bot", `"code": "C001"`, exitFailed},
		{"missing.bot", `"failure": "no such file or directory"`, exitUsage},
	} {
		shown, code := onTerminal(t, dir, "", "validate", "--json", c.file)
		if code != c.code || !strings.Contains(shown, c.want) || strings.ContainsAny(shown, "\x1b^") {
			t.Errorf("%s: status %d, want %d and %s:\n%q", c.file, code, c.code, c.want, shown)
		}
	}
}

// Findings on a terminal come in colour, unless NO_COLOR is set, with the line
// and an underline; what would act on the terminal is spelled out.
func TestFindingsOnTerminal(t *testing.T) {
	dir := t.TempDir()
	text := "dsl: 2\n\ntool t:\n  comand: \"\u202e true\"\n\nworkflow w:\n  entry: t\n\n  t -> done\n"
	if err := os.WriteFile(dir+"/a.bot", []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	shown, code := onTerminal(t, dir, "", "validate", "a.bot")
	if code != exitFailed || !strings.Contains(shown, "\x1b[1;31merror") || !strings.Contains(shown, "^^^^^^") || strings.Contains(shown, "\u202e") {
		t.Errorf("status %d:\n%q", code, shown)
	}
	shown, _ = onTerminalWith(t, []string{"NO_COLOR=1"}, dir, "", "validate", "a.bot")
	if strings.Contains(shown, "\x1b") || !strings.Contains(shown, "^^^^^^") {
		t.Errorf("with NO_COLOR:\n%q", shown)
	}
}
