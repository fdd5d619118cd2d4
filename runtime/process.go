package runtime

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
	// maxOutput is how much of a command's stdout is kept, in bytes.
	maxOutput = 8 << 20
	// killAfter is how long a cancelled command has to end by itself.
	killAfter = 5 * time.Second
)

// command is a child process to run. A script is written to a file whose path
// becomes the last argument.
type command struct {
	args   []string
	script string
	suffix string
	dir    string
	env    []string
}

// printed is what a command left behind.
type printed struct {
	stdout string
	stderr string
	exit   int
	lost   int64 // bytes of stdout beyond maxOutput
}

// interpreters run a script by its `language:`.
var interpreters = map[string][2]string{
	"js": {"node", ".js"}, "node": {"node", ".js"},
	"py": {"python3", ".py"}, "python": {"python3", ".py"}, "python3": {"python3", ".py"},
	"sh": {"sh", ".sh"}, "bash": {"bash", ".sh"},
}

func scriptCommand(language, script string) (command, error) {
	in, ok := interpreters[language]
	if !ok {
		return command{}, fmt.Errorf("no interpreter runs the language %s", language)
	}
	return command{args: []string{in[0]}, script: script, suffix: in[1]}, nil
}

// run runs the command to its end, in a process group of its own, without
// stdin. When ctx ends the group gets SIGTERM, then SIGKILL; what the command
// leaves running is killed. The error is the context's cause, or says why the
// command could not run; an exit code is none.
func (c command) run(ctx context.Context) (printed, error) {
	if ctx.Err() != nil {
		return printed{}, context.Cause(ctx)
	}
	args := c.args
	if c.suffix != "" {
		dir, err := os.MkdirTemp("", "iterion-script-")
		if err != nil {
			return printed{}, err
		}
		defer os.RemoveAll(dir)
		file := filepath.Join(dir, "script"+c.suffix)
		if err := os.WriteFile(file, []byte(c.script), 0o600); err != nil {
			return printed{}, err
		}
		args = append(args[:len(args):len(args)], file)
	}
	if _, err := exec.LookPath(args[0]); err != nil {
		return printed{}, fmt.Errorf("%s is not installed", args[0])
	}
	args = guarded(args)
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = c.dir, c.env, killAfter
	stdout, stderr := &head{limit: maxOutput}, &tail{limit: stderrShown}
	cmd.Stdout, cmd.Stderr = stdout, stderr
	err := inGroup(cmd)
	p := printed{
		stdout: strings.ToValidUTF8(string(stdout.kept), "\uFFFD"),
		stderr: strings.ToValidUTF8(string(stderr.kept), "\uFFFD"),
		lost:   stdout.lost, exit: -1,
	}
	if cmd.ProcessState != nil {
		p.exit = cmd.ProcessState.ExitCode()
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
