package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// field is one word of a command as the program gets it.
type field struct {
	text    string // static quoting removed; a part that is not static as written
	fixed   int    // bytes of text before the first part that is not static
	src     string // as written
	dynamic bool   // it has a part that is not static
	split   bool   // it may come to several words, or to none
	word    *syntax.Word
}

func static(text string) field { return field{text: text, fixed: len(text), src: text} }

// is tells whether the word is static and reads so.
func (f field) is(text string) bool { return !f.dynamic && f.text == text }

// home tells whether the word is a path below the home folder, all static but that.
func (f field) home() bool {
	return f.dynamic && !f.split && f.fixed == 0 && rooted(f.text) && f.text[0] == '~' &&
		len(f.word.Parts) == 1 && !strings.ContainsAny(f.text, "*?[{\\")
}

// number tells whether the word is `+N`, `-N` or `N`.
func (f field) number() bool {
	digits := strings.TrimLeft(f.text, "+-")
	return !f.dynamic && len(f.text)-len(digits) <= 1 && allDigits(digits)
}

func allDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// from returns the field without its first n bytes, which are static.
func (f field) from(n int) field {
	f.text, f.fixed = f.text[n:], f.fixed-n
	return f
}

// fields evaluates words: braces are expanded, the rest of what is not static
// stays as written.
func (r *reader) fields(words []*syntax.Word, at place) (list []field, braced bool) {
	list = r.room(len(words))
	for _, w := range words {
		if expanded := braces(w); expanded != nil {
			braced = true
			for _, each := range expanded {
				if blank(each) {
					continue // bash drops a word that braces leave empty
				}
				f := r.field(each, at)
				f.src = at.source(w)
				list = append(list, f)
			}
			continue
		}
		list = append(list, r.field(w, at))
	}
	return list, braced
}

// room returns an empty slice for so many fields.
func (r *reader) room(n int) []field {
	if cap(r.pool)-len(r.pool) < n {
		r.pool = make([]field, 0, max(n, 16))
	}
	end := len(r.pool)
	r.pool = r.pool[:end+n]
	return r.pool[end : end : end+n]
}

func blank(w *syntax.Word) bool {
	for _, part := range w.Parts {
		if lit, ok := part.(*syntax.Lit); !ok || lit.Value != "" {
			return false
		}
	}
	return true
}

// unbraced evaluates words; braces in them are not static.
func (r *reader) unbraced(words []*syntax.Word, at place) []field {
	list := make([]field, len(words))
	for i, w := range words {
		list[i] = r.field(w, at)
	}
	return list
}

// field evaluates one word; braces in it are not static.
func (r *reader) field(w *syntax.Word, at place) field {
	if len(w.Parts) == 1 {
		if lit, ok := w.Parts[0].(*syntax.Lit); ok && unspecial(lit.Value) {
			return field{text: lit.Value, fixed: len(lit.Value), src: lit.Value, word: w}
		}
	}
	e := evaluation{reader: r, at: at, word: w, fixed: -1}
	e.out = r.buf[:0]
	for i, part := range w.Parts {
		e.part(part, i == 0)
	}
	r.buf = e.out
	f := field{text: string(e.out), fixed: e.fixed, src: at.source(w), dynamic: e.fixed >= 0, split: e.split, word: w}
	if !f.dynamic {
		f.fixed = len(f.text)
	}
	return f
}

// unspecial tells whether an unquoted text stands for itself.
func unspecial(s string) bool {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\', '*', '?', '[', '{', '~':
			return false
		}
	}
	return true
}

// source is a node as it was written.
func (at place) source(n syntax.Node) string { return at.between(n.Pos(), n.End()) }

func (at place) between(from, to syntax.Pos) string {
	start, end := from.Offset(), to.Offset()
	if start > end || end > uint(len(at.src)) {
		return "" // braces have no place of their own
	}
	return at.src[start:end]
}

// evaluation is the state of evaluating one word.
type evaluation struct {
	*reader
	at    place
	word  *syntax.Word
	out   []byte
	fixed int // where the first part that is not static begins, -1 when none does
	split bool
	open  int  // brackets that are open in the static text
	last  byte // of the static text
}

func (e *evaluation) part(part syntax.WordPart, first bool) {
	switch p := part.(type) {
	case *syntax.Lit:
		e.unquoted(p.Value, first)
	case *syntax.SglQuoted:
		text := p.Value
		if p.Dollar {
			text = ansi(text)
		}
		e.static(text)
	case *syntax.DblQuoted:
		if p.Dollar { // translated by a catalogue of the environment
			e.vary()
		}
		for _, inner := range p.Parts {
			e.quoted(inner)
		}
	case *syntax.ProcSubst, *syntax.ExtGlob:
		e.dynamic(part, false)
	case *syntax.BraceExp: // a sequence that is not expanded
		e.vary()
		e.out = append(e.out, "{..}"...)
	default:
		e.dynamic(part, true)
	}
}

// quoted evaluates a part inside of double quotes.
func (e *evaluation) quoted(part syntax.WordPart) {
	switch p := part.(type) {
	case *syntax.Lit:
		e.static(unescape(p.Value, "\\$`\"\n"))
	default:
		e.dynamic(part, manyWords(part))
	}
}

// manyWords tells whether an expansion may come to several words even inside of
// double quotes: `"$@"`, `"${a[@]}"`, `"${!a@}"`.
func manyWords(part syntax.WordPart) bool {
	p, ok := part.(*syntax.ParamExp)
	if !ok {
		return false
	}
	if p.Excl || p.Param == nil || p.Param.Value == "@" {
		return true
	}
	index, ok := p.Index.(*syntax.Word)
	return ok && index.Lit() == "@"
}

// vary notes that what follows is not static.
func (e *evaluation) vary() {
	if e.fixed < 0 {
		e.fixed = len(e.out)
	}
}

func (e *evaluation) dynamic(part syntax.WordPart, split bool) {
	e.vary()
	e.split = e.split || split
	if said, ok := e.said(part); ok {
		e.out = append(e.out, said...)
		return
	}
	e.out = append(e.out, e.at.source(part)...)
}

// said is what a substitution of static text comes to: `$(echo git)`. It counts
// as not static, but a closing pattern is tried on what it says.
func (e *evaluation) said(part syntax.WordPart) (string, bool) {
	p, ok := part.(*syntax.CmdSubst)
	if !ok || e.at.depth >= maxDepth {
		return "", false
	}
	if src := e.at.source(p); !strings.Contains(src, "echo") && !strings.Contains(src, "printf") && !strings.Contains(src, "cat") {
		return "", false // nothing in it prints what is known
	}
	at := e.at
	at.depth++
	inner := reader{Script: &Script{}, left: e.left}
	text, ok := inner.output(p.Stmts, at)
	return strings.TrimRight(text.plain, "\n"), ok
}

// unquoted evaluates a literal outside of quotes.
func (e *evaluation) unquoted(lit string, first bool) {
	if first && strings.HasPrefix(lit, "~") || strings.Contains(lit, "=~") || strings.Contains(lit, ":~") {
		e.vary()
	}
	for i := 0; i < len(lit); i++ {
		switch c := lit[i]; c {
		case '\\':
			switch i++; {
			case i == len(lit): // at the end of the text it stands for itself
				e.static(`\`)
			case lit[i] != '\n':
				e.static(lit[i : i+1])
			}
		case '*', '?':
			e.glob(c)
		case '[':
			if closes(lit[i+1:], e.word) {
				e.glob(c)
				continue
			}
			e.static("[")
		case '{':
			if ambiguous(lit[i+1:], e.word) {
				e.vary()
			}
			e.static("{")
		default:
			end := i + 1
			for end < len(lit) && strings.IndexByte(`\*?[{`, lit[end]) < 0 {
				end++
			}
			e.static(lit[i:end])
			i = end - 1
		}
	}
}

func (e *evaluation) glob(c byte) {
	e.vary()
	e.out = append(e.out, c)
}

// closes tells whether a bracket may begin a class of a glob: a `]` follows,
// in the rest of its literal or in a later part of the word.
func closes(rest string, w *syntax.Word) bool { return strings.Contains(rest, "]") || len(w.Parts) > 1 }

// ambiguous tells whether an opening brace that was not expanded might still be
// read as one by bash.
func ambiguous(rest string, w *syntax.Word) bool {
	return len(w.Parts) > 1 && rest == "" || strings.Contains(rest, ",") || strings.Contains(rest, "..") ||
		len(w.Parts) > 1 && !strings.Contains(rest, "}")
}

// static appends a static text. Where it quotes a substitution inside of a
// subscript, bash may take the text as arithmetic later, and run it.
func (e *evaluation) static(text string) {
	e.out = append(e.out, text...)
	if !strings.ContainsAny(text, "[]$`(") {
		e.last = 0
		return
	}
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '[':
			e.open++
		case c == ']' && e.open > 0:
			e.open--
		case e.open > 0 && (c == '`' || c == '(' && e.last == '$'):
			e.opaque("it quotes a substitution in a subscript")
		}
		e.last = text[i]
	}
}
