package shell

import (
	"path"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

const codeNotStatic = "it gives a shell code that is not static"

// shellCode reads what another shell gets as code. Where it is not static, the
// static rest of it is still read.
func (r *reader) shellCode(text string, dynamic bool, at place) outcome {
	if dynamic {
		r.opaque(codeNotStatic)
	}
	return r.code(text, at)
}

// shell reads the words of a shell: its code, a file, or what it reads.
func (r *reader) shell(name string, f []field, at place) {
	command, stdin, done := false, false, false
	for len(f) > 0 && !done {
		word := f[0].text
		switch {
		case f[0].dynamic && f[0].fixed == 0 && substitution(f[0]) == nil && !f[0].home():
			r.opaque(codeNotStatic) // it may be an option
			done = true
		case word == "--version" || word == "--help":
			return
		case len(word) == 0 || word[0] != '-' && word[0] != '+':
			done = true
		case word == "--" || word == "-":
			f, done = f[1:], true
		case strings.HasPrefix(word, "--"):
			f = r.longShellOption(f, at)
		default:
			letters := word[1:]
			if i := strings.IndexAny(letters, "cC"); name == "fish" && i >= 0 && i+1 < len(letters) {
				r.shellCode(letters[i+1:], f[0].dynamic, at)
			}
			command = command || strings.Contains(letters, "c") || name == "fish" && strings.Contains(letters, "C")
			stdin = stdin || strings.Contains(letters, "s")
			if strings.Contains(letters, "k") || f[0].dynamic {
				r.opaque(codeNotStatic)
			}
			f = f[min(len(f), 1+strings.Count(letters, "o")+strings.Count(letters, "O")):]
		}
	}
	r.shellOperands(f, command, stdin, at)
}

// longShellOption reads `--rcfile FILE` and its like, and fish's options with code.
func (r *reader) longShellOption(f []field, at place) []field {
	name, value, attached := strings.Cut(f[0].text, "=")
	switch name {
	case "--rcfile", "--init-file":
		if len(f) > 1 {
			r.file(f[1], at)
		}
		return f[min(2, len(f)):]
	case "--command", "--init-command":
		if !attached && len(f) > 1 {
			r.shellCode(f[1].text, f[1].dynamic, at)
			return f[2:]
		}
		r.shellCode(value, f[0].dynamic, at)
	}
	return f[1:]
}

func (r *reader) shellOperands(f []field, command, stdin bool, at place) {
	switch {
	case len(f) == 0 && at.open:
		r.opaque(codeNotStatic)
	case command && len(f) > 0:
		inner := at
		inner.open = false
		r.shellCode(f[0].text, f[0].dynamic, inner)
	case command:
	case stdin || len(f) == 0:
		r.stdin(at)
	default:
		r.file(f[0], at)
	}
}

// stdin reads what a shell gets by its standard input.
func (r *reader) stdin(at place) outcome {
	out := outcome{ok: at.in, fail: at.in}
	for _, in := range append([]input{at.stdin}, at.extra...) {
		out = r.input(in, at, out)
	}
	return out
}

func (r *reader) input(in input, at place, out outcome) outcome {
	text, ok := r.held(in, at)
	if !ok {
		r.opaque(codeNotStatic)
	}
	at.stdin, at.open = input{}, false
	for _, code := range text.texts() {
		if strings.TrimSpace(code) != "" {
			inner := r.code(code, at)
			out.ok, out.fail = out.ok.or(inner.ok), out.fail.or(inner.fail)
		}
	}
	return out
}

// file reads what a shell gets as the name of a file. What a file holds is not
// read, but what the command itself provides is.
func (r *reader) file(f field, at place) outcome {
	stay := outcome{ok: at.in, fail: at.in}
	sub := substitution(f)
	switch {
	case sub != nil && sub.Op == syntax.CmdIn:
		return r.input(input{kind: pipeInput, stmts: sub.Stmts}, at, stay)
	case sub != nil, f.dynamic && !f.home() && (f.fixed == 0 || f.text[0] == '-' || device(f.text)):
		r.opaque(codeNotStatic)
	case device(f.text) && f.text != "/dev/null", provided(f.text, at.in):
		return r.stdin(at)
	}
	return stay
}

// provided tells whether a path names a descriptor.
func provided(p string, in folders) bool {
	for _, dir := range append([]string{"/"}, in.list...) {
		full := join(dir, p)
		if rooted(p) {
			full = path.Clean(p)
		}
		if strings.HasSuffix(full, "/dev/stdin") || strings.Contains(full, "/dev/fd/") ||
			strings.Contains(full, "/proc/") && strings.Contains(full, "/fd/") {
			return true
		}
	}
	return strings.HasSuffix(p, "dev/stdin")
}

// eval reads code that the shell itself runs.
func (r *reader) eval(args []field, at place, out outcome) outcome {
	if len(args) > 0 && args[0].is("--") {
		args = args[1:]
	}
	text, ok := joined(args)
	if text == "" && !at.open {
		return out
	}
	open := at.open
	at.open = false
	inner := r.shellCode(text, !ok || open, at)
	out.ok, out.fail = inner.ok.or(at.in), inner.fail.or(at.in)
	return out
}

func (r *reader) source(args []field, at place, out outcome) outcome {
	if len(args) > 0 && args[0].is("--") {
		args = args[1:]
	}
	if len(args) == 0 {
		if at.open {
			r.opaque(codeNotStatic)
		}
		return out
	}
	inner := r.file(args[0], at)
	out.ok, out.fail = inner.ok.or(at.in), inner.fail.or(at.in)
	return out
}

// trap reads code that the shell runs at some later time.
func (r *reader) trap(args []field, at place, out outcome) outcome {
	if len(args) > 0 && args[0].is("--") {
		args = args[1:]
	}
	if len(args) == 0 || args[0].is("-l") || args[0].is("-p") || args[0].is("-") {
		return out
	}
	if len(args) == 1 && !args[0].dynamic && !at.open {
		return out // the signal alone
	}
	return r.later(args[0], false, at, out)
}

// alias reads code that words which follow are added to.
func (r *reader) alias(args []field, at place, out outcome) outcome {
	if at.open {
		r.opaque(codeNotStatic)
	}
	for _, f := range args {
		i := strings.IndexByte(f.text, '=')
		switch {
		case i > 0 && i < f.fixed:
			out = r.later(f.from(i+1), true, at, out)
		case f.dynamic:
			r.opaque(codeNotStatic)
		}
	}
	return out
}

// later reads code that runs at another time: where it changes the folder, that
// is not known from then on.
func (r *reader) later(code field, open bool, at place, out outcome) outcome {
	at.open = open
	at.stdin = input{}
	at.later = true
	inner := r.shellCode(code.text, code.dynamic, at)
	return r.moved(inner, at, out)
}

// moved is what is known behind code that may run at any time.
func (r *reader) moved(inner outcome, at place, out outcome) outcome {
	if inner.any().changed(at.in) {
		out.ok, out.fail = r.astray(out.ok), r.astray(out.fail)
	}
	return out
}
