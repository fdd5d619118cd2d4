package build

import (
	"slices"

	"iterion/ast"
	"iterion/ast/source"
	"iterion/diagnostics"
	"iterion/ir/finding"
)

// placer gives findings their absolute places.
type placer struct {
	files []*File
	at    map[*ast.Declaration]place
}

type place struct {
	file *File
	base uint32
}

// render merges the parser's problems and the compiler's findings into the
// one sorted list.
func render(files []*File, findings []finding.Finding) []diagnostics.Diagnostic {
	p := &placer{files: files}
	list := []diagnostics.Diagnostic{}
	for _, f := range files {
		for _, pr := range f.AST.Problems {
			list = append(list, p.problem(f, pr, 0))
		}
		for i, d := range f.AST.Decls {
			for _, pr := range d.Problems {
				list = append(list, p.problem(f, pr, f.AST.Bases[i]))
			}
		}
	}
	if len(findings) > 0 {
		p.index()
	}
	for _, f := range findings {
		if d, ok := p.diagnostic(f); ok {
			list = append(list, d)
		}
	}
	slices.SortFunc(list, diagnostics.Compare)
	return merge(list)
}

func (p *placer) index() {
	p.at = map[*ast.Declaration]place{}
	for _, f := range p.files {
		for i, d := range f.AST.Decls {
			p.at[d] = place{f, f.AST.Bases[i]}
		}
	}
}

func (p *placer) problem(f *File, pr ast.Problem, base uint32) diagnostics.Diagnostic {
	d := diagnostics.Diagnostic{
		Code: diagnostics.Code(pr.Code), Severity: diagnostics.Error, Stage: diagnostics.Parse,
		Message: pr.Message, Hint: pr.Hint, Range: rangeOf(f.AST.Source, pr.Span.Shift(base)),
	}
	if pr.Related != nil {
		d.Related = []diagnostics.Related{{Range: rangeOf(f.AST.Source, pr.Related.Shift(base)), Label: pr.Label}}
	}
	return d
}

// diagnostic places a finding. A code without a row is none of this build's.
func (p *placer) diagnostic(f finding.Finding) (diagnostics.Diagnostic, bool) {
	row, ok := diagnostics.Lookup(f.Code)
	if !ok {
		return diagnostics.Diagnostic{}, false
	}
	d := diagnostics.Diagnostic{
		Code: f.Code, Severity: row.Severity, Stage: row.Stage, Message: f.Message, Hint: f.Hint,
		NodeID: f.NodeID, EdgeID: f.EdgeID, Range: p.rangeOf(f.Place),
	}
	if f.Severity != 0 {
		d.Severity = f.Severity
	}
	for _, r := range f.Related {
		d.Related = append(d.Related, diagnostics.Related{Range: p.rangeOf(r), Label: r.Label})
	}
	return d, true
}

// rangeOf places a span; what has no declaration stands at the main file's
// first character.
func (p *placer) rangeOf(at finding.Place) diagnostics.Range {
	where, ok := p.at[at.Tree]
	if !ok {
		return rangeOf(p.files[0].AST.Source, source.Span{})
	}
	return rangeOf(where.file.AST.Source, at.Span.Shift(where.base))
}

func rangeOf(f *source.File, s source.Span) diagnostics.Range {
	return diagnostics.Range{File: f.Name, Start: f.Position(int(s.Start)), End: f.Position(int(s.End)), Offsets: s}
}

// merge joins findings that say the same at the same place: those of several
// instances of a group become one, with all its related places.
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
	}
	return out
}
