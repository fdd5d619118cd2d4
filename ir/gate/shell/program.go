package shell

import (
	"slices"
	"strings"
)

// program reads what a program is known to do with its words. The outcome is
// that of a command which leaves the shell where it is.
func (r *reader) program(name string, f []field, at place, out outcome) outcome {
	args := f[1:]
	switch name {
	case "cd", "pushd", "popd":
		moved := r.changeFolder(name, args, at)
		moved.normal, moved.inner = out.normal, out.inner
		return moved
	case "exit":
		if !at.child && (len(args) == 0 || len(args) == 1 && allDigits(args[0].text)) {
			out.ok, out.fail = folders{}, folders{}
		}
		return out
	case "set":
		r.keywordMode(args)
	case "hash":
		if len(args) > 0 && strings.HasPrefix(args[0].text, "-") && strings.Contains(args[0].text, "p") {
			r.opaque("it gives a program another name")
		}
	case "read", "printf", "getopts", "mapfile", "readarray", "declare", "typeset", "local":
		r.setVariables(args)
	}
	w, ok := wrappers()[name]
	if !ok {
		return out
	}
	at.child = at.child || !w.inside
	return r.wrapped(name, w, args, at, out)
}

// keywordMode judges `set -k`: assignments anywhere in a command count as such.
func (r *reader) keywordMode(args []field) {
	for i, f := range args {
		switch {
		case f.is("--") || f.is("-"):
			return
		case f.is("keyword") && i > 0 || strings.HasPrefix(f.text, "-") && strings.Contains(f.text, "k"):
			r.opaque("it lets assignments stand anywhere in a command")
		}
	}
}

// setVariables judges words that may name the variables which a builtin sets.
func (r *reader) setVariables(args []field) {
	for _, f := range args {
		if expandedLater(f.text) {
			r.opaque("it sets " + f.text + ", which shells expand")
		}
	}
}

func (r *reader) wrapped(name string, w *wrapper, args []field, at place, out outcome) outcome {
	switch w.kind {
	case searched:
		r.find(args, at)
		return out
	case shellProgram:
		r.shell(name, args, at)
		return out
	case evalCode:
		return r.eval(args, at, out)
	case sourcedFile:
		return r.source(args, at, out)
	case trapCode:
		return r.trap(args, at, out)
	case aliasCode:
		return r.alias(args, at, out)
	}
	if name == "command" && len(args) > 0 && (args[0].is("-v") || args[0].is("-V")) {
		return out // it only tells
	}
	s := r.scan(w, args, at)
	for _, o := range s.options {
		switch {
		case o.letter == 0:
		case strings.IndexByte(w.code, o.letter) >= 0:
			inner := at
			inner.open = w.grows
			r.shellCode(o.value.text, o.value.dynamic, inner)
		case strings.IndexByte(w.words, o.letter) >= 0:
			r.envWords(w, o, args, at)
		case strings.IndexByte(w.dir, o.letter) >= 0:
			at.in = r.enterField(at.in, o.value).or(at.in)
		}
	}
	switch w.kind {
	case appended:
		r.xargs(s, args, at)
		return out
	case joinedWords:
		r.watch(s, args, at)
		return out
	}
	return r.starts(w, s, args, at, out)
}

// starts reads the command at each of the places where it may begin.
func (r *reader) starts(w *wrapper, s scanned, args []field, at place, out outcome) outcome {
	if len(s.starts) == 0 {
		if w.shell == "*" && !s.asks(w.code) || w.shell != "" && s.asks(w.shell) {
			r.stdin(at)
		}
		if at.open && w.skip <= 1 {
			r.opaque(notStatic)
		}
		return out
	}
	result := out
	for i, start := range s.starts {
		inner := r.command(args[start:], at)
		if i == 0 {
			result.ok, result.fail, result.inner = inner.ok, inner.fail, inner.inner
			continue
		}
		result.ok, result.fail = result.ok.or(inner.ok), result.fail.or(inner.fail)
	}
	return result
}

func (r *reader) enterField(f folders, dir field) folders {
	if dir.dynamic && !dir.home() {
		return r.astray(f)
	}
	return r.enter(f, dir.text)
}

// envWords reads `env -S`: the value is split into words, which stand before
// those that follow.
func (r *reader) envWords(w *wrapper, o option, args []field, at place) {
	if at.depth++; at.depth > maxDepth {
		r.opaque(tooLarge)
		return
	}
	words := splitWords(o.value)
	words = append(words, args[min(o.next, len(args)):]...)
	r.wrapped("env", w, words, at, outcome{})
}

// splitWords splits as `env -S` does. What it expands is not static.
func splitWords(value field) (words []field) {
	var b strings.Builder
	quote, begun, fixed := byte(0), false, -1
	flush := func() {
		if begun {
			text := b.String()
			word := static(text)
			if fixed >= 0 {
				word.fixed, word.dynamic = fixed, true
			}
			words = append(words, word)
		}
		b.Reset()
		begun, fixed = false, -1
	}
	for i := 0; i < len(value.text); i++ {
		c := value.text[i]
		if fixed < 0 && (i >= value.fixed && value.dynamic || c == '$' && quote != '\'') {
			begun, fixed = true, b.Len()
		}
		switch {
		case c == '\\' && i+1 < len(value.text):
			if i++; value.text[i] == '_' || strings.IndexByte("fnrtv", value.text[i]) >= 0 && quote == 0 {
				if quote == 0 {
					flush()
					continue
				}
			}
			begun = true
			b.WriteByte(value.text[i])
		case quote == 0 && (c == '\'' || c == '"'), c == quote && quote != 0:
			begun, quote = true, quote^c
		case quote == 0 && strings.IndexByte(" \t\n\v\f\r", c) >= 0:
			flush()
		default:
			begun = true
			b.WriteByte(c)
		}
	}
	flush()
	return words
}

// xargs reads the command that gets more words from the input.
func (r *reader) xargs(s scanned, args []field, at place) {
	mark := ""
	for _, o := range s.options {
		switch {
		case o.letter == 'I' || o.letter == 'R':
			mark = o.value.text
		case o.letter == 'i':
			if mark = o.value.text; mark == "" {
				mark = "{}"
			}
		}
	}
	at.stdin, at.open = input{kind: fileInput}, mark == ""
	for _, start := range s.starts {
		r.command(replaced(args[start:], mark), at)
	}
}

// replaced returns the words where each mark stands for what is not known.
func replaced(f []field, mark string) []field {
	if mark == "" {
		return f
	}
	f = slices.Clone(f)
	for i := range f {
		if at := strings.Index(f[i].text, mark); at >= 0 {
			f[i].fixed, f[i].dynamic = min(f[i].fixed, at), true
		}
	}
	return f
}

func (r *reader) watch(s scanned, args []field, at place) {
	for _, start := range s.starts {
		r.command(args[start:], at)
		text, ok := joined(args[start:])
		r.shellCode(text, !ok || at.open, at)
	}
}

// find reads the commands of `-exec` and its like.
func (r *reader) find(args []field, at place) {
	if at.open {
		r.head("")
	}
	for i, f := range args {
		if f.split {
			r.head("") // it may be `-exec`, a command and its end
		}
		if i+1 == len(args) || !mayExec(f) || r.exhausted() {
			continue
		}
		inner := at
		inner.open = false
		if f.is("-execdir") || f.is("-okdir") {
			inner.in = r.astray(at.in)
		}
		r.command(replaced(untilEnd(args[i+1:]), "{}"), inner)
	}
}

// mayExec tells whether a test of `find` runs a command.
func mayExec(f field) bool {
	if f.dynamic {
		return f.fixed == 0 && !f.split || f.fixed > 0 && strings.HasPrefix("-exec", f.text[:f.fixed])
	}
	return f.text == "-exec" || f.text == "-execdir" || f.text == "-ok" || f.text == "-okdir"
}

// untilEnd returns the words of a command of `find`.
func untilEnd(f []field) []field {
	for i := range f {
		if f[i].is(";") || f[i].is("+") && i > 0 && strings.HasSuffix(f[i-1].text, "{}") {
			return f[:i]
		}
	}
	return f
}
