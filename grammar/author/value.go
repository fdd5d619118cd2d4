package author

import (
	"strings"

	"iterion/grammar/literal"
	"iterion/grammar/schema"
)

// takes names, for a message, what a form takes in a document.
var takes = [...]string{
	schema.Str:            "a text",
	schema.Word:           "a one-line text",
	schema.QStr:           "a text",
	schema.Name:           "a name",
	schema.Dotted:         "a name",
	schema.StrOrName:      "a text",
	schema.Int:            "a whole number, written as digits",
	schema.Num:            "a number, written as digits",
	schema.Bool:           "`true` or `false`",
	schema.Enum:           "one of its words",
	schema.EnumOrEnv:      "one of its words",
	schema.OneOf:          "one of its words",
	schema.Prompt:         "a prompt's name or a text",
	schema.StrOrNum:       "a text or a number",
	schema.Literal:        "a text, a number without a sign, or a bool",
	schema.Setting:        "a value's name, a number or a text",
	schema.JSON:           "a value of JSON, without a sign",
	schema.NameList:       "a list of names",
	schema.StrList:        "a list of texts",
	schema.ToolList:       "a list of texts",
	schema.StrOrNameList:  "a list of texts",
	schema.NameOrNameList: "a name or a list of names",
	schema.IntOrStrList:   "a whole number or a list of texts",
	schema.Map:            "a mapping of texts",
	schema.With:           "a mapping of texts",
	schema.Block:          "a mapping",
	schema.WordOrBlock:    "a word or a mapping",
}

// scalar writes a value of a scalar form.
func (s *speller) scalar(form schema.Form, n *node, in room) {
	switch form {
	case schema.Name, schema.OneOf, schema.WordOrBlock:
		s.word(n, isIdent, takes[form])
	case schema.Dotted:
		s.word(n, isDotted, takes[form])
	case schema.Int:
		s.digits(n, isInt, takes[form])
	case schema.Num:
		s.digits(n, isNum, takes[form])
	case schema.Bool:
		s.bool(n, takes[form])
	case schema.Enum:
		if n.shape == text && isIdent(n.value) {
			s.bare(n)
			return
		}
		s.text(n, takes[form], inline)
	case schema.Word:
		s.oneLine(n)
	case schema.EnumOrEnv, schema.Prompt, schema.Setting:
		s.wordOr(n, isIdent, form, in)
	case schema.StrOrName:
		s.wordOr(n, isDotted, form, inline)
	case schema.ToolList:
		s.wordOr(n, isTool, schema.StrOrName, inline)
	default:
		s.loose(form, n, in)
	}
}

// wordOr writes a plain word bare, and every other value as its form takes it:
// in a document as in a `.bot`, quotes make a text of a word.
func (s *speller) wordOr(n *node, word func(string) bool, form schema.Form, in room) {
	if n.shape == text && n.style == plain && word(n.value) {
		if form == schema.Prompt {
			s.reread(n) // it may be the first word of a text
		}
		s.bare(n)
		return
	}
	if form != schema.Prompt {
		in = inline
	}
	s.loose(form, n, in)
}

// loose writes a text, and a number or a bool where a form takes those too.
func (s *speller) loose(form schema.Form, n *node, in room) {
	numbers := form == schema.Literal || form == schema.StrOrNum || form == schema.Setting
	switch {
	case numbers && n.shape == number && isNum(n.value):
		s.bare(n)
	case form == schema.Literal && n.shape == boolean:
		s.bool(n, takes[form])
	case form == schema.StrOrNum && n.isPlainLiteral():
		s.quoted(n, `"`+n.value+`"`)
	default:
		s.text(n, takes[form], in)
	}
}

// isPlainLiteral tells whether a value is the text it spells where a text is
// taken: a number, which may have a sign, or a bool.
func (n *node) isPlainLiteral() bool {
	return n.shape == number && isNum(strings.TrimPrefix(n.value, "-")) ||
		n.shape == boolean && (n.value == "true" || n.value == "false")
}

func (s *speller) oneLine(n *node) {
	if n.shape == text && strings.Contains(n.value, "\n") {
		s.refuse("E051", n.span, "expected "+takes[schema.Word]+", this one has a line break", "Write it on the line of its key; a block ends with a line break unless it starts with `|-`.")
		return
	}
	s.text(n, takes[schema.Word], inline)
}

func (s *speller) digits(n *node, form func(string) bool, takes string) {
	if n.shape != number || !form(n.value) {
		s.wrong(n, takes)
		return
	}
	s.bare(n)
}

func (s *speller) bool(n *node, takes string) {
	if n.shape != boolean {
		s.wrong(n, takes)
		return
	}
	value := strings.ToLower(n.value)
	s.leaf(value, value, n.span)
}

// elements writes `[a, b]`, or refuses a value that is no list.
func (s *speller) elements(element schema.Form, n *node, takes string) {
	if n.shape != list {
		s.wrong(n, takes)
		return
	}
	s.glue("[")
	for i, item := range n.items {
		if i > 0 {
			s.glue(", ")
		}
		s.scalar(element, item, inline)
	}
	s.glue("]")
}

// with writes `{ k: v, l: w }`, whose values are the texts they spell.
func (s *speller) with(n *node) {
	if n.shape != mapping {
		s.wrong(n, takes[schema.With])
		return
	}
	s.glue("{")
	for i, p := range n.pairs {
		if i > 0 {
			s.glue(",")
		}
		s.glue(" ")
		s.word(p.key, isIdent, "a name")
		s.glue(": ")
		if p.value.shape == number && !isNum(p.value.value) && p.value.isPlainLiteral() {
			s.quoted(p.value, `"`+p.value.value+`"`)
			continue
		}
		s.scalar(schema.Literal, p.value, inline)
	}
	s.glue(" }")
}

// json writes a value as one line of JSON.
func (s *speller) json(n *node) {
	switch {
	case n.shape == list:
		s.glue("[")
		for i, item := range n.items {
			if i > 0 {
				s.glue(", ")
			}
			s.json(item)
		}
		s.glue("]")
	case n.shape == mapping:
		s.jsonMapping(n)
	case n.shape == null && n.value != "":
		s.leaf("null", "null", n.span)
	case n.shape == number && !isNum(n.value), n.shape == null:
		s.wrong(n, takes[schema.JSON])
	default:
		s.loose(schema.Literal, n, inline)
	}
}

func (s *speller) jsonMapping(n *node) {
	s.glue("{")
	for i, p := range n.pairs {
		if i > 0 {
			s.glue(", ")
		}
		s.key(schema.IdentOrStrKey, p.key)
		s.glue(": ")
		s.json(p.value)
	}
	s.glue("}")
}

// key writes a key of an author-named line, without its colon.
func (s *speller) key(as schema.Key, n *node) {
	if as != schema.StringKey && isIdent(n.value) {
		s.bare(n)
		return
	}
	written, ok := literal.Spell(n.value, s.strict, 0)
	if as == schema.IdentKey || !ok || written[0] != '"' {
		s.wrong(n, "a name")
		return
	}
	s.quoted(n, written)
}
