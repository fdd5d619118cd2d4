package ast

// Fence is the comment that opens and closes the frontmatter.
const Fence = "## ---"

// Frontmatter returns how many of the comments above a file's first line of
// code are its frontmatter, the fences included: those from a fence that is
// the very first to the next one or, without one, to the last. The comments'
// offsets count in text.
func Frontmatter(text string, head []Comment) int {
	if len(head) == 0 || !isFence(text, head[0]) {
		return 0
	}
	for i, c := range head[1:] {
		if isFence(text, c) {
			return i + 2
		}
	}
	return len(head)
}

func isFence(text string, c Comment) bool { return text[c.Start:c.End] == Fence }

// Head returns the comments of a declaration that stand above its first line
// of code.
func (d *Declaration) Head() []Comment {
	for i, c := range d.Comments {
		if c.Start > d.Root().Start {
			return d.Comments[:i]
		}
	}
	return d.Comments
}
