// Package ir is the compiled program: typed, immutable values with the place
// each came from. It is what the runtime runs and what checks read.
//
// Spans are bytes from the start of the declaration that holds the value; the
// declaration's Origin says where that text stands.
package ir

import (
	"encoding/json"

	"iterion/ast"
	"iterion/ast/source"
	"iterion/grammar/literal"
)

// Opt is a property that may be absent. Absent, empty and zero are three
// things: IsZero tells the first, V holds the others.
type Opt[T any] struct {
	V    T           `json:"value"`
	Span source.Span `json:"span"`
}

// Set tells whether the property was written.
func (o Opt[T]) Set() bool { return !o.Span.IsZero() }

// IsZero makes encoding/json leave an absent property out.
func (o Opt[T]) IsZero() bool { return o.Span.IsZero() }

// Or returns the value, or other when the property is absent.
func (o Opt[T]) Or(other T) T {
	if o.Set() {
		return o.V
	}
	return other
}

// Text is a string whose templates are read later. It keeps its source text,
// so that a place inside maps back to the file, and decodes on demand.
type Text struct {
	src  string
	kind ast.Kind
	mode literal.Mode
}

// NewText is the literal src of the given node kind.
func NewText(kind ast.Kind, src string, mode literal.Mode) Text {
	return Text{src, kind, mode}
}

// PlainText is a value that stands for itself, as one made by substitution.
func PlainText(value string) Text { return Text{src: value, kind: ast.Bad} }

// Value returns the decoded string.
func (t Text) Value() string { return literal.Value(t.kind, t.src, t.mode) }

// Scan returns a text whose templates and expressions can be searched, and
// whether its offsets are those of the source. A literal without escapes is
// its own content, so nothing is copied.
func (t Text) Scan() (text string, base int) {
	switch {
	case t.kind == ast.String && (t.mode&literal.Strict == 0 || !hasEscape(t.src)):
		return t.src[1 : len(t.src)-1], 1
	case t.kind == ast.Raw:
		return t.src[1 : len(t.src)-1], 1
	case t.kind == ast.Scalar || t.kind == ast.Body:
		return t.src, 0
	case t.kind == ast.String:
		return t.Value(), -1
	}
	return t.src, 0
}

// At maps a range of the text returned by Scan to the source text of the
// literal, both in bytes. A substituted text has no inside.
func (t Text) At(base int, s source.Span) source.Span {
	if base >= 0 {
		return s.Shift(uint32(base))
	}
	return source.Span{
		Start: uint32(literal.Offset(t.kind, t.src, t.mode, int(s.Start))),
		End:   uint32(literal.Offset(t.kind, t.src, t.mode, int(s.End))),
	}
}

// Substituted tells whether the text was made by substitution.
func (t Text) Substituted() bool { return t.kind == ast.Bad }

// Quoted tells whether the text was written as a literal, not a bare word.
func (t Text) Quoted() bool { return t.kind != ast.Ident && t.kind != ast.Bad }

// Kind returns the kind of literal, ast.Bad for a substituted text.
func (t Text) Kind() ast.Kind { return t.kind }

func hasEscape(s string) bool {
	for i := range len(s) {
		if s[i] == '\\' {
			return true
		}
	}
	return false
}

// MarshalJSON writes the decoded string.
func (t Text) MarshalJSON() ([]byte, error) { return json.Marshal(t.Value()) }

// UnmarshalJSON reads a decoded string.
func (t *Text) UnmarshalJSON(b []byte) error {
	var s string
	if err := json.Unmarshal(b, &s); err != nil {
		return err
	}
	*t = PlainText(s)
	return nil
}

// Item is an element of a list.
type Item struct {
	Text string      `json:"text"`
	Span source.Span `json:"span"`
}

// List is a list property: the empty list is written, an absent one is not.
type List = Opt[[]Item]

// Strings returns the texts of a list's items.
func Strings(l List) []string {
	s := make([]string, len(l.V))
	for i, item := range l.V {
		s[i] = item.Text
	}
	return s
}

// Binding is a `key: value` of a `with` group, a map or another author-named
// block.
type Binding struct {
	Key     string      `json:"key"`
	KeySpan source.Span `json:"key_span"`
	Value   Text        `json:"value"`
	Span    source.Span `json:"span"`
}

// Bindings is a group of bindings in the author's order.
type Bindings = Opt[[]Binding]

// Prompt use: a name, or the text itself.
type PromptUse struct {
	Name   string `json:"name"`             // of the prompt; `_inline_…` for an inline text
	Inline bool   `json:"inline,omitempty"` // the text stood in the property
}

// Literal is a typed constant: a var's default, a preset's value.
type Literal struct {
	Kind LiteralKind `json:"kind"`
	Text string      `json:"text"` // the decoded string, or the number or word as written
}

// LiteralKind is the kind of a Literal.
type LiteralKind string

const (
	StringLiteral LiteralKind = "string"
	IntLiteral    LiteralKind = "int"
	FloatLiteral  LiteralKind = "float"
	BoolLiteral   LiteralKind = "bool"
)
