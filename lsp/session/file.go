package session

import (
	"sort"

	"go.lsp.dev/protocol"

	"iterion/ast"
	"iterion/ast/source"
	"iterion/ir/build"
)

// File is a text in its snapshot: what a feature looks at. Offsets are bytes of
// File.Text, the text as the compiler reads it.
type File struct {
	*Doc
	Key      string
	Snapshot *Snapshot
}

// Unit is the unit that the file belongs to, the first of several; nil for a
// file of another kind.
func (f *File) Unit() *Unit {
	if units := f.Snapshot.UnitsOf(f.Key); len(units) > 0 {
		return units[0]
	}
	return nil
}

// Parsed is the file's tree with its compiled declarations, as a part of a unit;
// nil for what is no `.bot` file.
func (f *File) Parsed(u *Unit) *build.File {
	if u == nil {
		return nil
	}
	if file := u.file(f.Key); file != nil && file.Source() == file.AST.Source {
		return file
	}
	return nil
}

// Offset converts a place that a client sent.
func (f *File) Offset(p protocol.Position) int { return f.Doc.Offset(f.Snapshot.Encoding, place(p)) }

// Position is the reverse of Offset.
func (f *File) Position(offset int) protocol.Position {
	return position(f.Place(f.Snapshot.Encoding, offset))
}

// Span converts a range that a client sent.
func (f *File) Span(r protocol.Range) source.Span {
	start := f.Offset(r.Start)
	return source.Span{Start: uint32(start), End: uint32(max(start, f.Offset(r.End)))}
}

// Range is the reverse of Span.
func (f *File) Range(s source.Span) protocol.Range { return rangeOf(f.Buffer, f.Snapshot.Encoding, s) }

// DeclarationAt returns the declaration whose text holds an offset, with where
// it begins; nil when none does. At the end of the text it is the last.
func DeclarationAt(f *ast.File, offset int) (tree *ast.Declaration, base int) {
	i := sort.Search(len(f.Bases), func(i int) bool { return int(f.Bases[i]) > offset }) - 1
	if i < 0 {
		return nil, 0
	}
	return f.Decls[i], int(f.Bases[i])
}
