package build_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"iterion/ast"
	"iterion/grammar/literal"
	"iterion/grammar/schema"
)

// encoder writes a tree as an author document. It knows the document's shape
// by itself, so that the reader is held against something else than itself.
type encoder struct {
	t     *testing.T
	mode  literal.Mode
	lists map[string]*strings.Builder // the sections of a document
}

// sectionOrder is that of a document.
var sectionOrder = []string{"imports", "vars", "presets", "attachments", "secrets", "schemas", "prompts", "cursors",
	"supervisors", "mcp_servers", "contracts", "groups", "uses", "nodes", "workflow"}

// documentOf writes the document of a parsed file.
func documentOf(t *testing.T, f *ast.File) string {
	e := &encoder{t: t, mode: literal.ModeOf(f), lists: map[string]*strings.Builder{}}
	for _, d := range f.Decls {
		e.declaration(d)
	}
	text := fmt.Sprintf("dsl: %d\n", f.Profile)
	for _, name := range sectionOrder {
		if b := e.lists[name]; b != nil {
			text += name + ":" + orEmpty(b.String())
		}
	}
	return text
}

func (e *encoder) to(section, format string, args ...any) {
	if e.lists[section] == nil {
		e.lists[section] = &strings.Builder{}
	}
	fmt.Fprintf(e.lists[section], format, args...)
}

func (e *encoder) declaration(d *ast.Declaration) {
	word := d.Keyword()
	kind := schema.Lookup(word)
	name, _ := d.Name(0)
	switch {
	case d.Root().Kind == ast.Import:
		e.to("imports", "  - %s\n", e.scalar(schema.QStr, d, 1))
	case d.Root().Kind == ast.Use:
		e.to("uses", "  - {use: %s, as: %s, with: %s}\n", d.Slice(1), d.Slice(2), e.pairs(d, d.First(0, ast.With)))
	case word == "dsl":
	case word == "workflow":
		e.to(word, "  name: %s\n%s", name, e.members(kind, d, 0, 1)+e.edges(d, 0, 1))
	case word == "group":
		e.group(d, name)
	case kind.Node:
		e.to("nodes", "  - %s: %s\n%s", word, name, e.members(kind, d, 0, 2))
	case word == "prompt":
		e.to("prompts", "  %s: %s\n", name, e.prompt(d))
	case kind.Named:
		e.to(word+"s", "  %s:%s", name, orEmpty(e.members(kind, d, 0, 2)))
	default:
		e.to(word, "%s", e.members(kind, d, 0, 1))
	}
}

// orEmpty is a nested mapping, or an empty one.
func orEmpty(members string) string {
	if members == "" {
		return " {}\n"
	}
	return "\n" + members
}

func (e *encoder) prompt(d *ast.Declaration) string {
	body := d.First(0, ast.Body)
	if body < 0 {
		return `""`
	}
	return e.text(literal.Value(ast.Body, d.Slice(body), e.mode), 4)
}

func (e *encoder) group(d *ast.Declaration, name string) {
	var params []string
	nodes := ""
	for c := range d.Children(0) {
		switch d.Nodes[c].Kind {
		case ast.Param:
			params = append(params, d.Slice(c))
		case ast.Decl:
			id, _ := d.Name(c)
			nodes += fmt.Sprintf("      - %s: %s\n%s", d.KeywordOf(c), id, e.members(schema.Lookup(d.KeywordOf(c)), d, c, 4))
		}
	}
	text := "  - group: " + name + "\n    params: [" + strings.Join(params, ", ") + "]\n"
	if nodes != "" {
		text += "    nodes:\n" + nodes
	}
	e.to("groups", "%s", text+e.edges(d, 0, 2))
}

func (e *encoder) edges(d *ast.Declaration, n, level int) string {
	text := ""
	for c := range d.Children(n) {
		if d.Nodes[c].Kind == ast.Edge {
			text += indent(level+1) + "- " + e.text(d.Slice(c), 2*level+6) + "\n"
		}
	}
	if text == "" {
		return ""
	}
	return indent(level) + "edges:\n" + text
}

func indent(level int) string { return strings.Repeat("  ", level) }

// members writes the properties and entries of node n.
func (e *encoder) members(kind *schema.Kind, d *ast.Declaration, n, level int) string {
	text := ""
	for c := range d.Children(n) {
		switch d.Nodes[c].Kind {
		case ast.Prop:
			row := &kind.Props[d.Nodes[c].Aux-1]
			text += indent(level) + row.Name + ":" + e.value(row.Form, row.Block, d, c, level)
		case ast.Entry:
			key := literal.Value(ast.Key, d.Slice(c+1), e.mode)
			text += indent(level) + quote(key) + ":" + e.entry(kind.Entry, d, c, level)
		}
	}
	return text
}

func (e *encoder) value(form schema.Form, block *schema.Kind, d *ast.Declaration, c, level int) string {
	v := c + 2
	switch {
	case block != nil && block.Name == "fallbacks":
		text := "\n"
		for r := range d.Children(c) {
			if d.Nodes[r].Kind == ast.Entry {
				text += indent(level+1) + "- route: " + d.Slice(r+1) + "\n" + e.members(block.Entry.Block, d, r, level+2)
			}
		}
		return text
	case d.Nodes[c].Flags&ast.FlagBlock != 0:
		return orEmpty(e.members(block, d, c, level+1))
	case form == schema.With:
		return " " + e.pairs(d, v) + "\n"
	}
	return " " + e.any(form, d, v, 2*level+2) + "\n"
}

func (e *encoder) entry(en *schema.Entry, d *ast.Declaration, c, level int) string {
	if en.Typed != nil {
		text := "\n" + indent(level+1) + "type: " + d.Slice(c+2) + "\n"
		for v := range d.Children(c) {
			switch k := d.Nodes[v].Kind; {
			case k == ast.Enum:
				text += indent(level+1) + "enum: " + e.list(schema.QStr, d, v) + "\n"
			case k == ast.Matching:
				text += indent(level+1) + "matching: " + e.any(schema.QStr, d, v+1, 0) + "\n"
			case k > ast.Unbounded:
				text += indent(level+1) + "default: " + e.any(schema.Literal, d, v, 0) + "\n"
			}
		}
		return text + e.members(en.Block, d, c, level+1)
	}
	if d.Nodes[c].Flags&ast.FlagBlock != 0 {
		return orEmpty(e.members(en.Block, d, c, level+1))
	}
	if int(d.Nodes[c].Next) == c+2 {
		return " null\n"
	}
	return e.value(en.Form, en.Block, d, c, level)
}

// any writes a value in the style of flows, block texts aside.
func (e *encoder) any(form schema.Form, d *ast.Declaration, v, width int) string {
	switch d.Nodes[v].Kind {
	case ast.List:
		return e.list(form, d, v)
	case ast.Map:
		return e.pairs(d, v)
	case ast.Scalar:
		return e.text(literal.Value(ast.Scalar, d.Slice(v), e.mode), width)
	}
	return e.scalar(form, d, v)
}

func (e *encoder) list(form schema.Form, d *ast.Declaration, v int) string {
	var items []string
	for c := range d.Children(v) {
		items = append(items, e.any(form, d, c, 0))
	}
	return "[" + strings.Join(items, ", ") + "]"
}

func (e *encoder) pairs(d *ast.Declaration, v int) string {
	if v < 0 {
		return "{}"
	}
	var items []string
	for c := range d.Children(v) {
		items = append(items, quote(literal.Value(ast.Key, d.Slice(c+1), e.mode))+": "+e.any(schema.Literal, d, c+2, 0))
	}
	return "{" + strings.Join(items, ", ") + "}"
}

// plainWord is what can stand without quotes.
var plainWord = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

func (e *encoder) scalar(form schema.Form, d *ast.Declaration, v int) string {
	switch d.Nodes[v].Kind {
	case ast.Ident, ast.Int, ast.Float, ast.Measure:
		if form == schema.Str || form == schema.Word {
			return quote(d.Slice(v))
		}
		return d.Slice(v)
	}
	return quote(literal.Value(d.Nodes[v].Kind, d.Slice(v), e.mode))
}

// text writes a text as a block, or in quotes where no block holds it.
func (e *encoder) text(value string, width int) string {
	if strings.HasPrefix(value, " ") || strings.HasPrefix(value, "\n") || strings.ContainsAny(value, "\r\x00") ||
		strings.HasSuffix(value, " ") || strings.HasSuffix(value, "\n\n") || strings.Contains(value, " \n") || value == "" || value == "\n" {
		return quote(value)
	}
	text := "|"
	if !strings.HasSuffix(value, "\n") {
		text = "|-"
	}
	for line := range strings.SplitSeq(strings.TrimSuffix(value, "\n"), "\n") {
		text += "\n"
		if line != "" {
			text += strings.Repeat(" ", width) + line
		}
	}
	return text
}

// quote writes a text in double quotes, whose escapes YAML and JSON share.
func quote(value string) string {
	if plainWord.MatchString(value) && len(value)%2 == 0 && value != "true" && value != "null" {
		return "'" + value + "'"
	}
	raw, _ := json.Marshal(value)
	return strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(string(raw))
}
