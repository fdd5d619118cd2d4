// Package template finds the `{{…}}` references in a text: prompt bodies,
// commands, data mappings and every other value that may hold them. It knows
// their form and which namespaces exist; what they point to is for others.
package template

import (
	"strings"

	"iterion/ast/source"
	"iterion/grammar/slab"
)

// Open and Close delimit a reference.
const (
	Open  = "{{"
	Close = "}}"
)

// Ref is one well-formed `{{…}}` in a text. Offsets count bytes from the
// start of the text given to Parse. Exactly one of three forms is set: a
// reference (Namespace and Path), an include (Include), or Literal.
type Ref struct {
	Span      source.Span // the whole `{{…}}`
	PathSpan  source.Span // `ns.seg.seg` without braces, mark and white space; an include's path inside its quotes
	Raw       bool        // `{{!ns.seg}}`
	Literal   bool        // `{{"{{"}}`, which writes two opening braces
	Include   string      // the path of `{{include "…"}}`
	Namespace string
	Path      []string // the segments behind the namespace, at least one
}

// Error is a `{{` that opens no well-formed reference.
type Error struct {
	Span    source.Span
	Message string // one sentence without a capital: what is wrong and what is accepted
}

// SegmentSpan is the place of one segment of a reference: 0 is the namespace,
// i its Path[i-1].
func (r Ref) SegmentSpan(i int) source.Span {
	if i == 0 {
		return source.Span{Start: r.PathSpan.Start, End: r.PathSpan.Start + uint32(len(r.Namespace))}
	}
	start := r.PathSpan.Start + uint32(len(r.Namespace)) + 1
	for _, seg := range r.Path[:i-1] {
		start += uint32(len(seg)) + 1
	}
	return source.Span{Start: start, End: start + uint32(len(r.Path[i-1]))}
}

// Has tells whether text may hold a reference.
func Has(text string) bool { return index(text, '{') >= 0 }

// index is the offset of the first pair of a byte, -1 for none. Single ones are
// rare, so this beats a search for a text of two bytes.
func index(text string, c byte) int {
	for at := 0; ; at++ {
		i := strings.IndexByte(text[at:], c)
		if at += i; i < 0 || at+1 == len(text) {
			return -1
		}
		if text[at+1] == c {
			return at
		}
	}
}

// Whole returns the reference when text is exactly one, as in `{{vars.x}}`:
// such a text stands for the value itself and not for its spelling.
func Whole(text string, refs []Ref) (Ref, bool) {
	if len(refs) != 1 || refs[0].Namespace == "" || int(refs[0].Span.End-refs[0].Span.Start) != len(text) {
		return Ref{}, false
	}
	return refs[0], true
}

// Parse finds all references of a text, in order. A faulty one is reported
// and stays text; those behind it are found all the same. All strings of the
// result are slices of text.
func Parse(text string) (refs []Ref, errs []Error) {
	at := index(text, '{')
	if at < 0 {
		return nil, nil
	}
	r := NewReader(text[at:])
	return r.Parse(text)
}

// Reader parses several texts that live as long as each other: what it finds
// shares memory.
type Reader struct {
	refs     slab.Run[Ref]
	segments slab.Run[string]
}

// NewReader returns a reader with room for the references of a text, which
// may be a whole file around those that will be parsed.
func NewReader(text string) Reader {
	most := strings.Count(text, Open)
	return Reader{refs: slab.Run[Ref]{Step: most}, segments: slab.Run[string]{Step: 2 * most}}
}

// Parse is the function of that name.
func (r *Reader) Parse(text string) (refs []Ref, errs []Error) {
	at := index(text, '{')
	if at < 0 {
		return nil, nil
	}
	s := scanner{Reader: *r, text: text, closing: -1, nested: -1}
	for at >= 0 {
		next := s.ref(at)
		if next < 0 {
			break
		}
		if at = index(text[next:], '{'); at >= 0 {
			at += next
		}
	}
	refs, *r = s.refs.Cut(), s.Reader
	return refs, s.errs
}

type scanner struct {
	Reader
	text    string
	nested  int // where a `{{` stands inside a faulty one, -1 for nowhere
	closing int // where a `}}` was found last; kept so that many `{{` cost one search
	errs    []Error
}

// ref reads the `{{` at offset open. It returns where to go on, or -1 when
// nothing closes any more.
func (s *scanner) ref(open int) int {
	body := s.skipSpace(open + len(Open))
	if next, ok := s.quoted(open, body); ok {
		return next
	}
	end := s.closeAfter(open + len(Open))
	if end < 0 {
		s.fail(open, lineEnd(s.text, open), "{{ is not closed: write }} behind the reference, or {{\"{{\"}} for two braces")
		return -1
	}
	if inner := index(s.text[open+len(Open):end], '{'); inner >= 0 {
		inner += open + len(Open)
		s.fail(open, inner, "{{ is not closed before the next {{ opens: references do not nest")
		s.nested = inner
		return inner
	}
	s.reference(open, end)
	return end + len(Close)
}

// quoted reads the two forms that hold a quoted text, which may contain
// braces: the literal braces and the include.
func (s *scanner) quoted(open, body int) (next int, ok bool) {
	quote, isInclude := body, strings.HasPrefix(s.text[body:], "include")
	if isInclude {
		quote = s.skipSpace(body + len("include"))
	}
	if !strings.HasPrefix(s.text[quote:], `"`) {
		return 0, false
	}
	length := strings.IndexAny(s.text[quote+1:], "\"\n")
	if length < 0 || s.text[quote+1+length] != '"' {
		return 0, false
	}
	value := s.text[quote+1 : quote+1+length]
	end := s.skipSpace(quote + length + 2)
	if !strings.HasPrefix(s.text[end:], Close) || value == "" || !isInclude && value != Open {
		return 0, false
	}
	end += len(Close)
	ref := Ref{Span: span(open, end), PathSpan: span(quote+1, quote+1+length)}
	if isInclude {
		ref.Include = value
	} else {
		ref.Literal = true
	}
	s.refs.Add(ref)
	return end, true
}

// reference reads `[!] ns.seg…` between the braces; end is the offset of `}}`.
func (s *scanner) reference(open, end int) {
	start := s.skipSpace(open + len(Open))
	ref := Ref{Span: span(open, end+len(Close)), Raw: start < end && s.text[start] == '!'}
	if ref.Raw {
		start = s.skipSpace(start + 1)
	}
	stop := end
	for stop > start && isSpace(s.text[stop-1]) {
		stop--
	}
	path := s.text[start:stop]
	ref.PathSpan = span(start, stop)
	var ok bool
	if ref.Namespace, ref.Path, ok = s.split(path); !ok {
		s.fail(open, end+len(Close), judge(path))
		return
	}
	s.refs.Add(ref)
}

// split cuts a path at its dots. It is not ok when judge has something to say.
func (s *scanner) split(path string) (namespace string, segments []string, ok bool) {
	namespace, rest, ok := strings.Cut(path, ".")
	ok = ok && indexOf(namespace) >= 0
	from := 0
	for i := range len(rest) {
		switch rest[i] {
		case '{', '}':
			ok = false
		case '.':
			ok = ok && i > from
			s.segments.Add(rest[from:i])
			from = i + 1
		}
	}
	s.segments.Add(rest[from:])
	return namespace, s.segments.Cut(), ok && from < len(rest)
}

// judge says what is wrong with the inside of a reference.
func judge(path string) string {
	namespace, rest, dotted := strings.Cut(path, ".")
	switch {
	case path == "":
		return "the reference is empty: write {{namespace.name}}, where the namespace is " + namespaceList
	case strings.HasPrefix(path, "include"+"\"") || strings.HasPrefix(path, "include "):
		return "an include needs a path in double quotes: {{include \"file.md\"}}"
	case strings.HasPrefix(path, `"`):
		return "only two opening braces may be quoted: {{\"{{\"}}"
	case !dotted && indexOf(path) >= 0:
		return path + " alone is no reference: add the name to read, as in {{" + path + ".name}}"
	case !dotted:
		return path + " has no namespace: write {{namespace." + path + "}}, where the namespace is " + namespaceList
	case namespace == "":
		return "the namespace is missing before the dot: use " + namespaceList
	case indexOf(namespace) < 0:
		return namespace + " is no namespace: use " + namespaceList
	case strings.ContainsAny(rest, "{}"):
		return "a name in a reference may not hold a brace"
	case strings.HasPrefix(rest, ".") || strings.HasSuffix(rest, ".") || rest == "" || strings.Contains(rest, ".."):
		return "a name is missing at a dot in " + path
	}
	return ""
}

// closeAfter is the offset of the first `}}` at or behind from, -1 for none.
func (s *scanner) closeAfter(from int) int {
	if s.closing < from {
		i := index(s.text[from:], '}')
		if i < 0 {
			return -1
		}
		s.closing = from + i
	}
	return s.closing
}

// fail reports a faulty `{{`. One that stands inside a faulty one is part of
// the same mistake.
func (s *scanner) fail(start, end int, message string) {
	if start == s.nested {
		return
	}
	s.errs = append(s.errs, Error{span(start, end), message})
}

func (s *scanner) skipSpace(pos int) int {
	for pos < len(s.text) && isSpace(s.text[pos]) {
		pos++
	}
	return pos
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

func lineEnd(text string, from int) int {
	if i := strings.IndexByte(text[from:], '\n'); i >= 0 {
		return from + i
	}
	return len(text)
}

func span(start, end int) source.Span { return source.Span{Start: uint32(start), End: uint32(end)} }
