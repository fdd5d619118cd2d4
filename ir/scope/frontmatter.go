package scope

import (
	"strings"

	"iterion/ast"
)

// Frontmatter returns the YAML text of the main file's frontmatter, or "": the
// comment lines between its fences, without their hashes.
func (s *Scope) Frontmatter() string {
	f := s.Units[0].File
	head := f.Tail
	if len(f.Decls) > 0 {
		head = f.Decls[0].Head()
	}
	text := f.Source.Text
	var b strings.Builder
	for _, c := range head[:ast.Frontmatter(text, head)] {
		if line := text[c.Start:c.End]; line != ast.Fence {
			b.WriteString(strings.TrimPrefix(strings.TrimLeft(line, "#"), " "))
			b.WriteByte('\n')
		}
	}
	return b.String()
}
