package build

import (
	"slices"
	"strings"
	"unicode/utf8"

	"iterion/ast"
	"iterion/ast/source"
	"iterion/diagnostics"
	"iterion/ir/compile"
	"iterion/ir/directive"
	"iterion/ir/finding"
)

// pieces is a document's declarations in runs of a bounded length, each with
// its size: an edit copies one run and the list of runs, and finds its place by
// adding up sizes. Runs are immutable.
type pieces []*piece

// most is how many declarations a piece holds.
const most = 64

type piece struct {
	decls        []*ast.Declaration
	parts        []*compile.Part
	bytes, lines int
	faults       bool // a declaration of it holds problems
	lint         bool // one holds directives
}

// spot is a declaration's place: its piece, its index there, and where it
// begins in the file: byte offset, and line from 0.
type spot struct {
	piece, index int
	base, line   int
}

func piecesOf(f *File) pieces {
	var all pieces
	for i := 0; i < len(f.Parts); i += most {
		end := min(i+most, len(f.Parts))
		all = append(all, newPiece(f.AST.Decls[i:end:end], f.Parts[i:end:end]))
	}
	return all
}

func newPiece(decls []*ast.Declaration, parts []*compile.Part) *piece {
	p := &piece{decls: decls, parts: parts}
	for _, d := range decls {
		p.bytes += len(d.Text)
		p.lines += strings.Count(d.Text, "\n")
		p.faults = p.faults || len(d.Problems) > 0
		p.lint = p.lint || directive.In(d)
	}
	return p
}

// find returns the declaration whose text holds a byte offset.
func (all pieces) find(offset int) (spot, bool) {
	at := spot{}
	for at.piece < len(all) && at.base+all[at.piece].bytes <= offset {
		at.base += all[at.piece].bytes
		at.line += all[at.piece].lines
		at.piece++
	}
	if at.piece == len(all) || offset < 0 {
		return at, false
	}
	for {
		d := all[at.piece].decls[at.index]
		if offset < at.base+len(d.Text) {
			return at, true
		}
		at.base += len(d.Text)
		at.line += strings.Count(d.Text, "\n")
		at.index++
	}
}

// of returns the place of a declaration.
func (all pieces) of(tree *ast.Declaration) (spot, bool) {
	at := spot{}
	for i, p := range all {
		if n := slices.Index(p.decls, tree); n >= 0 {
			at.piece, at.index = i, n
			for _, d := range p.decls[:n] {
				at.base += len(d.Text)
				at.line += strings.Count(d.Text, "\n")
			}
			return at, true
		}
		at.base += p.bytes
		at.line += p.lines
	}
	return at, false
}

func (all pieces) decl(at spot) *ast.Declaration { return all[at.piece].decls[at.index] }

func (all pieces) before(at spot) (*ast.Declaration, bool) {
	if at.index > 0 {
		return all[at.piece].decls[at.index-1], true
	}
	if at.piece == 0 {
		return nil, false
	}
	decls := all[at.piece-1].decls
	return decls[len(decls)-1], true
}

func (all pieces) after(at spot) (*ast.Declaration, bool) {
	if decls := all[at.piece].decls; at.index+1 < len(decls) {
		return decls[at.index+1], true
	}
	if at.piece+1 == len(all) {
		return nil, false
	}
	return all[at.piece+1].decls[0], true
}

// with returns the pieces with one declaration replaced.
func (all pieces) with(at spot, tree *ast.Declaration, part *compile.Part) pieces {
	next := slices.Clone(all)
	p := all[at.piece]
	decls, parts := slices.Clone(p.decls), slices.Clone(p.parts)
	decls[at.index], parts[at.index] = tree, part
	next[at.piece] = newPiece(decls, parts)
	return next
}

// flatten lists the declarations with their byte offsets.
func (all pieces) flatten() (decls []*ast.Declaration, bases []uint32) {
	base := 0
	for _, p := range all {
		for _, d := range p.decls {
			decls, bases = append(decls, d), append(bases, uint32(base))
			base += len(d.Text)
		}
	}
	return decls, bases
}

func (all pieces) parts() []*compile.Part {
	var list []*compile.Part
	for _, p := range all {
		list = append(list, p.parts...)
	}
	return list
}

// problems places what the parser found.
func (d *Document) problems(p *placer) []diagnostics.Diagnostic {
	list := []diagnostics.Diagnostic{}
	for _, pr := range d.file.Problems {
		list = append(list, p.problem(pr, func(s source.Span) diagnostics.Range { return rangeOf(source.New(d.name, d.Text()), s) }))
	}
	at := spot{}
	for i, piece := range d.text {
		if piece.faults {
			inner := at
			for n, decl := range piece.decls {
				inner.piece, inner.index = i, n
				for _, pr := range decl.Problems {
					list = append(list, p.problem(pr, func(s source.Span) diagnostics.Range { return d.place(inner, s) }))
				}
				inner.base += len(decl.Text)
				inner.line += strings.Count(decl.Text, "\n")
			}
		}
		at.base += piece.bytes
		at.line += piece.lines
	}
	return list
}

// rangeOf places a span of a declaration, which may have been replaced.
func (d *Document) rangeOf(at finding.Place) (diagnostics.Range, bool) {
	tree := at.Tree
	for _, r := range d.edited {
		if r.old == tree {
			tree = r.tree
		}
	}
	if where, ok := d.text.of(tree); ok && tree != nil {
		return d.place(where, at.Span), true
	}
	return diagnostics.Range{}, false
}

// place converts a span of a declaration without the file's line table.
func (d *Document) place(at spot, s source.Span) diagnostics.Range {
	text := d.text.decl(at).Text
	position := func(offset uint32) source.Position {
		if int(offset) > len(text) { // a related place in another declaration
			return source.New(d.name, d.Text()).Position(int(uint32(at.base) + offset))
		}
		before := text[:offset]
		line := strings.LastIndexByte(before, '\n') + 1
		return source.Position{Line: at.line + strings.Count(before, "\n") + 1, Column: utf8.RuneCountInString(before[line:]) + 1}
	}
	return diagnostics.Range{File: d.name, Start: position(s.Start), End: position(s.End), Offsets: s.Shift(uint32(at.base))}
}
