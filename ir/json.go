package ir

import (
	"bytes"
	"encoding/json"
)

// plain has the fields of Program without its methods.
type plain Program

// Encode writes the program as indented JSON that Decode reads back without
// loss: every value with its span, absent, empty and zero kept apart.
func (p *Program) Encode() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode((*plain)(p)); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// Decode reads what Encode wrote. Unknown keys are an error: they would be
// parts of a program that this build does not run.
func Decode(b []byte) (*Program, error) {
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	p := &Program{}
	if err := d.Decode((*plain)(p)); err != nil {
		return nil, err
	}
	for _, n := range p.Nodes {
		if n.Common == nil {
			n.Common = &Common{}
		}
	}
	p.index()
	return p, nil
}
