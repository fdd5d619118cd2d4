package parser

import (
	"strconv"
	"strings"

	"iterion/ast"
	"iterion/ast/source"
	"iterion/diagnostics"
	"iterion/grammar/schema"
)

// resolve settles what needs the whole file: the profile and what depends on
// it, the order of the head, and blocks that may stand once.
func resolve(f *ast.File) {
	profile(f)
	if f.Stopped {
		return
	}
	head(f)
	f.Strict = strictEscape(f) || f.Profile >= 2
	for _, d := range f.Decls {
		byProfile(d, f)
	}
	blocks(f)
}

// byProfile reports what the file's profile refuses in a declaration.
func byProfile(d *ast.Declaration, f *ast.File) {
	if d.Escapes && f.Strict {
		escapes(d)
	}
	if d.Removed && f.Profile >= 2 {
		removed(d)
	}
}

// profile reads the `dsl:` line, which counts only as the first declaration.
func profile(f *ast.File) {
	if len(f.Decls) == 0 || f.Decls[0].Root().Kind != ast.Header {
		return
	}
	d := f.Decls[0]
	f.Header = true
	at := d.Root().Span()
	if c := 1; len(d.Nodes) > 1 {
		at = d.Nodes[c].Span()
		if n, err := strconv.Atoi(d.Slice(c)); err == nil && d.Nodes[c].Kind == ast.Int && (n == 1 || n == 2) {
			f.Profile = n
			return
		}
	}
	pr := ast.Problem{Code: "E040", Span: at, Message: "this build reads the profiles 1 and 2, not " + quote(d.Text[at.Start:at.End])}
	if len(d.Nodes) == 1 {
		pr.Message = "`dsl:` names no profile"
	}
	d.Problems = []ast.Problem{pr}
	d.Nodes[0].Flags |= ast.FlagTainted
	f.Decls, f.Bases, f.Stopped = f.Decls[:1], f.Bases[:1], true
}

// head checks where `dsl:` and the imports stand. The first thing that is
// neither closes the head.
func head(f *ast.File) {
	open := true
	var firstHeader source.Span
	for i, d := range f.Decls {
		switch d.Root().Kind {
		case ast.Header:
			if i == 0 {
				firstHeader = d.Root().Span().Shift(f.Bases[0])
				continue
			}
			pr := ast.Problem{Code: "E041", Span: d.Root().Span(), Message: "`dsl:` must be the first line of code"}
			if f.Header {
				pr.Message = "`dsl:` stands twice"
				at := unshift(firstHeader, f.Bases[i])
				pr.Related, pr.Label = &at, "first written here"
				f.Across = true
			}
			d.Problems = append(d.Problems, pr)
			d.Nodes[0].Flags |= ast.FlagTainted
		case ast.Import:
			importPath(d, open)
		default:
			open = false
		}
	}
}

// unshift gives file offsets in the coordinates of the declaration at base;
// what stands before it wraps around, and adding base undoes that.
func unshift(s source.Span, base uint32) source.Span {
	return source.Span{Start: s.Start - base, End: s.End - base}
}

// importPath checks an import's place and the shape of its path.
func importPath(d *ast.Declaration, open bool) {
	if len(d.Problems) > 0 {
		return
	}
	if !open {
		d.Problems = append(d.Problems, ast.Problem{Code: "E044", Span: d.Root().Span(), Message: "an import stands below a declaration"})
	} else if path := ImportPath(d); !validImport(path) {
		d.Problems = append(d.Problems, ast.Problem{Code: "E045", Span: d.Nodes[1].Span(), Message: "this is no relative `.bot` path: " + quote(path)})
	} else {
		return
	}
	d.Nodes[0].Flags |= ast.FlagTainted
}

// ImportPath returns the path an import names, as written.
func ImportPath(d *ast.Declaration) string {
	if len(d.Nodes) < 2 || d.Nodes[1].Kind != ast.String {
		return ""
	}
	s := d.Slice(1)
	return s[1 : len(s)-1]
}

func validImport(path string) bool {
	if !strings.HasSuffix(path, ".bot") || strings.ContainsAny(path, "\\\x00:") {
		return false
	}
	for _, part := range strings.Split(path, "/") {
		if part == "" || part == "." || part == ".." || part == ".bot" {
			return false
		}
	}
	return true
}

// Directive is the text of a strict-escape comment, or "".
func Directive(comment string) string {
	text := strings.TrimPrefix(comment, "#")
	text = strings.TrimSpace(strings.TrimPrefix(text, "#"))
	switch text {
	case "strict-escape: on", "strict-escape:on", "strict-escape = on":
		return text
	}
	return ""
}

// strictEscape looks for the directive among the first 31 lines, above the
// first line of code; profile 2 refuses it.
func strictEscape(f *ast.File) bool {
	if len(f.Decls) == 0 {
		return false
	}
	found := false
	for i, d := range f.Decls {
		for _, c := range d.Comments {
			at := source.Span{Start: c.Start, End: c.End}.Shift(f.Bases[i])
			if c.Start > d.Root().Start || Directive(d.Text[c.Start:c.End]) == "" || !inHead(f.Source.Text, at) {
				continue
			}
			found = true
			if f.Profile >= 2 {
				f.Problems = append(f.Problems, ast.Problem{Code: "E042", Span: at,
					Message: "profile 2 decodes escapes already; it has no strict-escape directive",
					Fix:     &ast.Fix{ID: diagnostics.DropDirective, Edit: source.Edit{Span: lineOf(f.Source.Text, at)}}})
			}
		}
		if f.Profile == 1 || d.Root().Kind != ast.Header {
			break
		}
	}
	return found
}

// lineOf is the whole line of a comment, its newline included.
func lineOf(text string, at source.Span) source.Span {
	at.Start = uint32(strings.LastIndexByte(text[:at.Start], '\n') + 1)
	if strings.HasPrefix(text[at.End:], "\n") {
		at.End++
	}
	return at
}

// inHead tells whether a comment stands on one of the first 31 lines; the
// 32nd counts when it is the last.
func inHead(text string, c source.Span) bool {
	line := strings.Count(text[:c.Start], "\n") + 1
	return line <= 31 || line == 32 && strings.TrimRight(text[c.End:], "\n") == ""
}

// escapes reports the backslash pairs that a decoding string does not know;
// one report a literal.
func escapes(d *ast.Declaration) {
	for i := range d.Nodes {
		n := &d.Nodes[i]
		if n.Flags&ast.FlagEscape == 0 && n.Flags&ast.FlagQuoted == 0 {
			continue
		}
		text := d.Text[n.Start:n.End]
		for j := 0; j+1 < len(text); j++ {
			if text[j] != '\\' {
				continue
			}
			if strings.IndexByte(`"\ntr0`, text[j+1]) < 0 {
				at := source.Span{Start: n.Start + uint32(j), End: n.Start + uint32(j) + pairWidth(text[j:])}
				d.Problems = append(d.Problems, ast.Problem{Code: "E005", Span: at, Message: "unknown escape " + quote(d.Text[at.Start:at.End])})
				taint(d, i)
				break
			}
			j++
		}
	}
}

// pairWidth is the length in bytes of a backslash and the character behind it.
func pairWidth(s string) uint32 {
	for i := range s {
		if i > 1 {
			return uint32(i)
		}
	}
	return uint32(len(s))
}

// removed reports properties that the file's profile no longer has.
func removed(d *ast.Declaration) {
	for _, i := range Removed(d) {
		d.Problems = append(d.Problems, ast.Problem{Code: "E043", Span: d.Nodes[i].Span(), Message: "`project_root` is gone from profile 2"})
		taint(d, i)
	}
}

// Removed lists the keys of properties that profile 2 no longer has.
func Removed(d *ast.Declaration) []int {
	var keys []int
	for i := range d.Nodes {
		if d.Removed && d.Nodes[i].Kind == ast.Key && d.Slice(i) == "project_root" && d.Nodes[i-1].Kind == ast.Prop {
			keys = append(keys, i)
		}
	}
	return keys
}

// taint marks every node that encloses node i.
func taint(d *ast.Declaration, i int) {
	for j := 0; j <= i; j++ {
		if int(d.Nodes[j].Next) > i {
			d.Nodes[j].Flags |= ast.FlagTainted
		}
	}
}

// blocks reports a second vars, presets, attachments or secrets block.
func blocks(f *ast.File) {
	first := map[string]source.Span{}
	for i, d := range f.Decls {
		if d.Root().Kind != ast.Decl || len(d.Nodes) > 1 && d.Nodes[1].Kind == ast.Ident {
			continue // it has a name
		}
		word := d.Keyword()
		if kind := schema.Lookup(word); kind == nil || kind.Named {
			continue
		}
		at := source.Span{Start: d.Root().Start, End: d.Root().Start + uint32(len(word))}
		if s, twice := first[word]; twice {
			to := unshift(s, f.Bases[i])
			d.Problems = append(d.Problems, ast.Problem{Code: "E014", Span: at, Message: "a second `" + word + ":` block in this file", Related: &to, Label: "first block here"})
			d.Nodes[0].Flags |= ast.FlagTainted
			f.Across = true
			continue
		}
		first[word] = at.Shift(f.Bases[i])
	}
}
