// Package migrate brings files of profile 1 to profile 2: the header is written
// and what profile 2 reads otherwise is spelled so that it keeps its value. A
// text is compared with what it was before anyone gets to see it.
package migrate

import (
	"errors"
	"strings"

	"iterion/ast"
	"iterion/ast/source"
	"iterion/diagnostics"
	"iterion/grammar/literal"
	"iterion/grammar/parser"
)

// Floor is the first language level that reads profile 2.
const Floor = "3.141.0"

// ErrSyntax is the refusal of a text that does not parse.
var ErrSyntax = errors.New("it does not parse")

// RemovedError is the refusal of a text with properties that profile 2 no
// longer has.
type RemovedError struct {
	Places []source.Span // of their keys, in the loaded text
}

func (*RemovedError) Error() string { return "it has properties that profile 2 does not have" }

// Text returns a file's text, as it lies on disk, in profile 2. A text that is
// there already, and one without any code, come back as they are.
func Text(name, raw string) (string, error) {
	before := parse(name, raw)
	switch {
	case faulty(before):
		return "", ErrSyntax
	case before.Profile >= 2 || len(before.Decls) == 0:
		return raw, nil
	}
	if places := removed(before); places != nil {
		return "", &RemovedError{places}
	}
	text := source.Rewrite(raw, edits(before))
	after := parse(name, text)
	for drop := directives(after); drop != nil; drop = directives(after) {
		text = source.Rewrite(text, drop)
		after = parse(name, text)
	}
	return text, prove(before, after)
}

func parse(name, raw string) *ast.File { return parser.File(source.Load(name, raw)) }

func faulty(f *ast.File) bool {
	for _, d := range f.Decls {
		if len(d.Problems) > 0 {
			return true
		}
	}
	return len(f.Problems) > 0
}

func removed(f *ast.File) []source.Span {
	var list []source.Span
	for i, d := range f.Decls {
		for _, n := range parser.Removed(d) {
			list = append(list, d.Nodes[n].Span().Shift(f.Bases[i]))
		}
	}
	return list
}

// edits writes the header and spells literals anew.
func edits(f *ast.File) []source.Edit {
	list := []source.Edit{header(f.Decls[0])}
	for i, d := range f.Decls {
		for _, x := range Differences(d, f.Strict) {
			e := source.Edit{Span: x.Shift(f.Bases[i])}
			if x.Backslashes > 0 {
				e.New = escaped(literal.Value(ast.String, d.Slice(x.Node), literal.ModeOf(f)))
			} else {
				e.End++ // the newline
			}
			list = append(list, e)
		}
	}
	return list
}

// header writes `dsl: 2` in the place of another header, or where one belongs.
// The first declaration begins the file.
func header(first *ast.Declaration) source.Edit {
	if first.Root().Kind == ast.Header {
		return source.Edit{Span: first.Nodes[1].Span(), New: "2"}
	}
	at := parser.HeaderPlace(first)
	return source.Edit{Span: source.Span{Start: at, End: at}, New: "dsl: 2\n\n"}
}

// escaped is a quoted literal of profile 2. A value of profile 1 holds nothing
// else that must be escaped.
func escaped(value string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(value) + `"`
}

// directives drops what has no place in profile 2. Others may move up to where
// they count.
func directives(f *ast.File) []source.Edit {
	var list []source.Edit
	for _, p := range f.Problems {
		if p.Fix != nil && p.Fix.ID == diagnostics.DropDirective {
			list = append(list, p.Fix.Edit)
		}
	}
	return list
}
