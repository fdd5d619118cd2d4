// Package author reads the YAML author document, another way to write a
// `.bot`: `x.bot.yaml` stands for `x.bot`. The document is not interpreted a
// second time. It is spelled out as `.bot` text, form by form from the property
// table; the one parser reads that text; and every byte of it knows where it
// stands in the document.
package author

import (
	"strings"

	"iterion/ast"
	"iterion/ast/source"
	"iterion/diagnostics"
	"iterion/grammar/parser"
)

// Ext ends the name of every author document.
const Ext = ".bot.yaml"

// Is tells whether a file is read as an author document.
func Is(name string) bool { return strings.HasSuffix(name, Ext) }

// Bot returns the name of the `.bot` that a document stands for.
func Bot(name string) string { return strings.TrimSuffix(name, Ext) + ".bot" }

// Document is a document that was read.
type Document struct {
	// Source is the YAML text; findings stand in it.
	Source *source.File
	// AST is the tree of the `.bot` text. Its own problems stand in that text:
	// Place says where that is in the document. It is stopped when nothing
	// could be spelled.
	AST *ast.File
	// Problems are those of the document, in its offsets.
	Problems []Problem

	places []source.Span // of each byte of the `.bot` text
}

// Problem is a fault of a document. The codes of this package have errors and
// warnings.
type Problem struct {
	ast.Problem
	Severity diagnostics.Severity
}

// Read reads a document. It always gives one; the problems say what is wrong.
func Read[T string | []byte](name string, raw T) *Document {
	d := &Document{Source: source.Load(name, raw)}
	s := &speller{doc: d}
	if root := d.parse(); root != nil {
		s.document(root)
	}
	d.AST = &ast.File{Source: source.New(name, string(s.out)), Profile: 1, Stopped: true}
	if s.complete {
		d.AST, d.places = parser.File(d.AST.Source), s.places
		s.prove()
	}
	return d
}

// Valid tells whether the document reads without an error. The canonical
// text of its `.bot` is what grammar/printer makes of the tree then.
func (d *Document) Valid() bool {
	for _, p := range d.Problems {
		if p.Severity == diagnostics.Error {
			return false
		}
	}
	for _, decl := range d.AST.Decls {
		if len(decl.Problems) > 0 {
			return false
		}
	}
	return !d.AST.Stopped && len(d.AST.Problems) == 0
}

// Place returns where a range of the `.bot` text stands in the document: the
// narrowest range that holds what all its bytes were made from.
func (d *Document) Place(s source.Span) source.Span {
	end := min(int(s.End), len(d.places))
	start := min(int(s.Start), end)
	switch {
	case len(d.places) == 0:
		return source.Span{}
	case start == end && start == 0:
		return source.Span{Start: d.places[0].Start, End: d.places[0].Start}
	case start == end:
		at := d.places[start-1].End
		return source.Span{Start: at, End: at}
	}
	at := d.places[start]
	for _, p := range d.places[start+1 : end] {
		at.Start, at.End = min(at.Start, p.Start), max(at.End, p.End)
	}
	return at
}

// fail notes an error at a place in the document.
func (d *Document) fail(code string, at source.Span, message, hint string) *Problem {
	return d.note(diagnostics.Error, code, at, message, hint)
}

func (d *Document) note(as diagnostics.Severity, code string, at source.Span, message, hint string) *Problem {
	d.Problems = append(d.Problems, Problem{ast.Problem{Code: code, Span: at, Message: message, Hint: hint}, as})
	return &d.Problems[len(d.Problems)-1]
}
