package expr

import "strings"

// maxEnvDepth is how deep `${…}` may nest; deeper text stays as written.
const maxEnvDepth = 32

// EnvRef is one reference to the environment.
type EnvRef struct {
	Name       string // what stands before `:-`, as written
	HasDefault bool   // `${NAME:-…}`
	Computed   bool   // the name itself holds references
}

// ExpandEnv replaces `${NAME}`, `${NAME:-default}` and `$NAME` by what lookup
// finds. The default, expanded itself, stands in for a variable that is unset or
// empty; without one, an unset variable is empty text. `:-` is the only
// operator: anything else before it or the brace is the name. A `$` that opens
// none of these is text. What lookup gives is not expanded again.
func ExpandEnv(text string, lookup func(string) (string, bool)) string {
	return newEnvText(text, true).expand(lookup)
}

// ExpandBraced is ExpandEnv without the bare `$NAME`, for texts in which a
// dollar is common.
func ExpandBraced(text string, lookup func(string) (string, bool)) string {
	return newEnvText(text, false).expand(lookup)
}

// EnvRefs lists the references that ExpandEnv would replace, outer ones before
// those inside them.
func EnvRefs(text string) []EnvRef {
	if strings.IndexByte(text, '$') < 0 {
		return nil
	}
	e := newEnvText(text, true)
	var refs []EnvRef
	e.list(0, len(text), 1, &refs)
	return refs
}

// envText is a text with its `${` matched to their `}`.
type envText struct {
	text  string
	bare  bool
	close map[int]int
}

func newEnvText(text string, bare bool) *envText {
	e := &envText{text: text, bare: bare}
	if strings.IndexByte(text, '$') < 0 {
		return e
	}
	var open []int
	for i := 0; i < len(text); i++ {
		switch {
		case strings.HasPrefix(text[i:], "${"):
			open = append(open, i)
			i++
		case text[i] == '}' && len(open) > 0:
			if e.close == nil {
				e.close = map[int]int{}
			}
			e.close[open[len(open)-1]] = i
			open = open[:len(open)-1]
		}
	}
	return e
}

// part is a piece of the text: plain (ref false), or a reference.
type part struct {
	start, end int // the whole piece
	ref        bool
	nameStart  int
	nameEnd    int
	defStart   int // behind `:-`, 0 without a default
	inner      int // end of what the braces hold; 0 for a bare name
}

// next is the piece at offset start, which is before end.
func (e *envText) next(start, end, level int) part {
	dollar := strings.IndexByte(e.text[start:end], '$')
	switch {
	case dollar < 0:
		return part{start: start, end: end}
	case dollar > 0:
		return part{start: start, end: start + dollar}
	}
	if closing, ok := e.close[start]; ok && closing > start+2 {
		if level > maxEnvDepth {
			return part{start: start, end: closing + 1}
		}
		return e.braced(start, closing)
	}
	nameEnd := start + 1
	for nameEnd < end && isNameByte(e.text[nameEnd], nameEnd > start+1) {
		nameEnd++
	}
	ref := e.bare && nameEnd > start+1
	return part{start: start, end: nameEnd, ref: ref, nameStart: start + 1, nameEnd: nameEnd}
}

func (e *envText) braced(start, closing int) part {
	p := part{start: start, end: closing + 1, ref: true, nameStart: start + 2, nameEnd: closing, inner: closing}
	for i := start + 2; i < closing-1; i++ {
		if inner, ok := e.close[i]; ok {
			i = inner
		} else if e.text[i] == ':' && e.text[i+1] == '-' {
			p.nameEnd, p.defStart = i, i+2
			break
		}
	}
	return p
}

func (e *envText) expand(lookup func(string) (string, bool)) string {
	if strings.IndexByte(e.text, '$') < 0 {
		return e.text
	}
	var out strings.Builder
	e.write(&out, 0, len(e.text), 1, lookup)
	return out.String()
}

func (e *envText) write(out *strings.Builder, start, end, level int, lookup func(string) (string, bool)) {
	for start < end {
		p := e.next(start, end, level)
		start = p.end
		if !p.ref {
			out.WriteString(e.text[p.start:p.end])
			continue
		}
		name := e.text[p.nameStart:p.nameEnd]
		if p.inner > 0 && strings.Contains(name, "$") {
			var computed strings.Builder
			e.write(&computed, p.nameStart, p.nameEnd, level+1, lookup)
			name = computed.String()
		}
		value, _ := lookup(name)
		if value == "" && p.defStart > 0 {
			e.write(out, p.defStart, p.inner, level+1, lookup)
			continue
		}
		out.WriteString(value)
	}
}

func (e *envText) list(start, end, level int, refs *[]EnvRef) {
	for start < end {
		p := e.next(start, end, level)
		start = p.end
		if !p.ref {
			continue
		}
		i := len(*refs)
		*refs = append(*refs, EnvRef{Name: e.text[p.nameStart:p.nameEnd], HasDefault: p.defStart > 0})
		if p.inner == 0 {
			continue
		}
		e.list(p.nameStart, p.nameEnd, level+1, refs)
		(*refs)[i].Computed = len(*refs) > i+1
		if p.defStart > 0 {
			e.list(p.defStart, p.inner, level+1, refs)
		}
	}
}

func isNameByte(c byte, digits bool) bool {
	return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' || digits && c >= '0' && c <= '9'
}
