package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"iterion/ir"
	"iterion/runtime"
)

// askers puts a question to one after the other until one answers.
type askers []runtime.Asker

func (list askers) Ask(ctx context.Context, q runtime.Question) (map[string]any, bool, error) {
	for _, a := range list {
		if answers, ok, err := a.Ask(ctx, q); ok || err != nil {
			return answers, ok, err
		}
	}
	return nil, false, nil
}

// fileAsker answers from --answers-file, and says when that does not fit.
type fileAsker struct {
	runtime.Answers
	show *show
}

func (a fileAsker) Ask(ctx context.Context, q runtime.Question) (map[string]any, bool, error) {
	if _, known := a.Answers[q.NodeID]; known && q.Problem != "" {
		a.show.warning("--answers-file does not fit " + q.NodeID + ": " + q.Problem)
	}
	return a.Answers.Ask(ctx, q)
}

// terminalAsker asks on the terminal, or nobody where there is none. The
// prompts go to the terminal even when the error channel does not.
func terminalAsker(std streams, nobody bool, show *show) runtime.Asker {
	if nobody || !isTerminal(std.in) {
		return askers{}
	}
	out := std.err
	if !isTerminal(out) {
		tty, err := os.OpenFile("/dev/tty", os.O_WRONLY, 0)
		if err != nil {
			return askers{}
		}
		out = tty // open as long as the process
	}
	return &asker{in: bufio.NewReader(std.in), out: out, show: show}
}

// asker asks on a terminal, one question at a time.
type asker struct {
	mu   sync.Mutex
	in   *bufio.Reader
	out  io.Writer
	show *show
}

// errNoAnswer tells that the person left the question open (Ctrl-D).
var errNoAnswer = errors.New("no answer")

// Ask implements runtime.Asker.
func (a *asker) Ask(ctx context.Context, q runtime.Question) (map[string]any, bool, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.show.hold()
	defer a.show.release()
	fmt.Fprintf(a.out, "\n%s\n", strings.Join(card(q), "\n"))
	if q.Problem != "" {
		fmt.Fprintf(a.out, "  %s\n", visible(q.Problem))
	}
	answers, err := a.form(ctx, q)
	switch {
	case errors.Is(err, errNoAnswer):
		return nil, false, nil
	case err != nil:
		return nil, false, err
	}
	return answers, true, nil
}

// form asks field by field. Without fields any one text is the answer.
func (a *asker) form(ctx context.Context, q runtime.Question) (map[string]any, error) {
	if len(q.Fields) == 0 {
		text, err := a.line(ctx, "answer: ")
		return map[string]any{"answer": text}, err
	}
	answers := map[string]any{}
	for _, f := range q.Fields {
		if f.Type == "file" {
			continue // files come with --answers-file
		}
		value, given, err := a.field(ctx, q, f)
		if err != nil {
			return nil, err
		}
		if given {
			answers[f.Name] = value
		}
	}
	return answers, nil
}

// field asks for one field until the answer fits its type. Where not every
// field is needed, an empty line leaves it out.
func (a *asker) field(ctx context.Context, q runtime.Question, f ir.Field) (value any, given bool, err error) {
	alone := runtime.Question{Fields: []ir.Field{f}}
	for {
		text, err := a.line(ctx, fmt.Sprintf("%s (%s): ", f.Name, choices(f)))
		if err != nil {
			return nil, false, err
		}
		if text == "" && q.MinAnswers > 0 {
			return nil, false, nil
		}
		answers, problem := runtime.Accept(alone, map[string]any{f.Name: text})
		if problem == nil {
			return answers[f.Name], true, nil
		}
		fmt.Fprintf(a.out, "  %s\n", visible(problem.Error()))
	}
}

func choices(f ir.Field) string {
	switch {
	case f.Enum.Set():
		return strings.Join(ir.Strings(f.Enum), " | ")
	case f.Type == "bool":
		return "true | false"
	case f.Type == "string[]":
		return "texts between commas"
	}
	return f.Type
}

// line reads a line. It returns early when the run is cancelled; the read then
// ends with the process.
func (a *asker) line(ctx context.Context, prompt string) (string, error) {
	fmt.Fprint(a.out, "  "+visible(prompt))
	type read struct {
		text string
		err  error
	}
	done := make(chan read, 1)
	go func() {
		text, err := a.in.ReadString('\n')
		done <- read{text, err}
	}()
	select {
	case <-ctx.Done():
		return "", ctx.Err()
	case r := <-done:
		if errors.Is(r.err, io.EOF) {
			fmt.Fprintln(a.out)
			return "", errNoAnswer
		}
		return strings.TrimRight(r.text, "\r\n"), r.err
	}
}
