package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// words reads the substitutions inside of words, and judges their expansions.
func (r *reader) words(words []*syntax.Word, at place) {
	for _, w := range words {
		r.expansions(w, at)
	}
}

// expansions reads what bash does to evaluate a word. Substitutions are
// commands of their own.
func (r *reader) expansions(w *syntax.Word, at place) {
	if w == nil || len(w.Parts) == 1 && isLiteral(w.Parts[0]) {
		return
	}
	at.piped, at.timed, at.open = false, "", false
	r.parts(w.Parts, false, &at)
}

func isLiteral(part syntax.WordPart) bool {
	switch part.(type) {
	case *syntax.Lit, *syntax.SglQuoted:
		return true
	}
	return false
}

// parts reads the parts of a word. Deep tells that they stand in an expansion or
// in arithmetic, where bash expands also what quotes seem to protect.
func (r *reader) parts(parts []syntax.WordPart, deep bool, at *place) {
	for _, part := range parts {
		switch p := part.(type) {
		case *syntax.DblQuoted:
			r.parts(p.Parts, deep, at)
		case *syntax.CmdSubst:
			r.rejoined(p, *at)
			r.list(p.Stmts, *at)
		case *syntax.ProcSubst:
			r.rejoined(p, *at)
			r.substituted(p, *at)
		case *syntax.ParamExp:
			r.parameter(p, *at)
			r.operands(p, at)
		case *syntax.ArithmExp:
			r.unplain("arithmetic", *at)
			r.computed(p.X, at)
		case *syntax.SglQuoted:
			r.protected(p.Value, deep)
		case *syntax.Lit:
			r.protected(p.Value, deep && strings.Contains(p.Value, `\`))
		}
	}
}

// operands reads what stands inside of `${…}`.
func (r *reader) operands(p *syntax.ParamExp, at *place) {
	r.computed(p.Index, at)
	if p.Slice != nil {
		r.computed(p.Slice.Offset, at)
		r.computed(p.Slice.Length, at)
	}
	if p.Repl != nil {
		r.operand(p.Repl.Orig, at)
		r.operand(p.Repl.With, at)
	}
	if p.Exp != nil {
		r.operand(p.Exp.Word, at)
	}
}

func (r *reader) operand(w *syntax.Word, at *place) {
	if w != nil {
		r.parts(w.Parts, true, at)
	}
}

// computed reads the words of an arithmetic expression.
func (r *reader) computed(x syntax.ArithmExpr, at *place) {
	switch x := x.(type) {
	case nil:
	case *syntax.Word:
		r.operand(x, at)
	case *syntax.BinaryArithm:
		r.computed(x.X, at)
		r.computed(x.Y, at)
	case *syntax.UnaryArithm:
		r.computed(x.X, at)
	case *syntax.ParenArithm:
		r.computed(x.X, at)
	default:
		r.opaque("it holds a shape that is not known")
	}
}

// substituted reads a process substitution. What `>(…)` reads is not known.
func (r *reader) substituted(p *syntax.ProcSubst, at place) {
	at.stdin = input{}
	r.list(p.Stmts, at)
}

// rejoined judges a substitution with a here-document. Inside of compound
// commands bash keeps substitutions as text, which it writes itself: behind a
// here-document it forgets the `;` between two commands, and runs them as one.
func (r *reader) rejoined(sub syntax.Node, at place) {
	var here, last uint
	if !strings.Contains(at.source(sub), "<<") {
		return
	}
	syntax.Walk(sub, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Redirect:
			if n.Hdoc != nil && here == 0 {
				here = n.OpPos.Offset()
			}
		case *syntax.Stmt:
			if n.Semicolon.IsValid() { // or `&`
				last = max(last, n.Semicolon.Offset())
			}
		}
		return true
	})
	if here > 0 && last > here {
		r.opaque("a `;` stands behind a here-document in a substitution")
	}
}

// protected judges a quoted text inside of an expansion or of arithmetic: bash
// takes some of them as double-quoted, or expands them once more.
func (r *reader) protected(text string, deep bool) {
	if deep && (strings.Contains(text, "$(") || strings.Contains(text, "`") || strings.Contains(text, `$\(`)) {
		r.opaque("it quotes a substitution inside of an expansion")
	}
}

// parameter judges `$x` and `${x…}`.
func (r *reader) parameter(p *syntax.ParamExp, at place) {
	switch {
	case p.Excl || p.Names != 0:
		r.unplain("an indirect expansion", at)
	case p.Slice != nil:
		r.unplain("arithmetic", at)
	case !constant(p.Index):
		r.unplain("a computed subscript", at)
	}
	if p.Exp == nil {
		return
	}
	switch p.Exp.Op {
	case syntax.AlternateUnset, syntax.AlternateUnsetOrNull, syntax.DefaultUnset, syntax.DefaultUnsetOrNull,
		syntax.ErrorUnset, syntax.ErrorUnsetOrNull, syntax.RemSmallPrefix, syntax.RemLargePrefix,
		syntax.RemSmallSuffix, syntax.RemLargeSuffix:
	case syntax.OtherParamOps:
		r.unplain("a transformed parameter", at)
		if op := p.Exp.Word.Lit(); op == "" || strings.Contains(op, "P") {
			r.opaque("it expands a value as a prompt")
		}
	default:
		r.unplain("an expansion that assigns or transforms", at)
	}
}

// constant tells whether a subscript is a number, `@` or `*`, or none at all.
func constant(index syntax.ArithmExpr) bool {
	if index == nil {
		return true
	}
	w, ok := index.(*syntax.Word)
	return ok && (allDigits(w.Lit()) || w.Lit() == "@" || w.Lit() == "*")
}

// arithmetic reads an arithmetic expression that stands alone.
func (r *reader) arithmetic(x syntax.ArithmExpr, at place) {
	r.unplain("arithmetic", at)
	at.piped, at.timed, at.open = false, "", false
	r.computed(x, &at)
}
