package sample

import (
	"strings"

	"pgregory.net/rapid"

	"iterion/grammar/schema"
)

func (w *writer) edge(col int) {
	w.put(w.dotted(), w.maybe(), "->", w.maybe(), w.dotted())
	for range w.upTo(3) / 2 {
		w.put(w.maybe(), "->", w.maybe(), w.dotted())
	}
	clauses := rapid.Permutation([]string{"when", "as", "with"}).Draw(w.t, "clauses")
	clauses = clauses[:w.upTo(len(clauses))]
	for i, clause := range clauses {
		w.put(w.gap())
		switch clause {
		case "when":
			w.guard(i == len(clauses)-1)
		case "as":
			w.loop()
		case "with":
			w.with(col)
		}
	}
	w.end()
}

func (w *writer) guard(last bool) {
	switch {
	case w.once(3):
		w.put("else")
	case last && w.once(5):
		w.put("when", w.gap(), "not") // a field of this name
	default:
		w.put("when", w.gap(), pick(w, w.name(), "not"+w.gap()+w.name(), `"a > 1"`, "`a\n> 1`"))
	}
}

func (w *writer) loop() {
	if w.once(3) {
		w.put("as", w.gap(), "foreach", w.gap(), w.word(), w.maybe(), "(", w.maybe(), w.word(), w.gap(), "in", w.maybe(), `"{{outputs.a.b}}"`, w.maybe(), ")")
		return
	}
	w.put("as", w.gap(), pick(w, w.word(), "foreach"), w.maybe(), "(", w.maybe(),
		pick(w, "3", "unbounded", "unbounded 20", `"{{vars.n}}"`, "`vars.n - 1`"), w.maybe(), ")")
}

// with writes `with { … }` on one line or on several, behind a line that is
// indented by col.
func (w *writer) with(col int) {
	w.put("with", w.maybe(), "{")
	brk := func() string { return w.maybe() }
	if w.once(2) {
		brk = func() string {
			return pick(w, "\n", "\n\n", " # note\n", "\n# note\n") + strings.Repeat(" ", w.upTo(col+4))
		}
	}
	for range w.upTo(3) {
		w.put(brk(), w.name(), w.colon(), w.maybe(), w.scalar(schema.Literal, nil), w.maybe(), pick(w, ",", " "))
	}
	w.put(brk(), "}")
}
