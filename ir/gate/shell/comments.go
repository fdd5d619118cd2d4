package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A comment ends at its line for bash, whatever it ends with. The parser takes
// a backslash before the newline for one that joins the lines, and so reads the
// command on the next line as words of the one before the comment.

// joinsComment tells whether a text holds such a comment.
func joinsComment(src string, file *syntax.File) bool {
	if !strings.Contains(src, "\\\n") || !strings.Contains(src, "#") {
		return false
	}
	backquotes := strings.Contains(src, "`") // in them places are not those of the text
	for i, left := 0, maxSuspects; i < len(src); i++ {
		if src[i] != '#' || i > 0 && strings.IndexByte(" \t\n;&|()<>`", src[i-1]) < 0 {
			continue
		}
		line, _, more := strings.Cut(src[i:], "\n")
		if more && strings.HasSuffix(line, "\\") && (backquotes || !covered(uint(i), file)) {
			return true
		}
		if left--; left == 0 {
			return true
		}
	}
	return false
}

const maxSuspects = 64

// covered tells whether a place is inside of a word, and so in no comment.
func covered(offset uint, file *syntax.File) (found bool) {
	syntax.Walk(file, func(n syntax.Node) bool {
		if n == nil || found {
			return false
		}
		switch n.(type) {
		case *syntax.Lit, *syntax.SglQuoted, *syntax.ParamExp, *syntax.ExtGlob:
			found = n.Pos().Offset() <= offset && offset < n.End().Offset()
		}
		return !found
	})
	return found
}
