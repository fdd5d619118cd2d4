// Package fixes applies what findings offer to a file that may belong to several
// units. The command line and the editor share it, so that both make the same
// text.
package fixes

import (
	"errors"

	"iterion/ast/source"
	"iterion/diagnostics"
)

// maxRounds is how often a file is looked at again after its fixes: one may
// uncover another.
const maxRounds = 10

// File is a file on its way through its fixes.
type File struct {
	Units  []*Unit
	Before string // as it was read
	Raw    string // with what was fixed so far
	Fixed  []diagnostics.Fixed
	Undone error // why all fixes were taken back
}

// Changed tells whether a fix stays.
func (f *File) Changed() bool { return f.Raw != f.Before }

// Unit is a unit with its files and what was found in it last.
type Unit struct {
	Found []diagnostics.Diagnostic
	Files map[string]*File // by name in findings
	Main  *File
	// Find builds the unit with the files as they are now.
	Find func() ([]diagnostics.Diagnostic, error)
}

// Rounds fixes a file until nothing is left to fix. When a round brings an
// error, or a finding stays, the file is again what it was at the beginning. The
// error says that a unit could not be built.
func (f *File) Rounds(suggested bool) error {
	if err := f.rebuild(); err != nil {
		return err
	}
	for range maxRounds {
		picked := f.Pick(suggested)
		if len(picked.Edits) == 0 {
			return nil
		}
		if f.Undone = f.round(picked); f.Undone != nil {
			f.Raw, f.Fixed = f.Before, nil
			return f.rebuild()
		}
		f.Fixed = append(f.Fixed, picked.Fixed...)
	}
	return nil
}

// round applies what was picked and says what is wrong then.
func (f *File) round(picked Pick) error {
	found := make([][]diagnostics.Diagnostic, len(f.Units))
	for i, u := range f.Units {
		found[i] = u.Found
	}
	want := source.Rewrite(source.Load("", f.Raw).Text, picked.Edits)
	f.Raw = source.Rewrite(f.Raw, picked.Edits)
	if source.Load("", f.Raw).Text != want {
		return errors.New("a carriage return would become the end of a line")
	}
	if err := f.rebuild(); err != nil {
		return err
	}
	for i, u := range f.Units {
		if problem := Worse(found[i], u.Found, picked.targets[i]); problem != "" {
			return errors.New(problem)
		}
	}
	return nil
}

// rebuild builds every unit that the file belongs to.
func (f *File) rebuild() error {
	for _, u := range f.Units {
		found, err := u.Find()
		if err != nil {
			return err
		}
		u.Found = found
	}
	return nil
}
