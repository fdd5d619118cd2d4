package parser

import (
	"strings"

	plex "github.com/alecthomas/participle/v2/lexer"

	"iterion/ast"
	"iterion/ast/source"
	"iterion/diagnostics"
	"iterion/grammar/lexer"
	"iterion/grammar/schema"
	"iterion/grammar/token"
)

// root parses one top-level declaration:
//
//	decl = "dsl:" INT | "import" STRING | "use" … | "group" … | KIND [NAME] ":" body
func (p *state) root() {
	t := p.tok()
	switch t.Type {
	case token.Head:
		p.named()
	case token.Key:
		p.unnamed()
	case token.Ident:
		p.worded()
	case token.Indent:
		n := p.open(ast.Bad)
		p.next()
		p.fail("E003", p.here(), "this line is indented, but no block is open")
		p.i--
		p.skipBlock()
		p.close(n, 0)
	default:
		n := p.open(ast.Bad)
		p.unexpected("a declaration starts with its kind, such as `agent reviewer:`")
		p.skipLine()
		p.close(n, 0)
	}
	p.rest()
}

// rest reports what stands behind a declaration that ended too early. One
// report is enough: the declaration is tainted by it.
func (p *state) rest() {
	if p.at(token.EOF) || len(p.problems) > 0 {
		return
	}
	if p.at(token.Indent) {
		p.next()
		p.fail("E003", p.here(), "this line is indented, but no block is open")
	} else {
		p.unexpected("the declaration has ended")
	}
	p.nodes[0].Flags |= ast.FlagTainted
}

// headParts splits a fused `kind name :`.
func headParts(t *plex.Token) (kind string, name source.Span) {
	i, j := t.Pos.Line, t.Pos.Column
	base := tokStart(t)
	return t.Value[:i], source.Span{Start: base + uint32(j), End: base + uint32(lexer.WordEnd(t.Value, j))}
}

// named parses `kind name:` and its body.
func (p *state) named() {
	t := p.tok()
	keyword, name := headParts(t)
	kind := schema.Lookup(keyword)
	switch {
	case kind == nil:
		p.unknownKind(keyword)
	case !kind.Named || keyword == "use":
		n := p.open(ast.Decl)
		p.next()
		p.fail("E002", name, "expected `:` behind `%s`, which takes no name", keyword)
		p.skipLine()
		p.close(n, 0)
	default:
		p.declare(kind, name)
	}
}

// declare parses a named declaration whose head is one fused token.
func (p *state) declare(kind *schema.Kind, name source.Span) {
	n, before := p.open(ast.Decl), len(p.problems)
	head := p.next()
	p.leaf(ast.Ident, name)
	p.reserved(kind, head.Value[name.Start-tokStart(head):name.End-tokStart(head)], name)
	if kind.Name == "prompt" {
		p.promptBody(name)
	} else {
		p.body(kind, name)
	}
	p.close(n, before)
}

// reserved refuses the names of the built-in terminals. The kinds that have a
// code of the compiler's for it are left to the compiler.
func (p *state) reserved(kind *schema.Kind, name string, at source.Span) {
	if name != "done" && name != "fail" {
		return
	}
	switch kind.Name {
	case "router", "human", "tool", "subbot", "emit", "wait", "await_answers", "fail":
		return
	}
	p.fail("E011", at, "`%s` is the name of a built-in terminal", name)
}

func (p *state) promptBody(name source.Span) {
	if !p.at(token.Newline) {
		p.endLine(false)
		return
	}
	blank := p.next().Pos.Column == 1
	switch {
	case p.at(token.Body):
		p.take(ast.Body)
	case p.at(token.BadTab):
		p.bad()
		p.skipLine()
	case !blank:
		p.fail("E003", name, "the text of a prompt is indented below its header")
	}
}

// unnamed parses `kind:` and its body.
func (p *state) unnamed() {
	t := p.tok()
	word := t.Value[:t.Pos.Column]
	at := source.Span{Start: tokStart(t), End: tokStart(t) + uint32(len(word))}
	kind := schema.Lookup(word)
	switch {
	case word == "dsl":
		p.header()
	case kind == nil:
		p.unknownKind(word)
	case kind.Named:
		n := p.open(ast.Decl)
		p.next()
		colon := source.Span{Start: p.end - 1, End: p.end}
		p.fail("E002", colon, "expected a name between `%s` and `:`", word)
		p.skipLine()
		p.close(n, 0)
	default:
		n := p.open(ast.Decl)
		p.next()
		p.body(kind, at)
		p.close(n, 0)
	}
}

func (p *state) unknownKind(word string) {
	n := p.open(ast.Bad)
	t := p.next()
	s := source.Span{Start: tokStart(t), End: tokStart(t) + uint32(len(word))}
	pr := p.fail("E001", s, "`%s` starts no declaration", word)
	if near, ok := diagnostics.Nearest(word, keywords()); ok {
		hint(pr, "Write `%s`.", near)
	} else {
		hint(pr, "A line at the margin starts with one of: %s.", strings.Join(keywords(), ", "))
	}
	p.skipLine()
	p.close(n, 0)
}

func keywords() []string {
	return append([]string{"import", "dsl"}, schema.Keywords()...)
}

// header parses `dsl: N`; the file's profile is read from it later.
func (p *state) header() {
	n := p.open(ast.Header)
	p.next()
	switch p.tok().Type {
	case token.Int:
		p.take(ast.Int)
	case token.Newline, token.EOF:
	default:
		s := tokSpan(p.next())
		for p.adjacent() {
			s.End = tokEnd(p.next())
		}
		p.leaf(ast.Bad, s)
	}
	p.endLine(false)
	p.close(n, 0)
}

// worded parses the declarations whose head is not one fused token.
func (p *state) worded() {
	t := p.tok()
	switch {
	case t.Value == "import":
		p.importLine()
	case t.Value == "use":
		p.use()
	case t.Value == "group" && p.peek(1) == token.Ident && p.peek(2) == token.LParen:
		p.group()
	case schema.Lookup(t.Value) != nil:
		p.colonless()
	default:
		p.unknownKind(t.Value)
	}
}

// colonless parses a declaration that lacks the colon of its header. Its name
// is kept, so nothing else stumbles over the one mistake.
func (p *state) colonless() {
	kind := schema.Lookup(p.tok().Value)
	n, before := p.open(ast.Decl), len(p.problems)
	p.next()
	switch {
	case kind.Named && !p.at(token.Ident):
		p.expected("a name")
	case kind.Named:
		p.take(ast.Ident)
		name := p.toks[p.i-1].Value
		if pr := p.expected("`:`"); pr.Hint == "" {
			hint(pr, "End the line with a colon: `%s %s:`.", kind.Name, name)
		}
	default:
		p.expected("`:`")
	}
	p.skipBody()
	p.close(n, before)
}

// skipBody drops what stands below a broken header.
func (p *state) skipBody() {
	for !p.at(token.Newline) && !p.at(token.EOF) && !p.at(token.Dedent) {
		p.next()
	}
	if p.at(token.Newline) {
		p.next()
	}
	if p.at(token.Indent) {
		p.skipBlock()
	}
}

func (p *state) importLine() {
	n := p.open(ast.Import)
	p.next()
	if p.at(token.String) {
		p.str(ast.String)
	} else if token.Bad(p.tok().Type) && !p.at(token.BadChar) {
		p.bad()
		p.skipLine()
		p.close(n, 0)
		return
	} else {
		p.fail("E045", p.here(), "expected one quoted path, found %s", describe(p.tok()))
		p.skipLine()
		p.close(n, 0)
		return
	}
	p.endLine(false)
	p.close(n, 0)
}

// use parses `use GROUP as PREFIX [with { … }]`.
func (p *state) use() {
	n := p.open(ast.Use)
	p.next()
	defer func() { p.close(n, 0) }()
	if !p.name("a group's name") {
		return
	}
	if !p.atWord("as") {
		p.expected("`as`")
		p.skipLine()
		return
	}
	p.next()
	if !p.name("the prefix of this instance") {
		return
	}
	if p.atWord("with") {
		if !p.with() {
			p.skipLine()
			return
		}
	}
	if p.at(token.Colon) {
		p.expected("the end of the line")
		p.skipLine()
		return
	}
	p.endLine(false)
}

// name consumes an identifier as a leaf, or reports and skips the line.
func (p *state) name(what string) bool {
	if p.at(token.Ident) {
		p.take(ast.Ident)
		return true
	}
	p.expected(what)
	p.skipLine()
	return false
}

// group parses `group NAME(a, b):` and its body.
func (p *state) group() {
	kind := schema.Lookup("group")
	n := p.open(ast.Decl)
	defer func() { p.close(n, 0) }()
	p.next()
	t := p.tok()
	at := tokSpan(t)
	p.take(ast.Ident)
	p.reserved(kind, t.Value, at)
	if !p.params() {
		p.skipBody()
		return
	}
	if !p.at(token.Colon) {
		p.expected("`:`")
		p.skipBody()
		return
	}
	p.next()
	p.body(kind, at)
}

func (p *state) params() bool {
	opener := tokSpan(p.next())
	first := map[string]source.Span{}
	for !p.at(token.RParen) {
		if p.cut(opener, "(") {
			return false
		}
		if !p.at(token.Ident) {
			p.expected("a parameter's name")
			return false
		}
		t := p.tok()
		if s, twice := first[t.Value]; twice {
			related(p.fail("E010", tokSpan(t), "parameter `%s` is declared twice", t.Value), s, "first declared here")
		}
		first[t.Value] = tokSpan(t)
		p.take(ast.Param)
		if p.at(token.Comma) {
			p.next()
			if p.at(token.RParen) {
				p.expected("a parameter's name")
				return false
			}
		} else if !p.at(token.RParen) && !p.at(token.Newline) && !p.at(token.Break) {
			p.expected("`,` or `)`")
			return false
		}
	}
	p.next()
	return true
}
