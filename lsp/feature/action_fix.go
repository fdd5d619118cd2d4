package feature

import (
	"fmt"
	"path/filepath"
	"slices"

	"iterion/ast/source"
	"iterion/diagnostics"
	"iterion/ir/fixes"
)

// catalogueFixes offers the fixes of the findings. One that several findings ask
// for is offered once.
func catalogueFixes(at *spot) (list []action) {
	byFix := map[string]int{}
	for _, d := range at.findings {
		for _, fix := range d.Fixes {
			key := fmt.Sprint(fix.ID, fix.Edits)
			if i, ok := byFix[key]; ok {
				list[i].remedies = append(list[i].remedies, d)
				continue
			}
			if a, ok := at.fix(fix); ok {
				byFix[key] = len(list)
				a.remedies = []*finding{d}
				list = append(list, a)
			}
		}
	}
	return list
}

func (at *spot) fix(fix diagnostics.Fix) (action, bool) {
	a := action{title: titleOf(fix), preferred: fix.Kind == diagnostics.Safe}
	switch {
	case fix.ID == diagnostics.MigrateProfile2:
		a.make = at.migrated
		_, err := at.migrated()
		return a, err == nil
	case fix.Kind == diagnostics.Command, !at.agreed(fix):
		return a, false
	default:
		a.edit = changeOf(fix)
	}
	return a, true
}

// titleOf names the word where a fix writes one.
func titleOf(fix diagnostics.Fix) string {
	if len(fix.Edits) > 0 && (fix.ID == diagnostics.NearestWord || fix.ID == diagnostics.RenameName || fix.ID == diagnostics.RenameTool) {
		return fix.Title + ": `" + fix.Edits[0].New + "`"
	}
	return fix.Title
}

// changeOf is what a fix changes.
func changeOf(fix diagnostics.Fix) change {
	c := change{}
	for _, e := range fix.Edits {
		key := filepath.FromSlash(e.Range.File)
		c[key] = append(c[key], source.Edit{Span: e.Range.Offsets, New: e.New})
	}
	return c
}

// agreed tells whether every unit that decides about a file of the fix asks for
// it: what is wrong in one may be what another needs.
func (at *spot) agreed(fix diagnostics.Fix) bool {
	return !slices.ContainsFunc(fix.Edits, func(e diagnostics.Edit) bool {
		for _, u := range at.snapshot.UnitsOf(filepath.FromSlash(e.Range.File)) {
			if !fixes.Asks(u.Diagnostics(), fix) {
				return true
			}
		}
		return false
	})
}
