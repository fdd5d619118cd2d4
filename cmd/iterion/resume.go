package main

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"iterion/ir"
	"iterion/runtime"
	"iterion/runtime/attachment"
	"iterion/runtime/store"
)

type resumeOptions struct {
	drive
	answers []string
	approve bool
	similar bool
	always  bool
	deny    bool
	rerun   []string
	accept  []string
	outputs []string
	force   bool
}

func newResume(std streams) *cobra.Command {
	var opt resumeOptions
	cmd := &cobra.Command{
		Use:   "resume [flags] RUN",
		Short: "Go on with a run that is paused, failed, cancelled or was cut off",
		Long: `Go on with a run where it stands: at its question, at the call that waits for
approval, at the node that failed. What has ended is not run again. A tool that
was started and whose end is not known is not repeated unasked: say with --rerun
that it may, or with --accept that it counts as done.

--approve lets the call that waits run, and the same call again; --approve-similar
and --approve-always open more of its kind for the rest of the run, as the paused
run has shown.

Exit status: as of iterion run; 2 also for a run that cannot go on as asked.`,
		Example: `  iterion resume run_ABC --answer approved=true
  iterion resume run_ABC --approve
  iterion resume run_ABC --accept push --output url=https://example.test/1`,
		Args:              takes(1, 1, "one run"),
		ValidArgsFunction: completeRuns(&opt.drive.store),
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&opt.answers, "answer", nil, "an answer to the open question, FIELD=VALUE; for a file, FIELD=@PATH")
	flags.BoolVar(&opt.approve, "approve", false, "let the call that waits run")
	flags.BoolVar(&opt.similar, "approve-similar", false, "let the call that waits run, and calls of its kind")
	flags.BoolVar(&opt.always, "approve-always", false, "let the call that waits run, and every call of its tool")
	flags.BoolVar(&opt.deny, "deny", false, "refuse the call that waits; the model is told")
	flags.StringArrayVar(&opt.rerun, "rerun", nil, "run this node again although its effect may have happened")
	flags.StringArrayVar(&opt.accept, "accept", nil, "count this node, which was cut off, as done: NODE, NODE@BRANCH, or either with its output behind, NODE={JSON}")
	flags.StringArrayVar(&opt.outputs, "output", nil, "with one --accept: a field of its output, NAME=VALUE")
	flags.BoolVar(&opt.force, "force", false, "go on although the program has changed")
	cmd.MarkFlagsMutuallyExclusive("approve", "approve-similar", "approve-always", "deny")
	opt.drive.add(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return resume(cmd, std, opt, args[0]) }
	return cmd
}

func resume(cmd *cobra.Command, std streams, opt resumeOptions, id string) error {
	accepted, err := opt.accepted(cmd)
	if err != nil {
		return err
	}
	kept, err := findRun(opt.drive.store, id)
	if err != nil {
		return err
	}
	if err := opt.settle(kept); err != nil {
		return err
	}
	d, err := opt.drive.prepare(cmd, std, kept.File)
	if err != nil {
		return err
	}
	d.options.RunID = id
	r := runtime.Resumption{Rerun: opt.rerun, Accept: accepted, Force: opt.force}
	if r.Given, err = opt.given(cmd, d.files()); err != nil {
		return err
	}
	if changed := changes(kept, d.options.Program); len(changed) > 0 {
		what := "the program of run " + id + " has changed since it started: " + strings.Join(changed, "; ")
		if !opt.force {
			return failf("%s\n    go on with the changed program by --force", what)
		}
		d.show.warning(what)
	}
	return d.conduct(cmd, func(ctx context.Context) (runtime.Result, error) {
		return runtime.Resume(ctx, d.options, r)
	})
}

// accepted are the nodes that count as done, with their outputs.
func (opt resumeOptions) accepted(cmd *cobra.Command) (map[string]map[string]any, error) {
	if len(opt.outputs) > 0 && len(opt.accept) != 1 {
		return nil, misuse(cmd, "--output belongs to one --accept NODE; with several, write --accept NODE={JSON}")
	}
	out := map[string]map[string]any{}
	for _, entry := range opt.accept {
		node, text, written := strings.Cut(entry, "=")
		fields := map[string]any{}
		if written {
			if err := json.Unmarshal([]byte(text), &fields); err != nil {
				return nil, misuse(cmd, "--accept %s: the output is a JSON object: %s", node, err)
			}
		}
		given, err := pairs(cmd, "--output", opt.outputs)
		if err != nil {
			return nil, err
		}
		maps.Copy(fields, given)
		out[node] = fields
	}
	return out, nil
}

// given is the answer of the command line to the one open question, nil for
// none.
func (opt resumeOptions) given(cmd *cobra.Command, files string) (map[string]any, error) {
	for answer, chosen := range map[string]bool{
		runtime.Allow: opt.approve, runtime.AllowSimilar: opt.similar, runtime.AllowAlways: opt.always, runtime.Deny: opt.deny,
	} {
		if chosen {
			return runtime.Decide(answer), nil
		}
	}
	if len(opt.answers) == 0 {
		return nil, nil
	}
	given, err := pairs(cmd, "--answer", opt.answers)
	for field, text := range given {
		if given[field], err = attachment.Answer(field, text.(string), files); err != nil {
			return nil, failf("--answer %s: %s", field, err)
		}
	}
	return given, err
}

// pairs reads NAME=VALUE flags.
func pairs(cmd *cobra.Command, flag string, list []string) (map[string]any, error) {
	out := map[string]any{}
	for _, pair := range list {
		name, value, ok := strings.Cut(pair, "=")
		if !ok || name == "" {
			return nil, misuse(cmd, "%s takes NAME=VALUE, not %q", flag, pair)
		}
		out[name] = value
	}
	return out, nil
}

// settle moves to the folder in which the run was started, where the names in
// its program lead to the same files again; names in our flags keep their
// meaning.
func (opt *resumeOptions) settle(kept store.Run) error {
	var err error
	if opt.drive.folder, err = storeFolder(opt.drive.store); err != nil {
		return err
	}
	for _, name := range []*string{&opt.drive.script, &opt.drive.record, &opt.drive.answersFile, &opt.drive.envFile} {
		if *name == "" {
			continue
		}
		if *name, err = filepath.Abs(*name); err != nil {
			return failf("%s: %s", *name, reason(err))
		}
	}
	if err := os.Chdir(kept.Workspace); err != nil {
		return failf("the folder in which run %s works cannot be entered: %s", kept.ID, reason(err))
	}
	return nil
}

// findRun reads what is known of a run.
func findRun(flag, id string) (store.Run, error) {
	s, err := readStore(flag)
	if err != nil {
		return store.Run{}, storeFailure(err)
	}
	defer s.Close()
	run, err := s.Run(id)
	if errors.Is(err, store.ErrUnknownRun) {
		return run, failf("there is no run %s%s; `iterion runs` lists them", id, didYouMean(id, runIDs(s), ""))
	}
	if err != nil {
		return run, storeFailure(err)
	}
	return run, nil
}

func runIDs(s store.Store) (ids []string) {
	runs, _ := s.Runs()
	for _, r := range runs {
		ids = append(ids, r.ID)
	}
	return ids
}

// completeRuns completes the names of runs.
func completeRuns(flag *string) cobra.CompletionFunc {
	return func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		s, err := readStore(*flag)
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		defer s.Close()
		return runIDs(s), cobra.ShellCompDirectiveNoFileComp
	}
}

// changes names what is different in a program since its run was started.
func changes(kept store.Run, now *ir.Program) []string {
	if kept.Hash == now.Hash() {
		return nil
	}
	var old ir.Program
	if err := json.Unmarshal(kept.Program, &old); err != nil {
		return []string{"what it was is not known"}
	}
	if list := ir.Changes(&old, now); len(list) > 0 {
		return list
	}
	return []string{"another build compiled it"}
}
