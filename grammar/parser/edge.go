package parser

import (
	"iterion/ast"
	"iterion/ast/source"
	"iterion/grammar/schema"
	"iterion/grammar/token"
)

// edge parses
//
//	edge = ref "->" ref { "->" ref } { clause } NL
//
// whose first reference and arrow are one fused token.
func (p *state) edge() {
	n, before := p.open(ast.Edge), len(p.problems)
	t := p.next()
	s := tokSpan(t)
	s.End = s.Start
	for _, c := range []byte(t.Value) {
		if c == ' ' || c == '\t' || c == '-' {
			break
		}
		s.End++
	}
	p.leaf(ast.Target, s)
	if p.targets() && p.clauses() {
		p.endLine(false)
	} else {
		p.skipLine()
	}
	p.close(n, before)
}

// targets parses the references behind the first arrow.
func (p *state) targets() bool {
	for {
		if !p.at(token.Ident) {
			p.expected("a node's name")
			return false
		}
		n := p.leaf(ast.Target, p.valueSpan(ast.Ident, true))
		if s := p.nodes[n]; p.toks[p.i-1].Type == token.Star {
			p.fail("E002", s.Span(), "expected a node's name, found a wildcard")
			return false
		}
		if !p.at(token.Arrow) {
			return true
		}
		p.next()
	}
}

// clause kinds, for the rule that each stands once.
const (
	clauseWhen = iota
	clauseElse
	clauseLoop
	clauseForeach
	clauseWith
	clauseCount
)

// clauses parses the clauses of an edge's last arrow.
func (p *state) clauses() bool {
	var first [clauseCount]source.Span // none begins where the text does
	clean := len(p.problems)
	for {
		t := p.tok()
		start := tokSpan(t)
		kind := -1
		switch {
		case p.atWord("when"):
			kind = clauseWhen
		case p.atWord("else"):
			kind = clauseElse
		case p.atWord("as"):
			kind = clauseLoop
			if p.peek(1) == token.Ident && p.toks[p.i+1].Value == "foreach" && p.peek(2) == token.Ident {
				kind = clauseForeach
			}
		case p.atWord("with"):
			kind = clauseWith
		case p.at(token.Arrow):
			if first == ([clauseCount]source.Span{}) {
				return true
			}
			p.fail("E032", p.firstOf(first), "a clause stands before a further `->`; clauses belong to the last arrow")
			return false
		case p.at(token.BadTab):
			p.bad()
			return false
		default:
			return true
		}
		if len(p.problems) == clean { // one report an edge
			p.again(kind, first, start)
		}
		if !p.clause(kind) {
			return false
		}
		if first[kind].IsZero() {
			first[kind] = start
		}
	}
}

// firstOf returns the earliest clause.
func (p *state) firstOf(first [clauseCount]source.Span) source.Span {
	best := source.Span{Start: ^uint32(0)}
	for _, s := range first {
		if !s.IsZero() && s.Start < best.Start {
			best = s
		}
	}
	return best
}

// again reports a clause that the edge already has.
func (p *state) again(kind int, first [clauseCount]source.Span, at source.Span) {
	if f := first[kind]; !f.IsZero() {
		related(p.fail("E030", at, "this edge already has such a clause"), f, "first written here")
		return
	}
	switch other := [...]int{clauseWhen: clauseElse, clauseElse: clauseWhen, clauseWith: -1, clauseLoop: -1, clauseForeach: -1}[kind]; {
	case other >= 0 && !first[other].IsZero():
		related(p.fail("E031", at, "an edge is guarded by `when` or is the `else`, not both"), first[other], "the other clause")
	}
}

func (p *state) clause(kind int) bool {
	n, before := p.open([...]ast.Kind{ast.When, ast.Else, ast.Loop, ast.Foreach, ast.With}[kind]), len(p.problems)
	p.next()
	ok := true
	switch kind {
	case clauseWhen:
		ok = p.when(n)
	case clauseLoop:
		ok = p.loop()
	case clauseForeach:
		p.next()
		ok = p.foreach()
	case clauseWith:
		ok = p.withGroup()
	}
	p.close(n, before)
	return ok
}

func (p *state) when(n int) bool {
	switch {
	case p.atWord("not") && p.peek(1) == token.Ident:
		p.next()
		p.nodes[n].Flags |= ast.FlagNot
		p.take(ast.Ident)
	case p.at(token.Ident):
		p.take(ast.Ident)
	case p.at(token.String) || p.at(token.Raw):
		t := p.tok()
		p.scalar(schema.QStr, nil)
		if len(t.Value) == 2 {
			p.fail("E002", tokSpan(t), "expected an expression between the quotes")
			return false
		}
	default:
		p.expected("a field's name or a quoted expression")
		return false
	}
	return true
}

// loop parses `NAME ( cap )` behind `as`.
func (p *state) loop() bool {
	opener, ok := p.nameParen("a loop's name")
	if !ok {
		return false
	}
	switch {
	case p.atWord("unbounded"):
		n := p.open(ast.Unbounded)
		p.next()
		if p.at(token.Int) {
			p.scalar(schema.Int, nil)
		}
		p.close(n, len(p.problems))
	case p.at(token.Int):
		p.scalar(schema.Int, nil)
	case p.at(token.String) || p.at(token.Raw):
		p.scalar(schema.QStr, nil)
	default:
		p.expected("a number, a quoted expression or `unbounded`")
		return false
	}
	return p.closeParen(opener)
}

// foreach parses `NAME ( item in "…" )` behind `as foreach`.
func (p *state) foreach() bool {
	opener, ok := p.nameParen("a name")
	if !ok {
		return false
	}
	if !p.at(token.Ident) {
		p.expected("the item's name")
		return false
	}
	p.take(ast.Ident)
	if !p.atWord("in") {
		p.expected("`in`")
		return false
	}
	p.next()
	if !p.at(token.String) && !p.at(token.Raw) {
		p.expected("a quoted reference")
		return false
	}
	p.scalar(schema.QStr, nil)
	return p.closeParen(opener)
}

// nameParen parses `NAME (` and returns the parenthesis.
func (p *state) nameParen(what string) (opener source.Span, ok bool) {
	if !p.at(token.Ident) {
		p.expected(what)
		return opener, false
	}
	p.take(ast.Ident)
	if !p.at(token.LParen) {
		p.expected("`(`")
		return opener, false
	}
	opener = tokSpan(p.next())
	return opener, !p.cut(opener, "(")
}

func (p *state) closeParen(opener source.Span) bool {
	if p.at(token.RParen) {
		p.next()
		return true
	}
	if !p.cut(opener, "(") {
		p.expected("`)`")
	}
	return false
}
