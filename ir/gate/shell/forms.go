package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// simple notes a simple command for opening: its forms, and whether it is neutral.
func (r *reader) simple(assigns, fields []field, c *syntax.CallExpr, s *syntax.Stmt, at place) {
	start := len(r.forms)
	r.spellings(assigns, fields, at.source(c))
	if at.timed != "" {
		for _, f := range r.forms[start:] {
			r.forms = append(r.forms, Form{at.timed + f.Text, len(at.timed) + f.Fixed})
		}
	}
	kept := unpeeledAssigns(assigns)
	if len(kept) < len(assigns) {
		r.spellings(kept, fields, at.words(c.Args))
	}
	peeled := false
	for len(kept) == 0 && len(fields) > 2 && fields[0].is("timeout") && duration(fields[1]) {
		fields, peeled = fields[2:], true
		r.spellings(nil, fields, at.words(c.Args[2:]))
	}
	one := Simple{Forms: r.forms[start:len(r.forms):len(r.forms)]}
	if len(kept) == 0 && len(fields) > 0 {
		one.Neutral, one.Dirs = r.neutral(fields, s, at, peeled)
	}
	r.Simple = append(r.Simple, one)
}

// spellings adds the forms of a command: static quoting removed, and as written.
func (r *reader) spellings(assigns, fields []field, written string) {
	all := fields
	if len(assigns) > 0 {
		all = append(assigns[:len(assigns):len(assigns)], fields...)
	}
	source := collapsed(all, written)
	if !quoted(all) {
		r.forms = append(r.forms, joinedAs(all, source).form())
		return
	}
	marks := r.room(len(all))
	for _, f := range all {
		if f.dynamic { // what a substitution says is not known here
			f.text = f.text[:f.fixed] + f.src[staticStart(f):]
		}
		f.text = marked(f.text)
		marks = append(marks, f)
	}
	r.forms = append(r.forms, text(marks).form(), source.form())
}

func (p part) form() Form { return Form{p.text, p.fixed} }

// marked writes the blanks inside of a word so that no text meets them.
func marked(s string) string {
	return strings.Map(func(c rune) rune {
		if c == ' ' || c == '\t' || c == '\n' {
			return Inside
		}
		return c
	}, s)
}

// unpeeledAssigns returns the assignments that a rule has to spell.
func unpeeledAssigns(assigns []field) (kept []field) {
	for _, f := range assigns {
		if !harmlessAssign(f) {
			kept = append(kept, f)
		}
	}
	return kept
}

func harmlessAssign(f field) bool {
	name, value, ok := strings.Cut(f.text, "=")
	return ok && !f.dynamic && harmlessVariable(name) && strings.Trim(value, letterDigits+"._:,=@+-") == ""
}

const letterDigits = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

func harmlessVariable(name string) bool {
	switch name {
	case "CI", "CGO_ENABLED", "GOOS", "GOARCH", "GOMAXPROCS", "RUST_BACKTRACE", "RUST_LOG", "NODE_ENV",
		"PYTHONUNBUFFERED", "NO_COLOR", "FORCE_COLOR", "COLUMNS", "TERM", "TZ", "LANG", "LC_ALL":
		return true
	}
	return false
}

// duration tells whether a word is one of `timeout`: digits, perhaps with a
// fraction and a unit.
func duration(f field) bool {
	digits := strings.TrimRight(f.text, "smhd")
	whole, fraction, dotted := strings.Cut(digits, ".")
	return !f.dynamic && len(f.text)-len(digits) <= 1 && allDigits(whole) && (!dotted || allDigits(fraction))
}
