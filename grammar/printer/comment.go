package printer

import (
	"strings"

	"iterion/grammar/parser"
)

// appendComment writes a comment as `## text`. Comments that mean something
// as they stand are not touched: fences, directives, rules of three or more
// hashes, empty lines.
func appendComment(out []byte, c string) []byte {
	if verbatim(c) {
		return append(out, c...)
	}
	text := strings.TrimPrefix(c[1:], "#")
	if text[0] != ' ' {
		out = append(out, "## "...)
	} else {
		out = append(out, "##"...)
	}
	return append(out, text...)
}

func verbatim(c string) bool {
	if len(c) > 3 && c[1] == '#' && c[2] == ' ' {
		return true // canonical already
	}
	text := strings.TrimLeft(c, "#")
	if hashes := len(c) - len(text); hashes > 2 || text == "" {
		return true
	}
	text = strings.TrimSpace(text)
	return text == "---" || strings.HasPrefix(text, "lint:") || parser.Directive(c) != ""
}
