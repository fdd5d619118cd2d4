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
	offered := map[string]bool{}
	for _, d := range at.findings {
		if d.Severity == diagnostics.Error || directive.Own(d.Code) {
			continue
		}
		title := "Allow " + string(d.Code) + " here"
		if edit, ok := at.allow(d); ok && !offered[title+edit.New] {
			offered[title+edit.New] = true
			list = append(list, action{title: title, remedies: at.allowed(d), edit: change{at.file.Key: {edit}}})
		}
	}
	return list
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

// allow is the first place of the comment where it covers the finding.
func (at *spot) allow(d *finding) (source.Edit, bool) {
	comment := "# lint: allow " + string(d.Code) + " -- "
	for _, edit := range at.placesOf(comment, d.Range.Offsets) {
		below := 0
		if strings.HasSuffix(edit.New, "\n") {
			below = 1
		}
		if at.covers(edit, comment, d.Range.Start.Line+below) && (at.built != nil || at.improves(change{at.file.Key: {edit}}, d)) {
			return edit, true
		}
	}
	return source.Edit{}, false
}

// placesOf are the places that a comment about a span may have, the narrowest
// first: behind its line, above it, above what it is a part of.
func (at *spot) placesOf(comment string, span source.Span) (list []source.Edit) {
	line := at.lineAt(span.Start)
	code := at.file.Text[line.Start:line.End]
	end := line.Start + uint32(len(strings.TrimRight(code, " \t")))
	behind := source.Edit{Span: source.Span{Start: end, End: line.End}, New: "  " + comment}
	above := []source.Edit{at.above(comment, line.Start)}
	for _, start := range at.membersAround(span) {
		if e := at.above(comment, start); !slices.Contains(above, e) {
			above = append(above, e)
		}
	}
	if utf8.RuneCountInString(code)+len(behind.New) > 100 {
		return append(above, behind)
	}
	return append([]source.Edit{behind}, above...)
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

// covers tells whether the text still says the same with a comment in it, and
// the comment covers a line.
func (at *spot) covers(edit source.Edit, comment string, line int) bool {
	text := source.Rewrite(at.file.Text, []source.Edit{edit})
	start := edit.Start + uint32(strings.Index(edit.New, comment))
	for _, d := range at.directivesIn(text, int(start)) {
		if d.Range.Offsets.Start == start {
			return d.Fault == "" && len(d.Names) == 1 && d.First <= line && line <= d.Last
		}
	}
	return false
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
