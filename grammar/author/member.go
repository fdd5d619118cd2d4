package author

import (
	"fmt"
	"slices"

	"iterion/grammar/schema"
)

// element is the form of what a list holds, by the form of the list.
var element = map[schema.Form]schema.Form{
	schema.NameList: schema.Name, schema.StrList: schema.Str, schema.ToolList: schema.ToolList,
	schema.StrOrNameList: schema.StrOrName, schema.NameOrNameList: schema.Name, schema.IntOrStrList: schema.Str,
}

// alone is the form of a value that may stand in place of a list.
var alone = map[schema.Form]schema.Form{schema.NameOrNameList: schema.Name, schema.IntOrStrList: schema.Int}

// ordered are the blocks whose entries are a list in a document, because their
// order counts, with the key that names an entry.
var ordered = map[string]string{"fallbacks": "route"}

// members writes the entries of a mapping as the lines of a body. The keys in
// apart are no part of it.
func (s *speller) members(kind *schema.Kind, n *node, level int, apart ...string) {
	for _, p := range n.pairs {
		if slices.Contains(apart, p.key.value) {
			continue
		}
		s.indent(level, p.key.span)
		switch row := kind.Prop(p.key.value); {
		case row != nil:
			s.property(row, p, level)
		case kind.Entry != nil:
			s.entry(kind.Entry, p, level)
		default:
			// The parser says what its kind has instead.
			s.word(p.key, isIdent, "a property's name")
			s.glue(": ?\n")
		}
	}
}

// property writes a property with what is indented under it.
func (s *speller) property(row *schema.Property, p pair, level int) {
	s.bare(p.key)
	switch {
	case row.Form == schema.With:
		s.glue(" ")
		s.with(p.value)
		s.glue("\n")
	case row.Block != nil && ordered[row.Block.Name] != "":
		s.glue(":")
		s.routes(row.Block, p.value, level+1)
	case row.Block != nil && p.value.shape == mapping && !(row.Form == schema.Map && len(p.value.pairs) == 0):
		s.glue(":")
		s.block(row.Block, p.value, level+1)
	default:
		s.glue(": ")
		s.value(row.Form, p.value, level)
		s.glue("\n")
	}
}

// block writes a nested body behind its header. One without a line is told
// from the next by a blank line.
func (s *speller) block(kind *schema.Kind, n *node, level int, apart ...string) {
	s.glue("\n")
	before := len(s.out)
	s.members(kind, n, level, apart...)
	if len(s.out) == before {
		s.glue("\n")
	}
}

// value writes the value of a property or an entry on the line of its key.
func (s *speller) value(form schema.Form, n *node, level int) {
	items, isList := element[form]
	single, orOne := alone[form]
	switch {
	case form == schema.JSON:
		s.json(n)
	case orOne && n.shape != list:
		s.scalar(single, n, room(level))
	case isList:
		s.elements(items, n, takes[form])
	case form == schema.Map && n.shape == mapping:
		s.glue("{}")
	case form == schema.Block, form == schema.Map:
		s.wrong(n, takes[form])
	default:
		s.scalar(form, n, room(level))
	}
}

// routes writes a list of named entries.
func (s *speller) routes(kind *schema.Kind, n *node, level int) {
	key := ordered[kind.Name]
	if n.shape != list {
		s.glue(" ")
		s.wrong(n, fmt.Sprintf("a list of mappings with the key `%s`", key))
	}
	s.glue("\n")
	for _, item := range n.items {
		s.indent(level, item.span)
		if name := item.get(key); name == nil {
			s.wrong(item, fmt.Sprintf("a mapping with the key `%s`", key))
			s.glue("\n")
		} else {
			s.word(name, isIdent, "a name")
			s.glue(":")
			s.block(kind.Entry.Block, item, level+1, key)
		}
	}
}

// entry writes an author-named line with what is indented under it.
func (s *speller) entry(e *schema.Entry, p pair, level int) {
	s.key(e.Key, p.key)
	s.glue(":")
	switch {
	case e.Typed != nil:
		s.typed(e, p, level)
	case e.Bare && (p.value.shape == null || p.value.shape == mapping && len(p.value.pairs) == 0):
		s.glue("\n")
	case e.Block != nil && p.value.shape == mapping:
		s.block(e.Block, p.value, level+1)
	case e.Form == 0:
		s.glue(" ")
		s.wrong(p.value, takes[schema.Block])
		s.glue("\n")
	default:
		s.glue(" ")
		s.value(e.Form, p.value, level)
		s.glue("\n")
	}
}

// typed writes `type [enum: …] [matching: …] = default` and a block, of an
// entry that is a type alone or a mapping.
func (s *speller) typed(e *schema.Entry, p pair, level int) {
	s.glue(" ")
	n := p.value
	if n.shape != mapping {
		s.word(n, isType, "a type, or a mapping with the key `type`")
		s.glue("\n")
		return
	}
	if t := n.get("type"); t != nil {
		s.word(t, isType, "a type")
	} else {
		s.refuse("E051", p.key.span, fmt.Sprintf("`%s` has no `type`", p.key.value), "")
	}
	own := s.constraints(e.Typed, n)
	if e.Block == nil {
		s.strangers(n, p.key.value, own)
		s.glue("\n")
		return
	}
	s.glue("\n")
	s.members(e.Block, n, level+1, own...)
}

// constraints writes what follows a type on its line, and returns the keys that
// are said with it.
func (s *speller) constraints(t *schema.Typed, n *node) []string {
	own := []string{"type"}
	if t.Enum {
		own = append(own, "enum")
		if v := n.get("enum"); v != nil {
			s.glue(" [enum: ")
			s.words(v)
			s.glue("]")
		}
	}
	if t.Matching {
		own = append(own, "matching")
		if v := n.get("matching"); v != nil {
			s.glue(" [matching: ")
			s.scalar(schema.QStr, v, inline)
			s.glue("]")
		}
	}
	if t.Default {
		own = append(own, "default")
		if v := n.get("default"); v != nil {
			s.glue(" = ")
			s.scalar(schema.Literal, v, inline)
		}
	}
	return own
}

// words writes the values of an enum.
func (s *speller) words(n *node) {
	if n.shape != list || len(n.items) == 0 {
		s.wrong(n, "a list of texts")
		return
	}
	for i, item := range n.items {
		if i > 0 {
			s.glue(", ")
		}
		s.scalar(schema.QStr, item, inline)
	}
}

// strangers refuses the keys of a mapping that are not among the known.
func (s *speller) strangers(n *node, of string, known []string) {
	for _, p := range n.pairs {
		if !slices.Contains(known, p.key.value) {
			s.glue(" ")
			s.unknown(p.key, "`"+of+"`", known)
			s.hole(p.key.span)
		}
	}
}
