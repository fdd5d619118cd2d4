package sample

import (
	"strings"

	"iterion/grammar/schema"
)

// value writes what follows a key's colon, to the end of its line or block.
func (w *writer) value(form schema.Form, p *schema.Property, col int) {
	switch form {
	case schema.Block:
		w.body(p.Block, col)
		return
	case schema.WordOrBlock:
		if w.once(2) {
			w.body(p.Block, col)
			return
		}
		w.put(w.gap(), pick(w, p.Values...).Word)
	case schema.Map:
		if p.Block != nil && w.once(2) {
			w.body(p.Block, col)
			return
		}
		w.put(w.gap(), w.inlineMap())
	case schema.JSON:
		w.put(w.maybe(), w.json(3))
	case schema.NameList, schema.StrList, schema.ToolList, schema.StrOrNameList:
		w.list(form, col)
		return
	case schema.NameOrNameList:
		if w.once(2) {
			w.list(schema.NameList, col)
			return
		}
		w.put(w.gap(), w.word())
	case schema.IntOrStrList:
		if w.once(2) {
			w.list(schema.StrList, col)
			return
		}
		w.put(w.gap(), w.number())
	case schema.Str, schema.QStr, schema.Prompt, schema.StrOrNum:
		if w.once(5) {
			w.block(col)
			return
		}
		w.put(w.maybe(), w.scalar(form, p.Values))
	default:
		w.put(w.maybe(), w.scalar(form, p.Values))
	}
	w.end()
}

// block writes a block scalar.
func (w *writer) block(col int) {
	w.put(w.maybe(), "|", pick(w, "", " ", " # text follows"), "\n", pick(w, "", "\n", "  \n"))
	w.lines(w.deeper(col))
}

// scalar draws a value of a form that fits on a line.
func (w *writer) scalar(form schema.Form, values []schema.Value) string {
	switch form {
	case schema.Str, schema.Prompt:
		return pick(w, w.word(), w.quoted(), w.raw())
	case schema.Word:
		return pick(w, w.word(), w.quoted(), "`one line`")
	case schema.QStr:
		return pick(w, w.quoted(), w.raw())
	case schema.Name:
		return w.word()
	case schema.Dotted:
		return w.dotted()
	case schema.StrOrName:
		return pick(w, w.dotted(), w.quoted(), w.raw())
	case schema.Int:
		return w.number()
	case schema.Num:
		return pick(w, w.number(), "0.25")
	case schema.Bool:
		return pick(w, "true", "false")
	case schema.Enum, schema.EnumOrEnv:
		return pick(w, pick(w, values...).Word, `"`+pick(w, values...).Word+`"`)
	case schema.OneOf:
		return pick(w, pick(w, values...).Word, w.word())
	case schema.StrOrNum:
		return pick(w, w.word(), w.quoted(), w.raw(), w.number(), "20m", "1h30m", "1.5h", "0.5")
	case schema.Setting:
		return pick(w, w.word(), w.quoted(), "0.5", "1")
	}
	return pick(w, "true", "false", w.quoted(), w.raw(), w.number(), "1.5")
}

func (w *writer) quoted() string {
	return pick(w, `""`, `"a"`, `"two words"`, `"# no comment"`, `"{{vars.x}}"`, `"${A:-b}"`, `"a \" b"`, `"\\ \n"`, `"é🙂"`, `"[,]{:}->"`)
}

func (w *writer) raw() string {
	return pick(w, "``", "`a \"b\" \\`", "`two\nlines`", "`{\n  \"k\": [1]\n}`")
}

func (w *writer) number() string { return pick(w, "0", "7", "007", "120", "999999999999999999") }

func (w *writer) dotted() string {
	s := w.word()
	for range w.upTo(2) {
		s += "." + w.word()
	}
	return s
}

func (w *writer) element(form schema.Form) string {
	switch form {
	case schema.NameList:
		return w.word()
	case schema.StrList:
		return pick(w, w.word(), w.quoted())
	case schema.ToolList:
		return pick(w, w.dotted(), w.word()+".*", w.quoted())
	}
	return pick(w, w.dotted(), w.quoted())
}

func (w *writer) list(form schema.Form, col int) {
	if w.once(3) {
		w.end()
		inner := w.deeper(col)
		for range 1 + w.upTo(2) {
			w.start(inner)
			w.put("-", w.gap(), w.element(form))
			w.end()
		}
		return
	}
	w.put(w.maybe(), "[", w.maybe())
	for i := range w.upTo(3) {
		if i > 0 {
			w.put(w.maybe(), ",", w.maybe())
		}
		w.put(w.element(form))
	}
	w.put(w.maybe(), "]")
	w.end()
}

func (w *writer) inlineMap() string {
	var b strings.Builder
	for i := range w.upTo(3) {
		if i > 0 {
			b.WriteString(w.maybe() + "," + w.maybe())
		}
		b.WriteString(w.name() + w.colon() + w.maybe() + pick(w, w.word(), w.quoted(), "`x`"))
	}
	return "{" + w.maybe() + b.String() + w.maybe() + "}"
}

// json draws a JSON value with at most depth levels.
func (w *writer) json(depth int) string {
	if depth == 0 || w.once(3) {
		return pick(w, `"t"`, "12", "1.5", "true", "false", "null")
	}
	var items []string
	list := w.once(2)
	for range w.upTo(2) {
		item := w.json(depth - 1)
		if !list {
			item = pick(w, w.name(), `"`+w.name()+` k"`) + w.colon() + w.maybe() + item
		}
		items = append(items, item)
	}
	text := strings.Join(items, w.maybe()+","+w.maybe())
	if len(items) > 0 && w.once(3) {
		text += ","
	}
	if list {
		return "[" + text + "]"
	}
	return "{" + text + "}"
}
