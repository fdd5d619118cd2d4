package main

import (
	"fmt"
	"strings"

	"iterion/diagnostics"
	"iterion/grammar/expr"
	"iterion/grammar/schema"
	"iterion/ir/outcome"
)

// propertyTables returns the text of each declaration kind: an example and its
// properties. A nested block that several kinds have is written out once.
func propertyTables() map[string]string {
	tables := propertyWriter{}
	texts := map[string]string{}
	for _, k := range schema.Kinds() {
		var b strings.Builder
		fmt.Fprintf(&b, "%s\n\n```text\n%s\n```\n", k.Doc, strings.TrimSpace(k.Example))
		if len(k.Props) > 0 || k.Entry != nil {
			b.WriteString("\n" + tables.table(k))
		}
		texts[k.Name] = b.String()
	}
	return texts
}

// propertyWriter remembers where a block stands that was written out.
type propertyWriter map[string]string

// table is the table of a declaration, or a pointer to one that is the same.
func (w propertyWriter) table(k *schema.Kind) string {
	var all strings.Builder
	propertyWriter{}.rows(&all, k, k.Name, "")
	if first, ok := w[all.String()]; ok {
		return fmt.Sprintf("The properties are those of [`%s`](#%s).\n", first, first)
	}
	w[all.String()] = k.Name
	var b strings.Builder
	b.WriteString("| property | form | default | meaning |\n| --- | --- | --- | --- |\n")
	w.rows(&b, k, k.Name, "")
	return b.String()
}

func (w propertyWriter) rows(b *strings.Builder, k *schema.Kind, top, prefix string) {
	for i := range k.Props {
		p := &k.Props[i]
		row(b, prefix+p.Name, formText(p), p.Default, aboutText(p))
		w.block(b, p.Block, top, prefix+p.Name+".")
	}
	if e := k.Entry; e != nil {
		name := prefix + "NAME"
		if e.Key == schema.StringKey {
			name = prefix + `"NAME"`
		}
		row(b, name, entryForm(e), "", e.Doc)
		w.block(b, e.Block, top, name+".")
	}
}

func (w propertyWriter) block(b *strings.Builder, k *schema.Kind, top, prefix string) {
	if k == nil {
		return
	}
	var content strings.Builder
	propertyWriter{}.rows(&content, k, top, "")
	if first, ok := w[content.String()]; ok && first != top {
		row(b, prefix+"…", "", "", fmt.Sprintf("As in [`%s`](#%s).", first, first))
		return
	}
	w[content.String()] = top
	w.rows(b, k, top, prefix)
}

func row(b *strings.Builder, name, form, fallback, about string) {
	if fallback != "" {
		fallback = "`" + fallback + "`"
	}
	cells := []string{"`" + name + "`", form, fallback, about}
	for i := range cells {
		cells[i] = strings.ReplaceAll(cells[i], "|", `\|`)
	}
	fmt.Fprintf(b, "| %s |\n", strings.Join(cells, " | "))
}

// formText names a value's form and the words of a closed list.
func formText(p *schema.Property) string {
	switch words := "`" + strings.Join(schema.Words(p.Values), "` `") + "`"; {
	case len(p.Values) == 0 || p.Form == schema.ToolList:
		return p.Form.String()
	case p.Form == schema.Enum || p.Form == schema.OneOf:
		return words
	default:
		return p.Form.String() + ": " + words
	}
}

func entryForm(e *schema.Entry) string {
	switch {
	case e.Typed != nil:
		return "type"
	case e.Form != 0:
		return e.Form.String()
	}
	return "block"
}

func aboutText(p *schema.Property) string {
	about := p.Doc
	if p.Require {
		about += " Required."
	}
	if p.Replace != "" {
		about += " Write `" + p.Replace + "`."
	}
	if p.Removed > 0 {
		about += fmt.Sprintf(" Gone from profile %d.", p.Removed)
	}
	return about
}

func functionsText() string {
	var b strings.Builder
	b.WriteString("| call | result |\n| --- | --- |\n")
	for _, f := range expr.Functions {
		fmt.Fprintf(&b, "| `%s` | %s |\n", f.Signature, f.Doc)
	}
	return b.String()
}

func failureCodesText() string {
	var b strings.Builder
	b.WriteString("| code | when | passes |\n| --- | --- | --- |\n")
	for _, c := range outcome.Codes() {
		passes := ""
		if c.Retryable {
			passes = "may"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", c.Code, c.Doc, passes)
	}
	return b.String()
}

// fixesText is the table of fixes.
func fixesText() string {
	var b strings.Builder
	b.WriteString("| fix | kind | findings | what it does |\n| --- | --- | --- | --- |\n")
	for _, f := range diagnostics.Fixes() {
		var codes []string
		for _, code := range f.Codes {
			codes = append(codes, string(code))
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", f.ID, f.Kind, strings.Join(codes, " "), f.Title)
	}
	return b.String()
}
