package feature

import (
	"strings"

	"iterion/ast"
	"iterion/ast/source"
)

// below writes a declaration below another one of its file.
func below(f *ast.File, i int, text string) source.Edit {
	d := f.Decls[i]
	end := len(strings.TrimRight(d.Text[:d.Root().End], " \t\n"))
	at := lineIn(d.Text, end).End + f.Bases[i]
	return source.Edit{Span: source.Span{Start: at, End: at}, New: "\n\n" + strings.TrimSuffix(text, "\n")}
}

// above writes a declaration above another one, which is not the first: what
// stands above the first may speak of the whole file.
func above(f *ast.File, i int, text string) source.Edit {
	d := f.Decls[i]
	at := f.Bases[i] + uint32(len(d.Text)-len(strings.TrimLeft(d.Text, "\n")))
	return source.Edit{Span: source.Span{Start: at, End: at}, New: strings.TrimSuffix(text, "\n") + "\n\n"}
}

// beside writes a declaration beside the one that needs it: below it, but a
// workflow stays the last.
func beside(f *ast.File, i int, text string) source.Edit {
	if i > 0 && f.Decls[i].Keyword() == "workflow" {
		return above(f, i, text)
	}
	return below(f, i, text)
}

// belowHead writes a declaration below the header and the imports of a file, or
// else beside the one that needs it.
func belowHead(f *ast.File, i int, text string) source.Edit {
	head := -1
	for n, d := range f.Decls {
		if kind := d.Root().Kind; kind == ast.Header || kind == ast.Import {
			head = n
		}
	}
	if head < 0 {
		return beside(f, i, text)
	}
	return below(f, head, text)
}

// within writes lines below the last member of a body that is of a kind. It is
// not ok when there is none.
func within(f *ast.File, i, body int, kind ast.Kind, text string) (source.Edit, bool) {
	d := f.Decls[i]
	last := -1
	for m := range d.Children(body) {
		if d.Nodes[m].Kind == kind {
			last = m
		}
	}
	if last < 0 || d.Tainted(last) {
		return source.Edit{}, false
	}
	start := d.Nodes[last].Start
	indent := d.Text[lineIn(d.Text, int(start)).Start:start]
	if strings.Trim(indent, " \t") != "" {
		return source.Edit{}, false
	}
	end := int(start) + len(strings.TrimRight(d.Slice(last), " \t\n"))
	at := lineIn(d.Text, end).End + f.Bases[i]
	lines := "\n" + strings.TrimSuffix(text, "\n")
	return source.Edit{Span: source.Span{Start: at, End: at}, New: strings.ReplaceAll(lines, "\n", "\n"+indent)}, true
}
