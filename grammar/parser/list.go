package parser

import (
	plex "github.com/alecthomas/participle/v2/lexer"

	"iterion/ast"
	"iterion/ast/source"
	"iterion/grammar/schema"
	"iterion/grammar/token"
)

// element says how an element of a list form is written.
func element(form schema.Form) schema.Form {
	switch form {
	case schema.NameList:
		return schema.Name
	case schema.StrList:
		return schema.Str
	}
	return schema.StrOrName
}

// tolerant tells whether a list form allows a comma before its `]`.
func tolerant(form schema.Form) bool {
	return form == schema.ToolList || form == schema.StrOrNameList
}

// list parses `[a, b]` or dash lines.
func (p *state) list(form schema.Form, at source.Span) {
	switch {
	case p.at(token.LBrack):
		if p.inlineList(form) {
			p.endLine(false)
		} else {
			p.skipLine()
		}
	case p.at(token.Newline) && p.peek(1) == token.Indent && (p.peek(2) == token.Dash || token.Bad(p.peek(2))):
		p.dashList(form)
	case p.at(token.Newline) || p.at(token.EOF):
		pr := p.fail("E002", at, "expected %s behind the colon", wants[form])
		hint(pr, "Write `[]` for the empty list.")
		p.skipLine()
	default:
		p.wrongValue(form)
		p.skipLine()
	}
}

func (p *state) inlineList(form schema.Form) bool {
	n, before := p.open(ast.List), len(p.problems)
	opener := tokSpan(p.next())
	ok := p.elements(form, opener)
	p.close(n, before)
	return ok
}

// elements parses up to the closing bracket.
func (p *state) elements(form schema.Form, opener source.Span) bool {
	for first := true; ; first = false {
		if p.at(token.RBrack) && (first || tolerant(form)) {
			p.next()
			return true
		}
		if p.cut(opener, "[") {
			return false
		}
		if !p.scalar(element(form), nil) {
			return false
		}
		switch {
		case p.at(token.Comma):
			p.next()
		case p.at(token.RBrack):
			p.next()
			return true
		case p.cut(opener, "["):
			return false
		default:
			pr := p.expected("`,` or `]`")
			if p.adjacent() {
				hint(pr, "Put the element in quotes.")
			}
			return false
		}
	}
}

// cut reports a bracket whose line ends before its partner.
func (p *state) cut(opener source.Span, bracket string) bool {
	switch {
	case p.at(token.Break):
		p.fail("E002", opener, "`%s` and its partner must stand on one line", bracket)
	case p.at(token.Newline), p.at(token.EOF):
		p.fail("E002", opener, "this `%s` is never closed", bracket)
	default:
		return false
	}
	return true
}

// dashList parses one `- item` a line.
func (p *state) dashList(form schema.Form) {
	p.next() // the newline
	p.next() // the indent
	n, before := p.open(ast.List), len(p.problems)
	p.nodes[n].Flags |= ast.FlagDashes
	for !p.at(token.Dedent) && !p.at(token.EOF) {
		p.dashItem(form)
	}
	p.close(n, before)
	p.next()
}

func (p *state) dashItem(form schema.Form) {
	switch {
	case p.at(token.Newline):
		p.next()
	case p.at(token.Indent):
		p.next()
		if token.Bad(p.tok().Type) {
			p.bad()
		} else {
			p.fail("E003", p.here(), "an item stands deeper than the list")
		}
		p.i--
		p.skipBlock()
	case !p.at(token.Dash):
		p.unexpected("an item of this list starts with `- `")
		p.skipLine()
	default:
		dash := tokSpan(p.next())
		if p.at(token.Newline) || p.at(token.EOF) {
			p.fail("E002", dash, "this `-` has no item")
			p.skipLine()
			return
		}
		isBare := p.at(token.Ident) && element(form) == schema.Str
		if !p.scalar(element(form), nil) {
			p.skipLine()
			return
		}
		p.endLine(isBare)
	}
}

// mapValue parses `{ K: "v" }` or an indented block of `K: v` lines.
func (p *state) mapValue(n int, kind *schema.Kind, at source.Span) {
	if p.at(token.Newline) || p.at(token.EOF) {
		p.block(n, kind, at)
		return
	}
	if !p.at(token.LBrace) {
		p.wrongValue(schema.Map)
		p.skipLine()
		return
	}
	m, before := p.open(ast.Map), len(p.problems)
	ok := p.inlineMap()
	p.close(m, before)
	if ok {
		p.endLine(false)
	} else {
		p.skipLine()
	}
}

func (p *state) inlineMap() bool {
	opener := tokSpan(p.next())
	var seen keys
	if p.at(token.RBrace) {
		p.next()
		return true
	}
	for {
		if p.cut(opener, "{") || !p.pair(&seen, schema.Str) {
			return false
		}
		switch {
		case p.at(token.Comma):
			p.next()
		case p.at(token.RBrace):
			p.next()
			return true
		case p.cut(opener, "{"):
			return false
		default:
			p.expected("`,` or `}`")
			return false
		}
	}
}

// pair parses `key: value` between braces.
func (p *state) pair(seen *keys, form schema.Form) bool {
	if !p.at(token.Ident) {
		p.expected("a key")
		return false
	}
	n, before := p.open(ast.Entry), len(p.problems)
	t := p.next()
	at := tokSpan(t)
	p.leaf(ast.Key, at)
	p.twice(seen, t.Value, at)
	ok := true
	if !p.at(token.Colon) {
		p.expected("`:`")
		ok = false
	} else {
		p.next()
		ok = p.scalar(form, nil)
	}
	p.close(n, before)
	return ok
}

// twice reports a key that its group already has.
func (p *state) twice(seen *keys, name string, at source.Span) {
	if first, ok := seen.seen(name, at); ok {
		related(p.fail("E010", at, "`%s` is written twice here", name), first, "first written here")
	}
}

// with parses `with { k: "v", … }`; commas are optional and the braces may
// span lines.
func (p *state) with() bool {
	n, before := p.open(ast.With), len(p.problems)
	p.next()
	ok := p.withGroup()
	p.close(n, before)
	return ok
}

func (p *state) withGroup() bool {
	if !p.at(token.LBrace) {
		p.expected("`{`")
		return false
	}
	opener := tokSpan(p.next())
	var seen keys
	for {
		switch {
		case p.at(token.RBrace):
			p.next()
			return true
		case p.at(token.Newline) || p.at(token.EOF):
			p.fail("E002", opener, "this `{` is never closed")
			return false
		case p.at(token.BadTab):
			p.bad()
			p.next()
			continue
		}
		if !p.pair(&seen, schema.Literal) {
			return false
		}
		if p.at(token.Comma) {
			p.next()
		}
	}
}

// json parses a one-line JSON value whose keys may be bare.
func (p *state) json(depth int) bool {
	const deepest = 64
	if depth > deepest {
		p.fail("E002", p.here(), "this value is nested too deeply")
		return false
	}
	t := p.tok()
	switch {
	case t.Type == token.LBrack:
		return p.jsonGroup(ast.List, token.RBrack, "[", depth)
	case t.Type == token.LBrace:
		return p.jsonGroup(ast.Map, token.RBrace, "{", depth)
	case t.Type == token.Ident && (t.Value == "true" || t.Value == "false" || t.Value == "null"):
		p.take(ast.Ident)
		return true
	case t.Type == token.String, t.Type == token.Int, t.Type == token.Float:
		return p.scalar(schema.Literal, nil)
	}
	p.wrongValue(schema.JSON)
	return false
}

func (p *state) jsonGroup(kind ast.Kind, closer plex.TokenType, bracket string, depth int) bool {
	n, before := p.open(kind), len(p.problems)
	ok := p.jsonItems(kind, closer, bracket, depth)
	p.close(n, before)
	return ok
}

func (p *state) jsonItems(kind ast.Kind, closer plex.TokenType, bracket string, depth int) bool {
	opener := tokSpan(p.next())
	var seen keys
	for {
		if p.tok().Type == closer {
			p.next()
			return true
		}
		if p.cut(opener, bracket) {
			return false
		}
		if kind == ast.Map && !p.jsonKey(&seen) {
			return false
		}
		entry := len(p.nodes) - 2
		before := len(p.problems)
		ok := p.json(depth + 1)
		if kind == ast.Map {
			p.close(entry, before)
		}
		if !ok {
			return false
		}
		switch {
		case p.at(token.Comma):
			p.next()
		case p.tok().Type != closer && !p.cut(opener, bracket):
			p.expected("`,` or the closing bracket")
			return false
		case p.tok().Type != closer:
			return false
		}
	}
}

// jsonKey opens an Entry and parses its key and colon; the caller closes it.
func (p *state) jsonKey(seen *keys) bool {
	t := p.tok()
	if t.Type != token.Ident && t.Type != token.String {
		p.expected("a key")
		return false
	}
	n := p.open(ast.Entry)
	at := tokSpan(p.next())
	k := p.leaf(ast.Key, at)
	name := t.Value
	if t.Type == token.String {
		p.nodes[k].Flags |= ast.FlagQuoted
		name = name[1 : len(name)-1]
	}
	p.twice(seen, name, at)
	if !p.at(token.Colon) {
		p.expected("`:`")
		p.close(n, 0)
		return false
	}
	p.next()
	return true
}
