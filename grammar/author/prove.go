package author

import (
	"slices"
	"strings"

	"iterion/ast"
	"iterion/ast/source"
	"iterion/grammar/literal"
)

// prove holds what the parser read against what was meant. Faults that the
// parser found in place of a value that was refused already are dropped.
func (s *speller) prove() {
	d := s.doc
	s.dropHoles()
	if !d.Valid() {
		return // what does not read is not compared
	}
	if at, message := s.difference(); message != "" {
		d.fail("E054", d.Place(source.Span{Start: uint32(at.start), End: uint32(at.end)}), message, "")
	}
}

// dropHoles removes the parser's problems on lines with a refused value.
func (s *speller) dropHoles() {
	if len(s.holes) == 0 {
		return
	}
	f := s.doc.AST
	for i, d := range f.Decls {
		d.Problems = slices.DeleteFunc(d.Problems, func(p ast.Problem) bool {
			return s.holes[f.Source.Position(int(f.Bases[i]+p.Span.Start)).Line-1]
		})
	}
}

// difference returns the first place where the text says something else than
// it was meant to, and how.
func (s *speller) difference() (span, string) {
	f := s.doc.AST
	r := reading{mode: literal.ModeOf(f), meant: map[int]meaning{}, edges: s.edges}
	for _, m := range s.meant {
		r.meant[m.start] = m
	}
	for i, d := range f.Decls {
		if at, message := r.declaration(d, int(f.Bases[i])); message != "" {
			return at, message
		}
	}
	if len(r.edges) > 0 {
		return r.edges[0].span, noEdge
	}
	for _, m := range s.meant {
		if _, unread := r.meant[m.start]; unread {
			return m.span, "this is not read back from the `.bot`"
		}
	}
	return span{}, ""
}

const noEdge = "this is not one edge of a `.bot`"

// reading is what is left to be found in the tree.
type reading struct {
	mode  literal.Mode
	meant map[int]meaning // by start
	edges []meaning       // in order
}

// declaration looks for each leaf of a tree among what was meant.
func (r *reading) declaration(d *ast.Declaration, base int) (span, string) {
	for i := 0; i < len(d.Nodes); i++ {
		n := d.Nodes[i]
		at := span{base + int(n.Start), base + int(n.End)}
		if len(r.edges) > 0 && at.start >= r.edges[0].start {
			if !r.edge(d, i, at, base) {
				return r.edges[0].span, noEdge
			}
			r.edges = r.edges[1:]
			i = int(n.Next) - 1
			continue
		}
		if int(n.Next) > i+1 || compound(n.Kind) {
			continue
		}
		m, ok := r.meant[at.start]
		if !ok || at.end != m.end || literal.Value(n.Kind, d.Slice(i), r.mode) != m.value {
			return at, "this is read back from the `.bot` as something else"
		}
		delete(r.meant, at.start)
	}
	return span{}, ""
}

// compound tells whether a node without children is no leaf.
func compound(k ast.Kind) bool {
	return k == ast.List || k == ast.Map || k == ast.With || k == ast.Prop || k == ast.Entry || k == ast.Decl
}

// edge tells whether node i is the next edge and nothing else: only a comment
// may follow it, and its texts are those of the line it was made from.
func (r *reading) edge(d *ast.Declaration, i int, at span, base int) bool {
	want := r.edges[0]
	if d.Nodes[i].Kind != ast.Edge || at.start != want.start || at.end > want.end {
		return false
	}
	for leaf := i; leaf < int(d.Nodes[i].Next); leaf++ {
		if text := d.Slice(leaf); d.Nodes[leaf].Kind == ast.Raw && !strings.Contains(want.value, text) {
			return false
		}
	}
	rest := strings.TrimSpace(d.Text[at.end-base : want.end-base])
	return rest == "" || rest[0] == '#' && !strings.Contains(rest, "\n")
}
