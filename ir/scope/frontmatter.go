package scope

import (
	"slices"
	"strings"

	"iterion/ast"
	"iterion/ast/source"
)

// Frontmatter returns the YAML text of the main file's frontmatter, or "": the
// comment lines between its fences, without their hashes.
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
	head := f.Tail
	if len(f.Decls) > 0 {
		head = f.Decls[0].Head()
	}
	text := f.Source.Text
	head = head[:ast.Frontmatter(text, head)]
	return slices.DeleteFunc(slices.Clone(head), func(c ast.Comment) bool { return text[c.Start:c.End] == ast.Fence })
}
