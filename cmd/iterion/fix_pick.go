package main

import (
	"fmt"
	"slices"

	"iterion/ast/source"
	"iterion/diagnostics"
	"iterion/diagnostics/render"
)

// pick is what one round applies to a file.
type pick struct {
	edits   []source.Edit // in order
	fixed   []render.Fixed
	targets []map[kindOfFinding]int // the findings that should go, for each unit of the file
}

// offer is a fix that may be applied to a file.
type offer struct {
	finding int // its index in the unit
	render.Fixed
	edits []source.Edit
	key   string // the same for those that do the same
}

// pick chooses fixes that do not get in each other's way, the first of each
// finding. Of a file that several mains import a fix is taken only when all of
// them ask for it: what is wrong in one may be what another needs.
func (f *fixFile) pick(suggested bool) pick {
	offers := make([][]offer, len(f.units))
	for i, u := range f.units {
		offers[i] = f.offers(u, suggested)
	}
	p, taken := pick{}, map[string]bool{}
	asked := f.asked(offers)
	for _, list := range offers {
		targets, last := map[kindOfFinding]int{}, -1
		for _, o := range list {
			if o.finding == last || !asked[o.key] || !taken[o.key] && overlap(p.edits, o.edits) {
				continue
			}
			if !taken[o.key] {
				taken[o.key] = true
				p.edits = append(p.edits, o.edits...)
			}
			last = o.finding
			targets[kindOfFindingIn(o.Finding)]++
			p.note(o.Fixed)
		}
		p.targets = append(p.targets, targets)
	}
	slices.SortFunc(p.edits, func(a, b source.Edit) int { return int(a.Start) - int(b.Start) })
	return p
}

// note adds what is fixed; several units may have found it.
func (p *pick) note(x render.Fixed) {
	same := func(y render.Fixed) bool {
		return x.Finding.Code == y.Finding.Code && x.Finding.Range.Offsets == y.Finding.Range.Offsets && x.Finding.Message == y.Finding.Message
	}
	if !slices.ContainsFunc(p.fixed, same) {
		p.fixed = append(p.fixed, x)
	}
}

// offers lists the fixes of a unit that lie in the file and may be applied.
func (f *fixFile) offers(u *fixUnit, suggested bool) []offer {
	var list []offer
	for i, d := range u.found {
		for _, fix := range d.Fixes {
			if fix.Kind != diagnostics.Safe && !(suggested && fix.Kind == diagnostics.Suggested) {
				continue
			}
			if edits := f.editsOf(u, fix); len(edits) > 0 {
				list = append(list, offer{i, render.Fixed{Finding: d, Fix: fix}, edits, fmt.Sprint(fix.ID, edits)})
			}
		}
	}
	return list
}

// editsOf returns the edits of a fix; none when it reaches into another file.
func (f *fixFile) editsOf(u *fixUnit, fix diagnostics.Fix) []source.Edit {
	var edits []source.Edit
	for _, e := range fix.Edits {
		if u.files[e.Range.File] != f {
			return nil
		}
		edits = append(edits, source.Edit{Span: e.Range.Offsets, New: e.New})
	}
	return edits
}

// asked tells, by key, which fixes all units want that decide about the file:
// of a fragment the mains that import it, when there are any.
func (f *fixFile) asked(offers [][]offer) map[string]bool {
	imported := slices.ContainsFunc(f.units, func(u *fixUnit) bool { return u.main != f })
	votes, deciding := map[string]int{}, 0
	for i, u := range f.units {
		if imported && u.main == f {
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

func overlap(list, edits []source.Edit) bool {
	return slices.ContainsFunc(edits, func(e source.Edit) bool { return slices.ContainsFunc(list, e.Overlaps) })
}
