package toolrun

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"iterion/runtime/backend"
	"iterion/runtime/process"
)

const (
	// commandTime is how long a command may take unless it asks for another time.
	commandTime = 2 * time.Minute
	// mostPrinted is how much of a command's output the model sees from its
	// beginning, in bytes; endPrinted how much from the end of a longer one.
	mostPrinted = 24 << 10
	endPrinted  = 8 << 10
)

var errCommandTime = errors.New("the time was over")

// commandInput is the input of the tools that run code.
type commandInput struct {
	Command  string `json:"command"`
	Code     string `json:"code"`
	Language string `json:"language"`
	Timeout  int64  `json:"timeout"` // in milliseconds
}

func bash(ctx context.Context, r *Runner, a args) backend.CallResult {
	var in commandInput
	if err := a.into(&in); err != nil {
		return failed("%v", err)
	}
	return r.command(ctx, process.Command{Args: []string{"bash", "-c", in.Command}}, in.Timeout)
}

// diagnosticShell runs a command of one line: what a person approves or reads
// in a log is then all there is.
func diagnosticShell(ctx context.Context, r *Runner, a args) backend.CallResult {
	var in commandInput
	if err := a.into(&in); err != nil {
		return failed("%v", err)
	}
	if strings.ContainsAny(in.Command, "\n\r") {
		return failed("diagnostic_shell takes one line; nothing was run. Use bash for a command of several")
	}
	return r.command(ctx, process.Command{Args: []string{"bash", "-c", in.Command}}, in.Timeout)
}

// replLanguages are the spellings of languages, by how process knows them. What
// a shell runs must be a shell's language for the gate too.
var replLanguages = map[string]string{
	"python": "python", "python3": "python", "py": "python",
	"javascript": "node", "js": "node", "node": "node",
	"bash": "bash", "shell": "bash", "sh": "sh",
}

// repl runs a program in a fresh interpreter.
func repl(ctx context.Context, r *Runner, a args) backend.CallResult {
	var in commandInput
	if err := a.into(&in); err != nil {
		return failed("%v", err)
	}
	c, err := process.ScriptCommand(replLanguages[strings.ToLower(in.Language)], in.Code)
	if err != nil {
		return failed("no interpreter runs the language %s; there are python, javascript, bash and sh", show(in.Language))
	}
	return r.command(ctx, c, in.Timeout)
}

// command runs a command to its end or the end of its time. An exit code other
// than 0 is a failed result.
func (r *Runner) command(ctx context.Context, c process.Command, milliseconds int64) backend.CallResult {
	limit := commandTime
	if milliseconds > 0 {
		limit = time.Duration(milliseconds) * time.Millisecond
	}
	ctx, cancel := context.WithTimeoutCause(ctx, limit, errCommandTime)
	defer cancel()
	c.Dir, c.Merge, c.Limit, c.Spill, c.Redact = r.Dir, true, mostPrinted, r.Spill, r.Redact
	c.Env = append([]string{}, r.Env...) // never nil, which is our own environment
	out, err := c.Run(ctx)
	result := backend.CallResult{Text: printed(out), Failed: err != nil || out.Exit != 0}
	note := func(format string, a ...any) { result.Text += fmt.Sprintf("("+format+")\n", a...) }
	switch {
	case errors.Is(err, errCommandTime):
		note("the command was stopped after %v, with what it had started", limit)
	case err != nil:
		note("%v", err)
	case out.Exit != 0:
		note("exit code %d", out.Exit)
	case result.Text == "":
		note("no output")
	}
	for _, s := range out.Escaped {
		if err == nil {
			note("process %d runs on until the run stops, it has left the command's group: %s", s.PID, show(s.Command))
		}
	}
	return result
}

// printed is what a command printed, cut to what the model sees.
func printed(out process.Output) string {
	text := strings.ReplaceAll(out.Stdout, "\x00", "\uFFFD")
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	if out.Lost > 0 {
		text += fmt.Sprintf("(cut here: %d bytes more are not kept)\n", out.Lost)
	}
	if out.Spill != nil {
		text += fmt.Sprintf("(cut here: all %d bytes are in %s, the end follows)\n", out.Spill.Size, show(out.Spill.Path))
		text += ending(out.Spill.Path, max(0, min(endPrinted, out.Spill.Size-int64(len(out.Stdout)))))
	}
	return text
}

// ending is the end of a file of ours, as whole lines where it has several.
func ending(path string, most int64) string {
	f, err := os.Open(path)
	if err != nil {
		return fmt.Sprintf("(it cannot be read: %v)\n", err)
	}
	defer f.Close()
	if _, err := f.Seek(-most, io.SeekEnd); err != nil {
		return fmt.Sprintf("(it cannot be read: %v)\n", err)
	}
	b, err := io.ReadAll(io.LimitReader(f, most))
	if err != nil {
		return fmt.Sprintf("(it cannot be read: %v)\n", err)
	}
	text := strings.ReplaceAll(strings.ToValidUTF8(string(b), "\uFFFD"), "\x00", "\uFFFD")
	if _, lines, several := strings.Cut(text, "\n"); several && lines != "" {
		text = lines
	}
	return strings.TrimSuffix(text, "\n") + "\n"
}
