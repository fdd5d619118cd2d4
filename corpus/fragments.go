package corpus

import (
	"strings"

	"github.com/rogpeppe/go-internal/txtar"
)

// Fragment is a small program, or a bundle, that is about one code.
type Fragment struct {
	Name  string // CODE/KIND-NUMBER
	Code  string
	Fires bool   // draws the code once and nothing else; otherwise nothing at all
	Files []File // one, or those of a bundle
	Options
}

// Options is how a bundle is looked at.
type Options struct {
	Folder string // name of its folder
	Engine string // the release that it is held against
	Editor bool   // by an editor
}

// read takes an option as it is written in the name of a section.
func (o *Options) read(word string) {
	switch key, value, _ := strings.Cut(word, "="); key {
	case "dir":
		o.Folder = value
	case "engine":
		o.Engine = value
	case "mode":
		o.Editor = value == "editor"
	}
}

// Bundle tells whether the fragment is a bundle.
func (f *Fragment) Bundle() bool { return len(f.Files) > 1 }

// Fragments returns the fragments, sorted by code, for each code the firing ones
// first. A section `fire-01.bot` is one of a single file, `fire-01/NAME` a file
// of a bundle; options of the bundle stand behind the name. A quiet bundle has
// the files and options of the firing one of its number, but for those that it
// writes anew.
func Fragments() []Fragment {
	var list []Fragment
	for _, f := range glob("fragments", ".txtar", "") {
		code := strings.TrimSuffix(strings.TrimPrefix(f.Name, "fragments/"), ".txtar")
		list = append(list, fragmentsOf(code, txtar.Parse(f.Data).Files)...)
	}
	return list
}

func fragmentsOf(code string, sections []txtar.File) []Fragment {
	var list []Fragment
	at := map[string]int{}
	for _, section := range sections {
		words := strings.Fields(section.Name)
		name, file, bundled := strings.Cut(words[0], "/")
		if !bundled {
			name, file = strings.TrimSuffix(name, ".bot"), "main.bot"
		}
		i, known := at[name]
		if !known {
			i, at[name] = len(list), len(list)
			list = append(list, begun(code, name, list, at))
		}
		list[i].write(File{Name: file, Data: section.Data})
		for _, word := range words[1:] {
			list[i].read(word)
		}
	}
	return list
}

// begun is a fragment before its first file.
func begun(code, name string, list []Fragment, at map[string]int) Fragment {
	f := Fragment{Name: code + "/" + name, Code: code, Fires: strings.HasPrefix(name, "fire-")}
	if base, ok := at["fire-"+strings.TrimPrefix(name, "quiet-")]; ok && !f.Fires && list[base].Bundle() {
		f.Files = append(f.Files, list[base].Files...)
		f.Options = list[base].Options
	}
	return f
}

// write sets a file's text.
func (f *Fragment) write(file File) {
	for i := range f.Files {
		if f.Files[i].Name == file.Name {
			f.Files[i] = file
			return
		}
	}
	f.Files = append(f.Files, file)
}
