package main

import (
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"iterion/diagnostics"
	"iterion/diagnostics/render"
	"iterion/ir/build"
	"iterion/ir/facts"
	"iterion/workspace"
)

// formats are what validate can print.
var formats = []string{"text", "json", "sarif", "github", "junit"}

type validateOptions struct {
	json          bool
	format        string
	info          bool
	suppressed    bool
	watch         bool
	explain       bool
	exec          bool
	strict        bool
	maxWarnings   int
	stdinFilename string
	engine        string
	color         string
}

func newValidate(std streams) *cobra.Command {
	var opt validateOptions
	cmd := &cobra.Command{
		Use:   "validate [flags] [PATH]...",
		Short: "Check files and say what is wrong",
		Long: `Check .bot files without running them.

A file is checked with what it imports; a YAML author document (x.bot.yaml) as
the .bot it stands for. A folder that holds main.bot is one unit, and a
manifest, skill or prompt file names the bundle it belongs to; of any other
folder every .bot file and document below it is checked, except fragments under
lib/ and what git ignores. "-" reads the standard input; with --stdin-filename
it stands for that file among its imports.

A folder with a manifest or skills beside its main.bot is a bundle, and so is a
.botz: its manifest, its skills and the programs of its subbots are checked too.
With --engine the requirement of a bundle is held against that version.
A comment "# lint: allow CODE -- reason" suppresses a warning: above a line for
what begins there, behind code for that line; "allow-file" at the top of a file
for all of it.

Exit status: 0 no error (warnings allowed); 1 an error, or more warnings than
--max-warnings, or with --strict branches that cannot run side by side; 2 a
wrong flag, a path that is missing or cannot be read, or a bundle that does not
open.`,
		Example: `  iterion validate bots/review.bot
  iterion validate --json . > findings.json
  iterion validate --format sarif . > findings.sarif
  iterion validate --max-warnings 0 bots/ lib/
  iterion validate --engine 3.150.0 bots/review review.botz
  iterion validate --watch bots/
  iterion validate --stdin-filename bots/review.bot - < unsaved.bot`,
	}
	flags := cmd.Flags()
	flags.StringVar(&opt.format, "format", "text", orList(formats))
	flags.BoolVar(&opt.json, "json", false, "print one JSON document, as --format json does")
	flags.BoolVar(&opt.info, "info", false, "show infos too; json and sarif always hold them")
	flags.BoolVar(&opt.suppressed, "show-suppressed", false, "list what comments allow; json and sarif always do")
	flags.BoolVar(&opt.explain, "explain", false, "show for each node its permission, its rules with their origin, and the tools it holds on each route")
	flags.BoolVar(&opt.exec, "exec", false, "show for each router whether its branches may run side by side, and why not")
	flags.BoolVar(&opt.strict, "strict", false, "with --exec: fail when the branches of a router may not run side by side")
	flags.BoolVar(&opt.watch, "watch", false, "check again whenever a file changes, until Ctrl-C")
	flags.IntVar(&opt.maxWarnings, "max-warnings", -1, "fail when there are more warnings than this; -1 for no limit")
	flags.StringVar(&opt.stdinFilename, "stdin-filename", "", "the file that the text of \"-\" stands for")
	flags.StringVar(&opt.engine, "engine", "", "the engine that must meet a bundle's requirement, such as "+languageLevel)
	colorFlag(cmd, &opt.color)
	completes(cmd, "format", formats)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		v, err := newValidator(std, cmd, opt, args)
		switch {
		case err != nil:
			return err
		case opt.watch:
			return v.watch(cmd.Context())
		}
		code, err := v.run()
		if err != nil {
			return err
		}
		return ended(code)
	}
	return cmd
}

// validator answers one request, once or whenever a file changes.
type validator struct {
	streams
	verb  string // for messages
	opt   validateOptions
	args  []string
	look  look
	stdin []byte
	seen  *sightings // what was read, for --watch; else nil
}

func newValidator(std streams, cmd *cobra.Command, opt validateOptions, args []string) (*validator, error) {
	v := &validator{streams: std, verb: "validate", opt: opt, args: args}
	err := v.chooseFormat(cmd)
	if err != nil {
		return nil, err
	}
	if v.look, err = lookOf(opt.color, std.out); err != nil {
		return nil, err
	}
	if cmd.Flags().Changed("engine") && opt.engine == "" {
		return nil, misuse(cmd, "--engine takes the version of an engine, such as %s", languageLevel)
	}
	if opt.strict && !opt.exec {
		return nil, misuse(cmd, "--strict judges what --exec shows: add --exec")
	}
	if opt.maxWarnings < -1 {
		return nil, misuse(cmd, "--max-warnings takes a number, or -1 for no limit, not %d", opt.maxWarnings)
	}
	v.stdin, err = readStdin(std.in, cmd, args, opt.stdinFilename)
	if err == nil && opt.watch && v.stdin != nil {
		err = misuse(cmd, "--watch needs files, the standard input is read once")
	}
	return v, err
}

// chooseFormat settles what --format and its short way --json say.
func (v *validator) chooseFormat(cmd *cobra.Command) error {
	switch asked := cmd.Flags().Changed("format"); {
	case !slices.Contains(formats, v.opt.format):
		return misuse(cmd, "--format takes %s, not %q", orList(formats), v.opt.format)
	case v.opt.json && asked && v.opt.format != "json":
		return misuse(cmd, "--json and --format %s ask for different things: name one of them", v.opt.format)
	case v.opt.json:
		v.opt.format = "json"
	}
	return nil
}

// checked is one unit checked, or a path that could not be.
type checked struct {
	report render.Report
	texts  texts // for snippets
}

// run checks everything once, prints it and returns the exit status.
func (v *validator) run() (int, error) {
	found := v.find()
	outcomes := make([]checked, len(found))
	each(len(found), func(i int) { outcomes[i] = v.check(found[i]) })
	if err := v.print(outcomes); err != nil {
		return exitUsage, err
	}
	return v.status(outcomes), nil
}

// candidate is a unit to check, or a path with the reason why it is none.
type candidate struct {
	unit
	failure string
}

// find turns the arguments into units, in order.
func (v *validator) find() []candidate {
	var found []candidate
	fail := func(path string, err error) {
		found = append(found, candidate{unit{name: filepath.ToSlash(path)}, reason(err)})
	}
	add := func(path string) { found = append(found, candidate{unit: unitAt(path)}) }
	for _, arg := range v.args {
		if arg == stdinName {
			found = append(found, candidate{unit: unitOf(v.stdin, v.opt.stdinFilename)})
			continue
		}
		switch kind, err := workspace.KindOf(arg); kind {
		case workspace.Unreadable:
			fail(arg, err)
		case workspace.File, workspace.Archive, workspace.Document:
			add(arg)
		case workspace.Directory:
			workspace.Walk(arg, func(f workspace.Folder) bool { return v.enter(f, add) }, fail)
		case workspace.OtherFile:
			if main, ok := workspace.BundleOf(arg); ok && v.verb == "validate" {
				add(main)
				continue
			}
			fmt.Fprintf(v.err, "iterion: %s: %s is skipped: it is no %s file\n", v.verb, visible(arg), workspace.Ext)
		}
	}
	return once(found)
}

// once leaves out units that are named a second time.
func once(found []candidate) []candidate {
	seen := map[string]bool{}
	return slices.DeleteFunc(found, func(c candidate) bool {
		again := seen[c.name]
		seen[c.name] = true
		return again
	})
}

// enter adds the units of a folder and tells whether there are more below.
func (v *validator) enter(f workspace.Folder, add func(string)) bool {
	v.seen.folder(f.Path)
	mains, below := f.Mains()
	for _, path := range mains {
		add(path)
	}
	return below
}

func (v *validator) check(c candidate) checked {
	if c.failure == "" {
		c.unit.in.Engine = v.opt.engine
		r, err := v.seen.track(c.unit).build()
		if err == nil {
			report := reportOf(c.name, r)
			report.Facts = v.factsOf(r)
			return checked{report, textsOf(r)}
		}
		c.failure = reason(err)
	}
	return checked{report: render.Report{File: c.name, Failure: c.failure}}
}

// single tells whether the request names one unit, whose JSON form is one
// report. It depends on nothing but what is named.
func (v *validator) single() bool {
	if len(v.args) != 1 {
		return false
	}
	kind, _ := workspace.KindOf(v.args[0])
	if kind == workspace.Directory {
		main, _ := workspace.KindOf(filepath.Join(v.args[0], workspace.Main))
		return main == workspace.File
	}
	return v.args[0] == stdinName || kind != workspace.OtherFile
}

func (v *validator) print(outcomes []checked) error {
	reports := reportsOf(outcomes)
	switch v.opt.format {
	case "json":
		if v.single() {
			return render.JSON(v.out, reports[0])
		}
		return render.JSONAll(v.out, reports)
	case "sarif":
		return render.SARIF(v.out, reports, buildOf().Version)
	case "github":
		return render.GitHub(v.out, reports, v.opt.info)
	case "junit":
		return render.JUnit(v.out, reports, v.opt.info)
	}
	return v.printText(outcomes)
}

func reportsOf(outcomes []checked) []render.Report {
	reports := make([]render.Report, len(outcomes))
	for i, o := range outcomes {
		reports[i] = o.report
	}
	return reports
}

// printText prints all findings and one result line, and on the error channel
// what could not be read.
func (v *validator) printText(outcomes []checked) error {
	built, sources := 0, texts{}
	for _, o := range outcomes {
		if o.report.Failure != "" {
			fmt.Fprintf(v.err, "iterion: validate: %s: %s\n", visible(o.report.File), visible(o.report.Failure))
			continue
		}
		built++
		maps.Copy(sources, o.texts)
	}
	if len(outcomes) == 0 {
		fmt.Fprintf(v.err, "iterion: validate: nothing to check; name %s files or folders, or - for the standard input\n", workspace.Ext)
	}
	if built == 0 {
		return nil
	}
	all := render.Report{Facts: v.allFacts(outcomes), Unread: len(outcomes) - built}
	all.Diagnostics, all.Suppressed = render.Distinct(reportsOf(outcomes))
	opt := render.TextOptions{Color: v.look.color, Info: v.opt.info, Suppressed: v.opt.suppressed}
	if v.look.snippet {
		opt.Snippet = sources.find
	}
	return render.Text(v.out, all, opt)
}

// allFacts joins what was asked for beside the findings.
func (v *validator) allFacts(outcomes []checked) (all render.Facts) {
	if v.opt.exec {
		all.Routers = []render.RouterFacts{}
	}
	for _, o := range outcomes {
		all.Nodes = append(all.Nodes, o.report.Nodes...)
		all.Routers = append(all.Routers, o.report.Routers...)
	}
	return all
}

func (v *validator) status(outcomes []checked) int {
	code := exitOK
	for _, o := range outcomes {
		switch {
		case o.report.Failure != "":
			code = max(code, exitUsage)
		case !o.report.Valid():
			code = max(code, exitFailed)
		}
	}
	if turns := inTurns(outcomes); v.opt.strict && turns > 0 {
		fmt.Fprintf(v.err, "iterion: validate: --strict: routers whose branches may not run side by side: %d\n", turns)
		code = max(code, exitFailed)
	}
	warnings := 0
	shown, _ := render.Distinct(reportsOf(outcomes))
	for _, d := range shown {
		if d.Severity == diagnostics.Warning {
			warnings++
		}
	}
	if v.opt.maxWarnings >= 0 && warnings > v.opt.maxWarnings {
		fmt.Fprintf(v.err, "iterion: validate: too many warnings: %d, and --max-warnings allows %d\n", warnings, v.opt.maxWarnings)
		code = max(code, exitFailed)
	}
	return code
}

// inTurns counts the routers whose branches may not run side by side.
func inTurns(outcomes []checked) int {
	n := 0
	for _, o := range outcomes {
		for _, r := range o.report.Routers {
			if !r.Parallel {
				n++
			}
		}
	}
	return n
}

// readStdin reads the standard input when it is among the arguments, nil when
// it is not. Only "-" reads it, and only once.
func readStdin(in io.Reader, cmd *cobra.Command, args []string, name string) ([]byte, error) {
	n := 0
	for _, arg := range args {
		if arg == stdinName {
			n++
		}
	}
	switch {
	case n > 1:
		return nil, misuse(cmd, "the standard input (-) can be read once only")
	case n == 0 && name != "":
		return nil, misuse(cmd, "--stdin-filename names the text of the standard input: add -")
	case n == 0:
		return nil, nil
	}
	return io.ReadAll(in)
}

// factsOf collects what was asked for beside the findings.
func (v *validator) factsOf(r *build.Result) (f render.Facts) {
	if v.opt.explain {
		f.Nodes = facts.Of(r).Nodes()
	}
	if v.opt.exec {
		f.Routers = facts.Of(r).Routers()
	}
	return f
}
