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
	for _, clause := range rapid.Permutation([]string{"when", "as", "with", ""}).Draw(w.t, "clauses") {
		if clause == "" {
			break
		}
		w.put(w.gap())
		switch clause {
		case "when":
			w.put(w.guard())
		case "as":
			w.loop()
		case "with":
			w.with(col)
		}
	}
	w.end()
}

func (w *writer) guard() string {
	if w.once(3) {
		return "else"
	}
	return "when" + w.gap() + pick(w, w.name(), "not"+w.gap()+w.name(), "not", `"a > 1"`, "`a\n> 1`")
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
			return pick(w, "\n", "\n\n", " # note\n", "\n# note\n") + strings.Repeat(" ", 1+col+w.upTo(4)) /*TEMP*/
		}
	}
	for range w.upTo(3) {
		w.put(brk(), w.name(), w.colon(), w.maybe(), w.scalar(schema.Literal, nil), w.maybe(), pick(w, ",", " "))
	}
	w.put(brk(), "}")
}
