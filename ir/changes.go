package ir

import (
	"crypto/sha256"
	"reflect"
	"slices"
)

// Changes names the parts in which two programs differ, as a run could observe
// it: what was added, removed or changed, sorted.
func Changes(old, now *Program) []string {
	before, after := old.parts(), now.parts()
	var out []string
	for part, sum := range before {
		switch other, kept := after[part]; {
		case !kept:
			out = append(out, part+" was removed")
		case other != sum:
			out = append(out, part+" was changed")
		}
	}
	for part := range after {
		if _, known := before[part]; !known {
			out = append(out, part+" was added")
		}
	}
	slices.Sort(out)
	return out
}

// parts maps the parts of a program to their sums. Edges between the same nodes
// are one part.
func (p *Program) parts() map[string]string {
	sums := map[string]string{}
	add := func(part string, v any) {
		h := hasher{sha256.New()}
		h.text(sums[part])
		h.value(reflect.ValueOf(v).Elem())
		sums[part] = string(h.Sum(nil))
	}
	for _, n := range p.Nodes {
		add("node "+n.ID, n)
	}
	for _, e := range p.Edges {
		add("edge "+e.From+" -> "+e.To, e)
	}
	for _, s := range p.Schemas {
		add("schema "+s.Name, s)
	}
	for _, x := range p.Prompts {
		add("prompt "+x.Name, x)
	}
	for _, v := range p.Vars {
		add("variable "+v.Name, v)
	}
	if p.Workflow != nil {
		add("workflow", p.Workflow)
	}
	rest := *p
	rest.Nodes, rest.Edges, rest.Schemas, rest.Prompts, rest.Vars, rest.Workflow, rest.Loops = nil, nil, nil, nil, nil, nil, nil
	add("other declarations", &rest)
	return sums
}
