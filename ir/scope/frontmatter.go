package scope

import (
	"strings"

	"iterion/ast"
	"iterion/grammar/parser"
)

// Frontmatter returns the YAML text of the main file's frontmatter, or "". It
// is the comment lines between the fences when the first comment of the file
// is one; without a closing fence it runs to the end of the head comments.
func (s *Scope) Frontmatter() string {
	f := s.Units[0].File
	var comments []ast.Comment
	text := f.Source.Text
	if len(f.Decls) > 0 {
		for _, c := range f.Decls[0].Comments {
			if c.Start < f.Decls[0].Root().Start {
				comments = append(comments, c)
			}
		}
	} else {
		comments = f.Tail
	}
	if len(comments) == 0 || text[comments[0].Start:comments[0].End] != parser.Fence {
		return ""
	}
	var b strings.Builder
	for _, c := range comments[1:] {
		line := text[c.Start:c.End]
		if line == parser.Fence {
			break
		}
		b.WriteString(strings.TrimPrefix(strings.TrimLeft(line, "#"), " "))
		b.WriteByte('\n')
	}
	return b.String()
}
