package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"os/user"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"iterion/backends/scripted"
	"iterion/ir"
	"iterion/ir/gate"
	"iterion/ir/outcome"
	"iterion/runtime"
	"iterion/runtime/backend"
	"iterion/runtime/process"
	"iterion/runtime/redact"
	"iterion/runtime/report"
	"iterion/runtime/secrets"
	"iterion/runtime/store"
	"iterion/runtime/worktree"
)

// drive are the flags of the verbs that drive a run.
type drive struct {
	store         string
	script        string
	record        string
	answersFile   string
	envFile       string
	timeout       time.Duration
	noInteractive bool
	json          bool
	color         string
	unknownCost   bool
	backend       string
	model         string
	permission    permissionFlags
	caps          runtime.Caps
	folder        string // that store leads to from where the command was given, absolute
}

func (d *drive) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	storeFlag(cmd, &d.store)
	flags.StringVar(&d.script, "script", "", "the turns that models give, YAML or JSON; no model is called then")
	flags.StringVar(&d.record, "record", "", "write the turns that models give to this file, as a script")
	flags.StringVar(&d.answersFile, "answers-file", "", "answers to people's questions: fields by node or by question, YAML or JSON")
	flags.StringVar(&d.envFile, "env-file", "", "a file of NAME=VALUE lines to add to the environment; none is read unasked")
	flags.DurationVar(&d.timeout, "timeout", 0, "cancel the run after this long, such as 90s or 5m")
	flags.BoolVar(&d.noInteractive, "no-interactive", false, "ask nobody: a question pauses the run")
	flags.BoolVar(&d.json, "json", false, "print the events, one JSON object a line, and nothing else on stdout")
	flags.BoolVar(&d.unknownCost, "allow-unknown-cost", false, "run models whose price is not known although the budget caps the cost")
	flags.StringVar(&d.backend, "backend", "", "the backend of every node, whatever the file says")
	flags.StringVar(&d.model, "model", "", "the model of every node, whatever the file says")
	flags.Float64Var(&d.caps.CostUSD, "max-cost-usd", 0, "cap the cost, in the place of the file's cap")
	flags.Int64Var(&d.caps.Tokens, "max-tokens", 0, "cap the tokens, in the place of the file's cap")
	flags.Int64Var(&d.caps.Iterations, "max-iterations", 0, "cap the node executions, in the place of the file's cap")
	flags.DurationVar(&d.caps.Duration, "max-duration", 0, "cap the active time, in the place of the file's cap")
	d.permission.add(cmd)
	colorFlag(cmd, &d.color)
}

// driven is a run that is ready to be driven.
type driven struct {
	drive
	std     streams
	show    *show
	options runtime.Options
	lookup  func(string) (string, bool)
	fresh   bool               // the run begins
	tape    *scripted.Recorder // of --record, nil without
	tree    *worktree.Tree     // nil when the run works in place
}

// prepare reads everything that a run needs before it starts or goes on.
func (d drive) prepare(cmd *cobra.Command, std streams, file string) (*driven, error) {
	if cmd.Flags().Changed("timeout") && d.timeout <= 0 {
		return nil, misuse(cmd, "--timeout takes a positive duration, not %s", d.timeout)
	}
	if c := d.caps; c.CostUSD < 0 || c.Tokens < 0 || c.Iterations < 0 || c.Duration < 0 {
		return nil, misuse(cmd, "a cap of the budget is not negative")
	}
	dress, err := lookOf(d.color, std.out)
	if err != nil {
		return nil, err
	}
	level, err := d.permission.level(cmd)
	if err != nil {
		return nil, err
	}
	out := &driven{drive: d, std: std}
	o := &out.options
	if o.Program, err = launchable(std, cmd, file); err != nil {
		return nil, err
	}
	if o.Env, err = environment(d.envFile); err != nil {
		return nil, err
	}
	out.lookup = lookupIn(o.Env)
	var answers runtime.Answers
	if answers, err = readAnswers(d.answersFile, o.Program); err != nil {
		return nil, err
	}
	if o.Backends, err = d.backendsFor(file, o.Program, out.lookup, out.watched); err != nil {
		return nil, err
	}
	if o.Workspace, err = os.Getwd(); err != nil {
		return nil, failf("the current folder cannot be found: %s", reason(err))
	}
	o.Started = o.Workspace
	if o.File, err = filepath.Abs(file); err != nil {
		return nil, err
	}
	if out.folder == "" {
		if out.folder, err = storeFolder(d.store); err != nil {
			return nil, err
		}
	}
	mode, _ := out.lookup("ITERION_PERMISSION")
	o.Permission = runtime.Permission{Flag: level, Environment: mode, Home: homeFolder(), Closed: closedBy(out.folder)}
	o.Caps, o.Operator = d.caps, operator()
	o.Child, o.Backend, o.Model, o.AllowUnknownCost = childProgram, d.backend, d.model, d.unknownCost
	out.show = newShow(std, d.json, dress)
	o.OnEvent, o.OnWarning = out.show.event, out.show.warning
	o.Asker = askers{fileAsker{answers, out.show}, terminalAsker(std, d.noInteractive, out.show)}
	return out, nil
}

// operator is who gives the command, "" when that is not known.
func operator() string {
	who, err := user.Current()
	if err != nil {
		return ""
	}
	return who.Username
}

// watched puts the recorder of --record before a model.
func (d *driven) watched(m backend.LanguageModel) backend.LanguageModel {
	if d.record == "" {
		return m
	}
	d.tape = scripted.NewRecorder(m, func(text string) string { return redact.New(d.options.Secrets.Values).Text(text) })
	return d.tape
}

// files is the folder of what is handed to the run and what its tools hand over.
func (d *driven) files() string { return filepath.Join(d.folder, "files", d.options.RunID) }

// launchable is the program of a file; an invalid one is a wrong request to run.
func launchable(std streams, cmd *cobra.Command, file string) (*ir.Program, error) {
	p, err := program(std, cmd, file, languageLevel)
	var s *status
	if errors.As(err, &s) && s.code == exitFailed {
		s.code = exitUsage
	}
	return p, err
}

// closedBy are the files of the store that no rule opens to a model's tools.
func closedBy(folder string) []string {
	var out []string
	for _, name := range []string{"runs.db", "runs.db-wal", "runs.db-shm", "blobs"} {
		out = append(out, filepath.ToSlash(filepath.Join(folder, name)))
	}
	return out
}

func readAnswers(file string, p *ir.Program) (answers runtime.Answers, err error) {
	if err := readYAML("--answers-file", file, &answers); err != nil {
		return nil, err
	}
	for name := range answers {
		if strings.Contains(name, "/") { // the id of one question
			continue
		}
		if err := known("--answers-file", name, p, ir.KindHuman, ir.KindAgent, ir.KindJudge); err != nil {
			return nil, err
		}
	}
	return answers, nil
}

// conduct drives a run and turns its end into an exit status.
func (d *driven) conduct(cmd *cobra.Command, run func(context.Context) (runtime.Result, error)) error {
	kept, err := openStore(d.folder)
	if err != nil {
		return storeFailure(err)
	}
	defer kept.Close()
	if _, err := kept.Run(d.options.RunID); d.fresh && err == nil {
		return d.refused(store.ErrExists)
	}
	d.options.Store = kept
	held, err := secrets.Resolve(d.options.Program, secrets.Options{Lookup: d.lookup, Workspace: d.options.Started, Warn: d.show.warning})
	if err != nil {
		return failf("%s", err)
	}
	defer held.Close()
	d.options.Secrets = runtime.Secrets{Values: held.Values, Paths: held.Paths, Hosts: held.Hosts, Env: held.Env}
	if err := d.show.begin(d.options); err != nil {
		return storeFailure(err)
	}
	d.options.ArtifactDir = d.files()
	if err := os.MkdirAll(d.options.ArtifactDir, 0o700); err != nil {
		return &status{exitFailed, "there is no folder for the run's files: " + reason(err)}
	}
	ctx, stop := cancellable(cmd.Context(), d.std, d.timeout)
	defer stop()
	if err := d.settleIn(ctx); err != nil {
		return err
	}
	result, err := run(ctx)
	if err == nil {
		err = d.leave(result)
	}
	if closing := d.show.close(); err == nil {
		err = closing
	}
	if d.tape != nil && err == nil {
		err = d.tape.Write(d.record)
	}
	if err != nil {
		return d.refused(err)
	}
	return concludeRun(result, d.store)
}

// refused is the exit status of a run that did not start or could not be
// recorded.
func (d *driven) refused(err error) error {
	var owned *store.OwnedError
	var failure *runtime.Failure
	var mode *gate.ModeError
	switch {
	case errors.As(err, &owned):
		return failf("%s; wait for it, or end it with `iterion cancel %s`", err, owned.Run)
	case errors.Is(err, store.ErrExists):
		return failf("%s: choose another --run-id, or go on with `%s`", err, report.Resume(d.options.RunID, d.store))
	case errors.As(err, &mode):
		return failf("%s", err)
	case errors.As(err, &failure) && failure.Code == outcome.ResumeInvalid:
		return failf("%s", failure.Message)
	case errors.As(err, &failure) && failure.Code == outcome.OutcomeUnknown:
		return &status{exitResumable, fmt.Sprintf("%s: %s", d.options.RunID, err)}
	}
	return &status{exitFailed, err.Error()}
}

// storeFailure is the exit status of a store that cannot be used.
func storeFailure(err error) error {
	var s *status
	if errors.As(err, &s) {
		return err
	}
	return &status{exitFailed, err.Error()}
}

// cancellable is the context of a run: the first interrupt cancels it, the
// second kills what it started, the third ends this process as it is. A timeout
// cancels it too.
func cancellable(ctx context.Context, std streams, timeout time.Duration) (context.Context, func()) {
	kill, now := context.WithCancel(context.Background())
	ctx, cancel := context.WithCancelCause(process.WithKill(ctx, kill))
	release := func() {}
	if timeout > 0 {
		cause := fmt.Errorf("the run took longer than --timeout %s", timeout)
		ctx, release = context.WithTimeoutCause(ctx, timeout, cause)
	}
	signals := make(chan os.Signal, 3)
	// A reader of the events that went away (SIGPIPE) ends the run as well.
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGPIPE)
	go func() {
		if sig, ok := <-signals; ok {
			fmt.Fprintln(std.err, "\niterion: run: cancelling; Ctrl-C again ends at once")
			cancel(fmt.Errorf("the run was cancelled (%s)", sig))
		}
		if _, ok := <-signals; ok {
			now()
		}
		if _, ok := <-signals; ok {
			os.Exit(exitCancelled)
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		close(signals)
		now()
		release()
		cancel(nil)
	}
}

// concludeRun turns a run's end into an exit status with what to do next.
func concludeRun(r runtime.Result, store string) error {
	switch r.Status {
	case outcome.Finished:
		return nil
	case outcome.CancelledRun:
		return &status{exitCancelled, r.RunID + " was cancelled; it goes on with " + nextSteps(r, store)[0]}
	case outcome.PausedHuman, outcome.PausedOperator:
		return &status{exitPaused, pausedMessage(r, store)}
	case outcome.FailedResumable:
		message := failedMessage(r)
		if code, ok := outcome.Lookup(r.FailureCode); ok && code.Retryable {
			message += "\n    the cause may pass: " + nextSteps(r, store)[0]
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

func pausedMessage(r runtime.Result, store string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s is paused", r.RunID)
	if r.Error != "" {
		b.WriteString(": " + visible(r.Error))
	}
	for _, q := range r.Waiting {
		b.WriteString("\n    " + strings.Join(card(q), "\n    "))
	}
	for _, line := range nextSteps(r, store) {
		b.WriteString("\n    " + line)
	}
	return b.String()
}
