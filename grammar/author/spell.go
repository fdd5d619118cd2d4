package author

import (
	"fmt"
	"strings"

	"iterion/ast/source"
	"iterion/diagnostics"
)

// speller writes the `.bot` text of a document, and of each byte where it
// stands in the document.
type speller struct {
	doc      *Document
	out      []byte
	places   []source.Span
	strict   bool // the profile decodes escapes
	complete bool // there is a text to be parsed

	meant []meaning    // leaves, in order
	edges []meaning    // lines that are taken over, in order
	holes map[int]bool // lines of the text with a value that was refused, from 0
	line  int
}

// span is a range of the spelled text.
type span struct{ start, end int }

// meaning is a leaf of the text with what it has to be read as.
type meaning struct {
	span
	value string
}

// put writes a text that stands for a range of the document as a whole.
func (s *speller) put(text string, at source.Span) {
	s.line += strings.Count(text, "\n")
	s.out = append(s.out, text...)
	for range len(text) {
		s.places = append(s.places, at)
	}
}

// glue writes what nothing in the document stands for: it belongs to the place
// behind what was written last.
func (s *speller) glue(text string) {
	var at uint32
	if n := len(s.places); n > 0 {
		at = s.places[n-1].End
	}
	s.put(text, source.Span{Start: at, End: at})
}

// indent starts the line of something at a place.
func (s *speller) indent(level int, at source.Span) {
	s.put(strings.Repeat("  ", level), source.Span{Start: at.Start, End: at.Start})
}

// leaf writes a text that must be read back as a value.
func (s *speller) leaf(text, value string, at source.Span) {
	start := len(s.out)
	s.put(text, at)
	s.meant = append(s.meant, meaning{span{start, len(s.out)}, value})
}

// bare writes a scalar's value as it is, each byte at its own place.
func (s *speller) bare(n *node) {
	start := len(s.out)
	s.out = append(s.out, n.value...)
	s.places = append(s.places, n.places...)
	s.line += strings.Count(n.value, "\n")
	s.meant = append(s.meant, meaning{span{start, len(s.out)}, n.value})
}

// hole stands for a value that was refused: the parser stumbles over it and
// knows what depends on it. What it says about the line is not passed on.
func (s *speller) hole(at source.Span) {
	if s.holes == nil {
		s.holes = map[int]bool{}
	}
	s.holes[s.line] = true
	s.put("?", at)
}

// refuse reports a value and leaves a hole in its place.
func (s *speller) refuse(code string, at source.Span, message, hint string) {
	s.doc.fail(code, at, message, hint)
	s.hole(at)
}

// wrong reports a value that lacks the shape which its place takes.
func (s *speller) wrong(n *node, takes string) {
	hint := ""
	if n.shape == number || n.shape == boolean {
		hint = "Give it the shape that is asked for; quote it if it is a text."
	}
	s.refuse("E051", n.span, fmt.Sprintf("expected %s, found %s", takes, n.describe()), hint)
}

// describe names a value for a message.
func (n *node) describe() string {
	const most = 40
	if n.shape == null || n.shape == list || n.shape == mapping {
		return shapeNames[n.shape]
	}
	shown, _, _ := strings.Cut(n.value, "\n")
	if cut := []rune(shown); len(cut) > most {
		shown = string(cut[:most]) + "…"
	}
	return shapeNames[n.shape] + " `" + shown + "`"
}

// unknown reports a key that its mapping does not have.
func (s *speller) unknown(key *node, of string, known []string) {
	hint := "The keys are " + strings.Join(known, ", ") + "."
	if near, ok := diagnostics.Nearest(key.value, known); ok {
		hint = "Write `" + near + "`."
	}
	s.doc.fail("E051", key.span, fmt.Sprintf("%s has no key `%s`", of, key.value), hint)
}

// word writes a value that must be a bare word of a form, or refuses it.
func (s *speller) word(n *node, form func(string) bool, takes string) {
	if n.shape != text || !form(n.value) {
		s.wrong(n, takes)
		return
	}
	s.bare(n)
}
