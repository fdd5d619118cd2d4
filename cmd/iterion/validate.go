package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/spf13/cobra"

	"iterion/diagnostics"
	"iterion/diagnostics/render"
)

type validateOptions struct {
	json          bool
	watch         bool
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
the .bot it stands for. A folder that holds main.bot is one unit; of any other
folder every .bot file and document below it is checked, except fragments under
lib/ and what git ignores. "-" reads the standard input; with --stdin-filename
it stands for that file among its imports.

Exit status: 0 no error (warnings allowed); 1 an error, or more warnings than
--max-warnings; 2 a wrong flag, or a path that is missing or cannot be read.`,
		Example: `  iterion validate bots/review.bot
  iterion validate --json . > findings.json
  iterion validate --max-warnings 0 bots/ lib/
  iterion validate --watch bots/
  iterion validate --stdin-filename bots/review.bot - < unsaved.bot`,
	}
	flags := cmd.Flags()
	flags.BoolVar(&opt.json, "json", false, "print one JSON document")
	flags.BoolVar(&opt.watch, "watch", false, "check again whenever a file changes, until Ctrl-C")
	flags.IntVar(&opt.maxWarnings, "max-warnings", -1, "fail when there are more warnings than this; -1 for no limit")
	flags.StringVar(&opt.stdinFilename, "stdin-filename", "", "the file that the text of \"-\" stands for")
	flags.StringVar(&opt.engine, "engine", languageLevel, "the language level that bundles are held against, X.Y.Z")
	colorFlag(cmd, &opt.color)
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
	opt   validateOptions
	args  []string
	look  look
	stdin []byte
	seen  *sightings // what was read, for --watch; else nil
}

func newValidator(std streams, cmd *cobra.Command, opt validateOptions, args []string) (*validator, error) {
	v := &validator{streams: std, opt: opt, args: args}
	var err error
	if v.look, err = lookOf(opt.color, std.out); err != nil {
		return nil, err
	}
	if !regexp.MustCompile(`^\d+\.\d+\.\d+$`).MatchString(opt.engine) {
		return nil, misuse(cmd, "--engine takes three numbers such as %s, not %q", languageLevel, opt.engine)
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
		switch kind, err := kindOfPath(arg); kind {
		case unreadable:
			fail(arg, err)
		case file, document:
			add(arg)
		case directory:
			walk(arg, func(f folder) bool { return v.enter(f, add) }, fail)
		case otherFile:
			if filepath.Ext(arg) == packed {
				fail(arg, errors.New("packed bundles cannot be read by this build: unpack it and name the folder"))
				continue
			}
			fmt.Fprintf(v.err, "iterion: validate: %s is skipped: it is no %s file\n", visible(arg), ext)
		}
	}
	return found
}

// enter adds the units of a folder and tells whether there are more below.
func (v *validator) enter(f folder, add func(string)) bool {
	v.seen.folder(f.path)
	if f.has(mainFile) {
		add(filepath.Join(f.path, mainFile))
		return false
	}
	for _, name := range slices.Sorted(slices.Values(slices.Concat(f.files, f.documents))) {
		path := filepath.Join(f.path, name)
		if _, _, ok := fragment(path); !ok {
			add(path)
		}
	}
	return true
}

func (v *validator) check(c candidate) checked {
	if c.failure == "" {
		r, err := v.seen.track(c.unit).build()
		if err == nil {
			return checked{reportOf(c.name, r), textsOf(r)}
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
	kind, _ := kindOfPath(v.args[0])
	if kind == directory {
		main, _ := kindOfPath(filepath.Join(v.args[0], mainFile))
		return main == file
	}
	return v.args[0] == stdinName || kind != otherFile || filepath.Ext(v.args[0]) == packed
}

func (v *validator) print(outcomes []checked) error {
	reports := make([]render.Report, len(outcomes))
	for i, o := range outcomes {
		reports[i] = o.report
	}
	switch {
	case v.opt.json && v.single():
		return render.JSON(v.out, reports[0])
	case v.opt.json:
		return render.JSONAll(v.out, reports)
	}
	return v.printText(outcomes)
}

// printText prints all findings and one result line, and on the error channel
// what could not be read.
func (v *validator) printText(outcomes []checked) error {
	var all render.Report
	built, sources := 0, texts{}
	for _, o := range outcomes {
		if o.report.Failure != "" {
			fmt.Fprintf(v.err, "iterion: validate: %s: %s\n", visible(o.report.File), visible(o.report.Failure))
			continue
		}
		built++
		maps.Copy(sources, o.texts)
		all.Suppressed = append(all.Suppressed, o.report.Suppressed...)
	}
	all.Diagnostics = distinct(outcomes)
	if len(outcomes) == 0 {
		fmt.Fprintf(v.err, "iterion: validate: nothing to check; name %s files or folders, or - for the standard input\n", ext)
	}
	if built == 0 {
		return nil
	}
	opt := render.TextOptions{Color: v.look.color}
	if v.look.snippet {
		opt.Snippet = sources.find
	}
	return render.Text(v.out, all, opt)
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
	warnings := 0
	for _, d := range distinct(outcomes) {
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

// distinct is all findings in order. One in a fragment is found with each of
// the files that import it, and counts once.
func distinct(outcomes []checked) []diagnostics.Diagnostic {
	type key struct {
		code    diagnostics.Code
		at      diagnostics.Range
		message string
	}
	seen := map[key]bool{}
	var list []diagnostics.Diagnostic
	for _, o := range outcomes {
		for _, d := range o.report.Diagnostics {
			if k := (key{d.Code, d.Range, d.Message}); !seen[k] {
				seen[k] = true
				list = append(list, d)
			}
		}
	}
	return list
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
