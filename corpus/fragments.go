package corpus

import (
	"strings"

	"github.com/rogpeppe/go-internal/txtar"
)

// Fragment is a small program that is about one code.
type Fragment struct {
	Name  string // CODE/KIND-NUMBER
	Code  string
	Fires bool // draws the code once and nothing else; otherwise nothing at all
	Text  string
}

// Fragments returns the fragments, sorted by code, for each code the firing ones
// first.
func Fragments() []Fragment {
	var list []Fragment
	for _, f := range glob("fragments", ".txtar", "") {
		code := strings.TrimSuffix(strings.TrimPrefix(f.Name, "fragments/"), ".txtar")
		for _, section := range txtar.Parse(f.Data).Files {
			name := strings.TrimSuffix(section.Name, ".bot")
			list = append(list, Fragment{Name: code + "/" + name, Code: code,
				Fires: strings.HasPrefix(name, "fire-"), Text: string(section.Data)})
		}
	}
	return list
}
