package check

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// shellText is what a scan of a shell text found.
type shellText struct {
	text     string
	regions  []region // in the order of their starts; nested ones follow the outer
	noise    []region // words that are nothing but the quoted list of paths
	heredocs []heredoc
	depth    int
	tick     bool // inside of backticks
}

// maxShellDepth is how deep substitutions may nest; deeper ones are plain text.
const maxShellDepth = 100

// region is a part of a shell text that is read in its own way.
type region struct {
	kind       regionKind
	start, end int
}

type regionKind uint8

const (
	plainRegion regionKind = iota
	singleQuotes
	doubleQuotes
	hereText
	commentText
	substitution // `$(…)`, `${…}`
	arithmetic
)

func (r region) quote() bool { return r.kind == singleQuotes || r.kind == doubleQuotes }

type heredoc struct {
	word string
	tabs bool // `<<-`: its lines may begin with tabs
}

// around returns the innermost region of each offset; offsets are in order.
func (s *shellText) around(offsets []int) []region {
	list := make([]region, len(offsets))
	var stack []region
	next := 0
	for i, offset := range offsets {
		for ; next < len(s.regions) && s.regions[next].start <= offset; next++ {
			stack = append(leave(stack, s.regions[next].start), s.regions[next])
		}
		if stack = leave(stack, offset); len(stack) > 0 && stack[len(stack)-1].kind != substitution {
			list[i] = stack[len(stack)-1]
		}
	}
	return list
}

// leave drops the regions that end before an offset.
func leave(stack []region, offset int) []region {
	for len(stack) > 0 && stack[len(stack)-1].end <= offset {
		stack = stack[:len(stack)-1]
	}
	return stack
}

// scanShell reads a shell text. What is never closed is no region.
func scanShell(text string) *shellText {
	s := &shellText{text: text, regions: make([]region, 0, 16)}
	s.commands(0, 0)
	return s
}

// open notes a region that ends where read says; -1 says never.
func (s *shellText) open(kind regionKind, start int, read func(int) int, from int) int {
	if s.depth == maxShellDepth {
		return from
	}
	s.depth++
	defer func() { s.depth-- }()
	i := len(s.regions)
	s.regions = append(s.regions, region{kind: kind, start: start})
	end := read(from)
	if end < 0 {
		s.regions = slices.Delete(s.regions, i, i+1)
		return len(s.text)
	}
	s.regions[i].end = end
	return end
}

// single reads a text in single quotes from behind the first one.
func (s *shellText) single(at int) int {
	if end := strings.IndexByte(s.text[at:], '\''); end >= 0 {
		return at + end + 1
	}
	return -1
}

// double reads a text in double quotes from behind the first one.
func (s *shellText) double(at int) int {
	for at < len(s.text) {
		switch s.text[at] {
		case '"':
			return at + 1
		case '\\':
			at += 2
		case '$', '`':
			at = s.expansion(at)
		default:
			at++
		}
	}
	return -1
}

// expansion reads what stands for something else at a dollar or a backtick,
// or that one byte.
func (s *shellText) expansion(at int) int {
	rest := s.text[at:]
	switch {
	case strings.HasPrefix(rest, "$(("):
		return s.open(arithmetic, at, s.sums, at+3)
	case strings.HasPrefix(rest, "$("):
		return s.open(substitution, at, func(i int) int { return s.commands(i, ')') }, at+2)
	case strings.HasPrefix(rest, "${"):
		return s.open(substitution, at, s.parameter, at+2)
	case rest[0] == '`' && !s.tick:
		return s.open(substitution, at, s.ticks, at+1)
	}
	return at + 1
}

// ticks reads a command in backticks.
func (s *shellText) ticks(at int) int {
	s.tick = true
	defer func() { s.tick = false }()
	return s.commands(at, '`')
}

// sums reads an arithmetic expression up to its `))`.
func (s *shellText) sums(at int) int {
	if end := strings.Index(s.text[at:], "))"); end >= 0 {
		return at + end + 2
	}
	return -1
}

// parameter reads a `${…}` up to its brace.
func (s *shellText) parameter(at int) int {
	for at < len(s.text) {
		switch s.text[at] {
		case '}':
			return at + 1
		case '\\':
			at += 2
		case '"':
			at = s.open(doubleQuotes, at, s.double, at+1)
		case '\'':
			at = s.open(singleQuotes, at, s.single, at+1)
		case '$', '`':
			at = s.expansion(at)
		default:
			at++
		}
	}
	return -1
}

// bodies skips the texts of the heredocs that the line before began.
func (s *shellText) bodies(at int) int {
	for _, h := range s.heredocs {
		start := at
		for at < len(s.text) {
			line, _, _ := strings.Cut(s.text[at:], "\n")
			at = min(at+len(line)+1, len(s.text))
			if h.tabs {
				line = strings.TrimLeft(line, "\t")
			}
			if line == h.word {
				break
			}
		}
		s.regions = append(s.regions, region{hereText, start, at})
	}
	s.heredocs = nil
	return at
}

var heredocForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^<<(-?)[ \t]*(?:'([^'\n]+)'|"([^"\n]+)"|\\?([A-Za-z0-9_]+))`)
})

// heredoc notes a heredoc that begins here and returns where its word ends.
func (s *shellText) heredoc(at int) (end int, ok bool) {
	m := heredocForm().FindStringSubmatch(s.text[at:])
	if m == nil {
		return at, false
	}
	s.heredocs = append(s.heredocs, heredoc{word: m[2] + m[3] + m[4], tabs: m[1] != ""})
	return at + len(m[0]), true
}
