package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// assigns evaluates the assignments before a command, as words `name=value`.
func (r *reader) assigns(list []*syntax.Assign, at place) []field {
	if len(list) == 0 {
		return nil
	}
	fields := make([]field, len(list))
	for i, a := range list {
		fields[i] = r.assign(a, at)
	}
	return fields
}

// assign evaluates an assignment, or what stands in its place behind `declare`.
func (r *reader) assign(a *syntax.Assign, at place) field {
	if a.Array != nil || a.Index != nil {
		return r.array(a, at)
	}
	if a.Name == nil || a.Naked {
		return r.naked(a, at)
	}
	sign := "="
	if a.Append {
		sign = "+="
	}
	f := static(a.Name.Value + sign)
	if a.Value != nil {
		r.expansions(a.Value, at)
		value := r.field(a.Value, at)
		f.fixed, f.dynamic = len(f.text)+value.fixed, value.dynamic
		f.text += value.text
		f.src += value.src
	}
	r.variable(a.Name.Value, f, at)
	return f
}

func (r *reader) naked(a *syntax.Assign, at place) field {
	if a.Value == nil {
		return static(a.Name.Value)
	}
	r.expansions(a.Value, at)
	return r.field(a.Value, at)
}

// array reads an assignment to an array, or to an element of one.
func (r *reader) array(a *syntax.Assign, at place) field {
	if !constant(a.Index) {
		r.arithmetic(a.Index, at)
	}
	r.unplain("an assignment to an array", at)
	r.expansions(a.Value, at)
	if a.Array != nil {
		for _, e := range a.Array.Elems {
			if e.Index != nil {
				r.arithmetic(e.Index, at)
			}
			if r.expansions(e.Value, at); e.Value != nil {
				r.field(e.Value, at) // for what it quotes
			}
		}
	}
	src := at.source(a)
	return field{text: src, fixed: len(a.Name.Value), src: src, dynamic: true}
}

// variable judges a value that some shell runs or expands later.
func (r *reader) variable(name string, f field, at place) {
	switch name {
	case "PROMPT_COMMAND":
		_, code, _ := strings.Cut(f.text, "=")
		r.shellCode(code, f.dynamic, at)
	default:
		if expandedLater(name) && (f.dynamic || strings.Contains(f.text, "$(") || strings.ContainsAny(f.text, "`{")) {
			r.opaque("it sets " + name + ", which shells expand")
		}
	}
}

// expandedLater tells whether a shell expands, or runs, what a variable holds.
func expandedLater(name string) bool {
	if strings.HasPrefix(name, "BASH_FUNC_") {
		return true
	}
	switch name {
	case "PS0", "PS1", "PS2", "PS4", "BASH_ENV", "ENV", "PROMPT_COMMAND":
		return true
	}
	return false
}
