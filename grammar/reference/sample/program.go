package sample

import (
	"fmt"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"iterion/grammar/schema"
)

// Program draws a program that holds no fault of the grammar, in an untidy
// layout. Names need not resolve and values need not make sense.
func Program() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		w := &writer{t: t}
		w.program()
		return w.b.String()
	})
}

// writer draws choices and writes lines.
type writer struct {
	t       *rapid.T
	b       strings.Builder
	profile int
	names   int
}

func (w *writer) upTo(n int) int { return rapid.IntRange(0, n).Draw(w.t, "n") }

// once in n times it is true.
func (w *writer) once(n int) bool { return w.upTo(n-1) == 0 }

func pick[T any](w *writer, from ...T) T { return from[w.upTo(len(from)-1)] }

// name draws a name that was not drawn before; every keyword may be one.
func (w *writer) name() string {
	w.names++
	word := pick(w, "n", "when", "agent", "model", "with", "_x", "true", "foreach", "string", "Vars")
	return fmt.Sprintf("%s%d", word, w.names)
}

// word draws any name, keywords included.
func (w *writer) word() string {
	return pick(w, "a", "b_2", "model", "when", "else", "as", "with", "not", "in", "vars", "X", "unbounded")
}

// start begins a line, after what may stand between lines.
func (w *writer) start(col int) {
	switch w.upTo(11) {
	case 0:
		w.b.WriteString(pick(w, "\n", "   \n", "\t\n", "\n\n"))
	case 1:
		w.b.WriteString(strings.Repeat(" ", col) + pick(w, "# note\n", "## `note\" [\n", "#\n"))
	}
	w.b.WriteString(strings.Repeat(" ", col))
}

func (w *writer) end() {
	w.b.WriteString(pick(w, "", "", "", "", " ", "\t", " # said", "  ## `[\"{"))
	w.b.WriteByte('\n')
}

func (w *writer) put(parts ...string) {
	for _, s := range parts {
		w.b.WriteString(s)
	}
}

func (w *writer) gap() string { return pick(w, " ", " ", " ", "  ", "\t") }

// maybe draws a gap or none.
func (w *writer) maybe() string { return pick(w, "", "", " ", "  ") }

func (w *writer) colon() string { return pick(w, "", "", "", " ") + ":" }

func (w *writer) deeper(col int) int { return col + 1 + w.upTo(3) }

func (w *writer) program() {
	w.profile = 1 + w.upTo(1)
	if w.profile == 2 || w.once(2) {
		w.start(0)
		w.put("dsl", w.colon(), w.maybe(), fmt.Sprint(w.profile))
		w.end()
	}
	for range w.upTo(2) {
		w.start(0)
		w.put("import", w.gap(), pick(w, `"a.bot"`, `"lib/b.bot"`))
		w.end()
	}
	var blocks []string
	for range 1 + w.upTo(7) {
		kind := pick(w, schema.Kinds()...)
		if !kind.Named && kind.Name != "use" {
			if slices.Contains(blocks, kind.Name) {
				continue
			}
			blocks = append(blocks, kind.Name)
		}
		w.declaration(kind)
	}
}

func (w *writer) declaration(kind *schema.Kind) {
	w.start(0)
	switch {
	case kind.Name == "use":
		w.put("use", w.gap(), w.word(), w.gap(), "as", w.gap(), w.name())
		if w.once(2) {
			w.put(w.gap())
			w.with(0)
		}
		w.end()
		return
	case kind.Named:
		w.put(kind.Name, w.gap(), w.name())
	default:
		w.put(kind.Name)
	}
	if kind.Name == "group" && w.once(2) {
		w.params()
	}
	w.put(w.colon())
	if kind.Name == "prompt" {
		w.prompt()
		return
	}
	w.body(kind, 0)
}

func (w *writer) params() {
	w.put(w.maybe(), "(")
	for i := range w.upTo(3) {
		if i > 0 {
			w.put(w.maybe(), ",", w.maybe())
		}
		w.put(w.name())
	}
	w.put(")")
}

func (w *writer) prompt() {
	w.end()
	if w.once(6) {
		w.put("\n")
		return
	}
	w.lines(w.deeper(0))
}

// lines writes text indented by at least col; its first line is not blank.
func (w *writer) lines(col int) {
	margin := strings.Repeat(" ", col)
	w.put(margin, pick(w, "# no comment", "text", `"open`, "a -> b:", "`", "[ {", "{{vars.x}} é🙂"), "\n")
	for range w.upTo(3) {
		w.put(pick(w, "\n", "  \n", margin+"more\n", margin+"   deeper  \n", margin+"key: |\n", margin+"\tx\n"))
	}
}

// body ends a header's line and writes its members.
func (w *writer) body(kind *schema.Kind, col int) {
	if kind.Bare && w.once(8) {
		w.end()
		w.put("\n")
		return
	}
	w.end()
	inner := w.deeper(col)
	for range w.upTo(1) {
		w.put(pick(w, "\n", strings.Repeat(" ", inner)+"# first\n"))
	}
	w.members(kind, inner)
}

// members writes at least one line.
func (w *writer) members(kind *schema.Kind, col int) {
	var rows []int
	written := 0
	for range 1 + w.upTo(5) {
		if w.member(kind, col, &rows) {
			written++
		}
	}
	for written == 0 {
		if w.member(kind, col, &rows) {
			written++
		}
	}
}

// member writes one line of a body, if what was drawn may stand here.
func (w *writer) member(kind *schema.Kind, col int, rows *[]int) bool {
	switch {
	case kind.Members&schema.Nodes != 0 && w.once(2):
		inner := schema.Lookup(pick(w, "agent", "judge", "router", "human", "tool", "compute"))
		w.start(col)
		w.put(inner.Name, w.gap(), w.name(), w.colon())
		w.body(inner, col)
	case kind.Members&schema.Edges != 0 && (len(kind.Props) == 0 || w.once(2)):
		w.start(col)
		w.edge(col)
	case kind.Entry != nil && (len(kind.Props) == 0 || w.once(2)):
		w.start(col)
		w.entry(kind.Entry, col)
	default:
		row := w.upTo(len(kind.Props) - 1)
		p := &kind.Props[row]
		if slices.Contains(*rows, row) || p.Removed != 0 && p.Removed <= w.profile {
			return false
		}
		*rows = append(*rows, row)
		w.start(col)
		w.property(p, col)
	}
	return true
}

func (w *writer) property(p *schema.Property, col int) {
	if p.Form == schema.With {
		w.with(col)
		w.end()
		return
	}
	w.put(p.Name, w.colon())
	w.value(p.Form, p, col)
}

func (w *writer) entry(e *schema.Entry, col int) {
	key := w.name()
	quoted := e.Key == schema.StringKey || e.Key == schema.IdentOrStrKey && w.once(2)
	if quoted {
		key = fmt.Sprintf(`"0..%d"`, w.names)
	}
	w.put(key, w.colon())
	switch {
	case e.Typed != nil:
		w.typed(e, col)
	case e.Form == 0:
		if e.Bare && w.once(2) {
			w.end()
			return
		}
		w.body(e.Block, col)
	case e.Bare && w.once(3):
		w.end()
		if e.Block != nil && w.once(2) {
			w.members(e.Block, w.deeper(col))
		}
	default:
		w.value(e.Form, &schema.Property{Form: e.Form}, col)
	}
}

func (w *writer) typed(e *schema.Entry, col int) {
	t := e.Typed
	if t.Schemas && w.once(2) {
		w.put(w.maybe(), w.name(), pick(w, "", "[]", "[][]"))
	} else {
		w.put(w.maybe(), pick(w, t.Types...))
	}
	if t.Enum && w.once(3) {
		w.put(w.maybe(), "[", w.maybe(), "enum", w.maybe(), ":", w.maybe(), w.quoted())
		for range w.upTo(2) {
			w.put(w.maybe(), ",", w.maybe(), w.quoted())
		}
		w.put(w.maybe(), "]")
	}
	if t.Matching && w.once(3) {
		w.put(w.maybe(), "[matching:", w.maybe(), `"^a+$"`, "]")
	}
	if t.Default && w.once(2) {
		w.put(w.maybe(), "=", w.maybe(), w.scalar(schema.Literal, nil))
	}
	w.end()
	if e.Block != nil && w.once(2) {
		w.members(e.Block, w.deeper(col))
	}
}
