package main

import (
	"context"
	"regexp"
	"slices"
	"sync"

	"github.com/spf13/cobra"

	"iterion/ir"
	"iterion/runtime"
	"iterion/runtime/attachment"
)

type runOptions struct {
	drive
	vars     []string
	varsFile string
	preset   string
	runID    string
	attach   []string
}

func newRun(std streams) *cobra.Command {
	var opt runOptions
	cmd := &cobra.Command{
		Use:   "run [flags] FILE",
		Short: "Run a workflow",
		Long: `Run the workflow of a .bot file, or of the main.bot in a folder.

On a terminal the nodes at work are shown live, and questions to a person are
asked in place. Elsewhere every event is a line; with --json, a JSON object.
Ctrl-C cancels the run; a second one ends it at once. A run that was stopped, in
whatever way, goes on with iterion resume.

Exit status: 0 finished; 1 failed; 2 a wrong flag or an invalid file; 3 the run
waits for a person; 4 failed, and may be resumed; 130 cancelled.`,
		Example: `  iterion run hello.bot
  iterion run hello.bot --var limit=25 --var name=Ada
  iterion run review.bot --script turns.yaml --answers-file answers.yaml --json`,
		Args: takes(1, 1, "one file"),
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&opt.vars, "var", nil, "a variable, NAME=VALUE; goes before --vars-file, that before --preset")
	flags.StringVar(&opt.varsFile, "vars-file", "", "variables by name, YAML or JSON")
	flags.StringVar(&opt.preset, "preset", "", "a preset of the file")
	flags.StringVar(&opt.runID, "run-id", "", "the run's name; a random one if not given")
	flags.StringArrayVar(&opt.attach, "attach", nil, "a file that the program takes, NAME=PATH; it is copied")
	opt.drive.add(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return run(cmd, std, opt, args[0])
	}
	return cmd
}

func run(cmd *cobra.Command, std streams, opt runOptions, arg string) error {
	if cmd.Flags().Changed("run-id") && !runName().MatchString(opt.runID) {
		return misuse(cmd, "--run-id takes letters, digits, dashes and underscores, not %q", opt.runID)
	}
	d, err := opt.drive.prepare(cmd, std, arg)
	if err != nil {
		return err
	}
	vars, err := readVars(cmd, opt)
	if err != nil {
		return err
	}
	if d.options.Vars, err = runtime.BindVars(d.options.Program, vars, opt.preset, d.lookup); err != nil {
		return failf("%s", err)
	}
	if d.options.RunID = opt.runID; opt.runID == "" {
		d.options.RunID = runtime.NewID()
	}
	if d.options.Attachments, err = attached(opt.attach, d); err != nil {
		return err
	}
	d.fresh = true
	return d.conduct(cmd, func(ctx context.Context) (runtime.Result, error) {
		return runtime.Run(ctx, d.options)
	})
}

// attached copies the files that the command line hands over.
func attached(args []string, d *driven) (map[string]any, error) {
	given, err := attachment.Parse(args)
	if err != nil {
		return nil, failf("--attach: %s", err)
	}
	files, err := attachment.Take(d.options.Program, given, d.files())
	if err != nil {
		return nil, failf("--attach: %s", err)
	}
	return files, nil
}

var runName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$`) })

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
