package build

import (
	"slices"

	"iterion/ast/source"
	"iterion/ir/finding"
	"iterion/ir/scope"
)

// Edited returns the unit with changes in the texts of its files, and in those
// that they include, parsed and linked. Nothing is read: imports stay as they
// are, and so does what includes what. No check runs. The edits of a file are in
// order, do not overlap, and count in the text of its tree.
func (r *Result) Edited(edits func(*File) []source.Edit) *Result {
	next := &Result{Files: slices.Clone(r.Files)}
	units := make([]scope.Unit, len(r.Files))
	for i, f := range r.Files {
		if list := edits(f); len(list) > 0 {
			next.Files[i] = f.edited(list)
		}
		units[i] = scope.Unit{File: next.Files[i].AST, Parts: next.Files[i].Parts}
	}
	for _, text := range r.Included {
		next.Included = append(next.Included, &Included{text.File.edited(edits(text.File)), text.By})
	}
	next.Scope = scope.Link(units, r.Scope.Incomplete, &finding.List{})
	return next
}

func (f *File) edited(edits []source.Edit) *File {
	text := source.Rewrite(f.AST.Source.Text, edits)
	if f.prose {
		return promptFile(f.AST.Source.Name, f.Path, text)
	}
	return parse(f.AST.Source.Name, f.Path, text)
}

// IsDocument tells whether the file is a YAML author document, from which the
// text of its tree was spelled.
func (f *File) IsDocument() bool { return f.document != nil }
