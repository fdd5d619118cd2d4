// Package finding is what the compiler's stages report before places are
// absolute: a span inside one declaration's text. Declarations do not move
// when another one is edited, so findings about them can be kept.
package finding

import (
	"fmt"

	"iterion/ast"
	"iterion/ast/source"
	"iterion/diagnostics"
)

// Place is a range inside a declaration.
type Place struct {
	Tree  *ast.Declaration
	Span  source.Span
	Label string // of a related place
}

// Finding is one fault. Without a Tree it is about the unit as a whole and
// stands at the main file's first character.
type Finding struct {
	Code     diagnostics.Code
	Severity diagnostics.Severity // 0 takes the registry's
	Place
	Message string
	Hint    string
	NodeID  string
	EdgeID  string
	Field   string // dotted path in a manifest
	Related []Place
	Use     *ast.Declaration // the `use` whose copy of a group's member it is about, or nil
	Fixes   []Fix
}

// List collects findings. The zero value is ready.
type List struct {
	Items []Finding
}

// Add notes a finding at a place and returns it for details. The pointer is
// valid until the next Add.
func (l *List) Add(code diagnostics.Code, tree *ast.Declaration, at source.Span, format string, args ...any) *Finding {
	l.Items = append(l.Items, Finding{Code: code, Place: Place{Tree: tree, Span: at}, Message: fmt.Sprintf(format, args...)})
	return &l.Items[len(l.Items)-1]
}

// Hintf sets a fix line sharper than the registry's.
func (f *Finding) Hintf(format string, args ...any) *Finding {
	f.Hint = fmt.Sprintf(format, args...)
	return f
}

// See adds a related place.
func (f *Finding) See(tree *ast.Declaration, at source.Span, label string) *Finding {
	f.Related = append(f.Related, Place{tree, at, label})
	return f
}

// Near suggests the only close candidate for the word that the finding stands
// at, when there is one.
func (f *Finding) Near(word string, candidates []string) *Finding {
	return f.NearAt(f.Span, word, candidates)
}

// NearAt is Near for a finding whose word stands at another place.
func (f *Finding) NearAt(at source.Span, word string, candidates []string) *Finding {
	near, ok := diagnostics.Nearest(word, candidates)
	if !ok {
		return f
	}
	f.Hint = "Write `" + near + "`."
	if id := diagnostics.Renames(f.Code); id != "" {
		f.Fix(id, Rename(f.Tree, at, word, near)...)
	}
	return f
}

// Warn makes the finding a warning, for the codes that have two severities.
func (f *Finding) Warn() *Finding {
	f.Severity = diagnostics.Warning
	return f
}
