//go:build unix

package treesitter

import (
	"fmt"
	"strings"

	"iterion/grammar/reference"
)

// outline is what the harness prints of a tree, from the written grammar's.
type outline struct {
	strings.Builder
	edges, properties, items, declarations, entries int
}

// outlineOf returns the outline of a file: a line for each declaration, then
// the counts, comments left out.
func outlineOf(decls []*reference.Declaration) string {
	o := &outline{}
	for _, d := range decls {
		o.declaration(d)
	}
	fmt.Fprintf(o, "edge=%d property=%d item=%d declaration=%d with_entry=%d", o.edges, o.properties, o.items, o.declarations, o.entries)
	return o.String()
}

func (o *outline) declaration(d *reference.Declaration) {
	switch {
	case d.Import != nil:
		fmt.Fprintln(o, "import", d.Import.Path)
	case d.Use != nil:
		fmt.Fprintln(o, "use", d.Use.Group, d.Use.Prefix)
		o.with(d.Use.With)
	case d.Group != nil:
		fmt.Fprintln(o, "declaration group", d.Group.Name)
		o.declarations++
		o.members(d.Group.Body)
	case d.Named != nil:
		kind, name := head(d.Named.Head)
		if kind == "prompt" {
			fmt.Fprintln(o, "prompt", name)
			return
		}
		fmt.Fprintln(o, "declaration", kind, name)
		o.named(d.Named)
	default:
		o.section(d.Line)
	}
}

// section is a line at the margin: the profile or a block without a name.
func (o *outline) section(l *reference.Line) {
	key, _ := head(l.Key.Name)
	if l.Value != nil {
		fmt.Fprintln(o, "profile", l.Value.Number)
		return
	}
	fmt.Fprintln(o, "section", key)
	o.body(l)
}

// head cuts a fused token such as `kind name:` into its words.
func head(token string) (kind, name string) {
	words := append(strings.Fields(strings.TrimSuffix(token, ":")), "")
	return words[0], words[1]
}

func (o *outline) named(n *reference.Named) {
	o.declarations++
	o.members(n.Body)
}

func (o *outline) members(list []*reference.Member) {
	for _, m := range list {
		switch {
		case m.Edge != nil:
			o.edges++
			for _, c := range m.Edge.Clauses {
				o.with(c.With)
			}
		case m.With != nil:
			o.with(m.With)
		case m.Nested != nil:
			o.named(m.Nested)
		default:
			o.properties++
			o.body(m.Line)
		}
	}
}

func (o *outline) body(l *reference.Line) {
	o.items += len(l.Items)
	o.members(l.Body)
}

func (o *outline) with(w *reference.With) {
	if w != nil {
		o.entries += len(w.Entries)
	}
}
