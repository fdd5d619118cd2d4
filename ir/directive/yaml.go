package directive

import (
	"regexp"
	"strings"
	"sync"

	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/token"

	"iterion/ast"
)

// YAML reads the directives of a manifest, or of the frontmatter of a skill
// without its fences. On a line of its own one covers the next key with its
// value, or the next item of a list; at the end of a line that line; among the
// comments above the first key `allow-file` covers all of it.
func YAML(text string, at Place) []Directive {
	if !strings.Contains(text, mark) {
		return nil
	}
	comments := yamlComments(text)
	// What parts documents is no key.
	text = fences().ReplaceAllStringFunc(text, func(s string) string { return strings.Repeat("#", len(s)) })
	r := reader{text: text, at: at, extent: func(start, end int) int { return yamlExtent(text, start, end) }}
	first := firstCode(text)
	for _, c := range comments {
		if int(c.Start) < first {
			r.leading = append(r.leading, c)
		}
	}
	return r.read(comments)
}

var fences = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^---(?:[ \t]|$)|^%.*$`) })

// yamlComments finds the comments. The places of tokens that are no comments
// are not to be relied on.
func yamlComments(text string) (list []ast.Comment) {
	line, start := 1, 0
	for _, t := range lexer.Tokenize(text) {
		if t.Type != token.CommentType {
			continue
		}
		for ; line < t.Position.Line && start < len(text); line++ {
			start = min(lineEnd(text, start)+1, len(text))
		}
		row := text[start:lineEnd(text, start)]
		if i := strings.LastIndex(row, "#"+t.Value); i >= 0 {
			end := len(strings.TrimRight(row, blanks))
			list = append(list, ast.Comment{Start: uint32(start + i), End: uint32(start + end)})
		}
	}
	return list
}

func firstCode(text string) int {
	if i := skip(text, 0); i < len(text) && text[i] != '\n' && text[i] != '#' {
		return i
	}
	return nextCode(text, 0)
}

// yamlExtent is the end of a key's value, or of a list's item: the last line
// that is deeper than its first. The items of a list may stand right below
// their key.
func yamlExtent(text string, start, end int) int {
	column, item := columnOf(text, start), isItem(text[start:])
	for next := nextCode(text, end); next < len(text); next = nextCode(text, end) {
		at := columnOf(text, next)
		if at < column || at == column && (item || !isItem(text[next:])) {
			break
		}
		end = lineEnd(text, next)
	}
	return end
}

func columnOf(text string, i int) int { return i - strings.LastIndexByte(text[:i], '\n') - 1 }

func isItem(s string) bool {
	return s[0] == '-' && (len(s) == 1 || s[1] == '\n' || skip(s, 1) > 1)
}
