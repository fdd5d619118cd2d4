package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"iterion/ir/outcome"
	"iterion/runtime"
	"iterion/runtime/store"
)

const (
	cancelPoll = 50 * time.Millisecond
	cancelWait = 15 * time.Second // children have 5 s to end by themselves
)

func newCancel(std streams) *cobra.Command {
	var folder string
	cmd := &cobra.Command{
		Use:   "cancel RUN",
		Short: "Cancel a run",
		Long: `Cancel a run, wherever it is driven on this machine, and wait until it has ended:
its nodes are cancelled, their processes asked to end and then killed. A run that
nobody drives is marked as cancelled. It can be resumed.

Exit status: 0 cancelled; 1 it did not end in time; 2 there is no such run, or it
has ended.`,
		Example:           "  iterion cancel run_ABC",
		Args:              takes(1, 1, "one run"),
		ValidArgsFunction: completeRuns(&folder),
	}
	storeFlag(cmd, &folder)
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return cancelRun(cmd.Context(), std, folder, args[0]) }
	return cmd
}

func cancelRun(ctx context.Context, std streams, folder, id string) error {
	run, err := findRun(folder, id)
	if err != nil {
		return err
	}
	s, err := openStore(folder)
	if err != nil {
		return storeFailure(err)
	}
	defer s.Close()
	switch run.Status {
	case outcome.Finished, outcome.Failed, outcome.CancelledRun:
		return failf("run %s is %s already", id, run.Status)
	}
	owner, live, err := s.Owner(id)
	switch {
	case err != nil:
		return storeFailure(err)
	case live:
		err = endOwner(ctx, s, id, owner)
	default:
		err = runtime.Cancel(s, id, "cancelled by iterion cancel")
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(std.out, "%s is cancelled\n", id)
	return err
}

// endOwner asks the process that drives a run to cancel it, and waits.
func endOwner(ctx context.Context, s store.Store, id string, owner store.Owner) error {
	if host, _ := os.Hostname(); owner.Host != host {
		return failf("run %s is driven on %s: cancel it there", id, owner.Host)
	}
	process, err := os.FindProcess(owner.PID)
	if err == nil {
		err = process.Signal(syscall.SIGTERM)
	}
	if err != nil && !errors.Is(err, os.ErrProcessDone) {
		return failf("process %d, which drives run %s, cannot be reached: %s", owner.PID, id, reason(err))
	}
	ctx, stop := context.WithTimeout(ctx, cancelWait)
	defer stop()
	for {
		run, err := s.Run(id)
		if err != nil {
			return storeFailure(err)
		}
		if run.Status != outcome.Running {
			return nil
		}
		select {
		case <-ctx.Done():
			return &status{exitFailed, fmt.Sprintf("run %s has not ended after %s; process %d drives it", id, cancelWait, owner.PID)}
		case <-time.After(cancelPoll):
		}
	}
}
