package printer

import (
	"fmt"
	"slices"

	"iterion/ast"
	"iterion/ast/source"
)

// SyntaxError says that a file has problems and was not formatted.
type SyntaxError struct {
	Source   *source.File
	Problems []ast.Problem // in source order of their declarations; spans count from the file's start
}

func (e *SyntaxError) Error() string {
	first := e.Problems[0]
	at := e.Source.Position(int(first.Span.Start))
	more := ""
	if n := len(e.Problems) - 1; n > 0 {
		more = fmt.Sprintf(" (and %d more)", n)
	}
	return fmt.Sprintf("%s:%d:%d: %s: %s%s", e.Source.Name, at.Line, at.Column, first.Code, first.Message, more)
}

// UnsafeError says that the canonical text would not have been the same
// program; the file was left alone.
type UnsafeError struct {
	Name   string // of the file
	Line   int    // of the original, from 1
	Reason string
}

func (e *UnsafeError) Error() string {
	return fmt.Sprintf("%s:%d: not formatted: %s", e.Name, e.Line, e.Reason)
}

// syntax collects the problems of a file in file coordinates.
func syntax(f *ast.File) []ast.Problem {
	list := slices.Clone(f.Problems) // the tree keeps its own
	for i, d := range f.Decls {
		for _, pr := range d.Problems {
			pr.Span = pr.Span.Shift(f.Bases[i])
			if pr.Related != nil {
				at := pr.Related.Shift(f.Bases[i])
				pr.Related = &at
			}
			list = append(list, pr)
		}
	}
	return list
}
