package scope

import (
	"slices"

	"iterion/ast"
	"iterion/grammar/template"
	"iterion/ir"
	"iterion/ir/compile"
)

// located gives the references of rewritten texts their places back: what a
// reference of the group became stands where that reference was written. The
// rewriting touches nothing outside of references. Where the two do not fit
// together, the whole text stays the place.
func (i *instance) located(before, after []compile.TextUse) []compile.TextUse {
	after = slices.Clone(after)
	for k := range after {
		at := slices.IndexFunc(before, func(t compile.TextUse) bool { return t.Span == after[k].Span })
		if at < 0 || !after[k].Text.Substituted() || len(before[at].Errs) > 0 {
			continue
		}
		if refs := i.locate(&before[at]); len(refs) == len(after[k].Refs) {
			after[k].Refs = refs
		}
	}
	return after
}

// locate rewrites the references of a text one by one.
func (i *instance) locate(t *compile.TextUse) []ir.Ref {
	value := t.Text.Value()
	written, _ := template.Parse(value)
	if len(written) != len(t.Refs) {
		return nil
	}
	var refs []ir.Ref
	for k, from := range t.Refs {
		became, _ := template.Parse(i.rewrite(value[written[k].Span.Start:written[k].Span.End]))
		for _, r := range became {
			r.Span, r.PathSpan = from.Span, from.PathSpan
			refs = append(refs, r)
		}
	}
	return refs
}

// lacksEdge tells whether an edge of a body could not be read: nothing of it
// was, or one of its ends was not.
func lacksEdge(p *compile.Part) bool {
	if p.Broken || !p.Tree.Tainted(0) {
		return p.Broken
	}
	for n := range p.Tree.Children(0) {
		if p.Tree.Nodes[n].Kind == ast.Edge && p.Tree.Tainted(n) && ends(p.Tree, n) < 2 {
			return true
		}
	}
	return false
}

func ends(d *ast.Declaration, edge int) int {
	total := 0
	for n := range d.Children(edge) {
		if d.Nodes[n].Kind == ast.Target {
			total++
		}
	}
	return total
}
