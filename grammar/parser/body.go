package parser

import (
	"strings"

	"iterion/ast"
	"iterion/ast/source"
	"iterion/diagnostics"
	"iterion/grammar/schema"
	"iterion/grammar/token"
)

// body parses what follows a header's colon: the end of the line and an
// indented block of members. at is the header's name or key, where a missing
// body is reported.
func (p *state) body(kind *schema.Kind, at source.Span) {
	if !p.at(token.Newline) && !p.at(token.EOF) {
		p.unexpectedInline(at)
		p.skipBody()
		return
	}
	blank := p.next().Pos.Column == 1
	tabs := p.at(token.BadTab)
	for p.at(token.BadTab) {
		p.bad()
		p.next()
		p.next()
	}
	if p.at(token.Indent) {
		p.next()
		p.members(kind)
		return
	}
	if !tabs && (!blank || !kind.Bare) {
		p.fail("E003", at, "`%s` has no indented body", kind.Name)
	}
}

func (p *state) unexpectedInline(at source.Span) {
	if token.Bad(p.tok().Type) {
		p.bad()
		return
	}
	pr := p.fail("E002", p.here(), "expected the end of the line, found %s", describe(p.tok()))
	hint(pr, "Write the body on indented lines below the header.")
}

// keys remembers which keys a body has, for duplicates.
type keys struct {
	props [2]uint64
	few   [12]key // the first entries, without a map
	n     int
	first map[string]source.Span // once there are more
}

type key struct {
	name string
	at   source.Span
}

// seen notes an entry's key and returns its first place when it had one.
func (k *keys) seen(name string, at source.Span) (source.Span, bool) {
	if k.first != nil {
		s, ok := k.first[name]
		if !ok {
			k.first[name] = at
		}
		return s, ok
	}
	for i := range k.few[:k.n] {
		if k.few[i].name == name {
			return k.few[i].at, true
		}
	}
	if k.n < len(k.few) {
		k.few[k.n] = key{name, at}
		k.n++
		return source.Span{}, false
	}
	k.first = make(map[string]source.Span, 4*len(k.few))
	for _, e := range k.few {
		k.first[e.name] = e.at
	}
	k.first[name] = at
	return source.Span{}, false
}

// members parses the lines of a body up to its Dedent.
func (p *state) members(kind *schema.Kind) {
	parent := len(p.nodes)
	var seen keys
	for {
		switch p.tok().Type {
		case token.Dedent:
			p.next()
			return
		case token.EOF:
			return
		case token.Newline:
			p.next()
		default:
			p.member(kind, &seen, parent)
		}
	}
}

// member parses one line of a body with what belongs to it.
func (p *state) member(kind *schema.Kind, seen *keys, parent int) {
	t := p.tok()
	switch t.Type {
	case token.Key:
		word := t.Value[:t.Pos.Column]
		if row := kind.Row(word); row >= 0 {
			p.property(kind, row, seen, parent)
			return
		}
		if kind.Entry != nil && kind.Entry.Key != schema.StringKey {
			p.entry(kind, seen)
			return
		}
		p.unknownProperty(kind, word, seen)
	case token.Src:
		if kind.Members&schema.Edges == 0 {
			p.badLine("an edge stands only in a workflow or a group")
			return
		}
		p.edge()
	case token.Head:
		p.nested(kind)
	case token.String:
		if kind.Entry != nil && kind.Entry.Key != schema.IdentKey {
			p.entry(kind, seen)
			return
		}
		p.badLine(memberHint(kind))
	case token.Indent:
		n, before := p.open(ast.Bad), len(p.problems)
		p.next()
		if token.Bad(p.tok().Type) {
			p.bad()
		} else {
			p.fail("E003", p.here(), "this line is indented deeper than the block it stands in")
		}
		p.i--
		p.skipBlock()
		p.close(n, before)
	case token.Ident:
		p.wordLine(kind, seen, parent)
	default:
		p.badLine(memberHint(kind))
	}
}

// wordLine parses a line that starts with a bare word: a `with` group, or a
// line that lost its colon or arrow.
func (p *state) wordLine(kind *schema.Kind, seen *keys, parent int) {
	t := p.tok()
	if t.Value == "with" {
		if row := kind.Row("with"); row >= 0 {
			p.withProperty(kind, row, seen, parent)
			return
		}
	}
	if inner := schema.Lookup(t.Value); kind.Members&schema.Nodes != 0 && p.peek(1) == token.Ident && inner != nil && groupMember(inner) {
		p.colonless()
		return
	}
	n, before := p.open(ast.Bad), len(p.problems)
	row := kind.Row(t.Value)
	p.next()
	switch {
	case t.Value == "use" && p.at(token.Ident):
		p.fail("E001", tokSpan(t), "`use` stands only at the top level")
	case row >= 0 || kind.Entry != nil && kind.Members&schema.Edges == 0:
		hint(p.expected("`:` after `"+t.Value+"`"), "Write `%s: …`.", t.Value)
	case kind.Members&schema.Edges != 0 && (p.at(token.Ident) || p.at(token.Arrow) || p.at(token.BadChar)):
		hint(p.expected("`->` after `"+t.Value+"`"), "Write `%s -> …`.", t.Value)
	case kind.Members&schema.Edges != 0:
		hint(p.expected("`:` or `->` after `"+t.Value+"`"), "Write `%s: …` or `%s -> …`.", t.Value, t.Value)
	default:
		p.fail("E001", tokSpan(t), "unexpected `%s`; %s", t.Value, memberHint(kind))
	}
	p.skipLine()
	p.close(n, before)
}

// badLine reports the current token and drops its line.
func (p *state) badLine(want string) {
	n, before := p.open(ast.Bad), len(p.problems)
	p.unexpected(want)
	p.skipLine()
	p.close(n, before)
}

func memberHint(kind *schema.Kind) string {
	if kind.Members&schema.Edges != 0 {
		return "a line here is `property: value` or `a -> b`"
	}
	return "a line here is `property: value`"
}

// nested parses a declaration inside a body; only groups have them.
func (p *state) nested(kind *schema.Kind) {
	t := p.tok()
	keyword, name := headParts(t)
	inner := schema.Lookup(keyword)
	if kind.Members&schema.Nodes != 0 && inner != nil && groupMember(inner) {
		p.declare(inner, name)
		return
	}
	p.badLine(memberHint(kind))
}

// groupMember tells which nodes a group may declare.
func groupMember(k *schema.Kind) bool {
	switch k.Name {
	case "agent", "judge", "router", "human", "tool", "compute":
		return true
	}
	return false
}

func (p *state) unknownProperty(kind *schema.Kind, word string, seen *keys) {
	n, before := p.open(ast.Bad), len(p.problems)
	t := p.tok()
	s := source.Span{Start: tokStart(t), End: tokStart(t) + uint32(len(word))}
	pr := p.fail("E012", s, "`%s` has no property `%s`", kind.Name, word)
	switch near, ok := diagnostics.Nearest(word, propNames(kind)); {
	case ok:
		hint(pr, "Write `%s`.", near)
		if row := kind.Row(near); seen.props[row/64]&(1<<(row%64)) == 0 { // it does not stand above
			pr.Fix = &ast.Fix{ID: diagnostics.RenameName, Edit: source.Edit{Span: s, New: near}}
		}
	case ownerOf(kind, word) != "":
		hint(pr, "Move it into the `%s:` block.", ownerOf(kind, word))
	case len(word) > 3 && longer(kind, word) != "":
		hint(pr, "Write `%s`.", longer(kind, word))
	}
	p.next()
	p.skipLine()
	p.close(n, before)
}

func propNames(kind *schema.Kind) []string {
	names := make([]string, len(kind.Props))
	for i := range kind.Props {
		names[i] = kind.Props[i].Name
	}
	return names
}

// longer names the only property of kind, or of a block of it, that begins
// with the word.
func longer(kind *schema.Kind, word string) string {
	var found []string
	for i := range kind.Props {
		p := &kind.Props[i]
		if strings.HasPrefix(p.Name, word) {
			found = append(found, p.Name)
		}
		if p.Block == nil {
			continue
		}
		for _, inner := range propNames(p.Block) {
			if strings.HasPrefix(inner, word) {
				found = append(found, p.Name+": "+inner)
			}
		}
	}
	if len(found) == 1 {
		return found[0]
	}
	return ""
}

// ownerOf names the nested block of kind that has the property.
func ownerOf(kind *schema.Kind, word string) string {
	for i := range kind.Props {
		if b := kind.Props[i].Block; b != nil && b.Row(word) >= 0 {
			return kind.Props[i].Name
		}
	}
	return ""
}

// key adds the Key leaf of a fused `name :` token.
func (p *state) key() source.Span {
	t := p.next()
	s := source.Span{Start: tokStart(t), End: tokStart(t) + uint32(t.Pos.Column)}
	p.leaf(ast.Key, s)
	return s
}

// property parses a known property.
func (p *state) property(kind *schema.Kind, row int, seen *keys, parent int) {
	n, before := p.open(ast.Prop), len(p.problems)
	p.nodes[n].Aux = aux(row)
	prop := &kind.Props[row]
	at := p.key()
	p.once(prop.Name, row, at, seen, parent)
	if prop.Removed != 0 {
		p.removed = true
	}
	p.value(n, prop, at)
	p.close(n, before)
}

// once reports a property that its body already has.
func (p *state) once(name string, row int, at source.Span, seen *keys, parent int) {
	word, bit := row/64, uint64(1)<<(row%64)
	if seen.props[word]&bit == 0 {
		seen.props[word] |= bit
		return
	}
	pr := p.fail("E010", at, "`%s` is written twice here", name)
	for i := parent; i < len(p.nodes); i = int(p.nodes[i].Next) {
		if p.nodes[i].Kind == ast.Prop && p.nodes[i].Aux == aux(row) && p.nodes[i].Next != 0 {
			related(pr, p.nodes[i+1].Span(), "first written here")
			return
		}
		if p.nodes[i].Next == 0 {
			return
		}
	}
}

func (p *state) withProperty(kind *schema.Kind, row int, seen *keys, parent int) {
	n, before := p.open(ast.Prop), len(p.problems)
	p.nodes[n].Aux = aux(row)
	at := tokSpan(p.next())
	p.leaf(ast.Key, at)
	p.once("with", row, at, seen, parent)
	w := p.openAt(ast.With, p.here().Start)
	ok := p.withGroup()
	p.close(w, before)
	if ok {
		p.endLine(false)
	} else {
		p.skipLine()
	}
	p.close(n, before)
}

// block parses the indented members of a nested block.
func (p *state) block(n int, kind *schema.Kind, at source.Span) {
	p.nodes[n].Flags |= ast.FlagBlock
	p.body(kind, at)
}
