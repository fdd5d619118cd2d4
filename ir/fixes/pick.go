package fixes

import (
	"fmt"
	"slices"

	"iterion/ast/source"
	"iterion/diagnostics"
)

// Pick is what one round applies to a file.
type Pick struct {
	Edits   []source.Edit // in order
	Fixed   []diagnostics.Fixed
	targets [][]diagnostics.Diagnostic // the findings that should go, for each unit of the file
}

// offer is a fix that may be applied to a file.
type offer struct {
	finding int // its index in the unit
	diagnostics.Fixed
	edits []source.Edit
	key   string // the same for those that do the same
}

// Pick chooses fixes that do not get in each other's way, the first of each
// finding. Of a file that several mains import a fix is taken only when all of
// them ask for it: what is wrong in one may be what another needs.
func (f *File) Pick(suggested bool) Pick {
	offers := make([][]offer, len(f.Units))
	for i, u := range f.Units {
		offers[i] = f.offers(u, suggested)
	}
	p, taken := Pick{}, map[string]bool{}
	asked := f.asked(offers)
	for _, list := range offers {
		last := -1
		var targets []diagnostics.Diagnostic
		for _, o := range list {
			if o.finding == last || !asked[o.key] || !taken[o.key] && overlap(p.Edits, o.edits) {
				continue
			}
			if !taken[o.key] {
				taken[o.key] = true
				p.Edits = append(p.Edits, o.edits...)
			}
			last = o.finding
			targets = append(targets, o.Finding)
			p.note(o.Fixed)
		}
		p.targets = append(p.targets, targets)
	}
	slices.SortFunc(p.Edits, func(a, b source.Edit) int { return int(a.Start) - int(b.Start) })
	return p
}

// note adds what is fixed; several units may have found it.
func (p *Pick) note(x diagnostics.Fixed) {
	same := func(y diagnostics.Fixed) bool {
		return x.Finding.Code == y.Finding.Code && x.Finding.Range.Offsets == y.Finding.Range.Offsets && x.Finding.Message == y.Finding.Message
	}
	if !slices.ContainsFunc(p.Fixed, same) {
		p.Fixed = append(p.Fixed, x)
	}
}

// offers lists the fixes of a unit that lie in the file and may be applied.
func (f *File) offers(u *Unit, suggested bool) []offer {
	var list []offer
	for i, d := range u.Found {
		for _, fix := range d.Fixes {
			if fix.Kind != diagnostics.Safe && !(suggested && fix.Kind == diagnostics.Suggested) {
				continue
			}
			if edits := f.editsOf(u, fix); len(edits) > 0 {
				list = append(list, offer{i, diagnostics.Fixed{Finding: d, Fix: fix}, edits, fmt.Sprint(fix.ID, edits)})
			}
		}
	}
	return list
}

// editsOf returns the edits of a fix; none when it reaches into another file.
func (f *File) editsOf(u *Unit, fix diagnostics.Fix) []source.Edit {
	var edits []source.Edit
	for _, e := range fix.Edits {
		if u.Files[e.Range.File] != f {
			return nil
		}
		edits = append(edits, source.Edit{Span: e.Range.Offsets, New: e.New})
	}
	return edits
}

// asked tells, by key, which fixes all units want that decide about the file:
// of a fragment the mains that import it, when there are any.
func (f *File) asked(offers [][]offer) map[string]bool {
	imported := slices.ContainsFunc(f.Units, func(u *Unit) bool { return u.Main != f })
	votes, deciding := map[string]int{}, 0
	for i, u := range f.Units {
		if imported && u.Main == f {
			continue
		}
		deciding++
		keys := map[string]bool{}
		for _, o := range offers[i] {
			keys[o.key] = true
		}
		for key := range keys {
			votes[key]++
		}
	}
	all := map[string]bool{}
	for key, n := range votes {
		all[key] = n == deciding
	}
	return all
}

// Asks tells whether a unit offers a fix: one that does the same.
func Asks(found []diagnostics.Diagnostic, fix diagnostics.Fix) bool {
	same := func(f diagnostics.Fix) bool { return f.ID == fix.ID && slices.Equal(f.Edits, fix.Edits) }
	return slices.ContainsFunc(found, func(d diagnostics.Diagnostic) bool { return slices.ContainsFunc(d.Fixes, same) })
}

func overlap(list, edits []source.Edit) bool {
	return slices.ContainsFunc(edits, func(e source.Edit) bool { return slices.ContainsFunc(list, e.Overlaps) })
}
