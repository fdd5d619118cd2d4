package check

import (
	"iterion/ast"
	"iterion/ast/source"
	"iterion/diagnostics"
	"iterion/grammar/migrate"
	"iterion/grammar/parser"
	"iterion/ir/finding"
	"strconv"
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
			c.add("C144", all.Tree, all.At, "profile 2 would read this file otherwise: it has %s in quoted texts and %s in prompts",
				counted(all.Escapes, "backslash", "backslashes"), counted(all.Blanks, "blank line", "blank lines")).
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
	for _, x := range migrate.Differences(d, strict) {
		if p.Tree == nil {
			p.Tree, p.At = d, x.Span
		}
		if p.Escapes += x.Backslashes; x.Backslashes == 0 {
			p.Blanks++
		}
	}
	return p
}

func counted(n int, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + more
}
