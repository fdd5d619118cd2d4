package toolrun

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"iterion/ir/gate"
	"iterion/runtime/backend"

	"iterion/runtime/redact"
)

// shellWorld is a world whose commands have the PATH and nothing else.
func shellWorld(t *testing.T, rules ...string) *world {
	t.Helper()
	w := newWorld(t, "deny", append(rules, "allow Bash", "allow diagnostic_shell", "allow repl")...)
	w.Env = []string{"PATH=" + os.Getenv("PATH")}
	return w
}

func TestBash(t *testing.T) {
	w := shellWorld(t)
	for command, want := range map[string]string{
		"echo a; echo b >&2; echo c":      "a\nb\nc\n",
		"true":                            "(no output)\n",
		"printf x":                        "x\n",
		`printf 'a\xff\x00b'`:             "a\uFFFD\uFFFDb\n",
		"cat; pwd":                        w.dir + "\n",
		"echo é | tee f":                  "é\n",
		"for i in 1 2; do\necho $i\ndone": "1\n2\n",
	} {
		if got := w.works(t, "bash", fields{"command": command, "description": "x"}); got != want {
			t.Errorf("%s: %q, want %q", command, got, want)
		}
	}
	for command, want := range map[string]string{
		"echo a; exit 3":    "a\n(exit code 3)\n",
		"kill -TERM $$":     "(exit code 143)\n",
		"no_such_program":   "(exit code 127)\n",
		"if then":           "syntax error",
		"echo a\x00; ls":    "the gate",
		"sleep 600; echo a": "(the command was stopped after 20ms, with what it had started)\n",
	} {
		result, _ := w.call("bash", fields{"command": command, "timeout": timeoutOf(command)})
		if !result.Failed || !strings.Contains(result.Text, want) {
			t.Errorf("%s: %+v, want %q", command, result, want)
		}
	}
	w.fails(t, "bash", fields{"command": "true", "timeout": 600_001}, "timeout")
	w.fails(t, "bash", fields{"command": ""}, "command")
}

func timeoutOf(command string) int {
	if strings.HasPrefix(command, "sleep") {
		return 20
	}
	return 60_000
}

// A command sees the environment of its task, and nothing of ours.
func TestCommandsEnvironment(t *testing.T) {
	t.Setenv("OUR_KEY", "hunter2")
	w := shellWorld(t)
	for _, env := range [][]string{nil, {}, {"PATH=" + os.Getenv("PATH"), "GIVEN=given"}} {
		w.Env = env
		for tool, in := range map[string]fields{
			"bash": {"command": "/usr/bin/env"}, "diagnostic_shell": {"command": "/usr/bin/env"}, "repl": {"language": "sh", "code": "/usr/bin/env"},
		} {
			got := w.works(t, tool, in)
			if strings.Contains(got, "hunter2") || strings.Contains(got, "given") != (len(env) > 0) || !strings.Contains(got, "PWD="+w.dir) {
				t.Errorf("%s, %v: %s", tool, env, got)
			}
		}
	}
}

func TestDiagnosticShell(t *testing.T) {
	w := shellWorld(t)
	if got := w.works(t, "diagnostic_shell", fields{"command": "echo a | tr a b"}); got != "b\n" {
		t.Error(got)
	}
	for _, command := range []string{"echo a\ntouch ran", "echo a\rtouch ran", "cat <<E\nE"} {
		w.fails(t, "diagnostic_shell", fields{"command": command}, "one line")
	}
	if _, err := os.Stat(filepath.Join(w.dir, "ran")); err == nil {
		t.Error("it ran")
	}
}

func TestRepl(t *testing.T) {
	w := shellWorld(t)
	w.lay(t, map[string]string{"data": "from the workspace"})
	for language, code := range map[string]string{
		"python": "print(open('data').read())", "Python3": "import sys\nprint(open('data').read(), file=sys.stderr)", "bash": "[[ a ]] && cat data",
		"sh": "cat data", "javascript": "console.log(require('fs').readFileSync('data', 'utf8'))", "node": "process.stdout.write(require('fs').readFileSync('data'))",
	} {
		if got := w.works(t, "repl", fields{"language": language, "code": code}); got != "from the workspace\n" {
			t.Errorf("%s: %q", language, got)
		}
	}
	w.fails(t, "repl", fields{"language": "python", "code": "x = 1\nraise SystemExit(4)"}, "(exit code 4)")
	w.fails(t, "repl", fields{"language": "python", "code": "print(x)"}, "NameError") // nothing is left of the call before
	w.fails(t, "repl", fields{"language": "cobol", "code": "x"}, "there are python, javascript, bash and sh")
	w.fails(t, "repl", fields{"language": "bash ", "code": "x"}, "there are python, javascript, bash and sh")
}

// What a shell runs is judged as a shell's, and nothing else is.
func TestReplLanguagesAreTheGates(t *testing.T) {
	for language, by := range replLanguages {
		w := newWorld(t, "deny", "allow repl", "deny repl(git push:*)")
		for _, spelled := range []string{language, strings.ToUpper(language)} {
			input, err := json.Marshal(fields{"language": spelled, "code": "cd x && git push"})
			if err != nil {
				t.Fatal(err)
			}
			v := w.gate.Evaluate(gate.Call{Tool: "repl", Input: string(input)})
			shell := by == "bash" || by == "sh"
			if (v.Decision == gate.Denied) != shell {
				t.Errorf("%s: %s, %s", spelled, v.Decision, v.Reason())
			}
		}
	}
}

// A long output is cut in the middle; all of it is in a file.
func TestLongOutput(t *testing.T) {
	w := shellWorld(t)
	in := fields{"command": "seq 100000; exit 9"}
	result, _ := w.call("bash", in)
	if len(result.Text) > mostPrinted+200 || !strings.HasSuffix(result.Text, "bytes more are not kept)\n(exit code 9)\n") {
		t.Errorf("…%q", result.Text[len(result.Text)-200:])
	}
	w.Spill = t.TempDir()
	result, _ = w.call("bash", in)
	found := regexp.MustCompile(`\(cut here: all 588895 bytes are in (\S+), the end follows\)\n\d{5}\n`).FindStringSubmatch(result.Text)
	if !result.Failed || found == nil || !strings.HasPrefix(result.Text, "1\n2\n3\n") || !strings.HasSuffix(result.Text, "\n99999\n100000\n(exit code 9)\n") {
		t.Fatalf("%v, …%q", found, result.Text[len(result.Text)-200:])
	}
	if info, err := os.Stat(found[1]); err != nil || info.Size() != 588895 || filepath.Dir(found[1]) != w.Spill {
		t.Errorf("%v, %v", info, err)
	}
	w.Spill = filepath.Join(w.Spill, "gone")
	w.fails(t, "bash", fields{"command": "seq 100000"}, "output could not be kept")
}

// What is cut or spilled has no secrets any more; the loop could not find half of
// one.
func TestLongOutputIsRedacted(t *testing.T) {
	w := shellWorld(t)
	w.Spill, w.Redact = t.TempDir(), redact.New(map[string]string{"k": "hunter2"})
	got := w.works(t, "bash", fields{"command": fmt.Sprintf("x() { head -c $1 /dev/zero | tr '\\0' x; }; x %d; echo hunter2; x 100000; echo hunter2", mostPrinted-3)})
	files, err := filepath.Glob(w.Spill + "/*")
	if err != nil || len(files) != 1 || strings.Contains(got, "hun") || !strings.Contains(got, "x[se\n(cut here") || !strings.HasSuffix(got, "x[secret k]\n") {
		t.Fatalf("%v, %v, %q", files, err, got[len(got)-100:])
	}
	if file, err := os.ReadFile(files[0]); err != nil || strings.Contains(string(file), "hun") {
		t.Errorf("%d bytes, %v", len(file), err)
	}
}

// What a command leaves behind is gone when its result is there; only what
// left its group goes on, and the result says so.
func TestLeftBehind(t *testing.T) {
	w := shellWorld(t)
	if err := syscall.Mkfifo(filepath.Join(w.dir, "up"), 0o600); err != nil {
		t.Fatal(err)
	}
	got := w.works(t, "bash", fields{"command": `sleep 600 & echo $!; setsid sh -c 'echo > up; sleep 600; :' >/dev/null 2>&1 & read -r _ < up`})
	found := regexp.MustCompile(`^(\d+)\n\(process (\d+) runs on until the run stops, it has left the command's group: sh -c .*\)\n`).FindStringSubmatch(got)
	if found == nil {
		t.Fatal(got)
	}
	pid, err := strconv.Atoi(found[2])
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(-pid, syscall.SIGKILL); err != nil {
		t.Errorf("what left the group does not run: %v", err)
	}
	if stat, err := os.ReadFile("/proc/" + found[1] + "/stat"); err == nil && !strings.Contains(string(stat), ") Z ") && strings.Contains(string(stat), "(sleep) S") {
		t.Errorf("it runs on: %s", stat)
	}
}

// A stopped call ends its command and all that it started.
func TestStoppedCommand(t *testing.T) {
	w := shellWorld(t)
	fifo := filepath.Join(w.dir, "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	c := backend.Call{Tool: "bash", Input: `{"command":"exec 9>fifo; sleep 600 & setsid sleep 600 & echo up >&9; wait"}`}
	v := w.gate.Evaluate(c.Gate())
	permit, _ := v.Permit()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan backend.CallResult, 1)
	go func() { done <- w.Run(ctx, permit, c) }()
	f, err := os.Open(fifo)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.Read(make([]byte, 3)); err != nil {
		t.Fatal(err)
	}
	cancel()
	if got := <-done; !got.Failed || !strings.Contains(got.Text, "context canceled") {
		t.Errorf("%+v", got)
	}
	if rest, err := io.ReadAll(f); err != nil || len(rest) > 0 { // it ends when no process holds it
		t.Errorf("%q, %v", rest, err)
	}
}
