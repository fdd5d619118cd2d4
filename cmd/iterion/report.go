package main

import (
	"bytes"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"iterion/ir"
	"iterion/runtime/report"
	"iterion/runtime/store"
)

// storedRun is a run with all that is kept of it.
type storedRun struct {
	store.Run
	events  []store.Event
	program *ir.Program // nil when it is not kept or cannot be read
}

// readRun reads a whole run.
func readRun(folder, id string) (storedRun, error) {
	run, err := findRun(folder, id)
	if err != nil {
		return storedRun{}, err
	}
	s, err := readStore(folder)
	if err != nil {
		return storedRun{}, storeFailure(err)
	}
	defer s.Close()
	events, err := s.Events(id, 0)
	if err != nil {
		return storedRun{}, storeFailure(err)
	}
	r := storedRun{run, events, nil}
	if p, err := ir.Decode(run.Program); err == nil {
		r.program = p
	}
	return r, nil
}

func newReport(std streams) *cobra.Command {
	var folder, html, markdown string
	cmd := &cobra.Command{
		Use:   "report RUN",
		Short: "Write a report of a run, as a page or as Markdown",
		Long: `Write what happened in a run for people: why it failed and what to do next, the
graph with the way it took, a time line of its branches, tokens and cost by
node, every tool call with its verdict and rule, questions with their answers,
the outputs.

The page is one file that loads nothing and runs no script. Without a flag the
Markdown goes to the standard output; so does what a flag sends to -. A report
holds all that the run's models and tools said: look before you pass it on.`,
		Example:           "  iterion report run_ABC --html run.html\n  iterion report run_ABC --md - | less",
		Args:              takes(1, 1, "one run"),
		ValidArgsFunction: completeRuns(&folder),
	}
	storeFlag(cmd, &folder)
	cmd.Flags().StringVar(&html, "html", "", "write the page to this file, - for the standard output")
	cmd.Flags().StringVar(&markdown, "md", "", "write the Markdown to this file, - for the standard output")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if html == "-" && markdown == "-" {
			return misuse(cmd, "--html and --md cannot both go to the standard output")
		}
		if html == "" && markdown == "" {
			markdown = "-"
		}
		run, err := readRun(folder, args[0])
		if err != nil {
			return err
		}
		r := report.Build(run.Run, run.events, run.program)
		if err := writeReport(std, html, r.HTML); err != nil {
			return err
		}
		return writeReport(std, markdown, r.Markdown)
	}
	return cmd
}

// writeReport writes one form of a report, a file as a whole or not at all.
func writeReport(std streams, name string, form func(io.Writer) error) error {
	var text bytes.Buffer
	if name == "" {
		return nil
	}
	if err := form(&text); err != nil {
		return err
	}
	if name == "-" {
		_, err := std.out.Write(text.Bytes())
		return err
	}
	if err := writeWhole(name, text.Bytes(), 0o600); err != nil {
		return failf("%s: %s", name, reason(err))
	}
	_, err := fmt.Fprintf(std.err, "iterion: report: wrote %s\n", name)
	return err
}
