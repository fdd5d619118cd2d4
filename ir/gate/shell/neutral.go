package shell

import (
	"slices"
	"strings"
	"sync"

	"mvdan.cc/sh/v3/syntax"
)

// neutral says whether a simple command of static words is harmless beside one
// that a rule opens. Peeled tells that another program runs it.
func (r *reader) neutral(f []field, s *syntax.Stmt, at place, peeled bool) (Neutral, []string) {
	name, args := f[0].text, f[1:]
	if f[0].dynamic {
		return NotNeutral, nil
	}
	if name == "echo" || name == "printf" {
		return always(r.prints(name, args, at)), nil
	}
	if slices.ContainsFunc(args, func(f field) bool { return f.dynamic }) {
		return NotNeutral, nil
	}
	if filter, ok := filters()[name]; ok {
		return always(at.piped && readsNothing(s) && filter.harmless(args)), nil
	}
	switch name {
	case "true", "false", "sleep":
		return AlwaysNeutral, nil
	case "test", "[":
		return always(!slices.ContainsFunc(args, func(f field) bool { return f.text == "-v" || f.text == "-R" })), nil
	case "pwd":
		return always(len(args) == 0 || len(args) == 1 && (args[0].is("-P") || args[0].is("-L"))), nil
	}
	if peeled {
		return NotNeutral, nil // the rest are builtins alone
	}
	switch name {
	case ":":
		return AlwaysNeutral, nil
	case "exit", "break", "continue":
		return always(len(args) == 0 || len(args) == 1 && allDigits(args[0].text)), nil
	case "wait":
		return always(!slices.ContainsFunc(args, func(f field) bool { return !jobName(f.text) })), nil
	case "set":
		return always(setsHarmless(args)), nil
	case "cd", "pushd":
		return r.changesInside(args, at)
	}
	return NotNeutral, nil
}

func always(yes bool) Neutral {
	if yes {
		return AlwaysNeutral
	}
	return NotNeutral
}

// changesInside is neutral where all that a change of folder may lead to is
// inside the workspace, which the gate knows.
func (r *reader) changesInside(args []field, at place) (Neutral, []string) {
	if len(args) > 0 && args[0].is("--") {
		args = args[1:]
	}
	if len(args) != 1 || args[0].text == "" || args[0].text == "-" || strings.HasPrefix(args[0].text, "-") || args[0].number() {
		return NotNeutral, nil
	}
	to := r.enter(at.in, literalPath(args[0].text))
	if to.lost || len(to.list) == 0 {
		return NotNeutral, nil
	}
	return ChangesFolder, to.list
}

func jobName(s string) bool {
	return s == "-n" || s == "-f" || allDigits(strings.TrimPrefix(s, "%"))
}

// setsHarmless tells whether `set` sets nothing but -e, -u, -x and -o pipefail.
func setsHarmless(args []field) bool {
	if len(args) == 0 {
		return false
	}
	for i := 0; i < len(args); i++ {
		text := args[i].text
		if len(text) < 2 || text[0] != '-' || strings.Trim(text[1:], "euxo") != "" {
			return false
		}
		switch strings.Count(text, "o") {
		case 0:
		case 1:
			if i++; i == len(args) || args[i].text != "pipefail" {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// prints tells whether `echo` or `printf` does nothing but print. An exit status
// and the name of a loop around it count as static.
func (r *reader) prints(name string, args []field, at place) bool {
	for _, f := range args {
		if f.dynamic && !printable(f.word, at) {
			return false
		}
	}
	if name == "echo" {
		return true
	}
	if len(args) > 0 && args[0].is("--") {
		args = args[1:]
	} else if len(args) > 0 && strings.HasPrefix(args[0].text, "-") {
		return false
	}
	return len(args) > 0 && !args[0].dynamic && !storesLength(args[0].text)
}

// storesLength tells whether a format may hold `%n`, which sets a variable.
func storesLength(format string) bool {
	for {
		_, rest, ok := strings.Cut(format, "%")
		if !ok {
			return false
		}
		if strings.HasPrefix(rest, "%") {
			format = rest[1:]
			continue
		}
		directive := strings.TrimLeft(rest, "-+ #0'123456789.*hlLjztq")
		if strings.HasPrefix(directive, "n") || strings.HasPrefix(directive, "(") {
			return true
		}
		format = rest
	}
}

// printable tells whether all that is not static in a word is an exit status or
// the name of a loop around it.
func printable(w *syntax.Word, at place) bool {
	for _, part := range w.Parts {
		switch p := part.(type) {
		case *syntax.SglQuoted:
		case *syntax.Lit:
			if strings.ContainsAny(p.Value, "*?[{~") {
				return false
			}
		case *syntax.DblQuoted:
			if p.Dollar || slices.ContainsFunc(p.Parts, func(part syntax.WordPart) bool { return !quotable(part, at) }) {
				return false
			}
		default:
			if !quotable(part, at) {
				return false
			}
		}
	}
	return true
}

func quotable(part syntax.WordPart, at place) bool {
	switch p := part.(type) {
	case *syntax.Lit:
		return true
	case *syntax.ParamExp:
		return status(p) || plainName(p) && at.names.has(p.Param.Value)
	}
	return false
}

// status tells whether an expansion is `$?`, or an element of PIPESTATUS.
func status(p *syntax.ParamExp) bool {
	if plainName(p) {
		return p.Param.Value == "?"
	}
	index, ok := p.Index.(*syntax.Word)
	q := *p
	q.Index = nil
	return ok && plainName(&q) && p.Param.Value == "PIPESTATUS" && allDigits(index.Lit())
}

// plainName tells whether an expansion is `$x` or `${x}`.
func plainName(p *syntax.ParamExp) bool {
	return p.Param != nil && !p.Excl && !p.Length && p.Index == nil && p.Slice == nil && p.Repl == nil && p.Names == 0 && p.Exp == nil
}

// readsNothing tells whether a command has no input redirection.
func readsNothing(s *syntax.Stmt) bool {
	for _, rd := range s.Redirs {
		switch rd.Op {
		case syntax.RdrOut, syntax.AppOut, syntax.RdrClob, syntax.DplOut, syntax.RdrAll, syntax.AppAll:
		default:
			return false
		}
	}
	return true
}

// filter says which words keep a program that reads a pipe from reading
// anything else, and from writing but to its output.
type filter struct {
	flags    string // letters of options without a value
	values   string // letters of options with one
	digits   bool   // `-5` is an option
	long     string // long options without a value, between blanks
	longArgs string // long options with `=value`
	operands int    // words that name no file, any number below zero
	pattern  string // letters of options that stand for the operand
}

var filters = sync.OnceValue(func() map[string]filter {
	return map[string]filter{
		"cat":  {flags: "AbeEnstTuv", long: " show-all number-nonblank show-ends number squeeze-blank show-tabs show-nonprinting "},
		"head": {flags: "qvz", values: "nc", digits: true, long: " quiet silent verbose zero-terminated ", longArgs: " lines bytes "},
		"tail": {flags: "qvz", values: "nc", digits: true, long: " quiet silent verbose zero-terminated ", longArgs: " lines bytes "},
		"wc":   {flags: "cmlLw", long: " bytes chars lines words max-line-length "},
		"sort": {flags: "bdfghiMnRrVcCmsuz", values: "kt",
			long: " ignore-leading-blanks dictionary-order ignore-case general-numeric-sort human-numeric-sort ignore-nonprinting month-sort numeric-sort reverse version-sort check merge stable unique zero-terminated ", longArgs: " key field-separator "},
		"uniq": {flags: "cdDiuz", values: "fsw",
			long: " count repeated all-repeated ignore-case unique zero-terminated ", longArgs: " skip-fields skip-chars check-chars "},
		"cut": {flags: "nsz", values: "bcdf",
			long: " complement only-delimited zero-terminated ", longArgs: " bytes characters delimiter fields output-delimiter "},
		"tr": {flags: "cCdst", long: " complement delete squeeze-repeats truncate-set1 ", operands: -1},
		"grep": {flags: "EFGPivwxcoqsnhHbalLzZUTyI", values: "mABCe", digits: true, operands: 1, pattern: "e",
			long:     " extended-regexp fixed-strings basic-regexp perl-regexp ignore-case no-ignore-case invert-match word-regexp line-regexp count only-matching quiet silent no-messages line-number no-filename with-filename byte-offset text files-with-matches files-without-match null null-data color colour line-buffered ",
			longArgs: " max-count after-context before-context context regexp color colour "},
		"nl": {flags: "p", values: "bdfhilnsvw"},
	}
})

// harmless tells whether all words are options that are known, or operands that
// name no file.
func (p filter) harmless(args []field) bool {
	operands, given := 0, p.operands
	for i := 0; i < len(args); i++ {
		text := args[i].text
		switch {
		case text == "--":
			operands += len(args) - i - 1
			i = len(args)
		case len(text) < 2 || text[0] != '-':
			operands++
		case strings.HasPrefix(text, "--"):
			name, _, valued := strings.Cut(text[2:], "=")
			list := p.long
			if valued {
				list = p.longArgs
			}
			if name == "" || !strings.Contains(list, " "+name+" ") {
				return false
			}
			if name == "regexp" {
				given = 0
			}
		case p.digits && allDigits(text[1:]):
		default:
			next, ok := p.cluster(text[1:], i)
			if !ok || next >= len(args) {
				return false
			}
			if p.pattern != "" && strings.Contains(p.before(text[1:]), p.pattern) {
				given = 0
			}
			i = next
		}
	}
	return p.operands < 0 || operands <= given
}

// cluster reads short options; next is the last word that they take.
func (p filter) cluster(letters string, i int) (next int, ok bool) {
	for k := 0; k < len(letters); k++ {
		switch {
		case strings.IndexByte(p.flags, letters[k]) >= 0:
		case strings.IndexByte(p.values, letters[k]) < 0:
			return i, false
		case k+1 < len(letters):
			return i, true
		default:
			return i + 1, true
		}
	}
	return i, true
}

// before returns the letters of a cluster up to the first with a value.
func (p filter) before(letters string) string {
	if k := strings.IndexAny(letters, p.values); k >= 0 {
		return letters[:k+1]
	}
	return letters
}
