package build

import (
	"strings"

	"iterion/ast/source"
	"iterion/diagnostics"
	"iterion/ir/bundle"
	"iterion/ir/directive"
)

// directives reads the `lint:` comments of a unit's files.
func directives(files []*File) []directive.Directive {
	var list []directive.Directive
	for _, f := range files {
		if f.document != nil {
			list = append(list, directive.YAML(f.Source().Text, func(s source.Span) diagnostics.Range { return rangeOf(f.Source(), s) })...)
			continue
		}
		place := func(base uint32) directive.Place {
			return func(s source.Span) diagnostics.Range { return rangeOf(f.AST.Source, s.Shift(base)) }
		}
		for i, d := range f.AST.Decls {
			if directive.In(d) {
				list = append(list, directive.Of(d, i == 0, place(f.AST.Bases[i]))...)
			}
		}
		list = append(list, directive.Tail(f.AST.Source.Text, f.AST.Tail, len(f.AST.Decls) == 0, place(0))...)
	}
	return list
}

// bundleDirectives reads those of a bundle's manifest and of the frontmatter of
// its skills; nil for none.
func bundleDirectives(b *bundle.Bundle) []directive.Directive {
	var list []directive.Directive
	read := func(text string, in *bundle.Text) {
		list = append(list, directive.YAML(text, func(s source.Span) diagnostics.Range { return rangeOf(in.Source, s) })...)
	}
	if b == nil {
		return nil
	}
	if m := b.Manifest; m != nil {
		read(m.Source.Text, m.Text)
	}
	for _, s := range b.Skills {
		read(s.Frontmatter(), s.Text)
	}
	return list
}

// directives reads the `lint:` comments of an open document. Runs of
// declarations without one are passed over.
func (d *Document) directives() []directive.Directive {
	var list []directive.Directive
	at := spot{}
	for i, piece := range d.text {
		if piece.lint {
			inner := at
			for n, decl := range piece.decls {
				inner.piece, inner.index = i, n
				if directive.In(decl) {
					list = append(list, directive.Of(decl, i == 0 && n == 0, d.below(decl.Text, inner))...)
				}
				inner.base += len(decl.Text)
				inner.line += strings.Count(decl.Text, "\n")
			}
		}
		at.base += piece.bytes
		at.line += piece.lines
	}
	return append(list, d.tailDirectives(at)...)
}

// tailDirectives reads those behind the last declaration. Their offsets are of
// the text that was opened, and that part of it has only moved since.
func (d *Document) tailDirectives(at spot) []directive.Directive {
	if len(d.file.Tail) == 0 {
		return nil
	}
	opened := d.file.Source.Text
	place := d.below(d.tail, at)
	cut := uint32(len(opened) - len(d.tail))
	return directive.Tail(opened, d.file.Tail, len(d.text) == 0, func(s source.Span) diagnostics.Range {
		return place(source.Span{Start: s.Start - cut, End: s.End - cut})
	})
}

// below places spans of a text that begins at a spot.
func (d *Document) below(text string, at spot) directive.Place {
	f := source.New(d.name, text)
	return func(s source.Span) diagnostics.Range {
		r := rangeOf(f, s)
		r.Start.Line += at.line
		r.End.Line += at.line
		r.Offsets = s.Shift(uint32(at.base))
		return r
	}
}
