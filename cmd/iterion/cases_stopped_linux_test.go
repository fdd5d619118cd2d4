package main

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"iterion/ir/outcome"
)

// family is a run whose commands hold a pipe.
type family struct {
	calling
	cmd    *exec.Cmd
	hold   *os.File // the pipe's other end, until a command has it
	family *bufio.Reader
	stderr *bufio.Reader
	told   strings.Builder
	ended  chan struct{}
}

// startFamily runs the bot of a; the pipe ends when it and all that it started are
// gone.
func startFamily(a calling, flags []string) *family {
	a.t.Helper()
	name := filepath.Join(a.dir, "pipe")
	f := &family{calling: a, ended: make(chan struct{})}
	f.cmd = exec.CommandContext(a.t.Context(), "iterion", append([]string{"run", "main.bot", "--script", "script.yaml", "--run-id", "r", "--store", "store"}, flags...)...)
	f.cmd.Dir, f.cmd.Env = a.dir, append(os.Environ(), "GORACE=atexit_sleep_ms=0")
	stderr, w, err := os.Pipe()
	if err == nil {
		err = syscall.Mkfifo(name, 0o600)
	}
	if err == nil {
		f.hold, err = os.OpenFile(name, os.O_RDWR, 0)
	}
	var pipe *os.File
	if err == nil {
		pipe, err = os.Open(name)
	}
	if err == nil {
		f.cmd.Stderr = w
		err = f.cmd.Start()
	}
	if err != nil {
		a.t.Fatal(err)
	}
	w.Close()
	f.family, f.stderr = bufio.NewReader(pipe), bufio.NewReader(stderr)
	a.t.Cleanup(func() { _, _ = pipe.Close(), stderr.Close() })
	go func() {
		_ = f.cmd.Wait()
		f.hold.Close() // it has ended without a command
		close(f.ended)
	}()
	return f
}

// until reads the errors up to a line with a text.
func (f *family) until(text string) {
	f.t.Helper()
	for !strings.Contains(f.told.String(), text) {
		line, err := f.stderr.ReadString('\n')
		if f.told.WriteString(line); err != nil {
			f.t.Fatalf("%s, %v", f.told.String(), err)
		}
	}
}

// rest reads the errors to their end.
func (f *family) rest() string {
	_, _ = io.Copy(&f.told, f.stderr)
	return f.told.String()
}

// However a run is stopped, nothing that it started lives on, the run says so,
// its lock is free, and it can go on.
func TestStoppedRunsLeaveNothing(t *testing.T) {
	// Each process of the family holds the pipe, so its end tells that all are gone.
	const family = "test -e again && exit 0; : > again; exec 9>pipe; sleep 600 & (sleep 600 & sleep 600) & setsid bash -c 'echo up >&9; sleep 600; :' & wait; sleep 600"
	const deaf = "trap '' TERM; " + family
	tool := func(command string) string { return "tool t:\n  command: `" + command + "`\n" }
	const capped = "  budget:\n    max_duration: \"300ms\"\n"
	for _, c := range []struct {
		name, node, workflow string
		command              string
		flags                []string
		signals              []os.Signal
		code                 int
		status               outcome.EventType
	}{
		{"Ctrl-C", tool(family), "", "", nil, []os.Signal{syscall.SIGINT}, exitCancelled, outcome.RunCancelled},
		{"SIGTERM", tool(family), "", "", nil, []os.Signal{syscall.SIGTERM}, exitCancelled, outcome.RunCancelled},
		{"the terminal goes away", tool(family), "", "", nil, []os.Signal{syscall.SIGHUP}, exitCancelled, outcome.RunCancelled},
		{"Ctrl-C twice", tool(deaf), "", "", nil, []os.Signal{syscall.SIGINT, syscall.SIGINT}, exitCancelled, outcome.RunCancelled},
		{"a time limit", tool(family), "", "", []string{"--timeout", "300ms"}, nil, exitCancelled, outcome.RunCancelled},
		{"the budget", tool(family), capped, "", nil, nil, exitResumable, outcome.RunFailed},
		{"a model's command", agentRuns, "", family, nil, []os.Signal{syscall.SIGINT}, exitCancelled, outcome.RunCancelled},
		{"a model's command, the budget", agentRuns, capped, family, nil, nil, exitResumable, outcome.RunFailed},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			a := newRunning(t, oneNode(c.node, c.workflow+"\n  t -> done\n"), c.command)
			p := startFamily(a, c.flags)
			if line, err := p.family.ReadString('\n'); err != nil {
				t.Fatalf("%q, %v: %s", line, err, p.rest())
			}
			p.hold.Close()
			for i, signal := range c.signals {
				if err := p.cmd.Process.Signal(signal); err != nil {
					t.Fatal(err)
				}
				if i == 0 {
					p.until("cancelling")
				}
			}
			told := p.rest()
			if _, err := io.Copy(io.Discard, p.family); err != nil {
				t.Fatal(err)
			}
			<-p.ended
			if got := p.cmd.ProcessState.ExitCode(); got != c.code {
				t.Errorf("exit status %d, want %d\n%s", got, c.code, told)
			}
			if events := a.events(); events[len(events)-1].Type != c.status {
				t.Errorf("the run ends with %+v", events[len(events)-1])
			}
			if c.command == "" && !strings.Contains(told, "had left its group") {
				t.Errorf("what left the group is not named:\n%s", told)
			}
			// Nobody owns it any more.
			resume := []string{"--max-duration", "1h"}
			if c.command == "" && c.code == exitCancelled {
				resume = append(resume, "--rerun", "t")
			}
			a.resume(exitOK, resume...)
		})
	}
}
