package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"iterion/diagnostics"
	"iterion/diagnostics/render"
	"iterion/grammar/author"
	"iterion/grammar/printer"
	"iterion/ir/build"
)

// spelled gives the `.bot` of an author document: as a text for the standard
// output or, with --check and --diff, held against the file beside it.
func spelled(w rewriter, name string, raw []byte) rewrite {
	r := rewrite{name: name, err: remarks(name, raw)}
	d := author.Read(filepath.ToSlash(name), raw)
	if !d.Valid() {
		r.code = exitUsage
		r.err = fmt.Appendf(r.err, "iterion: fmt: %s has no .bot: it does not read\n", visible(name))
		return r
	}
	text, err := printer.Tree(d.AST)
	if err != nil {
		return w.broken(name, err)
	}
	if r.after = text; !w.opt.check && !w.opt.diff {
		r.out = text
		return r
	}
	r.name = author.Bot(name)
	r.before, _, err = readSource(r.name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return w.broken(r.name, err)
	}
	w.compare(&r)
	return r
}

// remarks lists what reading a document finds, as validate does. Warnings are
// among it: what the document loses, the `.bot` no longer shows.
func remarks(name string, raw []byte) []byte {
	report := render.Report{File: name}
	for _, d := range build.Text(filepath.ToSlash(name), raw).Diagnostics {
		if d.Stage == diagnostics.Parse {
			report.Diagnostics = append(report.Diagnostics, d)
		}
	}
	if len(report.Diagnostics) == 0 {
		return nil
	}
	var b bytes.Buffer
	render.Text(&b, report, render.TextOptions{}) // a buffer takes everything
	return b.Bytes()
}
