package author

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"iterion/ast/source"
	"iterion/diagnostics"
	"iterion/grammar/literal"
)

// room says where a text is written: behind `key: ` of a level, or within a
// line, where no block of text can stand.
type room int

const inline room = -1

// text writes a text as a literal, or refuses a value that is none.
func (s *speller) text(n *node, takes string, in room) {
	if n.shape != text {
		s.wrong(n, takes)
		return
	}
	if !s.reread(n) {
		s.hole(n.span)
		return
	}
	if block, ok := literal.Block(n.value, int(in)+1); ok && in != inline && (n.style == literalBlock || n.style == foldedBlock) {
		s.blockText(n, block, int(in)+1)
		return
	}
	switch written, ok := literal.Spell(n.value, s.strict, max(int(in), 0)); {
	case !ok || in == inline && written[0] == '|':
		s.refuse("E053", n.span, "no literal of this profile can hold this text here", "Use profile 2, or take the backticks, quotes or line breaks out of it.")
	case written[0] == '|':
		s.blockText(n, written, int(in)+1)
	default:
		s.quoted(n, written)
	}
}

// quoted writes a literal in quotes or backticks, each character at the place
// of the one it stands for.
func (s *speller) quoted(n *node, written string) {
	start, last := len(s.out), len(written)-1
	s.put(written[:1], source.Span{Start: n.span.Start, End: n.span.Start})
	for i, j := 1, 0; i < last; j++ {
		width := 1
		if s.strict && written[0] == '"' && written[i] == '\\' {
			width = 2
		}
		s.put(written[i:i+width], n.places[j])
		i += width
	}
	s.put(written[last:], source.Span{Start: n.span.End, End: n.span.End})
	s.meant = append(s.meant, meaning{span{start, len(s.out)}, n.value})
}

// blockText writes a block scalar, whose value ends with a line break: that of its
// last line.
func (s *speller) blockText(n *node, written string, level int) {
	s.put("|", source.Span{Start: n.span.Start, End: n.span.Start})
	start := len(s.out) + 1
	s.lines(n, 0, len(n.value)-1, level)
	s.meant = append(s.meant, meaning{span{start, len(s.out)}, n.value})
}

// lines writes a part of a text as indented lines, each behind a line break.
func (s *speller) lines(n *node, from, to, level int) {
	s.glue("\n")
	for i := from; i < to; i++ {
		at := n.places[i]
		if n.value[i] != '\n' && (i == from || n.value[i-1] == '\n') {
			s.indent(level, at)
		}
		s.put(n.value[i:i+1], at)
	}
}

// separators are characters that some readers of YAML end a line at.
const separators = "\u0085\u2028\u2029"

// separators warns of them: nobody sees where they stand.
func (d *Document) separators() {
	var lines []string
	var first source.Span
	count, line := 0, 1
	for i, r := range d.Source.Text {
		switch {
		case r == '\n':
			line++
		case strings.ContainsRune(separators, r):
			if count++; count == 1 {
				first = source.Span{Start: uint32(i), End: uint32(i + utf8.RuneLen(r))}
			}
			if shown := fmt.Sprint(line); len(lines) == 0 || lines[len(lines)-1] != shown {
				lines = append(lines, shown)
			}
		}
	}
	if count > 0 {
		d.note(diagnostics.Warning, "E055", first, fmt.Sprintf("%d invisible line separators (U+0085, U+2028 or U+2029) stand on %s", count, listed(lines)), "")
	}
}

// listed joins line numbers for a message.
func listed(lines []string) string {
	const most = 20
	more := ""
	if n := len(lines) - most; n > 0 {
		lines, more = lines[:most], fmt.Sprintf(" and %d more", n)
	}
	if len(lines) == 1 {
		return "line " + lines[0]
	}
	return "lines " + strings.Join(lines, ", ") + more
}

// reread says what of a text is easily read otherwise than it is meant. It is
// false for a text that YAML's readers do not agree on.
func (s *speller) reread(n *node) bool {
	switch {
	case n.style == foldedBlock && strings.ContainsAny(n.value, separators):
		s.doc.fail("E053", n.span, "a line separator stands in a folded block: some readers end a line there, and others do not", "Write a `|` block, or take the separator out.")
		return false
	case n.style == plain && s.cut(n):
		s.doc.note(diagnostics.Warning, "E053", n.span, "the text ends before ` #`, which starts a comment", "Quote the whole text if the rest belongs to it.")
	}
	return true
}

// cut tells whether a comment follows a scalar on its line.
func (s *speller) cut(n *node) bool {
	rest := strings.TrimLeft(s.doc.Source.Text[n.span.End:], " \t")
	return strings.HasPrefix(rest, "#")
}

// body writes the text of a prompt behind its header.
func (s *speller) body(n *node) {
	switch {
	case n.shape != text:
		s.glue(" ")
		s.wrong(n, "a text")
		return
	case !s.reread(n):
		s.glue(" ")
		s.hole(n.span)
		return
	}
	lines, read, lost := s.settle(n.value)
	if strings.HasPrefix(read, " ") || strings.Contains(read+"\n", "\r\n") {
		s.glue(" ")
		s.refuse("E053", n.span, "no prompt can hold this text: its first line is indented, or a line ends with a carriage return", "Write the text at the margin, or at its node, in quotes.")
		return
	}
	if lost != "" {
		s.doc.note(diagnostics.Warning, "E053", n.span, "the prompt is read without its "+lost, "Take them out, or write the text at its node, in quotes.")
	}
	start := len(s.out) + 1
	for _, l := range lines {
		s.glue("\n")
		for i := l.start; i < l.end; i++ {
			if i == l.start {
				s.indent(1, n.places[i])
			}
			s.put(n.value[i:i+1], n.places[i])
		}
	}
	if len(lines) > 0 {
		s.meant = append(s.meant, meaning{span{start, len(s.out)}, read})
	}
}

// settle gives the lines of a text that a prompt keeps, as ranges of the text,
// what is read of them, and what is lost.
func (s *speller) settle(value string) (lines []span, read, lost string) {
	var kept []string
	blanks, at := 0, 0 // blank lines that something may still follow
	for line := range strings.SplitSeq(strings.TrimSuffix(value, "\n"), "\n") {
		here := span{at, at + len(line)}
		at = here.end + 1
		if strings.Trim(line, " \t") == "" {
			blanks++
			if line != "" {
				lost = "space-only lines"
			}
			continue
		}
		switch {
		case blanks == 0:
		case len(lines) == 0:
			lost = "leading blank lines"
		case !s.strict:
			lost = "blank lines, which profile 1 drops"
		default:
			for range blanks {
				lines, kept = append(lines, span{here.start, here.start}), append(kept, "")
			}
		}
		blanks = 0
		lines, kept = append(lines, here), append(kept, line)
	}
	if blanks > 0 && value != "" && (len(lines) > 0 || value != "\n") {
		lost = "trailing blank lines"
	}
	return lines, strings.Join(kept, "\n"), lost
}
