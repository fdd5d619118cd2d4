package render

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"

	"iterion/ast/source"
	"iterion/diagnostics"
	"iterion/diagnostics/shown"
)

const (
	window = 100 // columns of a source line that are shown
	lead   = 40  // columns kept before a range that starts beyond the window
	tab    = 4
	cut    = "…"
)

// drawing is a source line with its underline; the two rows are
// gutter+code and margin+indent+marks.
type drawing struct {
	gutter, code          string
	margin, indent, marks string
}

// cell is one code point as shown, with the columns it takes.
type cell struct {
	text  string
	width int
}

// draw shows the line a range starts on and underlines the range. A range
// that ends on a later line is underlined to the end of this one.
func draw(line string, r diagnostics.Range) drawing {
	if r.Start.Line == 1 {
		line = strings.TrimPrefix(line, source.BOM) // it counts no column
	}
	cells := cellsOf(line)
	from := min(max(r.Start.Column-1, 0), len(cells))
	to, tail := len(cells), " "+cut
	if r.End.Line <= r.Start.Line {
		to, tail = min(max(r.End.Column-1, from), len(cells)), ""
	}
	lo, hi := visible(cells, from)
	if to > hi {
		to, tail = hi, " "+cut
	}
	var d drawing
	d.gutter = fmt.Sprintf("%6d | ", r.Start.Line)
	d.margin = "       | "
	if lo > 0 {
		d.code, d.indent = cut, " "
	}
	for _, c := range cells[lo:hi] {
		d.code += c.text
	}
	if hi < len(cells) {
		d.code += cut
	}
	d.indent += strings.Repeat(" ", columns(cells[lo:from]))
	d.marks = strings.Repeat("^", max(1, columns(cells[from:to]))) + tail
	return d
}

// visible returns the cells to show: all when the line fits, else a window
// that holds the start of the range.
func visible(cells []cell, from int) (lo, hi int) {
	if columns(cells) <= window {
		return 0, len(cells)
	}
	if columns(cells[:from]) > window-lead {
		lo = from
		for used := 0; lo > 0 && used+cells[lo-1].width <= lead; lo-- {
			used += cells[lo-1].width
		}
	}
	hi = lo
	for used := 0; hi < len(cells) && used+cells[hi].width <= window; hi++ {
		used += cells[hi].width
	}
	return lo, hi
}

func cellsOf(line string) []cell {
	cells := make([]cell, 0, len(line))
	for i := 0; i < len(line); {
		r, n := utf8.DecodeRuneInString(line[i:])
		cells = append(cells, cellOf(r, line[i:i+n]))
		i += n
	}
	return cells
}

func cellOf(r rune, raw string) cell {
	switch {
	case r == '\t':
		return cell{strings.Repeat(" ", tab), tab}
	case shown.Broken(r, len(raw)) || shown.Hidden(r):
		s := shown.Spelled(r, raw)
		return cell{s, len(s)}
	case unicode.In(r, unicode.Mn, unicode.Me):
		return cell{raw, 0}
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return cell{raw, 2}
	}
	return cell{raw, 1}
}

func columns(cells []cell) int {
	n := 0
	for _, c := range cells {
		n += c.width
	}
	return n
}
