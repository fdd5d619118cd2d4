package schema

import (
	"encoding/json"
	"io"
)

// WriteJSON writes the whole table as one indented JSON document:
// {"kinds": [kind …]} in reference order, nested blocks in place. Fields that
// say nothing (no default, no values, false) are left out. The only errors are
// those of w.
func WriteJSON(w io.Writer) error {
	kinds := Kinds()
	doc := struct {
		Kinds []*kindDoc `json:"kinds"`
	}{make([]*kindDoc, len(kinds))}
	for i, k := range kinds {
		doc.Kinds[i] = docOf(k)
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(doc)
}

type kindDoc struct {
	Name       string        `json:"name"`
	Doc        string        `json:"doc"`
	Example    string        `json:"example,omitempty"`
	Node       bool          `json:"node,omitempty"`
	Named      bool          `json:"named,omitempty"`
	Bare       bool          `json:"bare,omitempty"`
	Members    []string      `json:"members,omitempty"`
	Properties []propertyDoc `json:"properties,omitempty"`
	Entry      *entryDoc     `json:"entry,omitempty"`
}

type propertyDoc struct {
	Name     string     `json:"name"`
	Form     string     `json:"form"`
	Values   []valueDoc `json:"values,omitempty"`
	Ref      string     `json:"ref,omitempty"`
	Text     string     `json:"text,omitempty"`
	Default  string     `json:"default,omitempty"`
	Required bool       `json:"required,omitempty"`
	Doc      string     `json:"doc"`
	Example  string     `json:"example"`
	Removed  int        `json:"removed_in_profile,omitempty"`
	Replace  string     `json:"replaced_by,omitempty"`
	Block    *kindDoc   `json:"block,omitempty"`
}

type valueDoc struct {
	Word string `json:"word"`
	Doc  string `json:"doc"`
}

type entryDoc struct {
	Key     string    `json:"key"`
	Type    *typedDoc `json:"type,omitempty"`
	Form    string    `json:"form,omitempty"`
	Text    string    `json:"text,omitempty"`
	Ref     string    `json:"ref,omitempty"`
	Bare    bool      `json:"bare,omitempty"`
	Doc     string    `json:"doc"`
	Example string    `json:"example"`
	Block   *kindDoc  `json:"block,omitempty"`
}

type typedDoc struct {
	Types    []string `json:"types"`
	Schemas  bool     `json:"schemas,omitempty"`
	Enum     bool     `json:"enum,omitempty"`
	Matching bool     `json:"matching,omitempty"`
	Default  bool     `json:"default,omitempty"`
}

func docOf(k *Kind) *kindDoc {
	if k == nil {
		return nil
	}
	doc := &kindDoc{Name: k.Name, Doc: k.Doc, Example: k.Example,
		Node: k.Node, Named: k.Named, Bare: k.Bare, Members: k.Members.Words(), Entry: entryDocOf(k.Entry)}
	for i := range k.Props {
		doc.Properties = append(doc.Properties, propertyDocOf(&k.Props[i]))
	}
	return doc
}

func propertyDocOf(p *Property) propertyDoc {
	doc := propertyDoc{Name: p.Name, Form: p.Form.String(), Ref: p.Ref.String(), Text: textDoc(p.Text),
		Default: p.Default, Required: p.Require, Doc: p.Doc, Example: p.Example,
		Removed: p.Removed, Replace: p.Replace, Block: docOf(p.Block)}
	for _, v := range p.Values {
		doc.Values = append(doc.Values, valueDoc(v))
	}
	return doc
}

func entryDocOf(e *Entry) *entryDoc {
	if e == nil {
		return nil
	}
	doc := &entryDoc{Key: e.Key.String(), Form: e.Form.String(), Text: textDoc(e.Text), Ref: e.Ref.String(),
		Bare: e.Bare, Doc: e.Doc, Example: e.Example, Block: docOf(e.Block)}
	if e.Typed != nil {
		typed := typedDoc(*e.Typed)
		doc.Type = &typed
	}
	return doc
}

// textDoc leaves out the reading that most strings have.
func textDoc(t Text) string {
	if t == Plain {
		return ""
	}
	return t.String()
}
