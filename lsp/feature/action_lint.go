package feature

import (
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"iterion/ast"
	"iterion/ast/source"
	"iterion/diagnostics"
	"iterion/grammar/author"
	"iterion/grammar/parser"
	"iterion/ir/directive"
	"iterion/lsp/session"
)

// allowances offers a `lint:` comment for each finding that is no error. The
// cursor of the author goes behind it, where the reason belongs.
func allowances(at *spot) (list []action) {
	offered := map[allowance]bool{}
	for _, d := range at.findings {
		if d.Severity == diagnostics.Error || directive.Own(d.Code) {
			continue
		}
		x, ok := at.allow(d)
		if !ok || offered[x] {
			continue
		}
		offered[x] = true
		title := "Allow " + string(d.Code) + " here"
		if x.file {
			title = "Allow " + string(d.Code) + " in this file"
		}
		list = append(list, action{title: title, remedies: at.allowed(d), edit: change{at.file.Key: {x.Edit}}})
	}
	return list
}

// allowance is a comment at a place.
type allowance struct {
	source.Edit
	file  bool // it allows the code in the whole file
	below int  // lines by which it moves the finding
}

// allowed are the findings that one comment allows: those of the code that begin
// on the line.
func (at *spot) allowed(d *finding) (list []*finding) {
	for _, f := range at.findings {
		if f.Code == d.Code && f.Range.Start.Line == d.Range.Start.Line && f.Severity != diagnostics.Error {
			list = append(list, f)
		}
	}
	return list
}

// allow is the comment about a finding at the first place where it covers it.
func (at *spot) allow(d *finding) (allowance, bool) {
	for _, x := range at.placesFor(d) {
		if at.covers(x, d) && (at.built != nil || at.improves(change{at.file.Key: {x.Edit}}, d)) {
			return x, true
		}
	}
	return allowance{}, false
}

// placesFor are the places that a comment about a finding may have, the narrowest
// first: behind its line, above it, above what it is a part of, above all code.
func (at *spot) placesFor(d *finding) (list []allowance) {
	comment := "# lint: allow " + string(d.Code) + " -- "
	line := at.lineAt(d.Range.Offsets.Start)
	code := at.file.Text[line.Start:line.End]
	end := line.Start + uint32(len(strings.TrimRight(code, " \t")))
	behind := allowance{Edit: source.Edit{Span: source.Span{Start: end, End: line.End}, New: "  " + comment}}
	below := 1
	if d.Range.Offsets == (source.Span{}) {
		below = 0 // it is about all of the unit, and stays at its first character
	}
	for _, start := range append([]uint32{line.Start}, at.membersAround(d.Range.Offsets)...) {
		x := allowance{Edit: at.above(comment, start), below: below}
		if !slices.Contains(list, x) {
			list = append(list, x)
		}
	}
	if utf8.RuneCountInString(code)+len(behind.New) > 100 {
		list = append(list, behind)
	} else {
		list = append([]allowance{behind}, list...)
	}
	if at.built == nil || len(at.built.AST.Decls) == 0 {
		return list
	}
	first := at.built.AST.Decls[0].Root().Start
	whole := at.above(strings.Replace(comment, "allow", "allow-file", 1), first)
	if first > d.Range.Offsets.Start {
		below = 0
	}
	return append(list, allowance{whole, true, below})
}

// above is a comment on a line of its own above that of an offset.
func (at *spot) above(comment string, offset uint32) source.Edit {
	line := at.lineAt(offset)
	code := at.file.Text[line.Start:line.End]
	indent := code[:len(code)-len(strings.TrimLeft(code, " \t"))]
	return source.Edit{Span: source.Span{Start: line.Start, End: line.Start}, New: indent + comment + "\n"}
}

// membersAround are where the members around a span begin, the innermost first.
func (at *spot) membersAround(span source.Span) (starts []uint32) {
	if at.built == nil {
		return nil
	}
	tree, base := session.DeclarationAt(at.built.AST, int(span.Start))
	if tree == nil {
		return nil
	}
	for _, n := range slices.Backward(tree.Nodes) {
		switch n.Kind {
		case ast.Decl, ast.Header, ast.Import, ast.Use, ast.Prop, ast.Entry, ast.Edge:
			if s := n.Span().Shift(uint32(base)); s.Start <= span.Start && span.Start <= s.End {
				starts = append(starts, s.Start)
			}
		}
	}
	return starts
}

// covers tells whether the text still says the same with a comment in it, which
// covers a finding, and no error of its code.
func (at *spot) covers(x allowance, d *finding) bool {
	text := source.Rewrite(at.file.Text, []source.Edit{x.Edit})
	start := x.Start + uint32(strings.IndexByte(x.New, '#'))
	for _, read := range at.directivesIn(text, int(start)) {
		if read.Range.Offsets.Start == start {
			line := d.Range.Start.Line + x.below
			return read.Fault == "" && len(read.Names) == 1 && read.First <= line && line <= read.Last && !at.refused(d, read, x.below)
		}
	}
	return false
}

// refused tells whether a directive would cover an error of the code, which
// nothing allows.
func (at *spot) refused(d *finding, read directive.Directive, below int) bool {
	return slices.ContainsFunc(d.unit.Diagnostics(), func(e diagnostics.Diagnostic) bool {
		line := e.Range.Start.Line + below
		return e.Severity == diagnostics.Error && e.Code == d.Code && e.Range.File == d.Range.File && read.First <= line && line <= read.Last
	})
}

// directivesIn reads the directives around an offset of another text of the file;
// none when it does not parse as the file does.
func (at *spot) directivesIn(text string, offset int) []directive.Directive {
	src := source.New(at.file.Key, text)
	place := func(s source.Span) diagnostics.Range {
		return diagnostics.Range{Start: src.Position(int(s.Start)), End: src.Position(int(s.End)), Offsets: s}
	}
	if at.built == nil {
		if ext := filepath.Ext(at.file.Key); author.Is(at.file.Key) || ext == ".yaml" || ext == ".yml" {
			return directive.YAML(text, place)
		}
		return nil
	}
	tree := parser.File(src)
	if !sameShape(at.built.AST, tree) {
		return nil
	}
	d, base := session.DeclarationAt(tree, offset)
	if d == nil {
		return nil
	}
	return directive.Of(d, base == 0, func(s source.Span) diagnostics.Range { return place(s.Shift(uint32(base))) })
}

// sameShape tells whether two trees have the same nodes.
func sameShape(a, b *ast.File) bool {
	return slices.EqualFunc(a.Decls, b.Decls, func(d, e *ast.Declaration) bool {
		return slices.EqualFunc(d.Nodes, e.Nodes, func(n, m ast.Node) bool { return n.Kind == m.Kind && n.Next == m.Next }) &&
			len(d.Problems) == len(e.Problems)
	})
}
