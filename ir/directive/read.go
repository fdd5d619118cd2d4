package directive

import (
	"math"
	"slices"
	"sort"
	"strings"

	"iterion/ast"
	"iterion/ast/source"
	"iterion/diagnostics"
)

// Directive is one comment with its places. It covers the findings of its file
// that begin on the lines First to Last.
type Directive struct {
	Range       diagnostics.Range // the comment
	First, Last int               // 0 and 0 for no line
	Names       []Name
	Reason      string
	Fault       string // what keeps it from being a directive, else ""
	Remedy      string // what to do about the fault
}

// Name is a code or the name of one, as written.
type Name struct {
	Text  string
	Range diagnostics.Range
}

// Place finds a span of the text that a directive is read from.
type Place func(source.Span) diagnostics.Range

// In tells whether a declaration has directives.
func In(d *ast.Declaration) bool {
	return slices.ContainsFunc(d.Comments, func(c ast.Comment) bool { return Is(d.Text[c.Start:c.End]) })
}

// Of reads the directives of a declaration. top says that it is the first of
// its file: the comments above it are then the leading ones.
func Of(d *ast.Declaration, top bool, at Place) []Directive {
	t := tree{decl: d}
	r := reader{text: d.Text, at: at, extent: t.extent, opened: t.opened, listed: t.listed}
	if top {
		r.leading = d.Head()
	}
	return r.read(d.Comments)
}

// Tail reads the directives behind the last declaration of a file, which cover
// nothing. top says that the file has no declaration.
func Tail(text string, comments []ast.Comment, top bool, at Place) []Directive {
	r := reader{text: text, at: at}
	if top {
		r.leading = comments
	}
	return r.read(comments)
}

// reader reads the directives among the comments of one text.
type reader struct {
	text    string
	at      Place
	leading []ast.Comment                // may speak of the whole file
	extent  func(start, lineEnd int) int // where that ends which begins on a line of code
	opened  func(end int) (int, bool)    // where that begins which a bracket ends; may be nil
	listed  func(start int) bool         // whether a list of lines begins below the key at an offset; may be nil

	code        int // the next line of code behind the last comment: its first character
	first, last int // the lines of what begins there
}

func (r *reader) read(comments []ast.Comment) []Directive {
	var list []Directive
	front := ast.Frontmatter(r.text, r.leading)
	for i, c := range comments {
		if text := r.text[c.Start:c.End]; i >= front && Is(text) {
			list = append(list, r.directive(c, parse(text), i < len(r.leading)))
		}
	}
	return list
}

func (r *reader) directive(c ast.Comment, f form, leading bool) Directive {
	d := Directive{Range: r.at(source.Span{Start: c.Start, End: c.End}), Reason: f.reason, Fault: f.fault}
	switch {
	case f.fault != "":
		d.Remedy = "Write `# lint: allow CODE -- reason`."
		return d
	case f.file && !leading:
		d.Fault, d.Remedy = "`allow-file` stands below the first line of code", "Move it to the top of the file, or write `allow`."
		return d
	case f.file:
		d.Last = math.MaxInt
	default:
		d.First, d.Last = r.lines(c)
	}
	for _, n := range f.names {
		at := n.Shift(c.Start)
		d.Names = append(d.Names, Name{r.text[at.Start:at.End], r.at(at)})
	}
	return d
}

// lines is what a comment covers: behind code its line, on a line of its own
// that which begins on the next line of code. A formatter parts long lines, so
// behind a line that begins with a closing bracket it is all of what ends
// there, and behind the key of a list of lines the list.
func (r *reader) lines(c ast.Comment) (first, last int) {
	start := strings.LastIndexByte(r.text[:c.Start], '\n') + 1
	code := strings.TrimRight(r.text[start:c.Start], blanks+",")
	if strings.Trim(code, blanks) == "" {
		if r.code < int(c.End) {
			r.advance(int(c.End))
		}
		return r.first, r.last
	}
	end := start + len(code)
	if strings.IndexAny(strings.TrimLeft(code, blanks), ")]}") == 0 && r.opened != nil {
		if from, ok := r.opened(end); ok {
			start = from
		}
	}
	if key := skip(r.text, start); strings.HasSuffix(code, ":") && r.listed != nil && r.listed(key) {
		end = r.extent(key, end)
	}
	at := r.at(source.Span{Start: uint32(start), End: uint32(end)})
	return at.Start.Line, at.End.Line
}

// advance finds the next line of code below an offset. It is looked for once,
// however many comments stand above it.
func (r *reader) advance(i int) {
	r.code, r.first, r.last = nextCode(r.text, i), 0, 0
	if r.code < len(r.text) {
		at := r.at(source.Span{Start: uint32(r.code), End: uint32(r.extent(r.code, lineEnd(r.text, r.code)))})
		r.first, r.last = at.Start.Line, at.End.Line
	}
}

// nextCode is the first character of the next line that is neither blank nor a
// comment; i lies on the line before. Without one it is the end of the text.
func nextCode(text string, i int) int {
	for i = lineEnd(text, i); i < len(text); i = lineEnd(text, i) {
		i = skip(text, i+1)
		if i < len(text) && text[i] != '\n' && text[i] != '#' {
			return i
		}
	}
	return len(text)
}

// lineEnd is where the line of an offset ends, its newline not included.
func lineEnd(text string, i int) int {
	if n := strings.IndexByte(text[i:], '\n'); n >= 0 {
		return i + n
	}
	return len(text)
}

// tree finds what begins and ends in a declaration.
type tree struct {
	decl *ast.Declaration
	ends map[uint32]uint32 // where the innermost member begins that ends at an offset
}

// extent is the end of the outermost node that begins on a line, at least the
// line's.
func (t *tree) extent(start, lineEnd int) int {
	d := t.decl
	i := sort.Search(len(d.Nodes), func(i int) bool { return int(d.Nodes[i].Start) >= start })
	if i == len(d.Nodes) || int(d.Nodes[i].Start) > lineEnd {
		return lineEnd
	}
	n := d.Nodes[i]
	return max(lineEnd, int(n.Start)+len(strings.TrimRight(d.Text[n.Start:n.End], blanks+"\n")))
}

// listed tells whether the property that begins at an offset holds a list of
// lines.
func (t *tree) listed(start int) bool {
	for i, n := range t.decl.Nodes {
		if int(n.Start) == start && n.Kind == ast.Prop {
			for v := range t.decl.Children(i) {
				if t.decl.Nodes[v].Kind == ast.List && t.decl.Nodes[v].Flags&ast.FlagDashes != 0 {
					return true
				}
			}
		}
	}
	return false
}

func (t *tree) opened(end int) (int, bool) {
	if t.ends == nil {
		t.ends = map[uint32]uint32{}
		for _, n := range t.decl.Nodes {
			switch n.Kind {
			case ast.Edge, ast.Prop, ast.Entry, ast.Use:
				t.ends[n.End] = n.Start
			}
		}
	}
	start, ok := t.ends[uint32(end)]
	return int(start), ok
}
