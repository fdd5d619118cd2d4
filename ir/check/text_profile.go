package check

import (
	"strings"

	"iterion/ast"
	"iterion/ast/source"
	"iterion/diagnostics"
	"iterion/grammar/parser"
	"iterion/ir/finding"
)

// checkProfile: C144, once for each file without a header that profile 2 would
// read otherwise, at the first such place.
func checkProfile(c *Context) {
	for _, u := range c.Units {
		if u.File.Header {
			continue
		}
		var all ProfileUse
		for _, d := range u.File.Decls {
			all = all.and(profileUse(d, u.File.Strict))
		}
		if all.Tree != nil {
			c.add("C144", all.Tree, all.At, "profile 2 would read this file otherwise: it has %d backslashes in quoted texts and %d blank lines in prompts",
				all.Escapes, all.Blanks).
				Fix(diagnostics.PinProfile1, pin(u.File.Decls[0])).Fix(diagnostics.MigrateProfile2)
		}
	}
}

// pin writes the header that keeps the reading of a file.
func pin(first *ast.Declaration) finding.Edit {
	at := parser.HeaderPlace(first)
	return finding.Replace(first, source.Span{Start: at, End: at}, "dsl: 1\n\n")
}

// ProfileUse counts what profile 2 reads otherwise in a text.
type ProfileUse struct {
	Escapes int // backslashes in quoted literals
	Blanks  int // blank lines between two lines of a prompt
	Tree    *ast.Declaration
	At      source.Span // the first of either, in Tree
}

func (p ProfileUse) and(q ProfileUse) ProfileUse {
	if p.Tree == nil {
		p.Tree, p.At = q.Tree, q.At
	}
	p.Escapes += q.Escapes
	p.Blanks += q.Blanks
	return p
}

func (p *ProfileUse) meet(d *ast.Declaration, at source.Span) {
	if p.Tree == nil {
		p.Tree, p.At = d, at
	}
}

// SameProfileUse tells whether two versions of a declaration differ in nothing
// that C144 counts.
func SameProfileUse(a, b *ast.Declaration, strict bool) bool {
	x, y := profileUse(a, strict), profileUse(b, strict)
	return x.Escapes == y.Escapes && x.Blanks == y.Blanks
}

func profileUse(d *ast.Declaration, strict bool) ProfileUse {
	var p ProfileUse
	if d.Tainted(0) {
		return p
	}
	for i := range d.Nodes {
		switch n := &d.Nodes[i]; n.Kind {
		case ast.String, ast.Key:
			if text := d.Slice(i); !strict && strings.HasPrefix(text, `"`) && strings.Contains(text, `\`) {
				p.meet(d, n.Span())
				p.Escapes += strings.Count(text, `\`)
			}
		case ast.Body:
			p.blanks(d, i)
		}
	}
	return p
}

// blanks counts the blank lines of a body that stand between two of its lines.
func (p *ProfileUse) blanks(d *ast.Declaration, body int) {
	at := d.Nodes[body].Start
	seen, waiting := false, []source.Span(nil)
	for line := range strings.Lines(d.Slice(body)) {
		text := strings.TrimSuffix(line, "\n")
		switch {
		case strings.Trim(text, " \t") != "":
			if len(waiting) > 0 {
				p.meet(d, waiting[0])
				p.Blanks += len(waiting)
			}
			seen, waiting = true, waiting[:0]
		case seen:
			waiting = append(waiting, source.Span{Start: at, End: at + uint32(len(text))})
		}
		at += uint32(len(line))
	}
}
