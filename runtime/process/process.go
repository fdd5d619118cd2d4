// Package process runs child processes: each in a group of its own, without
// stdin, ended with us however we end.
package process

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	goruntime "runtime"
	"strings"
	"syscall"
	"time"
)

const (
	// MaxOutput is how much of a command's stdout is kept, in bytes.
	MaxOutput = 8 << 20
	// stderrShown is how much of the end of stderr is kept, in bytes.
	stderrShown = 4 << 10
	// killAfter is how long a cancelled command has to end by itself.
	killAfter = 5 * time.Second
)

// Command is a child process to run. A script is written to a file whose path
// becomes the last argument.
type Command struct {
	Args   []string
	Script string
	Suffix string
	Dir    string
	Env    []string
}

// Output is what a command left behind.
type Output struct {
	Stdout string
	Stderr string
	Exit   int
	Lost   int64 // bytes of stdout beyond MaxOutput
}

// interpreters run a script by its `language:`.
var interpreters = map[string][2]string{
	"js": {"node", ".js"}, "node": {"node", ".js"},
	"py": {"python3", ".py"}, "python": {"python3", ".py"}, "python3": {"python3", ".py"},
	"sh": {"sh", ".sh"}, "bash": {"bash", ".sh"},
}

// ScriptCommand runs a script by the interpreter of a `language:`.
func ScriptCommand(language, script string) (Command, error) {
	in, ok := interpreters[language]
	if !ok {
		return Command{}, fmt.Errorf("no interpreter runs the language %s", language)
	}
	return Command{Args: []string{in[0]}, Script: script, Suffix: in[1]}, nil
}

// Run runs the command to its end, in a process group of its own, without
// stdin. When ctx ends the group gets SIGTERM, then SIGKILL; what the command
// leaves running is killed. The error is the context's cause, or says why the
// command could not run; an exit code is none.
func (c Command) Run(ctx context.Context) (Output, error) {
	if ctx.Err() != nil {
		return Output{}, context.Cause(ctx)
	}
	args := c.Args
	if c.Suffix != "" {
		dir, err := os.MkdirTemp("", "iterion-script-")
		if err != nil {
			return Output{}, err
		}
		defer os.RemoveAll(dir)
		file := filepath.Join(dir, "script"+c.Suffix)
		if err := os.WriteFile(file, []byte(c.Script), 0o600); err != nil {
			return Output{}, err
		}
		args = append(args[:len(args):len(args)], file)
	}
	if _, err := exec.LookPath(args[0]); err != nil {
		return Output{}, fmt.Errorf("%s is not installed", args[0])
	}
	args = guarded(args)
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = c.Dir, c.Env, killAfter
	stdout, stderr := &head{limit: MaxOutput}, &tail{limit: stderrShown}
	cmd.Stdout, cmd.Stderr = stdout, stderr
	err := inGroup(cmd)
	p := Output{
		Stdout: strings.ToValidUTF8(string(stdout.kept), "\uFFFD"),
		Stderr: strings.ToValidUTF8(string(stderr.kept), "\uFFFD"),
		Lost:   stdout.lost, Exit: -1,
	}
	if cmd.ProcessState != nil {
		p.Exit = cmd.ProcessState.ExitCode()
	}
	var status *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return p, context.Cause(ctx)
	case err == nil, errors.As(err, &status), errors.Is(err, exec.ErrWaitDelay):
		return p, nil
	case errors.Is(err, syscall.E2BIG):
		return p, errors.New("the command with its values is larger than the system takes (128 KiB in one word): hand large values to a `script:`")
	}
	return p, err
}

// inGroup runs a command in its own process group. The parent-death signal is
// tied to the thread that forks, so the goroutine keeps its thread.
func inGroup(cmd *exec.Cmd) error {
	goruntime.LockOSThread()
	defer goruntime.UnlockOSThread()
	ownGroup(cmd)
	if err := cmd.Start(); err != nil {
		return err
	}
	defer killGroup(cmd.Process.Pid)
	return cmd.Wait()
}

// head keeps the beginning of what is written and counts the rest.
type head struct {
	kept  []byte
	limit int
	lost  int64
}

func (h *head) Write(p []byte) (int, error) {
	room := min(len(p), h.limit-len(h.kept))
	h.kept = append(h.kept, p[:room]...)
	h.lost += int64(len(p) - room)
	return len(p), nil
}

// tail keeps the end of what is written.
type tail struct {
	kept  []byte
	limit int
}

func (t *tail) Write(p []byte) (int, error) {
	t.kept = append(t.kept, p...)
	if over := len(t.kept) - t.limit; over > 0 {
		t.kept = append(t.kept[:0], t.kept[over:]...)
	}
	return len(p), nil
}
