package main

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"iterion/grammar/author"
)

type fmtOptions struct {
	check         bool
	diff          bool
	stdinFilename string
}

func newFmt(std streams) *cobra.Command {
	var opt fmtOptions
	cmd := &cobra.Command{
		Use:   "fmt [flags] [PATH]...",
		Short: "Bring files into the canonical style",
		Long: `Rewrite .bot files in the canonical style.

There is one style and no options for it. A folder is walked for .bot files,
except what git ignores. A file that does not parse is never touched; neither
is one that is canonical already. "-" formats the standard input to the
standard output.

Of a YAML author document, x.bot.yaml, the .bot it stands for is printed, and
nothing is written; --check and --diff hold it against the x.bot beside it.
Documents are formatted when they are named, never with a folder.

Exit status: 0 fine, also when files were rewritten; 1 with --check when a file
would change; 2 a wrong flag, or a file that does not parse, is missing or
cannot be read. The most severe of several counts, and all are processed.`,
		Example: `  iterion fmt .
  iterion fmt --check bots/
  iterion fmt --diff bots/review.bot
  iterion fmt bots/triage.bot.yaml > bots/triage.bot
  iterion fmt --stdin-filename bots/review.bot - < unsaved.bot
  iterion fmt -- -odd-name.bot`,
	}
	flags := cmd.Flags()
	flags.BoolVar(&opt.check, "check", false, "write nothing; name the files that would change, and fail if there are any")
	flags.BoolVar(&opt.diff, "diff", false, "write nothing; print what would change as a unified diff")
	flags.StringVar(&opt.stdinFilename, "stdin-filename", "", "the name of the text of \"-\" in messages")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		stdin, err := readStdin(std.in, cmd, args, opt.stdinFilename)
		switch {
		case err != nil:
			return err
		case stdin != nil && len(args) > 1:
			return misuse(cmd, "the standard input (-) is formatted alone, not beside files")
		}
		f := formatter{std, opt}
		if stdin != nil {
			return ended(f.text(stdin))
		}
		return ended(f.files(args))
	}
	return cmd
}

type formatter struct {
	streams
	opt fmtOptions
}

// text formats the standard input. Without --check or --diff the result goes
// to the standard output, changed or not.
func (f formatter) text(raw []byte) int {
	name := f.opt.stdinFilename
	if name == "" {
		name = "<stdin>"
	}
	if author.Is(name) {
		r := f.document(name, raw)
		return r.print(f.streams)
	}
	r := canonical(name, raw)
	if r.failed() {
		return r.print(f.streams)
	}
	if !f.opt.check && !f.opt.diff {
		if _, err := f.out.Write(r.after); err != nil {
			fmt.Fprintf(f.err, "iterion: fmt: %s\n", reason(err))
			return exitUsage
		}
		return exitOK
	}
	f.compare(&r)
	return r.print(f.streams)
}

// files formats the named files and those in the named folders. Messages come
// in the order of the names.
func (f formatter) files(args []string) int {
	rows := f.find(args)
	if len(rows) == 0 {
		fmt.Fprintf(f.err, "iterion: fmt: nothing to format; name %s files or folders, or - for the standard input\n", ext)
		return exitOK
	}
	each(len(rows), func(i int) {
		if !rows[i].failed() {
			f.file(&rows[i])
		}
	})
	code := exitOK
	for _, r := range rows {
		code = max(code, r.print(f.streams))
	}
	return code
}

// find turns the arguments into files, in order, each once.
func (f formatter) find(args []string) []rewrite {
	var rows []rewrite
	known := map[string]bool{}
	add := func(r rewrite) {
		if path := filepath.Clean(r.name); !known[path] {
			known[path] = true
			rows = append(rows, r)
		}
	}
	fail := func(path string, err error) { add(broken(path, err)) }
	for _, arg := range args {
		switch kind, err := kindOfPath(arg); kind {
		case unreadable:
			fail(arg, err)
		case file, document:
			add(rewrite{name: arg})
		case directory:
			walk(arg, func(d folder) bool {
				for _, name := range d.files {
					add(rewrite{name: filepath.Join(d.path, name)})
				}
				return true
			}, fail)
		case otherFile:
			fmt.Fprintf(f.err, "iterion: fmt: %s is skipped: it is no %s file\n", arg, ext)
		}
	}
	return rows
}

// file formats one file in place, or says what would change.
func (f formatter) file(r *rewrite) {
	raw, before, err := readSource(r.name)
	if err != nil {
		*r = broken(r.name, err)
		return
	}
	if author.Is(r.name) {
		*r = f.document(r.name, raw)
		return
	}
	*r = canonical(r.name, raw)
	switch {
	case r.failed() || !r.changed():
	case f.opt.check || f.opt.diff:
		f.compare(r)
	default:
		if err := replace(r.name, r.after, before); err != nil {
			*r = broken(r.name, err)
			return
		}
		r.err = fmt.Appendf(nil, "iterion: fmt: rewrote %s\n", r.name)
	}
}

// compare fills in what --check and --diff print.
func (f formatter) compare(r *rewrite) {
	if !r.changed() {
		return
	}
	if f.opt.check {
		r.code = exitFailed
	}
	if f.opt.diff {
		r.out = unified(r.name, r.before, r.after)
	} else {
		r.out = []byte(r.name + "\n")
	}
}
