package main

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"iterion/diagnostics/render"
	"iterion/grammar/author"
	"iterion/ir/build"
	"iterion/workspace"
)

type fixOptions struct {
	suggested     bool
	dryRun        bool
	json          bool
	stdinFilename string
}

func newFix(std streams) *cobra.Command {
	var opt fixOptions
	cmd := &cobra.Command{
		Use:   "fix [flags] [PATH]...",
		Short: "Apply the fixes that findings offer",
		Long: `Fix what can be fixed by machine in .bot files.

Paths are those of validate. The fixes of a file and of the fragments it
imports are applied until none is left; then everything is as validate says. A
safe fix keeps what the program means; --suggested applies those too that
change it: a misspelt name, a property without effect. After its fixes a file is
compiled again with all that were named. When an error is new, or a finding
stays, the whole file is left as it was. "-" fixes the standard input to the
standard output; with --stdin-filename it stands for that file among its
imports, which are not written.

Exit status: 0 fine, also when files were rewritten; 1 a file was left as it
was, or with --dry-run one would change; 2 a wrong flag, or a path that is
missing, cannot be read or cannot be written.`,
		Example: `  iterion fix bots/
  iterion fix --dry-run --suggested bots/review.bot
  iterion fix --json . > fixed.json
  iterion fix --stdin-filename bots/review.bot - < unsaved.bot`,
	}
	flags := cmd.Flags()
	flags.BoolVar(&opt.suggested, "suggested", false, "also apply fixes that change what the program means")
	flags.BoolVar(&opt.dryRun, "dry-run", false, "write nothing; print what would change as a unified diff, and fail if there is anything")
	flags.BoolVar(&opt.json, "json", false, "print one JSON document")
	flags.StringVar(&opt.stdinFilename, "stdin-filename", "", "the file that the text of \"-\" stands for")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		stdin, err := readStdin(std.in, cmd, args, opt.stdinFilename)
		switch {
		case err != nil:
			return err
		case stdin != nil && len(args) > 1:
			return misuse(cmd, "the standard input (-) is fixed alone, not beside files")
		case stdin != nil && opt.json && !opt.dryRun:
			return misuse(cmd, "the fixed standard input is no JSON: add --dry-run")
		}
		x := &fixer{streams: std, opt: opt, set: fileSet{byPlace: map[string]*fixFile{}}}
		x.open(args, stdin)
		return x.run()
	}
	return cmd
}

// fixer answers one request.
type fixer struct {
	streams
	opt   fixOptions
	set   fileSet
	units []*fixUnit
	bad   []render.FixedFile // paths that could not be read
}

// open builds the units that the arguments name.
func (x *fixer) open(args []string, stdin []byte) {
	v := &validator{streams: x.streams, verb: "fix", args: args, stdin: stdin, opt: validateOptions{stdinFilename: x.opt.stdinFilename}}
	found := slices.DeleteFunc(v.find(), x.cannotEdit)
	if len(found) == 0 {
		fmt.Fprintf(x.err, "iterion: fix: nothing to fix; name %s files or folders, or - for the standard input\n", workspace.Ext)
	}
	units := make([]*fixUnit, len(found))
	results := make([]*build.Result, len(found))
	failures := make([]error, len(found))
	each(len(found), func(i int) {
		if found[i].failure == "" {
			units[i] = newFixUnit(found[i].unit, stdin)
			results[i], failures[i] = units[i].build()
		}
	})
	for i, c := range found {
		switch {
		case results[i] != nil:
			x.set.add(units[i], results[i])
			x.units = append(x.units, units[i])
			continue
		case failures[i] != nil:
			c.failure = reason(failures[i])
		}
		x.bad = append(x.bad, render.FixedFile{Name: c.name, Failure: c.failure})
	}
}

// cannotEdit passes over what no fix is written for.
func (x *fixer) cannotEdit(c candidate) bool {
	switch {
	case c.archive != "":
		fmt.Fprintf(x.err, "iterion: fix: %s is skipped: a packed bundle is not edited; fix its folder and pack it again\n", visible(c.name))
	case author.Is(c.name):
		fmt.Fprintf(x.err, "iterion: fix: %s is skipped: fixes are written for .bot files\n", visible(c.name))
	default:
		return false
	}
	return true
}

// run fixes the files, writes them and says what was done.
func (x *fixer) run() error {
	files := x.set.list
	if len(x.units) == 1 && x.units[0].main.path == "" {
		files = []*fixFile{x.units[0].main} // only the standard input
	}
	report := render.FixReport{Dry: x.opt.dryRun, Files: x.bad}
	for _, f := range files {
		f.rounds(x.opt.suggested)
		if f.failure == nil && f.changed() && !x.opt.dryRun {
			f.failure = x.write(f)
		}
		if f.changed() || f.undone != "" || f.failure != nil {
			report.Files = append(report.Files, x.outcome(f))
		}
	}
	slices.SortStableFunc(report.Files, func(a, b render.FixedFile) int { return cmp.Compare(a.Name, b.Name) })
	if !x.opt.suggested {
		report.More = x.suggested(files)
	}
	if err := x.print(files, report); err != nil {
		return err
	}
	return ended(x.status(report))
}

// write puts a fixed file in its place; the standard input has none.
func (x *fixer) write(f *fixFile) error {
	if f.path == "" {
		return nil
	}
	return replace(f.path, []byte(f.raw), f.state)
}

func (x *fixer) outcome(f *fixFile) render.FixedFile {
	out := render.FixedFile{Name: f.name, Fixed: f.fixed, Undone: f.undone}
	if f.failure != nil {
		return render.FixedFile{Name: f.name, Failure: reason(f.failure)}
	}
	if x.opt.dryRun && f.changed() {
		out.Diff = string(unified(f.name, []byte(f.before), []byte(f.raw)))
	}
	return out
}

// suggested counts the findings left that a suggested fix would remedy.
func (x *fixer) suggested(files []*fixFile) int {
	n := 0
	for _, f := range files {
		if f.undone == "" && f.failure == nil {
			n += len(f.pick(true).fixed)
		}
	}
	return n
}

// print prints the report. The standard output holds one thing only: a JSON
// document, a diff, a fixed text, or the list of what was fixed.
func (x *fixer) print(files []*fixFile, report render.FixReport) error {
	if x.opt.json {
		return render.FixJSON(x.out, report)
	}
	list := x.out
	switch stdin := len(files) == 1 && files[0].path == ""; {
	case x.opt.dryRun:
		list = x.err
		for _, f := range report.Files {
			if _, err := fmt.Fprint(x.out, f.Diff); err != nil {
				return err
			}
		}
	case stdin:
		list = x.err
		if _, err := fmt.Fprint(x.out, files[0].raw); err != nil {
			return err
		}
	}
	for _, f := range report.Files {
		switch name := visible(filepath.ToSlash(f.Name)); {
		case f.Failure != "":
			fmt.Fprintf(x.err, "iterion: fix: %s: %s\n", name, visible(f.Failure))
		case f.Undone != "":
			fmt.Fprintf(x.err, "iterion: fix: %s is left as it was: %s\n", name, visible(f.Undone))
		}
	}
	if len(x.units) == 0 {
		return nil
	}
	return render.FixText(list, report)
}

func (x *fixer) status(report render.FixReport) int {
	code := exitOK
	for _, f := range report.Files {
		switch {
		case f.Failure != "":
			code = max(code, exitUsage)
		case f.Undone != "" || f.Diff != "":
			code = max(code, exitFailed)
		}
	}
	return code
}
