package build

import (
	"maps"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"iterion/ast"
	"iterion/ast/source"
	"iterion/diagnostics"
	"iterion/grammar/literal"
	"iterion/grammar/parser"
	"iterion/ir/check"
	"iterion/ir/compile"
	"iterion/ir/finding"
	"iterion/ir/scope"
)

// Document is one version of an open file without imports. Versions share
// what did not change: an edit inside a declaration parses and compiles that
// declaration only, and when nothing that others read of it has changed, its
// own checks are all that runs again. Documents are immutable.
type Document struct {
	name  string
	file  *ast.File // without its Source: Text joins the text
	tail  string    // behind the last declaration
	parts []*compile.Part
	lines []int // of each declaration's first byte, from 0

	scope   *scope.Scope
	check   *check.Context
	readers map[string][]*scope.Node  // by prompt
	unit    []finding.Finding         // of the link and of the unit's checks
	own     map[int][]finding.Finding // of a node's checks, by node index; none without findings
	edited  []replaced                // since the link
}

// replaced is a declaration that was edited after the link.
type replaced struct {
	old  *ast.Declaration // as linked
	decl int
	node *scope.Node // nil for a prompt
}

// Open reads a document for the first time.
func Open(name, text string) *Document {
	f := parse(name, name, text)
	d := &Document{name: name, file: f.AST, parts: f.Parts, tail: f.AST.Source.Text}
	if n := len(f.AST.Decls); n > 0 {
		d.tail = d.tail[int(f.AST.Bases[n-1])+len(f.AST.Decls[n-1].Text):]
	}
	d.count()
	return d.link()
}

// count numbers the lines of the declarations.
func (d *Document) count() {
	d.lines = make([]int, len(d.file.Decls))
	line := 0
	for i, decl := range d.file.Decls {
		d.lines[i] = line
		line += strings.Count(decl.Text, "\n")
	}
}

// link binds and checks the whole document.
func (d *Document) link() *Document {
	var out finding.List
	d.own, d.readers, d.edited = map[int][]finding.Finding{}, map[string][]*scope.Node{}, nil
	d.scope = scope.Link([]scope.Unit{{File: d.file, Parts: d.parts}}, hasImports(d.file), &out)
	b := &builder{in: Input{Path: d.name}, out: &out, files: []*File{{Path: d.name, AST: d.file, Parts: d.parts}}}
	b.includes(d.scope)
	d.check = check.New(d.scope, d.name)
	if !d.file.Stopped {
		d.check.CheckUnit(&out)
		for _, n := range d.scope.Nodes {
			d.recheck(n)
			for _, name := range compile.PromptNames(n.Node) {
				d.readers[name] = append(d.readers[name], n)
			}
		}
	}
	d.unit = out.Items
	return d
}

func (d *Document) recheck(n *scope.Node) {
	var out finding.List
	d.check.CheckNode(n, &out)
	if len(out.Items) > 0 {
		d.own[n.Index] = out.Items
	} else {
		delete(d.own, n.Index)
	}
}

// Text joins the document's text.
func (d *Document) Text() string {
	var b strings.Builder
	for _, decl := range d.file.Decls {
		b.WriteString(decl.Text)
	}
	b.WriteString(d.tail)
	return b.String()
}

// Edit returns the version in which the bytes from start to end are replaced.
func (d *Document) Edit(start, end int, with string) *Document {
	if next := d.within(start, end, with); next != nil {
		return next
	}
	text := d.Text()
	start = min(max(start, 0), len(text))
	end = min(max(end, start), len(text))
	return Open(d.name, text[:start]+with+text[end:])
}

// within edits inside one declaration, or returns nil when the change reaches
// further.
func (d *Document) within(start, end int, with string) *Document {
	f := d.file
	i := sort.Search(len(f.Bases), func(i int) bool { return int(f.Bases[i]) > start }) - 1
	if i < 0 || d.head(i) || f.Across {
		return nil
	}
	old, base := f.Decls[i], int(f.Bases[i])
	if end < start || end >= base+len(old.Text) || start == base {
		return nil
	}
	// A backtick may find its partner, or lose it, anywhere in the file.
	if strings.ContainsAny(with, "`\r") || strings.Contains(old.Text[start-base:end-base], "`") {
		return nil
	}
	behind := d.tail
	if i+1 < len(f.Decls) {
		behind = f.Decls[i+1].Text
	}
	text := old.Text[:start-base] + with + old.Text[end-base:]
	if !startsAtMargin(text) || len(f.Decls[i-1].Problems) > 0 {
		return nil // the declaration before may reach into this one
	}
	tree, ok := parser.One(text, behind, f)
	if !ok || !utf8.ValidString(text) {
		return nil
	}
	return d.replace(i, tree)
}

// startsAtMargin tells whether the first text of a declaration stands at
// column 0; what is indented belongs to the declaration before.
func startsAtMargin(text string) bool {
	at := len(text) - len(strings.TrimLeft(text, " \t\n"))
	return at < len(text) && (at == 0 || text[at-1] == '\n')
}

// head tells whether declaration i belongs to the head of the file, where the
// profile and the directives are decided.
func (d *Document) head(i int) bool {
	kind := d.file.Decls[i].Root().Kind
	return kind == ast.Header || kind == ast.Import || i == 0 || d.file.Decls[i-1].Root().Kind == ast.Header
}

// replace puts a new tree in the place of declaration i.
func (d *Document) replace(i int, tree *ast.Declaration) *Document {
	next := *d
	f := *d.file
	next.file = &f
	old := f.Decls[i]
	f.Decls, f.Bases = slices.Clone(f.Decls), slices.Clone(f.Bases)
	next.parts, next.lines = slices.Clone(d.parts), slices.Clone(d.lines)
	bytes := uint32(len(tree.Text) - len(old.Text)) // may wrap, and back
	lines := strings.Count(tree.Text, "\n") - strings.Count(old.Text, "\n")
	f.Decls[i] = tree
	next.parts[i] = compile.Declaration(tree, literal.ModeOf(&f))
	for j := i + 1; j < len(f.Bases); j++ {
		f.Bases[j] += bytes
		next.lines[j] += lines
	}
	if !alike(old, tree) || !next.patch(i, old) {
		return next.link()
	}
	return &next
}

// patch keeps the link and runs the checks that read the replaced declaration
// again. It returns false when more than those may change.
func (d *Document) patch(i int, old *ast.Declaration) bool {
	part := d.parts[i]
	linked := old
	at := slices.IndexFunc(d.edited, func(r replaced) bool { return r.decl == i })
	if at >= 0 {
		linked = d.edited[at].old
	}
	n := slices.IndexFunc(d.scope.Nodes, func(n *scope.Node) bool { return n.Tree == linked })
	if d.elsewhere(n, old) || d.elsewhere(n, linked) {
		return false
	}
	one := replaced{old: linked, decl: i}
	d.own = maps.Clone(d.own)
	switch {
	case part.Node != nil && n >= 0 && d.scope.Nodes[n].Instance == nil:
		node := *d.scope.Nodes[n]
		node.NodePart = part.Node
		one.node = &node
	case part.Prompt != nil && len(d.scope.Groups) == 0:
		d.check = d.check.WithPrompt(part)
		var out finding.List
		if d.check.CheckPrompt(part.Prompt.Name, &out); len(out.Items) > 0 {
			return false
		}
	default:
		return false
	}
	d.edited = slices.Clone(d.edited)
	if at >= 0 {
		d.edited[at] = one
	} else {
		d.edited = append(d.edited, one)
	}
	if one.node != nil {
		d.recheck(one.node)
		return true
	}
	for _, reader := range d.readers[part.Prompt.Name] {
		d.recheck(d.latest(reader))
	}
	return true
}

// latest is the version of a node that the last edit left.
func (d *Document) latest(n *scope.Node) *scope.Node {
	for _, r := range d.edited {
		if r.node != nil && r.node.Index == n.Index {
			return r.node
		}
	}
	return n
}

// elsewhere tells whether a finding that is kept points into a declaration:
// one of the unit, or of another node than n.
func (d *Document) elsewhere(n int, tree *ast.Declaration) bool {
	points := func(f finding.Finding) bool {
		return f.Tree == tree || slices.ContainsFunc(f.Related, func(p finding.Place) bool { return p.Tree == tree })
	}
	if slices.ContainsFunc(d.unit, points) {
		return true
	}
	for i, list := range d.own {
		if i != n && d.scope.Nodes[i].Tree != tree && slices.ContainsFunc(list, func(f finding.Finding) bool {
			return slices.ContainsFunc(f.Related, func(p finding.Place) bool { return p.Tree == tree })
		}) {
			return true
		}
	}
	return false
}

// Diagnostics returns the findings, sorted, as Unit gives them.
func (d *Document) Diagnostics() []diagnostics.Diagnostic {
	p := &placer{name: d.name, rangeIn: d.rangeOf}
	list := []diagnostics.Diagnostic{}
	for _, pr := range d.file.Problems {
		list = append(list, p.problem(pr, d.fileRange))
	}
	for i, decl := range d.file.Decls {
		for _, pr := range decl.Problems {
			list = append(list, p.problem(pr, func(s source.Span) diagnostics.Range { return d.place(i, s) }))
		}
	}
	for _, f := range d.unit {
		list = p.add(list, f)
	}
	for _, findings := range d.own {
		for _, f := range findings {
			list = p.add(list, f)
		}
	}
	slices.SortFunc(list, diagnostics.Compare)
	return merge(list)
}

// rangeOf places a span of a declaration, which may have been replaced.
func (d *Document) rangeOf(at finding.Place) (diagnostics.Range, bool) {
	if i := slices.Index(d.file.Decls, at.Tree); i >= 0 {
		return d.place(i, at.Span), true
	}
	for _, r := range d.edited {
		if r.old == at.Tree {
			return d.place(r.decl, at.Span), true
		}
	}
	return diagnostics.Range{}, false
}

// place converts a span of declaration i without the file's line table.
func (d *Document) place(i int, s source.Span) diagnostics.Range {
	text, base := d.file.Decls[i].Text, d.file.Bases[i]
	position := func(offset uint32) source.Position {
		if int32(offset) < 0 || int(offset) > len(text) { // a related place in another declaration
			return source.New(d.name, d.Text()).Position(int(base + offset))
		}
		before := text[:offset]
		line := strings.LastIndexByte(before, '\n') + 1
		return source.Position{Line: d.lines[i] + strings.Count(before, "\n") + 1, Column: utf8.RuneCountInString(before[line:]) + 1}
	}
	return diagnostics.Range{File: d.name, Start: position(s.Start), End: position(s.End), Offsets: s.Shift(base)}
}

// fileRange places a span of the whole file.
func (d *Document) fileRange(s source.Span) diagnostics.Range {
	return rangeOf(source.New(d.name, d.Text()), s)
}
