package textmate

import (
	"iterion/grammar/schema"
)

const (
	colon    = "punctuation.separator.key-value"
	property = "support.type.property-name"
	entry    = "variable.other.member"
)

// body includes what may stand in a block.
func (w *writer) body(k *schema.Kind) []rule { return w.shared("in-"+k.Name, w.members(k)) }

// members is what stands in a block: its properties, then the lines that an
// author names. Texts that a bar opens come first, since they look like any
// other property until the end of their line.
func (w *writer) members(k *schema.Kind) []rule {
	patterns := use("comment")
	var single []rule
	for _, g := range groups(k.Props) {
		switch {
		case g.with:
			single = append(single, rule{Begin: `^([ ]*)(?=with[ \t]*\{)`, End: shallower, Patterns: use("with", "comment")})
		case g.block != nil:
			single = append(single, w.blockRule(g))
		default:
			if text := textOf(g.form, g.text); text != "" {
				patterns = append(patterns, scalar(g.key(), property, text))
			}
			single = append(single, w.line(g.names[0], g.key(), property, g.values()))
		}
	}
	patterns = append(patterns, single...)
	if k.Entry != nil {
		patterns = append(patterns, w.entries(k.Entry)...)
	}
	if len(k.Props) > 0 {
		patterns = append(patterns, w.line("unknown", name, "variable.other.property", use("value")))
	}
	return patterns
}

// line is a property on one line, or a list of dashes under it.
func (w *writer) line(label, key, scope string, values []rule) rule {
	return rule{
		Begin: `^([ ]*)(` + key + `)[ \t]*(:)`, BeginCaptures: scopes("", scope, colon),
		End: shallower, Patterns: w.shared("value-of-"+label, append(use("comment"), values...)),
	}
}

// scalar is a text that `|` opens.
func scalar(key, scope, text string) rule {
	return rule{
		Begin:         `^([ ]*)(` + key + `)[ \t]*(:)[ \t]*(\|)[ \t]*(#.*)?$`,
		BeginCaptures: scopes("", scope, colon, "keyword.operator.block-scalar", "comment.line.number-sign"),
		End:           textEnds, Patterns: use(text + "-lines"),
	}
}

// blockRule is a property with a block, which may also be a word or a map.
func (w *writer) blockRule(g group) rule {
	r := w.line(g.names[0], g.key(), property, g.values())
	r.Patterns = append(w.body(g.block), r.Patterns...)
	return r
}

// entries are the lines whose keys the author names.
func (w *writer) entries(e *schema.Entry) []rule {
	key, values := name, entryValues(e)
	switch e.Key {
	case schema.StringKey:
		key = `"[^"\n]*"`
	case schema.IdentOrStrKey:
		key = name + `|"[^"\n]*"`
	}
	r := w.line("entry", key, entry, values)
	if e.Block != nil {
		r.Patterns = append(w.body(e.Block), r.Patterns...)
	}
	text := textOf(e.Form, e.Text)
	if text == "" || e.Typed != nil {
		return []rule{r}
	}
	return []rule{scalar(key, entry, text), r}
}

func entryValues(e *schema.Entry) []rule {
	if e.Typed != nil {
		return append(typed(e.Typed), use("value")...)
	}
	return valuesOf(e.Form, e.Text, nil, schema.NoRef)
}
