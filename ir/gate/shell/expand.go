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
	r.within(w, false, at)
}

func isLiteral(part syntax.WordPart) bool {
	switch part.(type) {
	case *syntax.Lit, *syntax.SglQuoted:
		return true
	}
	return false
}

// within walks over a word or an arithmetic expression. In the latter, and in
// expansions, bash expands also what quotes seem to protect.
func (r *reader) within(root syntax.Node, computed bool, at place) {
	at.piped, at.timed, at.open = false, "", false
	var inside []bool // the same of each node around
	syntax.Walk(root, func(n syntax.Node) bool {
		if n == nil {
			inside = inside[:len(inside)-1]
			return true
		}
		deep := computed || len(inside) > 0 && inside[len(inside)-1]
		switch n := n.(type) {
		case *syntax.CmdSubst:
			r.rejoined(n, at)
			r.list(n.Stmts, at)
			return false
		case *syntax.ProcSubst:
			r.rejoined(n, at)
			r.substituted(n, at)
			return false
		case *syntax.ParamExp:
			r.parameter(n, at)
			deep = true
		case *syntax.ArithmExp:
			r.unplain("arithmetic", at)
			deep = true
		case *syntax.SglQuoted:
			r.protected(n.Value, deep)
		case *syntax.Lit:
			r.protected(n.Value, deep && strings.Contains(n.Value, `\`))
		}
		inside = append(inside, deep)
		return true
	})
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

// arithmetic reads an arithmetic expression.
func (r *reader) arithmetic(x syntax.ArithmExpr, at place) {
	r.unplain("arithmetic", at)
	if x != nil {
		r.within(x, true, at)
	}
}
