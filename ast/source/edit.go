package source

import "strings"

// Edit replaces the bytes of a span by New. A span without a length inserts.
type Edit struct {
	Span
	New string
}

// Overlaps tells whether two edits cannot both be applied: they share bytes, or
// one of them inserts where the other begins or ends.
func (e Edit) Overlaps(o Edit) bool {
	if e.Start == e.End || o.Start == o.End {
		return e.Start <= o.End && o.Start <= e.End
	}
	return e.Start < o.End && o.Start < e.End
}

// Rewrite applies edits to a text as it lies on disk. Their offsets count in
// the text that Load gives; they are in order and do not overlap. A byte order
// mark and the ends of lines stay; what is new gets those of the first line.
func Rewrite(raw string, edits []Edit) string {
	newline := "\n"
	if first := strings.IndexByte(raw, '\n'); first > 0 && raw[first-1] == '\r' {
		newline = "\r\n"
	}
	var b strings.Builder
	at := rawOffsets{raw: raw, at: len(raw) - len(strings.TrimPrefix(raw, BOM))}
	last := 0
	for _, e := range edits {
		b.WriteString(raw[last:at.of(e.Start)])
		b.WriteString(strings.ReplaceAll(e.New, "\n", newline))
		last = at.of(e.End)
	}
	b.WriteString(raw[last:])
	return b.String()
}

// rawOffsets walks a text as it lies on disk beside the loaded one.
type rawOffsets struct {
	raw    string
	at     int    // in raw
	loaded uint32 // the same place in the loaded text
}

// of returns where an offset of the loaded text lies; offsets only grow.
func (r *rawOffsets) of(offset uint32) int {
	for ; r.loaded < offset; r.loaded++ {
		if strings.HasPrefix(r.raw[r.at:], "\r\n") {
			r.at++
		}
		r.at++
	}
	return r.at
}
