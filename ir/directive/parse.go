// Package directive reads `lint:` comments, with which an author allows a
// warning at one place, and holds findings against them.
package directive

import (
	"fmt"
	"strings"

	"iterion/ast/source"
)

// most is how many codes one comment may name: there are not many more.
const most = 200

// form is what a comment says, with spans in the comment.
type form struct {
	file   bool
	names  []source.Span
	reason string
	fault  string // what keeps it from being a directive; then it names nothing
}

// Is tells whether a comment, its hashes included, is written as a directive.
// A rule of three or more hashes is none.
func Is(comment string) bool {
	return strings.HasPrefix(comment[words(comment):], mark)
}

const (
	mark   = "lint:"
	blanks = " \t"
)

// words is the offset of a comment's text behind one or two hashes and blanks.
func words(comment string) int {
	text := strings.TrimPrefix(strings.TrimPrefix(comment, "#"), "#")
	return len(comment) - len(strings.TrimLeft(text, blanks))
}

// parse reads a comment for which Is holds:
// `# lint: allow CODE, CODE -- reason`.
func parse(comment string) form {
	at := skip(comment, words(comment)+len(mark))
	end := at + len(word(comment[at:]))
	f := form{}
	switch verb := comment[at:end]; verb {
	case "allow":
	case "allow-file":
		f.file = true
	default:
		f.fault = fmt.Sprintf("`%s` is no directive", strings.TrimSpace(mark+" "+verb))
		return f
	}
	var codes string
	codes, f.reason = split(comment[end:])
	f.names = items(codes, end)
	if len(f.names) > most {
		f.names, f.fault = nil, fmt.Sprintf("a directive names at most %d codes", most)
	}
	return f
}

// split parts the codes from the reason, which stands behind ` -- `.
func split(text string) (codes, reason string) {
	for i := 0; ; {
		n := strings.Index(text[i:], "--")
		if n < 0 {
			return text, ""
		}
		i += n
		before, behind := text[:i], text[i+2:]
		if skip(before, i-1) == i && (behind == "" || skip(behind, 0) > 0) {
			return before, strings.Trim(behind, blanks)
		}
		i += 2
	}
}

// items are the places of what stands between commas; base is where the text
// begins in the comment. Nothing between two commas is nothing.
func items(text string, base int) []source.Span {
	var list []source.Span
	for item := range strings.SplitSeq(text, ",") {
		start := skip(item, 0)
		if end := start + len(strings.Trim(item, blanks)); end > start {
			list = append(list, source.Span{Start: uint32(base + start), End: uint32(base + end)})
		}
		base += len(item) + 1
	}
	return list
}

// skip moves an offset over blanks.
func skip(s string, i int) int { return len(s) - len(strings.TrimLeft(s[i:], blanks)) }

// word is what stands before the first blank.
func word(s string) string {
	if i := strings.IndexAny(s, blanks); i >= 0 {
		return s[:i]
	}
	return s
}
