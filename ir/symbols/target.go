package symbols

import (
	"io/fs"
	"path"
)

// Target returns the file that an import, an include or a subbot names, or in
// which an argument is declared, relative to the unit's file system. ok is false
// for other names and for a path that leaves that file system; whether the file
// exists is not looked at.
func (x *Index) Target(o Occurrence) (name string, ok bool) {
	f := x.files[o.Tree]
	name = o.Name
	switch {
	case f == nil:
		return "", false
	case o.Kind == Argument:
		name = o.Owner
	case !o.Kind.File():
		return "", false
	}
	full := path.Join(path.Dir(f.Path), name)
	return full, !path.IsAbs(name) && fs.ValidPath(full)
}
