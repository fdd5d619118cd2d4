package feature

import (
	"path/filepath"

	"iterion/ast/source"
	"iterion/diagnostics"
	"iterion/ir/fixes"
	"iterion/lsp/session"
)

// fixAll offers all safe fixes of the file at once, as `fix` makes them.
func fixAll(at *spot) []action {
	if len(at.safe().Pick(false).Edits) == 0 {
		return nil
	}
	return []action{{title: "Apply all safe fixes", make: func() (change, error) {
		f := at.safe()
		if err := f.Rounds(false); err != nil {
			return nil, err
		}
		return rewritten(at.file, source.Load("", f.Raw).Text), f.Undone
	}}}
}

// safe is the file on its way through its fixes, in all its units.
func (at *spot) safe() *fixes.File {
	f := &fixes.File{Raw: at.file.Raw, Before: at.file.Raw}
	for _, u := range at.units {
		f.Units = append(f.Units, at.fixedIn(f, u))
	}
	return f
}

func (at *spot) fixedIn(f *fixes.File, u *session.Unit) *fixes.Unit {
	x := &fixes.Unit{Found: u.Diagnostics(), Files: map[string]*fixes.File{filepath.ToSlash(at.file.Key): f}}
	x.Find = func() ([]diagnostics.Diagnostic, error) {
		if !f.Changed() {
			return u.Diagnostics(), nil
		}
		return at.snapshot.Supposing(map[string]string{at.file.Key: f.Raw}).Unit(u.Main).Diagnostics(), nil
	}
	if u.Main == at.file.Key {
		x.Main = f
	}
	return x
}
