// Package process runs child processes: each in a group of its own that ends
// with us however we end, its output bounded in memory.
package process

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"iterion/runtime/redact"
)

const (
	// MaxOutput is how much of a command's stdout is kept in memory, in bytes.
	MaxOutput = 8 << 20
	// stderrShown is how much of the end of stderr is kept, in bytes.
	stderrShown = 4 << 10
	// killAfter is how long a cancelled command has to end by itself.
	killAfter = 5 * time.Second
	// drain is how long output is awaited once the command and its group have
	// ended: only a process that left the group still holds the pipe then.
	drain = 500 * time.Millisecond
)

// Command is a child process to run. The program is looked up in the PATH of
// Env, absolute folders only. A script is written to a file whose path becomes
// the last argument.
type Command struct {
	Args   []string
	Script string
	Suffix string // of the script's file; "" for no script
	Dir    string
	Env    []string // nil for our own
	Stdin  string   // "" for nothing to read
	Merge  bool     // stderr goes where stdout goes, in the order of writing

	Limit       int    // bytes of stdout to keep, from its beginning; 0 for MaxOutput
	StderrLimit int    // bytes of stderr to keep, from its end; 0 for 4 KiB
	Spill       string // folder for a stdout longer than Limit; "" cuts it
	// Redact takes secrets out of what is cut or spilled, before it is; nil for
	// nothing. An output that is kept whole is left to the caller.
	Redact *redact.Redactor

	grace time.Duration // of tests, instead of killAfter
}

// Output is what a command left behind. The texts are valid UTF-8.
type Output struct {
	Stdout string // its beginning
	Stderr string // its end
	Exit   int    // 128 and the signal's number for a command that a signal ended
	Lost   int64  // bytes that the command printed and that stand neither in Stdout nor in Spill
	Spill  *Spill // the whole stdout, where it was longer than the limit

	// Escaped are the processes that left the group (setsid, job control) and ran
	// on. Those of a command that was stopped have been killed. Those of a command
	// that ended by itself run on, until the end of WithLeftovers: leaving the group
	// is the one way to start a server for later commands, so it is taken as meant,
	// and named for a caller to warn of. Only Linux finds them, by a variable in their environment; one that
	// clears its environment is not found.
	Escaped []Survivor
}

// Survivor is a process that ran on after its command.
type Survivor struct {
	PID     int
	Command string // its arguments, at most 200 characters
}

type killKey struct{}

// WithKill makes a context whose commands, once it has ended, are killed as soon
// as the other one ends too, instead of after the grace.
func WithKill(ctx, kill context.Context) context.Context {
	return context.WithValue(ctx, killKey{}, kill.Done())
}

// Run runs the command to its end. When ctx ends, its process group gets
// SIGTERM, then SIGKILL after 5 s (see WithKill); what the command leaves running
// in its group is killed in any case. The error is the context's cause when the
// command was stopped, or says why it could not run or why its output could not
// be kept; an exit code is none.
func (c Command) Run(ctx context.Context) (Output, error) {
	if ctx.Err() != nil {
		return Output{}, context.Cause(ctx)
	}
	args, remove, err := c.arguments()
	if err != nil {
		return Output{}, err
	}
	defer remove()
	mark := newMark()
	g, err := newGroup(mark)
	if err != nil {
		return Output{}, fmt.Errorf("the command's process group could not be made: %w", err)
	}
	defer g.close()
	return c.runIn(ctx, g, mark, args)
}

func (c Command) runIn(ctx context.Context, g *group, mark string, args []string) (Output, error) {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = c.Dir, append(c.environment(), mark+"=1"), drain
	if c.Stdin != "" {
		cmd.Stdin = strings.NewReader(c.Stdin)
	}
	g.add(cmd)
	stdout := &head{limit: orDefault(c.Limit, MaxOutput), dir: c.Spill, redact: c.Redact}
	stderr := &tail{limit: orDefault(c.StderrLimit, stderrShown), redact: c.Redact}
	streams, err := start(cmd, c.Merge, stdout, stderr)
	if err != nil {
		return Output{}, startError(err)
	}
	stopped := g.wait(ctx, cmd, orDefault(c.grace, killAfter))
	g.kill()
	out := Output{Exit: exitCode(cmd.ProcessState), Escaped: g.escaped(mark, stopped)}
	streams.end()
	stdout.close()
	out.Stdout, out.Stderr = stdout.text(), stderr.text()
	out.Lost, out.Spill = stdout.lost(), stdout.spilled()
	switch {
	case stopped:
		return out, context.Cause(ctx)
	case len(out.Escaped) > 0:
		if err := keep(ctx, mark); err != nil {
			g.escaped(mark, true)
			return out, fmt.Errorf("what the command left running cannot be watched, and was ended: %w", err)
		}
	}
	if stdout.err != nil {
		return out, fmt.Errorf("the command ran, but its output could not be kept: %w", stdout.err)
	}
	return out, nil
}

// wait waits until the command has ended, and tells whether it was made to.
func (g *group) wait(ctx context.Context, cmd *exec.Cmd, grace time.Duration) (stopped bool) {
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait() // its result is in the state
		close(ended)
	}()
	select {
	case <-ended:
		return false
	case <-ctx.Done():
	}
	g.terminate()
	timer := time.NewTimer(grace)
	defer timer.Stop()
	kill, _ := ctx.Value(killKey{}).(<-chan struct{})
	select {
	case <-ended:
	case <-kill:
	case <-timer.C:
	}
	g.kill()
	<-ended
	return true
}

func startError(err error) error {
	if errors.Is(err, syscall.E2BIG) {
		return errors.New("the command with its values is larger than the system takes (128 KiB in one word): hand large values to a `script:`")
	}
	return err
}

func (c Command) environment() []string {
	if c.Env == nil {
		return os.Environ()
	}
	return c.Env[:len(c.Env):len(c.Env)]
}

func orDefault[N int | time.Duration](n, otherwise N) N {
	if n == 0 {
		return otherwise
	}
	return n
}
