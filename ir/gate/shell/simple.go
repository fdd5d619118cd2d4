package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// part is a text of which the first bytes are static.
type part struct {
	text  string
	fixed int // len(text) when all is
}

func (p part) static() bool { return p.fixed == len(p.text) }

// add offers a text to closing patterns.
func (r *reader) add(p part) {
	r.text(p.text)
	if !p.static() {
		r.head(p.text[:p.fixed])
	}
}

// call reads a simple command.
func (r *reader) call(c *syntax.CallExpr, s *syntax.Stmt, at place) outcome {
	outer := r.steps
	r.steps = 0
	defer func() { r.steps = outer }()
	assigns := r.assigns(c.Assigns, at)
	r.words(c.Args, at)
	r.negatedSubshell(c, at)
	fields, braced := r.fields(c.Args, at)
	written := at.written(c, s)
	r.add(written)
	kept := fields
	if braced {
		kept = r.unbraced(c.Args, at)
		r.text(text(kept).text) // for shells that have no braces
	}
	if at.opening {
		r.simple(assigns, kept, c, s, at)
	}
	if len(fields) == 0 {
		return outcome{ok: at.in, fail: at.in, normal: written, inner: written}
	}
	if len(assigns) > 0 {
		all := append(assigns[:len(assigns):len(assigns)], fields...)
		r.add(text(all))
		r.add(collapsed(all, at.source(c)))
	}
	plain := collapsed(fields, at.words(c.Args))
	r.add(plain)
	if at.timed != "" && strings.HasPrefix(fields[0].text, "-") {
		r.program("time", append([]field{static("time")}, fields...), at, outcome{})
	}
	return r.commandOf(fields, joinedAs(fields, plain), at)
}

// words are the words of a command as they were written.
func (at place) words(w []*syntax.Word) string {
	if len(w) == 0 {
		return ""
	}
	return at.between(w[0].Pos(), w[len(w)-1].End())
}

// joinedAs is the text of words that are also known as they were written.
func joinedAs(f []field, written part) part {
	if written.static() && !quoted(f) {
		return written
	}
	return text(f)
}

// quoted tells whether some word is written otherwise than the program gets it.
func quoted(f []field) bool {
	for i := range f {
		if f[i].src != f[i].text {
			return true
		}
	}
	return false
}

// negatedSubshell reads `!(…)` in front of a command: where extended globs are
// off, as they are at first, it is a subshell.
func (r *reader) negatedSubshell(c *syntax.CallExpr, at place) {
	if len(c.Args) == 0 {
		return
	}
	if g, ok := c.Args[0].Parts[0].(*syntax.ExtGlob); ok && g.Op == syntax.GlobExcept {
		r.code(g.Pattern.Value, at)
	}
}

// written is a command as it was written, with its redirections and without the
// bodies of here-documents.
func (at place) written(c syntax.Node, s *syntax.Stmt) part {
	from, to := c.Pos(), c.End()
	for _, rd := range s.Redirs {
		if from.After(rd.Pos()) {
			from = rd.Pos()
		}
		if end := rd.Word.End(); end.After(to) {
			to = end
		}
	}
	return certain(at.between(from, to))
}

func certain(text string) part { return part{text, len(text)} }

// collapsed is a command as it was written, blanks between its words aside.
func collapsed(f []field, written string) part {
	if single(written, f) {
		return certain(written)
	}
	return source(f)
}

// single tells whether a command is static, and written with one blank between
// its words.
func single(written string, f []field) bool {
	for i := range f {
		if i > 0 {
			if !strings.HasPrefix(written, " ") {
				return false
			}
			written = written[1:]
		}
		if f[i].dynamic || !strings.HasPrefix(written, f[i].src) {
			return false
		}
		written = written[len(f[i].src):]
	}
	return written == ""
}

// text joins words as the program gets them.
func text(f []field) part {
	if len(f) == 0 {
		return part{}
	}
	if len(f) == 1 {
		return part{f[0].text, f[0].fixed}
	}
	n := len(f)
	for i := range f {
		n += len(f[i].text)
	}
	var b strings.Builder
	b.Grow(n)
	fixed := -1
	for i := range f {
		if i > 0 {
			b.WriteByte(' ')
		}
		if f[i].dynamic && fixed < 0 {
			fixed = b.Len() + f[i].fixed
		}
		b.WriteString(f[i].text)
	}
	if fixed < 0 {
		fixed = b.Len()
	}
	return part{b.String(), fixed}
}

// source joins words as they were written.
func source(f []field) part {
	written := make([]field, len(f))
	for i, each := range f {
		written[i] = field{text: each.src, fixed: len(each.src), dynamic: each.dynamic}
		if each.dynamic {
			written[i].fixed = staticStart(each)
		}
	}
	return text(written)
}

// staticStart is how many bytes of a word, as written, are surely static.
func staticStart(f field) int {
	start := f.text[:f.fixed]
	switch {
	case strings.HasPrefix(f.src, start):
		return f.fixed
	case strings.HasPrefix(f.src, `"`+start):
		return f.fixed + 1
	}
	return 0
}

// command reads a command by its words: its spellings, and what its program is
// known to run.
func (r *reader) command(f []field, at place) outcome {
	return r.commandOf(f, text(f), at)
}

// commandOf is command for words that are joined already.
func (r *reader) commandOf(f []field, full part, at place) outcome {
	stay := outcome{ok: at.in, fail: at.in}
	at.depth++
	if r.steps++; at.depth > maxDepth || r.exhausted() {
		r.opaque(tooLarge)
		return stay
	}
	if len(f) == 0 {
		if at.open {
			r.opaque(notStatic)
		}
		return stay
	}
	name := r.spell(f, full, at, &stay)
	if f[0].dynamic {
		r.opaque(notStatic)
		if len(f) > 1 && f[0].split {
			r.command(f[1:], at) // it may come to nothing
		}
		return stay
	}
	return r.program(name, f, at, stay)
}

const notStatic = "a command word in it is not static"

// exhausted tells whether no more is read of a simple command.
func (r *reader) exhausted() bool { return r.steps > maxSteps || r.left < 0 }

// spell adds the spellings of a command, and returns the name of its program.
func (r *reader) spell(f []field, full part, at place, out *outcome) (name string) {
	if at.open && full.static() {
		r.head(full.text + " ")
	}
	r.add(full)
	last := strings.LastIndexByte(f[0].text, '/') + 1
	short := full
	if last > 0 && last < len(f[0].text) {
		short = part{full.text[last:], max(0, full.fixed-last)}
		if full.fixed < last {
			short.fixed = 0
		}
		if at.open && short.static() {
			r.head(short.text + " ")
		}
		r.add(short)
	}
	name = base(f[0].text)
	if small := lower(name); small != name {
		short.text = small + short.text[len(name):]
		if at.open && short.static() {
			r.head(short.text + " ")
		}
		r.add(short)
		name = small
	}
	out.normal, out.inner = short, short
	return name
}

// base is the last segment of a path; a path that ends in `/` is its own.
func base(p string) string {
	if i := strings.LastIndexByte(p, '/') + 1; i < len(p) {
		return p[i:]
	}
	return p
}

// lower is a name in lower case, ASCII only: the length stays.
func lower(s string) string {
	for i := 0; i < len(s); i++ {
		if 'A' <= s[i] && s[i] <= 'Z' {
			b := []byte(s)
			for ; i < len(b); i++ {
				if 'A' <= b[i] && b[i] <= 'Z' {
					b[i] += 'a' - 'A'
				}
			}
			return string(b)
		}
	}
	return s
}
