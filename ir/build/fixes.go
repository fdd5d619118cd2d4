package build

import (
	"slices"

	"iterion/ast"
	"iterion/ast/source"
	"iterion/diagnostics"
	"iterion/ir/finding"
	"iterion/ir/scope"
)

// fixOf is a placed fix with what the table knows about it.
func fixOf(id string, edits ...diagnostics.Edit) diagnostics.Fix {
	row, _ := diagnostics.LookupFix(id)
	return diagnostics.Fix{ID: id, Kind: row.Kind, Title: row.Title, Edits: edits}
}

// fixes places the fixes of a finding; one that reaches into a text without a
// place is left out.
func (p *placer) fixes(list []finding.Fix) []diagnostics.Fix {
	var placed []diagnostics.Fix
	for _, f := range list {
		var edits []diagnostics.Edit
		for _, e := range f.Edits {
			if at, ok := p.rangeIn(finding.Place{Tree: e.Tree, Span: e.Span}); ok {
				edits = append(edits, diagnostics.Edit{Range: at, New: e.New})
			}
		}
		if len(edits) == len(f.Edits) {
			placed = append(placed, fixOf(f.ID, edits...))
		}
	}
	return placed
}

// dropFixes takes away the fixes that would edit an author document: they are
// written in the language that it stands for.
func dropFixes(list []diagnostics.Diagnostic, document string) {
	for i := range list {
		list[i].Fixes = slices.DeleteFunc(list[i].Fixes, func(f diagnostics.Fix) bool {
			return slices.ContainsFunc(f.Edits, func(e diagnostics.Edit) bool { return e.Range.File == document })
		})
	}
}

// problemFixes places the fix of a problem.
func problemFixes(pr ast.Problem, at func(source.Span) diagnostics.Range) []diagnostics.Fix {
	if pr.Fix == nil {
		return nil
	}
	return []diagnostics.Fix{fixOf(pr.Fix.ID, diagnostics.Edit{Range: at(pr.Fix.Edit.Span), New: pr.Fix.Edit.New})}
}

// agreed leaves a fix in a group's text only where every copy of the group
// asks for it: what is wrong in one instance may be what another needs.
func agreed(s *scope.Scope, findings []finding.Finding) []finding.Finding {
	if !slices.ContainsFunc(findings, func(f finding.Finding) bool { return f.Use != nil && len(f.Fixes) > 0 }) {
		return findings
	}
	copies := copiesOf(s)
	list := slices.Clone(findings)
	for i, f := range list {
		if f.Use == nil || len(copies[f.Tree]) == 0 {
			continue
		}
		list[i].Fixes = slices.DeleteFunc(slices.Clone(f.Fixes), func(fix finding.Fix) bool {
			return askers(findings, f.Tree, fix) < len(copies[f.Tree])
		})
	}
	return list
}

// uses is a set of `use` declarations.
type uses map[*ast.Declaration]bool

// copiesOf tells, by the group's declaration, which uses have copied it.
func copiesOf(s *scope.Scope) map[*ast.Declaration]uses {
	copies := map[*ast.Declaration]uses{}
	for _, n := range s.Nodes {
		if n.Instance == nil {
			continue
		}
		if copies[n.Tree] == nil {
			copies[n.Tree] = uses{}
		}
		copies[n.Tree][n.Instance.Tree] = true
	}
	return copies
}

// askers counts the copies of a group that a fix is offered for.
func askers(findings []finding.Finding, group *ast.Declaration, fix finding.Fix) int {
	by := uses{}
	for _, f := range findings {
		same := func(g finding.Fix) bool { return g.ID == fix.ID && slices.Equal(g.Edits, fix.Edits) }
		if f.Tree == group && slices.ContainsFunc(f.Fixes, same) {
			by[f.Use] = true
		}
	}
	return len(by)
}

// sameFix tells whether two fixes do the same.
func sameFix(a, b diagnostics.Fix) bool { return a.ID == b.ID && slices.Equal(a.Edits, b.Edits) }
