package migrate

import (
	"strings"

	"iterion/ast"
	"iterion/ast/source"
)

// Difference is a text of a profile 1 file that profile 2 reads otherwise: a
// quoted literal with backslashes, or a blank line between two lines of a
// prompt.
type Difference struct {
	source.Span     // in the declaration; of a blank line without its newline
	Node        int // the literal or the prompt's body
	Backslashes int // 0 for a blank line
}

// Differences lists them in order. strict tells that the file's literals decode
// escapes already.
func Differences(d *ast.Declaration, strict bool) []Difference {
	var list []Difference
	for i := range d.Nodes {
		switch n := &d.Nodes[i]; n.Kind {
		case ast.String, ast.Key:
			if text := d.Slice(i); !strict && strings.HasPrefix(text, `"`) && strings.Contains(text, `\`) {
				list = append(list, Difference{n.Span(), i, strings.Count(text, `\`)})
			}
		case ast.Body:
			list = append(list, blanks(d, i)...)
		}
	}
	return list
}

// blanks lists the blank lines of a body that stand between two of its lines.
func blanks(d *ast.Declaration, body int) []Difference {
	var list, waiting []Difference
	at := d.Nodes[body].Start
	seen := false
	for line := range strings.Lines(d.Slice(body)) {
		text := strings.TrimSuffix(line, "\n")
		switch {
		case strings.Trim(text, " \t") != "":
			list, waiting, seen = append(list, waiting...), waiting[:0], true
		case seen:
			waiting = append(waiting, Difference{source.Span{Start: at, End: at + uint32(len(text))}, body, 0})
		}
		at += uint32(len(line))
	}
	return list
}
