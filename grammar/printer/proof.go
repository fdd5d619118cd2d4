package printer

import (
	"slices"

	"iterion/ast"
	"iterion/grammar/literal"
)

// prove compares a file with its formatted text, parsed again. It shares no
// walk with the printer: trees are compared node by node, and every comment
// must have kept its text and its owner.
func prove(before, after *ast.File) error {
	p := proof{old: side{f: before, mode: literal.ModeOf(before)}, new: side{f: after, mode: literal.ModeOf(after)}}
	p.files()
	if p.reason == "" {
		return nil
	}
	return &UnsafeError{Name: before.Source.Name, Line: before.Source.Position(p.at).Line, Reason: p.reason}
}

// profileChanges is the one refusal that a file can draw by itself: blank lines
// that go or come move a directive over the line up to which it counts.
const profileChanges = "its profile would change"

// proof is a comparison on its way; it ends at the first difference.
type proof struct {
	old, new side
	pair     []int // the node of the new declaration for each of the old one
	at       int   // the offset of the difference in the old file
	reason   string
}

// side is one of the two files and its current declaration.
type side struct {
	f     *ast.File
	mode  literal.Mode
	d     *ast.Declaration
	loose []string // the comments at top level; "" stands for a declaration
}

func (p *proof) files() {
	a, b := p.old.f, p.new.f
	problems := syntax(b)
	switch {
	case len(problems) > 0:
		p.reason = "the result does not parse: " + problems[0].Message
	case a.Profile != b.Profile || a.Header != b.Header || a.Strict != b.Strict:
		p.reason = profileChanges
	case len(a.Decls) != len(b.Decls):
		p.reason = "a declaration would be lost or added"
	}
	for i := 0; p.reason == "" && i < len(a.Decls); i++ {
		p.old.d, p.new.d = a.Decls[i], b.Decls[i]
		p.declaration(int(a.Bases[i]))
	}
	if p.reason == "" && !slices.Equal(p.old.allLoose(), p.new.allLoose()) {
		p.at, p.reason = len(a.Source.Text), "a comment between declarations would be lost or moved"
	}
}

func (p *proof) declaration(base int) {
	p.pair = slices.Grow(p.pair[:0], len(p.old.d.Nodes))[:len(p.old.d.Nodes)]
	n, reason := p.same(context{}, 0, 0), "the program would change here"
	if n < 0 {
		n, reason = p.comments(), "a comment would be lost or moved here"
	}
	if n >= 0 {
		p.at, p.reason = base+int(p.old.d.Nodes[n].Start), reason
	}
}

// comments compares the comments of the current declaration and returns the
// node of the old one where they differ, or -1.
func (p *proof) comments() int {
	a, b := p.old.owned(), p.new.owned()
	for i := range a {
		a[i].node = p.pair[a[i].node]
	}
	sortOwned(a)
	sortOwned(b)
	for i := range max(len(a), len(b)) {
		if i == len(a) || i == len(b) || a[i] != b[i] {
			return p.oldNode(a, min(i, len(a)-1))
		}
	}
	return -1
}

// oldNode returns the old node that owns comment i of a list.
func (p *proof) oldNode(list []owned, i int) int {
	if i < 0 {
		return 0
	}
	return max(slices.Index(p.pair, list[i].node), 0)
}
