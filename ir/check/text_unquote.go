package check

import (
	"slices"
	"strings"

	"iterion/grammar/template"
	"iterion/ir"
	"iterion/ir/finding"
)

// unquoted takes the quotes off parts of the text. A substituted text has no
// place to do it.
func (b shellBody) unquoted(quotes []region) []finding.Edit {
	if b.text.V.Substituted() {
		return nil
	}
	quotes = slices.SortedFunc(slices.Values(quotes), func(a, b region) int { return a.start - b.start })
	var edits []finding.Edit
	for _, q := range quotes {
		inner := b.at(q.start+1, q.end-1)
		edits = append(edits, finding.Replace(b.n.Tree, b.at(q.start, q.end), b.n.Tree.Text[inner.Start:inner.End]))
	}
	return edits
}

// needless tells whether quotes around references can go without any other
// change of what the shell reads: what else they hold means nothing to it, and
// they begin no other kind of quote.
func (s *shellText) needless(q region) bool {
	if q.start > 0 && s.text[q.start-1] == '$' || !s.freshInside(q) {
		return false
	}
	inner := s.text[q.start+1 : q.end-1]
	refs, errs := template.Parse(inner)
	last := uint32(0)
	for _, ref := range refs {
		if ref.Raw || ref.Namespace == "" || !inert(inner[last:ref.Span.Start]) {
			return false
		}
		last = ref.Span.End
	}
	return len(errs) == 0 && inert(inner[last:])
}

// freshInside tells whether quotes stand where quoting begins anew: in no other
// region, or in commands of their own. In `${…}` and backticks the rules differ.
func (s *shellText) freshInside(q region) bool {
	var around region
	for _, r := range s.regions {
		if r.start < q.start && q.end <= r.end && r.start >= around.start {
			around = r
		}
	}
	if around.kind == plainRegion {
		return true
	}
	opening := s.text[around.start]
	return around.kind == substitution && opening != '`' && !strings.HasPrefix(s.text[around.start:], "${")
}

// inert tells whether a shell reads nothing but letters in a text.
func inert(text string) bool {
	return strings.Trim(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:@%+-") == ""
}

// raw inserts the mark that leaves a value unquoted into some references.
func (b shellBody) raw(refs []ir.Ref, which []int) []finding.Edit {
	if b.text.V.Substituted() {
		return nil
	}
	var edits []finding.Edit
	for _, i := range which {
		mark := int(refs[i].Span.Start) + len(template.Open)
		edits = append(edits, finding.Replace(b.n.Tree, b.at(mark, mark), "!"))
	}
	return edits
}
