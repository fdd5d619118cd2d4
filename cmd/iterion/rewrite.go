package main

import (
	"bytes"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"iterion/grammar/author"
	"iterion/workspace"
)

// rewriteOptions are the flags of the verbs that rewrite files one by one.
type rewriteOptions struct {
	check         bool
	diff          bool
	stdinFilename string
}

func (opt *rewriteOptions) flags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.BoolVar(&opt.check, "check", false, "write nothing; name the files that would change, and fail if there are any")
	flags.BoolVar(&opt.diff, "diff", false, "write nothing; print what would change as a unified diff")
	flags.StringVar(&opt.stdinFilename, "stdin-filename", "", "the name of the text of \"-\" in messages")
}

// rewriter is a verb that rewrites files one by one.
type rewriter struct {
	streams
	opt  rewriteOptions
	verb string
	to   func(name string, raw []byte) rewrite // what becomes of a text
	// document is what becomes of an author document; nil for nothing.
	document func(w rewriter, name string, raw []byte) rewrite
}

// rewrite is one file on its way, with what is to be printed.
type rewrite struct {
	name          string
	before, after []byte
	code          int
	out, err      []byte
}

func (r *rewrite) failed() bool  { return r.code == exitUsage }
func (r *rewrite) changed() bool { return !bytes.Equal(r.before, r.after) }

// broken is a file that was left alone, and why.
func (w rewriter) broken(name string, err error) rewrite {
	return rewrite{name: name, code: exitUsage, err: fmt.Appendf(nil, "iterion: %s: %s: %s\n", w.verb, visible(name), visible(reason(err)))}
}

// run rewrites what the arguments name and returns the files; the standard
// input alone, when it is among them. It is not ok when the command line is
// wrong.
func (w rewriter) run(cmd *cobra.Command, args []string) ([]rewrite, error) {
	stdin, err := readStdin(w.in, cmd, args, w.opt.stdinFilename)
	switch {
	case err != nil:
		return nil, err
	case stdin != nil && len(args) > 1:
		return nil, misuse(cmd, "the standard input (-) is rewritten alone, not beside files")
	case stdin != nil:
		return []rewrite{w.text(stdin)}, nil
	}
	return w.files(args), nil
}

// text rewrites the standard input. Without --check or --diff the result goes
// to the standard output, changed or not.
func (w rewriter) text(raw []byte) rewrite {
	name := w.opt.stdinFilename
	if name == "" {
		name = "<stdin>"
	}
	if w.document != nil && author.Is(name) {
		return w.document(w, name, raw)
	}
	r := w.to(name, raw)
	switch {
	case r.failed():
	case w.opt.check || w.opt.diff:
		w.compare(&r)
	default:
		r.out = r.after
	}
	return r
}

// files rewrites the named files and those in the named folders, in the order
// of the names.
func (w rewriter) files(args []string) []rewrite {
	rows := w.find(args)
	if len(rows) == 0 {
		fmt.Fprintf(w.err, "iterion: %s: nothing to do; name %s files or folders, or - for the standard input\n", w.verb, workspace.Ext)
	}
	each(len(rows), func(i int) {
		if !rows[i].failed() {
			w.file(&rows[i])
		}
	})
	return rows
}

// find turns the arguments into files, in order, each once.
func (w rewriter) find(args []string) []rewrite {
	var rows []rewrite
	known := map[string]bool{}
	add := func(r rewrite) {
		if path := filepath.Clean(r.name); !known[path] {
			known[path] = true
			rows = append(rows, r)
		}
	}
	fail := func(path string, err error) { add(w.broken(path, err)) }
	for _, arg := range args {
		switch kind, err := workspace.KindOf(arg); {
		case kind == workspace.Unreadable:
			fail(arg, err)
		case kind == workspace.File, kind == workspace.Document && w.document != nil:
			add(rewrite{name: arg})
		case kind == workspace.Directory:
			workspace.Walk(arg, func(d workspace.Folder) bool {
				for _, name := range d.Files {
					add(rewrite{name: filepath.Join(d.Path, name)})
				}
				return true
			}, fail)
		default:
			fmt.Fprintf(w.err, "iterion: %s: %s is skipped: it is no %s file\n", w.verb, arg, workspace.Ext)
		}
	}
	return rows
}

// file rewrites one file in place, or says what would change.
func (w rewriter) file(r *rewrite) {
	raw, before, err := readSource(r.name)
	if err != nil {
		*r = w.broken(r.name, err)
		return
	}
	if w.document != nil && author.Is(r.name) {
		*r = w.document(w, r.name, raw)
		return
	}
	*r = w.to(r.name, raw)
	switch {
	case r.failed() || !r.changed():
	case w.opt.check || w.opt.diff:
		w.compare(r)
	default:
		if err := replace(r.name, r.after, before); err != nil {
			*r = w.broken(r.name, err)
			return
		}
		r.err = fmt.Appendf(nil, "iterion: %s: rewrote %s\n", w.verb, r.name)
	}
}

// compare fills in what --check and --diff print.
func (w rewriter) compare(r *rewrite) {
	if !r.changed() {
		return
	}
	if w.opt.check {
		r.code = exitFailed
	}
	if w.opt.diff {
		r.out = unified(r.name, r.before, r.after)
	} else {
		r.out = []byte(r.name + "\n")
	}
}

// print prints the messages of all files and returns the exit status.
func (w rewriter) print(rows []rewrite) int {
	code := exitOK
	for _, r := range rows {
		code = max(code, r.code)
		w.err.Write(r.err)
		if _, err := w.out.Write(r.out); err != nil {
			fmt.Fprintf(w.err, "iterion: %s: %s\n", w.verb, reason(err))
			return exitUsage
		}
	}
	return code
}
