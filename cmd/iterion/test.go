package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"iterion/backends/claw"
	"iterion/cmd/bottest"
	"iterion/diagnostics/render"
	"iterion/runtime/backend"
	"iterion/runtime/disk"
	"iterion/workspace"
)

type testOptions struct {
	json     bool
	junit    string
	run      string
	parallel int
	timeout  time.Duration
}

func newTest(std streams) *cobra.Command {
	var opt testOptions
	cmd := &cobra.Command{
		Use:   "test [flags] [PATH...]",
		Short: "Run tests of bots, without a model and without a key",
		Long: `Run tests of bots: files NAME_test.yaml beside NAME.bot, named or found in
folders; without a path, in the current one. A test says what models, tools and
people answer, and what must come of the run:

  tests:
    - name: a fix is pushed
      script: { nodes: { fix: [ output: { done: true } ] } }
      tools: { push: { exit: 0 } }
      expect: { path: [fix, push], outputs: { fix: { done: true } } }

Each test runs in a new folder, with a store in memory and with little of the
environment. Tools that the test says nothing of run for real.

A file that cannot be run is said, and the others go on.

Exit status: 0 every test passed; 1 one did not, or a program is invalid; 2 a
file that cannot be read, or nothing to run.`,
		Example: "  iterion test\n  iterion test bots/ --run 'push|merge' --junit bots.xml",
	}
	flags := cmd.Flags()
	flags.BoolVar(&opt.json, "json", false, "print one JSON document")
	flags.StringVar(&opt.junit, "junit", "", "also write a JUnit report to this file")
	flags.StringVar(&opt.run, "run", "", "only tests whose name matches this regular expression")
	flags.IntVar(&opt.parallel, "parallel", runtime.GOMAXPROCS(0), "tests at the same time")
	flags.DurationVar(&opt.timeout, "timeout", time.Minute, "end a test after this long, as failed")
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return test(cmd, std, opt, args) }
	return cmd
}

func test(cmd *cobra.Command, std streams, opt testOptions, args []string) error {
	only, err := regexp.Compile(opt.run)
	switch {
	case err != nil:
		return misuse(cmd, "--run takes a regular expression, not %q: %s", opt.run, err)
	case opt.parallel < 1:
		return misuse(cmd, "--parallel takes a positive number, not %d", opt.parallel)
	case opt.timeout <= 0:
		return misuse(cmd, "--timeout takes a positive duration, not %s", opt.timeout)
	}
	t := tester{std: std, cmd: cmd, opt: opt, only: only}
	if err := t.find(args); err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	report, err := t.all(ctx)
	switch {
	case err != nil:
		return err
	case ctx.Err() != nil:
		return &status{exitCancelled, "the tests were cancelled"}
	case report.Failed() > 0:
		t.code = max(t.code, exitFailed)
	}
	return ended(t.code)
}

// tester runs the tests of files.
type tester struct {
	std  streams
	cmd  *cobra.Command
	opt  testOptions
	only *regexp.Regexp
	jobs []*testJob
	code int // of files that cannot be run
}

// testJob is a test on its way.
type testJob struct {
	suite string
	bench bottest.Bench
	test  bottest.Test
	done  chan struct{}
	row   render.TestCase
}

// find reads the tests of the paths.
func (t *tester) find(paths []string) error {
	if len(paths) == 0 {
		paths = []string{"."}
	}
	var files []string
	for _, path := range paths {
		found, err := testFiles(path)
		if err != nil {
			return err
		}
		files = append(files, found...)
	}
	if len(files) == 0 {
		return failf("%s: there is no file of tests, called NAME%s", strings.Join(paths, ", "), bottest.Suffix)
	}
	seen := map[string]bool{}
	for _, name := range files {
		if name = filepath.Clean(name); seen[name] {
			continue
		}
		seen[name] = true
		if err := t.read(name); err != nil {
			t.code = max(t.code, conclude(t.std.err, t.cmd, err))
		}
	}
	if len(t.jobs) == 0 && t.code == exitOK {
		return failf("no test is called like --run %q", t.opt.run)
	}
	return nil
}

// testFiles are the files of tests that a path stands for.
func testFiles(path string) (files []string, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, failf("%s: %s", path, reason(err))
	}
	if !info.IsDir() {
		return []string{path}, nil
	}
	workspace.Walk(path, func(at workspace.Folder) bool {
		if filepath.Base(at.Path) == storeName {
			return false
		}
		for _, name := range at.Others {
			if strings.HasSuffix(name, bottest.Suffix) {
				files = append(files, filepath.Join(at.Path, name))
			}
		}
		return true
	}, func(path string, problem error) {
		err = errors.Join(err, failf("%s: %s", path, reason(problem)))
	})
	return files, err
}

// read adds the tests of a file.
func (t *tester) read(name string) error {
	file, err := bottest.Load(name)
	if err != nil {
		return failf("%s: %s", name, reason(err))
	}
	bot, err := file.Program()
	if err != nil {
		return failf("%s: %s", name, err)
	}
	p, err := program(t.std, t.cmd, bot, languageLevel)
	if err != nil {
		return err
	}
	b := bottest.Bench{
		Program: p, Child: childProgram, Timeout: t.opt.timeout, Lookup: os.LookupEnv,
		Backend: func(m backend.LanguageModel) backend.Backend { return claw.New(m, disk.Links{}) },
	}
	for _, test := range file.Tests {
		if t.only.MatchString(test.Name) {
			t.jobs = append(t.jobs, &testJob{suite: filepath.ToSlash(name), bench: b, test: test, done: make(chan struct{})})
		}
	}
	return nil
}

// all runs the tests side by side and tells of them in their order.
func (t *tester) all(ctx context.Context) (*render.TestReport, error) {
	var group errgroup.Group
	group.SetLimit(t.opt.parallel)
	go func() {
		for _, j := range t.jobs {
			group.Go(func() error { j.run(ctx); return nil })
		}
	}()
	report := &render.TestReport{Suites: []render.TestSuite{}, Verb: "test"}
	for _, j := range t.jobs {
		<-j.done
		if last := len(report.Suites) - 1; last < 0 || report.Suites[last].Name != j.suite {
			report.Suites = append(report.Suites, render.TestSuite{Name: j.suite})
		}
		at := &report.Suites[len(report.Suites)-1]
		at.Cases = append(at.Cases, j.row)
		if t.opt.json {
			continue
		}
		if err := j.row.Line(t.std.out, j.suite); err != nil {
			return nil, err
		}
	}
	return report, t.print(report)
}

func (j *testJob) run(ctx context.Context) {
	defer close(j.done)
	defer func() {
		if cause := recover(); cause != nil {
			j.row.Failed, j.row.Reason = true, fmt.Sprintf("internal error: %v (a defect of iterion, not of the bot)\n%s", cause, debug.Stack())
		}
	}()
	j.row.Name = j.test.Name
	out := j.bench.Run(ctx, j.test)
	j.row = render.TestCase{
		Name: j.test.Name, Failed: len(out.Problems) > 0, Seconds: out.Took.Seconds(),
		Want: j.test.Expect.Ending(), Got: out.Ending,
	}
	if j.row.Failed {
		j.row.Reason = strings.Join(slices.Concat(out.Problems, tail(out.Events)), "\n")
	}
}

// tail is the end of a run's log.
func tail(events []bottest.Event) []string {
	const most = 8
	if len(events) == 0 {
		return nil
	}
	lines := []string{"the last events:"}
	for _, e := range events[max(0, len(events)-most):] {
		_, line, _ := strings.Cut(eventLine(e), " ") // the time says nothing here
		lines = append(lines, "    "+line)
	}
	return lines
}

// print ends the output.
func (t *tester) print(report *render.TestReport) error {
	if t.opt.junit != "" {
		if err := writeJUnit(report, t.opt.junit); err != nil {
			return failf("--junit %s: %s", t.opt.junit, reason(err))
		}
	}
	if t.opt.json {
		return report.Print(t.std.out, "json")
	}
	return report.Sum(t.std.out)
}

// writeJUnit writes the report as a whole or not at all.
func writeJUnit(report *render.TestReport, name string) error {
	temp, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*.tmp")
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name()) // gone already after a success
	if err := errors.Join(report.Print(temp, "junit"), temp.Chmod(0o644), temp.Close()); err != nil {
		return fmt.Errorf("it cannot be written: %w", err)
	}
	return os.Rename(temp.Name(), name)
}
