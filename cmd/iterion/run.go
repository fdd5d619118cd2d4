package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"iterion/ir"
	"iterion/ir/outcome"
	"iterion/runtime"
)

type runOptions struct {
	vars          []string
	varsFile      string
	preset        string
	script        string
	answersFile   string
	runID         string
	timeout       time.Duration
	noInteractive bool
	json          bool
	color         string
}

func newRun(std streams) *cobra.Command {
	var opt runOptions
	cmd := &cobra.Command{
		Use:   "run [flags] FILE",
		Short: "Run a workflow",
		Long: `Run the workflow of a .bot file, or of the main.bot in a folder.

On a terminal the nodes at work are shown live, and questions to a person are
asked in place. Elsewhere every event is a line; with --json, a JSON object.
Ctrl-C cancels the run; a second one ends it at once.

Exit status: 0 finished; 1 failed; 2 a wrong flag or an invalid file; 3 the run
waits for a person; 4 failed, and may be run again; 130 cancelled.`,
		Example: `  iterion run hello.bot
  iterion run hello.bot --var limit=25 --var name=Ada
  iterion run review.bot --script turns.yaml --answers-file answers.yaml --json`,
		Args: takes(1, 1, "one file"),
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&opt.vars, "var", nil, "a variable, NAME=VALUE; goes before --vars-file, that before --preset")
	flags.StringVar(&opt.varsFile, "vars-file", "", "variables by name, YAML or JSON")
	flags.StringVar(&opt.preset, "preset", "", "a preset of the file")
	flags.StringVar(&opt.script, "script", "", "the turns that models give, YAML or JSON; no model is called then")
	flags.StringVar(&opt.answersFile, "answers-file", "", "answers to people's questions: fields by node, YAML or JSON")
	flags.StringVar(&opt.runID, "run-id", "", "the run's name; a random one if not given")
	flags.DurationVar(&opt.timeout, "timeout", 0, "cancel the run after this long, such as 90s or 5m")
	flags.BoolVar(&opt.noInteractive, "no-interactive", false, "ask nobody: a question pauses the run")
	flags.BoolVar(&opt.json, "json", false, "print the events, one JSON object a line, and nothing else on stdout")
	colorFlag(cmd, &opt.color)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return run(cmd, std, opt, args[0])
	}
	return cmd
}

func run(cmd *cobra.Command, std streams, opt runOptions, arg string) error {
	if err := opt.check(cmd); err != nil {
		return err
	}
	dress, err := lookOf(opt.color, std.out)
	if err != nil {
		return err
	}
	options, answers, err := runtimeOptions(cmd, std, opt, arg)
	if err != nil {
		return err
	}
	show := newShow(std, opt, dress)
	options.OnEvent, options.OnWarning = show.event, show.warning
	options.Asker = askers{fileAsker{answers, show}, terminalAsker(std, opt, show)}

	ctx, stop := cancellable(cmd.Context(), std, opt.timeout)
	defer stop()
	result, err := runtime.Run(ctx, options)
	if closing := show.close(); err == nil {
		err = closing
	}
	if err != nil {
		return &status{exitFailed, err.Error()}
	}
	return concludeRun(result)
}

// check refuses flags whose values no run can have.
func (opt runOptions) check(cmd *cobra.Command) error {
	switch {
	case cmd.Flags().Changed("timeout") && opt.timeout <= 0:
		return misuse(cmd, "--timeout takes a positive duration, not %s", opt.timeout)
	case cmd.Flags().Changed("run-id") && !regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$`).MatchString(opt.runID):
		return misuse(cmd, "--run-id takes letters, digits, dots, dashes and underscores, not %q", opt.runID)
	}
	return nil
}

// runtimeOptions reads everything that a run needs before it starts.
func runtimeOptions(cmd *cobra.Command, std streams, opt runOptions, arg string) (o runtime.Options, answers runtime.Answers, err error) {
	if o.Program, err = program(std, cmd, arg, languageLevel); err != nil {
		var s *status
		if errors.As(err, &s) && s.code == exitFailed {
			s.code = exitUsage // an invalid file is a wrong request to run
		}
		return o, nil, err
	}
	vars, err := readVars(cmd, opt)
	if err != nil {
		return o, nil, err
	}
	if o.Vars, err = runtime.BindVars(o.Program, vars, opt.preset, os.LookupEnv); err != nil {
		return o, nil, failf("%s", err)
	}
	if err := readYAML("--answers-file", opt.answersFile, &answers); err != nil {
		return o, nil, err
	}
	for name := range answers {
		if err := known("--answers-file", name, o.Program, ir.KindHuman); err != nil {
			return o, nil, err
		}
	}
	if o.Secrets, err = secretsOf(o.Program, os.LookupEnv); err != nil {
		return o, nil, err
	}
	o.RunID, o.Child = opt.runID, childProgram
	o.Backends, err = backendsFor(opt.script, o.Program)
	return o, answers, err
}

// known refuses a node that a file speaks of and the program lacks: what is
// said of it would be ignored.
func known(file, name string, p *ir.Program, kinds ...ir.Kind) error {
	var ids []string
	for _, n := range p.Nodes {
		if slices.Contains(kinds, n.Kind) {
			ids = append(ids, n.ID)
		}
	}
	if slices.Contains(ids, name) {
		return nil
	}
	what := "nothing that a model answers"
	if kinds[0] == ir.KindHuman {
		what = "no human node"
	}
	return failf("%s: the program has %s called %q%s", file, what, name, didYouMean(name, ids, ""))
}

// cancellable is the context of a run: the first interrupt cancels it, the
// second ends the process, a timeout cancels it too.
func cancellable(ctx context.Context, std streams, timeout time.Duration) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	release := func() {}
	if timeout > 0 {
		cause := fmt.Errorf("the run took longer than --timeout %s", timeout)
		ctx, release = context.WithTimeoutCause(ctx, timeout, cause)
	}
	signals := make(chan os.Signal, 2)
	// A reader of the events that went away (SIGPIPE) ends the run as well.
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGPIPE)
	go func() {
		if sig, ok := <-signals; ok {
			fmt.Fprintln(std.err, "\niterion: run: cancelling; Ctrl-C again ends at once")
			cancel(fmt.Errorf("the run was cancelled (%s)", sig))
		}
		if _, ok := <-signals; ok {
			os.Exit(exitCancelled)
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		close(signals)
		release()
		cancel(nil)
	}
}

// concludeRun turns a run's end into an exit status with what to do next.
func concludeRun(r runtime.Result) error {
	switch r.Status {
	case outcome.Finished:
		return nil
	case outcome.CancelledRun:
		return &status{exitCancelled, r.RunID + " was cancelled"}
	case outcome.PausedHuman, outcome.PausedOperator:
		return &status{exitPaused, pausedMessage(r)}
	case outcome.FailedResumable:
		message := failedMessage(r)
		if code, ok := outcome.Lookup(r.FailureCode); ok && code.Retryable {
			message += "\n    the cause may pass: run it again"
		}
		return &status{exitResumable, message}
	}
	return &status{exitFailed, failedMessage(r)}
}

func failedMessage(r runtime.Result) string {
	at := ""
	if r.FailedNode != "" {
		at = " at " + r.FailedNode
	}
	return fmt.Sprintf("%s failed%s: %s: %s", r.RunID, at, r.FailureCode, visible(r.Error))
}

func pausedMessage(r runtime.Result) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s is paused", r.RunID)
	if r.Error != "" {
		b.WriteString(": " + visible(r.Error))
	}
	for _, q := range r.Waiting {
		fmt.Fprintf(&b, "\n    %s waits for a person: %s", q.NodeID, strings.Join(fieldNames(q), ", "))
	}
	if len(r.Waiting) > 0 {
		b.WriteString("\n    this build keeps runs in memory only: run it again with --answers-file, or on a terminal")
	}
	return b.String()
}

func fieldNames(q runtime.Question) []string {
	names := []string{}
	for _, f := range q.Fields {
		names = append(names, f.Name+" ("+f.Type+")")
	}
	if len(names) == 0 {
		return []string{"any answer"}
	}
	return names
}
