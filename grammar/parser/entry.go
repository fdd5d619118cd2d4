package parser

import (
	"slices"
	"strings"

	"iterion/ast"
	"iterion/ast/source"
	"iterion/diagnostics"
	"iterion/grammar/schema"
	"iterion/grammar/token"
)

// entry parses an author-named line: a var, a field, a route, a port …
func (p *state) entry(kind *schema.Kind, seen *keys) {
	n, before := p.open(ast.Entry), len(p.problems)
	defer func() { p.close(n, before) }()
	at, ok := p.entryKey(kind.Entry, seen)
	if !ok {
		p.skipLine()
		return
	}
	e := kind.Entry
	switch {
	case e.Typed != nil:
		p.typed(n, e, at)
	case e.Form == 0:
		if e.Bare && p.at(token.Newline) && p.peek(1) != token.Indent {
			p.next()
			return
		}
		p.block(n, e.Block, at)
	case (p.at(token.Newline) || p.at(token.EOF)) && (e.Bare || e.Block != nil):
		if e.Block != nil && p.peek(1) == token.Indent {
			p.block(n, e.Block, at)
			return
		}
		p.next()
	default:
		p.value(n, &schema.Property{Form: e.Form}, at)
	}
}

// entryKey adds the key, bare or quoted, and consumes its colon.
func (p *state) entryKey(e *schema.Entry, seen *keys) (source.Span, bool) {
	t := p.tok()
	if t.Type == token.Key {
		name := t.Value[:t.Pos.Column]
		at := p.key()
		if e.Twice == "" {
			p.twice(seen, name, at)
		}
		return at, true
	}
	at := tokSpan(t)
	name := t.Value[1 : len(t.Value)-1]
	if strings.IndexByte(name, '\\') >= 0 {
		p.escapes = true
	}
	p.next()
	k := p.leaf(ast.Key, at)
	p.nodes[k].Flags |= ast.FlagQuoted
	if e.Twice == "" {
		p.twice(seen, name, at)
	}
	if !p.at(token.Colon) {
		p.expected("`:`")
		return at, false
	}
	p.next()
	return at, true
}

// typed parses `type [enum: …] [matching: …] = literal` and a nested block.
func (p *state) typed(n int, e *schema.Entry, at source.Span) {
	if !p.typeWord(e.Typed, at) {
		p.skipLine()
		return
	}
	for p.at(token.LBrack) {
		if !p.constraint(e.Typed, n) {
			p.skipLine()
			return
		}
	}
	if p.at(token.Equal) && e.Typed.Default {
		p.next()
		if !p.scalar(schema.Literal, nil) {
			p.skipLine()
			return
		}
	}
	if !p.endLine(false) {
		return
	}
	if e.Block != nil && p.at(token.Indent) {
		p.nodes[n].Flags |= ast.FlagBlock
		p.next()
		p.members(e.Block)
	}
}

func (p *state) typeWord(t *schema.Typed, at source.Span) bool {
	if !p.at(token.Ident) {
		if p.at(token.Newline) || p.at(token.EOF) {
			p.fail("E002", at, "expected a type behind the colon")
		} else {
			p.expected("a type")
		}
		return false
	}
	tok := p.next()
	s := tokSpan(tok)
	for t.Schemas && p.at(token.LBrack) && p.peek(1) == token.RBrack && p.adjacent() {
		p.next()
		s.End = tokEnd(p.next())
	}
	p.leaf(ast.Type, s)
	if t.Schemas || slices.Contains(t.Types, tok.Value) {
		return true
	}
	pr := p.fail("E021", s, "%s is no type; the types are %s", quote(tok.Value), strings.Join(t.Types, ", "))
	if near, ok := diagnostics.Nearest(tok.Value, t.Types); ok {
		hint(pr, "Write `%s`.", near)
	}
	return true
}

// constraint parses `[enum: "a", "b"]` or `[matching: "re"]`.
func (p *state) constraint(t *schema.Typed, entry int) bool {
	opener := tokSpan(p.tok())
	word := p.toks[p.i+1]
	kind, allowed := ast.Bad, false
	switch word.Value {
	case "enum":
		kind, allowed = ast.Enum, t.Enum
	case "matching":
		kind, allowed = ast.Matching, t.Matching
	}
	if word.Type != token.Ident || !allowed {
		p.next()
		p.expected(constraintWants(t))
		return false
	}
	n, before := p.open(kind), len(p.problems)
	defer func() { p.close(n, before) }()
	p.next()
	p.next()
	for i := entry + 1; i < n; i++ {
		if p.nodes[i].Kind == kind {
			related(p.fail("E010", tokSpan(&word), "`%s` is written twice here", word.Value), p.nodes[i].Span(), "first written here")
			break
		}
	}
	if !p.at(token.Colon) {
		p.expected("`:`")
		return false
	}
	p.next()
	if kind == ast.Enum {
		return p.enumWords(opener)
	}
	if p.cut(opener, "[") || !p.scalar(schema.QStr, nil) {
		return false
	}
	return p.closeBracket(opener)
}

func constraintWants(t *schema.Typed) string {
	switch {
	case t.Enum && t.Matching:
		return "`enum` or `matching`"
	case t.Enum:
		return "`enum`"
	}
	return "the end of the line"
}

// enumWords parses the quoted values of an enum. A bare word there is a value
// that the language cannot read.
func (p *state) enumWords(opener source.Span) bool {
	for {
		if p.cut(opener, "[") {
			return false
		}
		switch {
		case p.at(token.Ident) || p.at(token.Int) || p.at(token.Float):
			pr := p.fail("E020", p.here(), "an enum value is a quoted string, found %s", describe(p.tok()))
			hint(pr, "Write \"%s\".", p.tok().Value)
			p.take(ast.Ident)
		case !p.scalar(schema.QStr, nil):
			return false
		}
		if p.at(token.Comma) {
			p.next()
			continue
		}
		return p.closeBracket(opener)
	}
}

func (p *state) closeBracket(opener source.Span) bool {
	if p.at(token.RBrack) {
		p.next()
		return true
	}
	if !p.cut(opener, "[") {
		p.expected("`,` or `]`")
	}
	return false
}
