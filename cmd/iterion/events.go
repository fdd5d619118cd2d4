package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"time"

	"github.com/spf13/cobra"

	"iterion/diagnostics/render"
	"iterion/ir/outcome"
	"iterion/runtime/store"
)

// followEvery is how often the store is asked for new events.
const followEvery = 150 * time.Millisecond

type eventsOptions struct {
	store  string
	follow bool
	json   bool
	after  int64
}

func newEvents(std streams) *cobra.Command {
	var opt eventsOptions
	cmd := &cobra.Command{
		Use:   "events RUN",
		Short: "Print the events of a run",
		Long: `Print the events of a run as ` + "`iterion run`" + ` prints them: a line each, with --json a
JSON object each. With --follow go on with those to come, also of a run that
another process drives, until the run ends or pauses. Ctrl-C ends the command,
not the run.`,
		Example:           "  iterion events run_ABC\n  iterion events run_ABC --follow\n  iterion events run_ABC --json --after 120",
		Args:              takes(1, 1, "one run"),
		ValidArgsFunction: completeRuns(&opt.store),
	}
	storeFlag(cmd, &opt.store)
	flags := cmd.Flags()
	flags.BoolVarP(&opt.follow, "follow", "f", false, "wait for more events until the run ends")
	flags.BoolVar(&opt.json, "json", false, "print one JSON object a line")
	flags.Int64Var(&opt.after, "after", 0, "only events behind this number (`seq`)")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if opt.after < 0 {
			return misuse(cmd, "--after takes the number of an event, not %d", opt.after)
		}
		if _, err := findRun(opt.store, args[0]); err != nil {
			return err
		}
		s, err := readStore(opt.store)
		if err != nil {
			return storeFailure(err)
		}
		defer s.Close()
		ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt)
		defer stop()
		f := follower{Store: s, run: args[0], after: opt.after, print: linePrinter(std.out, opt.json)}
		if !opt.follow {
			_, err := f.more()
			return err
		}
		tick := time.NewTicker(followEvery)
		defer tick.Stop()
		return f.follow(ctx, tick.C)
	}
	return cmd
}

func linePrinter(out io.Writer, asJSON bool) func(store.Event) error {
	if asJSON {
		return func(e store.Event) error { return render.EncodeLine(out, e) }
	}
	return func(e store.Event) error {
		_, err := fmt.Fprintln(out, eventLine(e))
		return err
	}
}

// follower prints a run's events as they come.
type follower struct {
	store.Store
	run   string
	after int64
	print func(store.Event) error
}

// more prints what is new and tells whether there was anything.
func (f *follower) more() (bool, error) {
	events, err := f.Events(f.run, f.after)
	if err != nil {
		return false, storeFailure(err)
	}
	for _, e := range events {
		if err := f.print(e); err != nil {
			return false, err
		}
		f.after = e.Seq
	}
	return len(events) > 0, nil
}

// follow goes on until the run no longer does. One that nobody drives has ended
// as well: its owner is asked for before its events, so that none is missed, and
// twice, as a run is there a moment before its owner.
func (f *follower) follow(ctx context.Context, tick <-chan time.Time) error {
	for alone := 0; ; {
		_, live, err := f.Owner(f.run)
		if err != nil {
			return storeFailure(err)
		}
		news, err := f.more()
		if err != nil {
			return err
		}
		run, err := f.Run(f.run)
		switch {
		case err != nil:
			return storeFailure(err)
		case run.Status != outcome.Running && run.Status != outcome.Queued && run.Seq <= f.after:
			return nil
		case live || news:
			alone = 0
		default:
			alone++
		}
		if alone == 2 {
			return &status{exitFailed, fmt.Sprintf("no process drives run %s any more; `iterion resume %s` goes on with it", f.run, f.run)}
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick:
		}
	}
}
