package symbols

import (
	"io/fs"
	"path"
)

// Target returns the file that an import, an include or a subbot names,
// relative to the unit's file system. ok is false for other names and for a
// path that leaves that file system; whether the file exists is not looked at.
func (x *Index) Target(o Occurrence) (name string, ok bool) {
	f := x.files[o.Tree]
	if f == nil || !o.Kind.File() {
		return "", false
	}
	name = path.Join(path.Dir(f.Path), o.Name)
	return name, !path.IsAbs(o.Name) && fs.ValidPath(name)
}
