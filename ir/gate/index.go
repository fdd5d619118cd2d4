package gate

import (
	"bytes"
	"slices"
	"strings"
)

// few is how many rows are tried one after the other; more get an index.
const few = 16

// index finds rows by how their patterns begin: a radix tree over the static
// heads. It may give a row that does not match, never leave one out that does.
type index struct {
	root branch
}

type branch struct {
	label string
	rows  []*boundRow
	first []byte // of the labels below, in order
	kids  []*branch
}

func (x *index) add(head string, r *boundRow) {
	at := &x.root
	for {
		if head == "" {
			if !slices.Contains(at.rows, r) {
				at.rows = append(at.rows, r)
			}
			return
		}
		i, ok := at.kid(head[0])
		if !ok {
			at.first = slices.Insert(at.first, i, head[0])
			at.kids = slices.Insert(at.kids, i, &branch{label: head, rows: []*boundRow{r}})
			return
		}
		kid := at.kids[i]
		n := common(kid.label, head)
		if n < len(kid.label) {
			kid.split(n)
		}
		at, head = kid, head[n:]
	}
}

// split parts a branch's label; what the branch held goes to the lower one.
func (b *branch) split(n int) {
	lower := &branch{label: b.label[n:], rows: b.rows, first: b.first, kids: b.kids}
	b.label, b.rows, b.first, b.kids = b.label[:n], nil, []byte{lower.label[0]}, []*branch{lower}
}

func (b *branch) kid(c byte) (int, bool) {
	return slices.BinarySearch(b.first, c)
}

func common(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// under adds the rows whose head begins a text.
func (x *index) under(text string, rows []*boundRow) []*boundRow {
	at := &x.root
	for {
		rows = append(rows, at.rows...)
		if text == "" {
			return rows
		}
		i := bytes.IndexByte(at.first, text[0])
		if i < 0 || !strings.HasPrefix(text, at.kids[i].label) {
			return rows
		}
		at = at.kids[i]
		text = text[len(at.label):]
	}
}

// near adds, in order, the rows of the index that may match one of some texts.
func (l *rowList) near(texts []string, rows []*boundRow) []*boundRow {
	for _, text := range texts {
		rows = l.index.under(text, rows)
	}
	if len(rows) < 2 {
		return rows
	}
	slices.SortFunc(rows, func(a, b *boundRow) int { return a.order - b.order })
	return slices.Compact(rows)
}

// build makes the index of a list that is long enough to need one.
func (l *rowList) build(closing bool) {
	if len(l.scoped) <= few {
		return
	}
	l.index = &index{}
	for _, r := range l.scoped {
		for _, head := range r.heads(closing) {
			l.index.add(head, r)
		}
	}
}

// heads are the texts of which one begins whatever the row's pattern meets.
func (r *boundRow) heads(closing bool) []string {
	switch {
	case r.web != nil:
		return []string{""}
	case r.search != nil && closing:
		return append(r.search.root.heads(true), r.search.text.closingHead())
	case r.search != nil:
		return append(r.search.root.heads(false), r.search.text.head)
	case r.path != nil:
		return r.path.heads(closing)
	case closing:
		return []string{r.text.closingHead()}
	}
	return []string{r.text.head}
}

// closingHead is the head without the blank that a final ` *` may lack.
func (p *textPattern) closingHead() string { return strings.TrimRight(p.head, " ") }

func (c *pathPattern) heads(closing bool) []string {
	switch {
	case c.wild, c.every:
		return []string{""}
	case closing:
		heads := make([]string, len(c.closed))
		for i := range c.closed {
			heads[i] = c.closed[i].head
		}
		return heads
	}
	text := strings.TrimSuffix(c.text, "/**")
	if i := strings.IndexAny(text, `*?[{\`); i >= 0 {
		text = text[:i]
	}
	return []string{text}
}
