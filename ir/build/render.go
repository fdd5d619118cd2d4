package build

import (
	"slices"

	"iterion/ast"
	"iterion/ast/source"
	"iterion/diagnostics"
	"iterion/ir/finding"
	"iterion/ir/scope"
)

// placer gives problems and findings their absolute places.
type placer struct {
	name    string // of the main file
	rangeIn func(finding.Place) (diagnostics.Range, bool)
}

// place is where a declaration stands.
type place struct {
	file *File
	base uint32
}

// render merges the parser's problems and the compiler's findings, which may
// lie in files beside those of the unit, into the one sorted list.
func render(files, beside []*File, s *scope.Scope, findings []finding.Finding) []diagnostics.Diagnostic {
	p := &placer{name: files[0].Source().Name}
	list := []diagnostics.Diagnostic{}
	for _, f := range files {
		list = append(list, p.document(f)...)
		for _, pr := range f.AST.Problems {
			list = append(list, p.problem(pr, f.rangeOf))
		}
		for i, d := range f.AST.Decls {
			for _, pr := range d.Problems {
				list = append(list, p.problem(pr, func(s source.Span) diagnostics.Range {
					return f.rangeOf(s.Shift(f.AST.Bases[i]))
				}))
			}
		}
	}
	if len(findings) > 0 {
		p.rangeIn = index(slices.Concat(files, beside))
	}
	for _, f := range agreed(s, findings) {
		list = p.add(list, f)
	}
	slices.SortFunc(list, diagnostics.Compare)
	if files[0].document != nil {
		dropFixes(list, files[0].Source().Name)
	}
	return merge(list)
}

// Places finds where parts of a unit stand.
type Places func(finding.Place) (diagnostics.Range, bool)

// Places returns the finder of a built unit.
func (r *Result) Places() Places { return index(r.Files) }

// Range is the place of a span inside a declaration; zero for one that belongs
// to another unit.
func (p Places) Range(tree *ast.Declaration, at source.Span) diagnostics.Range {
	r, _ := p(finding.Place{Tree: tree, Span: at})
	return r
}

// index finds the declarations of all files.
func index(files []*File) func(finding.Place) (diagnostics.Range, bool) {
	at := map[*ast.Declaration]place{}
	for _, f := range files {
		for i, d := range f.AST.Decls {
			at[d] = place{f, f.AST.Bases[i]}
		}
	}
	return func(p finding.Place) (diagnostics.Range, bool) {
		where, ok := at[p.Tree]
		if !ok {
			return diagnostics.Range{}, false
		}
		return where.file.rangeOf(p.Span.Shift(where.base)), true
	}
}

// document places the problems of an author document.
func (p *placer) document(f *File) (list []diagnostics.Diagnostic) {
	if f.document == nil {
		return nil
	}
	for _, pr := range f.document.Problems {
		d := p.problem(pr.Problem, func(s source.Span) diagnostics.Range { return rangeOf(f.Source(), s) })
		d.Severity = pr.Severity
		list = append(list, d)
	}
	return list
}

func (p *placer) problem(pr ast.Problem, at func(source.Span) diagnostics.Range) diagnostics.Diagnostic {
	d := diagnostics.Diagnostic{
		Code: diagnostics.Code(pr.Code), Severity: diagnostics.Error, Stage: diagnostics.Parse,
		Message: pr.Message, Hint: pr.Hint, Range: at(pr.Span),
	}
	if pr.Related != nil {
		d.Related = []diagnostics.Related{{Range: at(*pr.Related), Label: pr.Label}}
	}
	d.Fixes = problemFixes(pr, at)
	return d
}

// add places a finding. A code without a row is none of this build's.
func (p *placer) add(list []diagnostics.Diagnostic, f finding.Finding) []diagnostics.Diagnostic {
	row, ok := diagnostics.Lookup(f.Code)
	if !ok {
		return list
	}
	d := diagnostics.Diagnostic{
		Code: f.Code, Severity: row.Severity, Stage: row.Stage, Message: f.Message, Hint: f.Hint,
		NodeID: f.NodeID, EdgeID: f.EdgeID, Field: f.Field, Range: p.rangeOf(f.Place), Fixes: p.fixes(f.Fixes),
	}
	if f.Severity != 0 {
		d.Severity = f.Severity
	}
	for _, r := range f.Related {
		d.Related = append(d.Related, diagnostics.Related{Range: p.rangeOf(r), Label: r.Label})
	}
	return append(list, d)
}

// rangeOf places a span; what has no declaration stands at the main file's
// first character.
func (p *placer) rangeOf(at finding.Place) diagnostics.Range {
	if r, ok := p.rangeIn(at); ok {
		return r
	}
	first := source.Position{Line: 1, Column: 1}
	return diagnostics.Range{File: p.name, Start: first, End: first}
}

func rangeOf(f *source.File, s source.Span) diagnostics.Range {
	return diagnostics.Range{File: f.Name, Start: f.Position(int(s.Start)), End: f.Position(int(s.End)), Offsets: s}
}

// merge joins findings that say the same at the same place: those of several
// instances of a group become one, with all its related places, and with the
// fixes that all of them have.
func merge(list []diagnostics.Diagnostic) []diagnostics.Diagnostic {
	out := list[:0]
	for _, d := range list {
		same := len(out) - 1
		for same >= 0 && out[same].Range == d.Range && (out[same].Code != d.Code || out[same].Message != d.Message) {
			same--
		}
		if same < 0 || out[same].Range != d.Range {
			out = append(out, d)
			continue
		}
		for _, r := range d.Related {
			if !slices.Contains(out[same].Related, r) {
				out[same].Related = append(out[same].Related, r)
			}
		}
		out[same].Fixes = slices.DeleteFunc(out[same].Fixes, func(f diagnostics.Fix) bool {
			return !slices.ContainsFunc(d.Fixes, func(g diagnostics.Fix) bool { return sameFix(f, g) })
		})
	}
	return out
}
