package ir

import (
	"iterion/grammar/expr"
	"iterion/grammar/template"
)

// Ref is one {{…}} of a text, with byte offsets into its decoded value.
type Ref = template.Ref

// Expr is a parsed expression; package ir/expr evaluates it.
type Expr = expr.Node

// Refs returns the templates of the decoded text. Broken ones are not among
// them: a program that runs has none.
func (t Text) Refs() []Ref {
	refs, _ := template.Parse(t.Value())
	return refs
}

// Render returns the decoded text with each reference replaced by what value
// gives; one without a value stays as written.
func (t Text) Render(value func(Ref) (string, bool)) string {
	text := t.Value()
	refs, _ := template.Parse(text)
	return template.Render(text, refs, value)
}

// Whole returns the reference when the text is exactly one.
func (t Text) Whole() (Ref, bool) {
	text := t.Value()
	refs, _ := template.Parse(text)
	return template.Whole(text, refs)
}

// ParseExpr parses a decoded text as an expression.
func ParseExpr(text string) (*Expr, error) { return expr.Parse(text) }
