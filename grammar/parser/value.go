package parser

import (
	"slices"
	"strconv"
	"strings"

	plex "github.com/alecthomas/participle/v2/lexer"

	"iterion/ast"
	"iterion/ast/source"
	"iterion/diagnostics"
	"iterion/grammar/schema"
	"iterion/grammar/token"
)

// shape is a set of ways to write a scalar.
type shape uint16

const (
	bare shape = 1 << iota
	dotted
	whole
	fraction
	measure
	quoted
	raw
	block

	text   = quoted | raw | block
	number = whole | fraction
)

// shapes says which ways each scalar form accepts.
var shapes = [...]shape{
	schema.Str:         bare | text,
	schema.Word:        bare | quoted | raw,
	schema.QStr:        text,
	schema.Name:        bare,
	schema.Dotted:      bare | dotted,
	schema.StrOrName:   bare | dotted | quoted | raw,
	schema.Int:         whole,
	schema.Num:         number,
	schema.Bool:        bare,
	schema.Enum:        bare | quoted | raw,
	schema.EnumOrEnv:   bare | quoted | raw,
	schema.OneOf:       bare,
	schema.Prompt:      bare | text,
	schema.StrOrNum:    bare | number | measure | text,
	schema.Literal:     bare | number | quoted | raw,
	schema.Setting:     bare | number | quoted | raw,
	schema.WordOrBlock: bare,
}

// wants names a form for a message.
var wants = [...]string{
	schema.Str:            "a string",
	schema.Word:           "a one-line string",
	schema.QStr:           "a quoted string",
	schema.Name:           "a bare name",
	schema.Dotted:         "a name",
	schema.StrOrName:      "a quoted string or a name",
	schema.Int:            "a whole number",
	schema.Num:            "a number",
	schema.Bool:           "`true` or `false`",
	schema.Enum:           "one of its words",
	schema.EnumOrEnv:      "one of its words",
	schema.OneOf:          "a bare word",
	schema.Prompt:         "a prompt's name or a quoted text",
	schema.StrOrNum:       "a string or a number",
	schema.Literal:        "a quoted string, a number, `true` or `false`",
	schema.Setting:        "a value's name, a number or a quoted string",
	schema.JSON:           "a JSON value",
	schema.NameList:       "a list of names",
	schema.StrList:        "a list of strings",
	schema.ToolList:       "a list of tools",
	schema.StrOrNameList:  "a list of strings or names",
	schema.NameOrNameList: "a name or a list of names",
	schema.IntOrStrList:   "a whole number or a list of strings",
	schema.Map:            "a map such as { KEY: \"value\" }",
	schema.With:           "`{`",
	schema.Block:          "an indented block",
	schema.WordOrBlock:    "a bare word or an indented block",
}

// value parses what follows a property's colon, to the end of its line or
// block. at is the key, where a missing value is reported.
func (p *state) value(n int, prop *schema.Property, at source.Span) {
	switch prop.Form {
	case schema.Block:
		p.block(n, prop.Block, at)
	case schema.WordOrBlock:
		if p.at(token.Newline) || p.at(token.EOF) {
			p.block(n, prop.Block, at)
			return
		}
		p.scalarLine(prop.Form, prop.Values, at)
	case schema.Map:
		p.mapValue(n, prop.Block, at)
	case schema.With:
		pr := p.fail("E002", at, "`with` takes no colon")
		hint(pr, "Write `with { … }`.")
		p.skipLine()
	case schema.JSON:
		if p.json(0) {
			p.endLine(false)
		} else {
			p.skipLine()
		}
	case schema.NameList, schema.StrList, schema.ToolList, schema.StrOrNameList:
		p.list(prop.Form, at)
	case schema.NameOrNameList:
		if p.at(token.LBrack) || p.at(token.Newline) {
			p.list(schema.NameList, at)
			return
		}
		p.scalarLine(schema.Name, nil, at)
	case schema.IntOrStrList:
		if p.at(token.LBrack) || p.at(token.Newline) {
			p.list(schema.StrList, at)
			return
		}
		p.scalarLine(schema.Int, nil, at)
	default:
		p.scalarLine(prop.Form, prop.Values, at)
	}
}

// scalarLine parses a scalar and the end of its line.
func (p *state) scalarLine(form schema.Form, words []schema.Value, at source.Span) {
	if p.at(token.Newline) || p.at(token.EOF) {
		pr := p.fail("E002", at, "expected %s behind the colon", wants[form])
		if p.peek(1) == token.Dash {
			hint(pr, "This property takes one value, not a list.")
		}
		p.skipLine()
		return
	}
	isBare := p.at(token.Ident) && shapes[form]&(quoted|whole) != 0
	if !p.scalar(form, words) {
		p.skipLine()
		return
	}
	p.endLine(isBare)
}

// scalar parses one value of a scalar form and reports one that does not fit.
func (p *state) scalar(form schema.Form, words []schema.Value) bool {
	start := p.i
	kind, shape := p.shapeOf(form)
	if shape&shapes[form] == 0 {
		p.i = start
		p.wrongValue(form)
		return false
	}
	if kind == ast.Scalar {
		p.next() // the bar
	}
	if kind == ast.String {
		p.str(kind)
	} else {
		p.leaf(kind, p.valueSpan(kind, shape == dotted))
	}
	return p.judge(form, words, p.nodes[len(p.nodes)-1])
}

// shapeOf classifies the value at the cursor without consuming it.
func (p *state) shapeOf(form schema.Form) (ast.Kind, shape) {
	switch p.tok().Type {
	case token.Ident:
		if p.dots(p.i+1) > p.i+1 && shapes[form]&dotted != 0 {
			return ast.Ident, dotted
		}
		return ast.Ident, bare
	case token.Int, token.Float:
		k, s := ast.Int, whole
		if p.at(token.Float) {
			k, s = ast.Float, fraction
		}
		if p.peek(1) == token.Ident && touches(p.toks, p.i+1) && shapes[form]&measure != 0 {
			return ast.Measure, measure
		}
		return k, s
	case token.String:
		return ast.String, quoted
	case token.Raw:
		return ast.Raw, raw
	case token.Pipe:
		if p.peek(1) == token.Scalar {
			return ast.Scalar, block
		}
	}
	return ast.Bad, 0
}

// valueSpan consumes the tokens of one value and returns their range.
func (p *state) valueSpan(kind ast.Kind, dotted bool) source.Span {
	s := tokSpan(p.tok())
	switch {
	case kind == ast.Ident && dotted:
		for end := p.dots(p.i + 1); p.i < end; {
			s.End = tokEnd(p.next())
		}
	case kind == ast.Measure:
		p.next()
		for p.adjacent() && !p.at(token.Newline) && (p.at(token.Ident) || p.at(token.Int) || p.at(token.Float)) {
			s.End = tokEnd(p.next())
		}
	default:
		p.next()
	}
	return s
}

// dots returns the index behind a run of `.name` parts and a final `.*` that
// starts at token i.
func (p *state) dots(i int) int {
	for p.toks[i].Type == token.Dot && touches(p.toks, i) {
		next := p.toks[i+1].Type
		if next == token.Star && touches(p.toks, i+1) {
			return i + 2
		}
		if next != token.Ident || !touches(p.toks, i+1) {
			break
		}
		i += 2
	}
	return i
}

// touches tells whether token i follows the one before without a gap.
func touches(toks []plex.Token, i int) bool {
	return tokEnd(&toks[i-1]) == tokStart(&toks[i]) && toks[i].Type > token.Dedent
}

// str consumes a quoted literal and notes its escapes.
func (p *state) str(kind ast.Kind) {
	escaped := strings.IndexByte(p.tok().Value, '\\') >= 0
	n := p.take(kind)
	if escaped {
		p.nodes[n].Flags |= ast.FlagEscape
		p.escapes = true
	}
}

// wrongValue reports a value of the wrong shape over its whole width.
func (p *state) wrongValue(form schema.Form) {
	t := p.tok()
	if token.Bad(t.Type) && t.Type != token.BadChar {
		p.bad()
		return
	}
	if t.Type == token.Pipe || t.Type == token.Scalar {
		if p.peek(1) == token.BadScalar {
			p.next()
			p.bad()
			return
		}
		p.fail("E002", tokSpan(t), "expected %s, found a block of text", wants[form])
		return
	}
	s := p.here()
	for j := p.i + 1; t.Type > token.Dedent && touches(p.toks, j); j++ {
		s.End = tokEnd(&p.toks[j])
	}
	pr := p.fail("E002", s, "expected %s, found %s", wants[form], describe(t))
	if pr.Hint = strayHint(t); t.Type == token.BadChar && pr.Hint == "" && shapes[form]&quoted != 0 {
		hint(pr, "Put the value in quotes.")
	}
}

// judge checks what a value says, once its shape is right.
func (p *state) judge(form schema.Form, words []schema.Value, n ast.Node) bool {
	t := &p.toks[p.i-1]
	switch form {
	case schema.Bool:
		if t.Value != "true" && t.Value != "false" {
			p.fail("E020", n.Span(), "expected `true` or `false`, found %s", quote(t.Value))
		}
	case schema.Literal:
		if n.Kind == ast.Ident && t.Value != "true" && t.Value != "false" {
			pr := p.fail("E002", n.Span(), "expected %s, found %s", wants[form], quote(t.Value))
			hint(pr, "Put the text in quotes.")
		}
	case schema.Enum:
		p.oneOf(words, n, t.Value)
	case schema.EnumOrEnv:
		if n.Kind == ast.Ident {
			p.oneOf(words, n, t.Value)
		}
	case schema.Word:
		if n.Kind == ast.Raw && strings.IndexByte(t.Value, '\n') >= 0 {
			p.fail("E002", n.Span(), "expected a one-line string, found one with a line break")
		}
	}
	if n.Kind == ast.Int {
		p.fits(n, t.Value)
	}
	return true
}

// fits reports an integer beyond 64 bits.
func (p *state) fits(n ast.Node, digits string) {
	if len(digits) < 19 {
		return
	}
	if _, err := strconv.ParseInt(digits, 10, 64); err != nil {
		p.fail("E020", n.Span(), "%s does not fit in a 64-bit number", quote(digits))
	}
}

func (p *state) oneOf(words []schema.Value, n ast.Node, word string) {
	if n.Kind != ast.Ident {
		word = word[1 : len(word)-1]
	}
	for i := range words {
		if words[i].Word == word {
			return
		}
	}
	list := schema.Words(words)
	pr := p.fail("E020", n.Span(), "%s is not one of %s", quote(word), strings.Join(list, ", "))
	if near, ok := diagnostics.Nearest(word, list); ok && slices.Contains(list, near) {
		hint(pr, "Write `%s`.", near)
	}
}
