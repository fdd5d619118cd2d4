package parser

import (
	"strings"

	"iterion/ast"
)

// Fence is the comment that opens and closes the frontmatter.
const Fence = "## ---"

// HeaderPlace returns where in a file's first declaration a `dsl:` line can be
// inserted: above its code, and above the comments that lead the code when
// others stand before them. Frontmatter and directives stay above.
func HeaderPlace(first *ast.Declaration) uint32 {
	root := first.Root().Start
	lead := root
	for i := len(first.Comments) - 1; i >= 0; i-- {
		c := first.Comments[i]
		if c.Start > root {
			continue
		}
		text := first.Text[c.Start:c.End]
		if strings.Count(first.Text[c.End:lead], "\n") > 1 && !openFence(first, i) {
			return lead // a blank line parts them
		}
		if text == Fence || Directive(text) != "" {
			break
		}
		lead = uint32(strings.LastIndexByte(first.Text[:c.Start], '\n') + 1)
	}
	return root
}

// openFence tells whether the frontmatter goes on behind comment i.
func openFence(first *ast.Declaration, i int) bool {
	fences := 0
	for _, c := range first.Comments[:i+1] {
		if first.Text[c.Start:c.End] == Fence {
			fences++
		}
	}
	return fences == 1
}
