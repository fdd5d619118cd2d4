// Package redact takes the values of secrets out of texts: as they are and in
// the spellings in which tools pass them on. It guards against accidents (a
// header in a log, a variable in an error): who can run code with a secret can
// spell it in ways that nobody looks for.
//
// A text must be redacted whole and before it is cut: of a value that a cut
// goes through, nothing is found.
package redact

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// minLength is how many bytes a value needs to be searched for: shorter ones
// would be found everywhere.
const minLength = 4

// Redactor replaces secrets by marks. It is immutable and safe for concurrent
// use; nil knows no secrets.
type Redactor struct {
	marks    []string       // by secret
	weak     []string       // names of secrets that cannot be protected
	numerals map[string]int // secrets that read as numbers, by their text
	plain    *automaton     // spellings found in the text as it stands
	joined   *automaton     // spellings found with line breaks in them
}

// New makes a redactor of values by name. White space around a value does not
// count: tools drop it. Memory is about 800 bytes for each byte of a value.
func New(secrets map[string]string) *Redactor {
	r := &Redactor{numerals: map[string]int{}, plain: &automaton{}, joined: &automaton{}}
	var names, needles []string
	for _, name := range slices.Sorted(maps.Keys(secrets)) {
		value := strings.TrimSpace(secrets[name])
		switch {
		case secrets[name] == "":
			continue
		case len(value) < minLength:
			r.weak = append(r.weak, name)
			continue
		}
		plain, joined := spellings(value)
		r.plain.add(len(names), append(plain, joined...))
		r.joined.add(len(names), joined)
		needles = append(append(needles, plain...), joined...)
		if _, err := strconv.ParseFloat(value, 64); err == nil {
			r.numerals[value] = len(names)
		}
		names = append(names, name)
	}
	r.plain.link()
	r.joined.link()
	r.marks = marksFor(names, needles)
	return r
}

// Weak names the secrets whose values are too short to be searched for, sorted.
func (r *Redactor) Weak() []string { return r.weak }

// Text returns the text with every secret in it replaced by its mark,
// `[secret NAME]`. Where secrets overlap, one mark, of the longest, stands for
// all that they cover. A text without secrets is returned as it is.
func (r *Redactor) Text(text string) string {
	if r == nil {
		return text
	}
	found := r.find(text)
	if len(found) == 0 {
		return text
	}
	var out strings.Builder
	at := 0
	for _, s := range found {
		out.WriteString(text[at:s.start])
		out.WriteString(r.marks[s.owner])
		at = s.end
	}
	out.WriteString(text[at:])
	return out.String()
}

// Around returns the part of a text around a place that one mark stands for;
// start and end are the place itself where no secret goes through it. There both
// sides redacted are what the whole redacted is.
func (r *Redactor) Around(text string, place int) (start, end int) {
	if r == nil {
		return place, place
	}
	for _, s := range r.find(text) {
		if s.start < place && place < s.end {
			return s.start, s.end
		}
	}
	return place, place
}

// find returns what secrets cover, in order and apart from each other.
func (r *Redactor) find(text string) []span {
	found := r.joined.scanSeams(text, r.plain.scan(text))
	if len(found) < 2 {
		return found
	}
	slices.SortStableFunc(found, func(a, b span) int { return a.end - b.end })
	merged := found[:0]
	for _, s := range found {
		merged = push(merged, s)
	}
	return merged
}

// Value redacts the texts in a value of events, the keys of maps included.
// Neither the value nor what it holds is changed; what holds no secret is not
// copied. A number that is a secret becomes its mark, a text.
func (r *Redactor) Value(v any) any {
	out, _ := r.value(v)
	return out
}

// value also tells whether the value differs.
func (r *Redactor) value(v any) (any, bool) {
	switch v := v.(type) {
	case string:
		text := r.Text(v)
		return text, text != v
	case []any:
		return r.list(v)
	case map[string]any:
		return r.object(v)
	case int64, float64:
		return r.number(v)
	}
	return v, false
}

func (r *Redactor) list(list []any) (any, bool) {
	var out []any
	for i, e := range list {
		e, changed := r.value(e)
		if !changed {
			continue
		}
		if out == nil {
			out = slices.Clone(list)
		}
		out[i] = e
	}
	if out == nil {
		return list, false
	}
	return out, true
}

func (r *Redactor) object(object map[string]any) (any, bool) {
	var out map[string]any
	var keys []string
	for key, e := range object {
		e, changed := r.value(e)
		renamed := r.Text(key) != key
		if !changed && !renamed {
			continue
		}
		if out == nil {
			out = maps.Clone(object)
		}
		out[key] = e
		if renamed {
			keys = append(keys, key)
		}
	}
	if out == nil {
		return object, false
	}
	slices.Sort(keys)
	for _, key := range keys {
		e := out[key]
		delete(out, key)
		out[freeKey(out, r.Text(key))] = e
	}
	return out, true
}

// freeKey keeps two keys that hold the same secret apart.
func freeKey(object map[string]any, key string) string {
	free := key
	for n := 2; ; n++ {
		if _, taken := object[free]; !taken {
			return free
		}
		free = fmt.Sprintf("%s (%d)", key, n)
	}
}

// number hides a number whose text is a secret: a tool that prints a numeric
// secret as JSON makes one of it.
func (r *Redactor) number(v any) (any, bool) {
	if len(r.numerals) == 0 {
		return v, false
	}
	text := ""
	switch v := v.(type) {
	case int64:
		text = strconv.FormatInt(v, 10)
	case float64:
		text = strconv.FormatFloat(v, 'f', -1, 64)
	}
	if owner, ok := r.numerals[text]; ok {
		return r.marks[owner], true
	}
	return v, false
}
