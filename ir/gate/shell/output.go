package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// said is a text that a command prints, as it stands and with its escapes
// decoded: which of the two is printed may depend on the shell.
type said struct{ plain, decoded string }

func (s said) plus(t said) said { return said{s.plain + t.plain, s.decoded + t.decoded} }

// texts lists the readings, each once.
func (s said) texts() []string {
	if s.plain == s.decoded {
		return []string{s.plain}
	}
	return []string{s.plain, s.decoded}
}

// held is what an input holds; ok tells whether all of it is known. What a file
// holds counts as nothing.
func (r *reader) held(in input, at place) (s said, ok bool) {
	switch in.kind {
	case wordInput:
		text, ok := r.hereBody(in, at)
		return said{text, text}, ok
	case pipeInput:
		if in.from != nil {
			at.stdin = *in.from
		}
		return r.output(in.stmts, at)
	}
	return said{}, in.kind == fileInput
}

// hereBody is the text of a here-document or a here-string, substitutions in it
// as written.
func (r *reader) hereBody(in input, at place) (text string, ok bool) {
	if !in.body {
		f := r.field(in.word, at)
		return f.text + "\n", !f.dynamic
	}
	if in.word == nil {
		return "", true
	}
	var b strings.Builder
	ok = true
	for _, part := range in.word.Parts {
		lit, isLit := part.(*syntax.Lit)
		if !isLit {
			ok = false
			b.WriteString(at.source(part))
			continue
		}
		if in.raw {
			b.WriteString(lit.Value)
			continue
		}
		b.WriteString(unescape(lit.Value, "\\$`\n"))
	}
	text = b.String()
	if in.tabs {
		text = strings.TrimLeft(strings.ReplaceAll(text, "\n\t", "\n"), "\t")
	}
	return text, ok
}

// output is what statements print, as far as `echo`, `printf` and `cat` do it;
// ok tells whether that is all.
func (r *reader) output(stmts []*syntax.Stmt, at place) (all said, ok bool) {
	ok = true
	if at.depth++; at.depth > maxDepth {
		return said{}, false
	}
	for _, s := range stmts {
		one, known := r.outputOf(s, at)
		all, ok = all.plus(one), ok && known
	}
	return all, ok
}

func (r *reader) outputOf(s *syntax.Stmt, at place) (said, bool) {
	for _, rd := range s.Redirs {
		switch rd.Op {
		case syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc:
			at.stdin = hereInput(rd)
		case syntax.RdrIn, syntax.RdrInOut, syntax.DplIn:
			at.stdin = input{}
		}
	}
	switch c := s.Cmd.(type) {
	case *syntax.CallExpr:
		fields, _ := r.fields(c.Args, at)
		return r.printed(fields, at)
	case *syntax.Block:
		return r.output(c.Stmts, at)
	case *syntax.Subshell:
		return r.output(c.Stmts, at)
	case *syntax.TimeClause:
		if c.Stmt != nil {
			return r.output([]*syntax.Stmt{c.Stmt}, at)
		}
	case *syntax.BinaryCmd:
		if c.Op == syntax.Pipe || c.Op == syntax.PipeAll {
			at.stdin = input{kind: pipeInput, stmts: []*syntax.Stmt{c.X}, from: ref(at.stdin)}
			return r.output([]*syntax.Stmt{c.Y}, at)
		}
		return r.output([]*syntax.Stmt{c.X, c.Y}, at)
	}
	return said{}, s.Cmd == nil
}

func ref(in input) *input { return &in }

// printed is what a simple command prints.
func (r *reader) printed(f []field, at place) (said, bool) {
	for len(f) > 1 && (f[0].is("command") || f[0].is("builtin")) {
		f = f[1:]
	}
	if len(f) == 0 {
		return said{}, true
	}
	args := f[1:]
	switch name := lower(base(f[0].text)); name {
	case "echo":
		return echo(args)
	case "printf":
		return printf(args)
	case "cat", "tee":
		if len(args) == 0 || name == "tee" || len(args) == 1 && args[0].is("-") {
			return r.held(at.stdin, at)
		}
	case ":", "true", "false", "cd", "set", "export", "test", "[":
		return said{}, true
	}
	return said{}, false
}

// echo joins its words; options may be in front.
func echo(args []field) (said, bool) {
	for len(args) > 0 && len(args[0].text) > 1 && args[0].text[0] == '-' && strings.Trim(args[0].text[1:], "neE") == "" {
		args = args[1:]
	}
	text, ok := joined(args)
	return said{text + "\n", echoed(text) + "\n"}, ok
}

func joined(f []field) (text string, ok bool) {
	words := make([]string, len(f))
	ok = true
	for i := range f {
		words[i] = f[i].text
		ok = ok && !f[i].dynamic
	}
	return strings.Join(words, " "), ok
}

// printf fills its format, again and again until no word is left.
func printf(args []field) (said, bool) {
	if len(args) > 0 && args[0].is("--") {
		args = args[1:]
	}
	text, ok := joined(args)
	if len(args) == 0 || strings.HasPrefix(args[0].text, "-") {
		return said{text, text}, false
	}
	format, rest := args[0].text, args[1:]
	var out said
	for first := true; first || len(rest) > 0; first = false {
		left := len(rest)
		one, known := fill(format, &rest)
		out, ok = out.plus(one), ok && known
		if len(rest) == left || len(out.plain) > maxText {
			ok = ok && len(rest) == 0
			break
		}
	}
	return out, ok
}

// fill fills a format once. Directives other than `%s`, `%b`, `%q`, `%d`, `%i`
// and `%c` are not computed, and neither are the escapes that shells read apart:
// `\c`, which ends the output or is text, and `\0` with its digits.
func fill(format string, args *[]field) (said, bool) {
	var plain, decoded strings.Builder
	ok := true
	for format != "" {
		text, rest, directive := strings.Cut(format, "%")
		ok = ok && !strings.Contains(text, `\c`) && !strings.Contains(text, `\0`)
		plain.WriteString(echoed(text))
		decoded.WriteString(echoed(text))
		format = rest
		if !directive {
			break
		}
		if rest == "" || strings.IndexByte("sbqdic%", rest[0]) < 0 {
			ok = false
			continue
		}
		format = rest[1:]
		if rest[0] == '%' {
			plain.WriteByte('%')
			decoded.WriteByte('%')
			continue
		}
		arg := ""
		if len(*args) > 0 {
			arg = (*args)[0].text
			*args = (*args)[1:]
		}
		if rest[0] == 'c' && arg != "" {
			arg = arg[:1]
		}
		ok = ok && (rest[0] != 'q' || unspecial(arg) && !strings.ContainsAny(arg, " \t\n'\"$`|&;()<>"))
		plain.WriteString(arg)
		if rest[0] == 'b' {
			arg = echoed(arg)
		}
		decoded.WriteString(arg)
	}
	return said{plain.String(), decoded.String()}, ok
}
