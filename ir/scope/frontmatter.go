package scope

import (
	"slices"
	"strings"

	"iterion/ast"
	"iterion/ast/source"
	"iterion/grammar/parser"
)

// Frontmatter returns the YAML text of the main file's frontmatter, or "". It
// is the comment lines between the fences when the first comment of the file
// is one; without a closing fence it runs to the end of the head comments.
func (s *Scope) Frontmatter() string {
	var b strings.Builder
	text := s.Units[0].File.Source.Text
	for _, c := range s.frontmatter() {
		b.WriteString(strings.TrimPrefix(strings.TrimLeft(text[c.Start:c.End], "#"), " "))
		b.WriteByte('\n')
	}
	return b.String()
}

// FrontmatterLine is the place of a line of the frontmatter's text, from 1.
func (s *Scope) FrontmatterLine(line int) (*ast.Declaration, source.Span) {
	comments := s.frontmatter()
	f := s.Units[0].File
	if line < 1 || line > len(comments) || len(f.Decls) == 0 {
		return nil, source.Span{}
	}
	c := comments[line-1]
	return f.Decls[0], source.Span{Start: c.Start, End: c.End}
}

// frontmatter lists the comments between the fences.
func (s *Scope) frontmatter() []ast.Comment {
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
		return nil
	}
	comments = comments[1:]
	if end := slices.IndexFunc(comments, func(c ast.Comment) bool { return text[c.Start:c.End] == parser.Fence }); end >= 0 {
		comments = comments[:end]
	}
	return comments
}
