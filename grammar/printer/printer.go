// Package printer is the formatter. It writes the canonical text of a file
// from the source itself: every leaf is a slice of the text, comments and
// author's blank lines come along, and only layout, the order of properties
// and the optional quotes of values change. Nothing is rebuilt from values.
package printer

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"iterion/ast"
	"iterion/ast/source"
	"iterion/grammar/parser"
)

// width is the longest line, in code points, before a list or a `with` is cut.
const width = 100

// Format returns the canonical text of a file: LF, no byte order mark, one
// newline at the end. A file with a syntax problem gives a *SyntaxError, one
// that cannot be rewritten without a change of meaning an *UnsafeError, both
// without any text. The result is to be compared with the raw bytes of the
// file: source.Load has folded CRLF already.
func Format(src *source.File) ([]byte, error) { return Tree(parser.File(src)) }

// Tree is Format for a file that is parsed already.
func Tree(f *ast.File) ([]byte, error) {
	if problems := syntax(f); len(problems) > 0 {
		return nil, &SyntaxError{Source: f.Source, Problems: problems}
	}
	text := f.Source.Text
	p := printer{out: make([]byte, 0, len(text)+len(text)/64+16)}
	p.file(f)
	out := p.out
	if len(out) == len(text) && string(out) == text {
		return keepCR(out), nil
	}
	out = keepCR(out)
	after := parser.File(source.Load(f.Source.Name, out))
	if err := prove(f, after); err != nil {
		return nil, err
	}
	return out, nil
}

// keepCR doubles a carriage return that ends a line of text: the reader folds
// one of the two with the newline, and the text keeps the other.
func keepCR(out []byte) []byte {
	if bytes.IndexByte(out, '\r') < 0 {
		return out
	}
	return bytes.ReplaceAll(out, []byte("\r\n"), []byte("\r\r\n"))
}

// printer is the state of one file. The fields from text on are about the
// current declaration.
type printer struct {
	out   []byte
	line  int  // where the current line starts in out
	last  item // what was printed last at top level
	front bool // inside the frontmatter

	text     string
	nodes    []ast.Node
	comments []ast.Comment
	next     int    // the first comment not printed yet
	end      uint32 // behind what was printed last, in text
	blank    bool   // a blank line must come before the next line
	fresh    bool   // no blank line may come before the next line
}

func (p *printer) slice(n int) string { return p.text[p.nodes[n].Start:p.nodes[n].End] }

func (p *printer) write(s string) { p.out = append(p.out, s...) }

const spaces = "                                                                "

// indent starts a line at a level.
func (p *printer) indent(level int) {
	p.line = len(p.out)
	for n := 2 * level; n > 0; n -= len(spaces) {
		p.write(spaces[:min(n, len(spaces))])
	}
}

// gap writes the blank line that belongs before the line of source offset
// start, if any.
func (p *printer) gap(start uint32) {
	if p.blank || !p.fresh && blankLine(p.text[p.end:start]) {
		p.out = append(p.out, '\n')
	}
	p.blank, p.fresh = false, false
}

// newline ends a line whose code ends at source offset end, and puts the
// comment behind it that stood there.
func (p *printer) newline(end uint32) { p.newlineBefore(end, ^uint32(0)) }

// newlineBefore is newline for code that shares its line with further code,
// which starts at source offset limit.
func (p *printer) newlineBefore(end, limit uint32) {
	p.end = end
	if p.next < len(p.comments) {
		c := p.comments[p.next]
		if c.Trailing && c.Start >= end && c.Start < limit && strings.IndexByte(p.text[end:c.Start], '\n') < 0 {
			p.write("  ")
			p.comment(c)
		}
	}
	p.out = append(p.out, '\n')
}

// comment writes the next comment, which is c.
func (p *printer) comment(c ast.Comment) {
	p.out = appendComment(p.out, p.text[c.Start:c.End])
	p.end = c.End
	p.next++
}

// ownLine writes the next comment on a line of its own.
func (p *printer) ownLine(level int) {
	c := p.comments[p.next]
	p.gap(c.Start)
	p.indent(level)
	p.comment(c)
	p.out = append(p.out, '\n')
}

// before tells whether a comment is left that starts before an offset.
func (p *printer) before(offset uint32) bool {
	return p.next < len(p.comments) && p.comments[p.next].Start < offset
}

// leadStart returns the index of the first comment of the run that leads the
// code at offset start: no blank line parts them. Without one it is the index
// of the first comment behind start.
func (p *printer) leadStart(start uint32) int {
	lead := p.next
	for lead < len(p.comments) && p.comments[lead].Start < start {
		lead++
	}
	for at := start; lead > p.next && !blankLine(p.text[p.comments[lead-1].End:at]); lead-- {
		at = p.comments[lead-1].Start
	}
	return lead
}

// fits tells whether the current line keeps to the width.
func (p *printer) fits() bool {
	line := p.out[p.line:]
	if bytes.IndexByte(line, '\n') >= 0 {
		return false
	}
	return len(line) <= width || utf8.RuneCount(line) <= width
}

// blankLine tells whether a stretch between two things on different lines
// holds a blank line.
func blankLine(between string) bool {
	i := strings.IndexByte(between, '\n')
	return i >= 0 && strings.IndexByte(between[i+1:], '\n') >= 0
}

// column returns how many bytes stand before offset on its line.
func column(text string, offset uint32) int {
	return int(offset) - strings.LastIndexByte(text[:offset], '\n') - 1
}
