package build

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"iterion/ast"
	"iterion/ast/source"
	"iterion/diagnostics"
	"iterion/grammar/literal"
	"iterion/grammar/parser"
	"iterion/ir/check"
	"iterion/ir/compile"
	"iterion/ir/directive"
	"iterion/ir/finding"
	"iterion/ir/scope"
)

// Document is one version of an open file, the main file of its unit. Versions
// share what did not change: an edit inside a declaration parses and compiles
// that declaration only. In a unit of a single file, when nothing that others
// read of the declaration has changed, its own checks are all that runs again,
// so a keystroke costs the same in a short and in a long file; any other unit
// is linked and checked as a whole. Documents are immutable.
type Document struct {
	in     Input
	name   string    // in findings
	file   *ast.File // as it was opened; its declarations are in text
	text   pieces
	tail   string  // behind the last declaration
	result *Result // of the last link
	links  *links  // nil when every edit links anew
	check  *check.Context

	own    map[int][]finding.Finding // of a node's checks, by node index; none without findings
	edited []replaced                // since the link
}

// links is what binding and checking the whole document gave.
type links struct {
	nodes   map[*ast.Declaration]int // outside of groups: the index in scope.Nodes
	readers map[string][]*scope.Node // by prompt
	unit    []finding.Finding        // of the link and of the unit's checks
}

// replaced is a declaration that was edited after the link.
type replaced struct {
	old, tree *ast.Declaration // as linked, and now
	node      *scope.Node      // nil for a prompt
}

// Open reads a text that has no file.
func Open(name, text string) *Document { return OpenIn(Input{Path: name}, text) }

// OpenIn reads a text for the first time: it stands for the main file of a
// unit, a `.bot` file.
func OpenIn(in Input, text string) *Document {
	in.Editor = true
	d := &Document{in: in}
	d.name = newBuilder(in).display(in.Path)
	f := parse(d.name, in.Path, text)
	d.file, d.text, d.tail = f.AST, piecesOf(f), f.AST.Source.Text
	if n := len(f.AST.Decls); n > 0 {
		d.tail = d.tail[int(f.AST.Bases[n-1])+len(f.AST.Decls[n-1].Text):]
	}
	return d.link()
}

// In returns the version for which other files of the unit have changed: it is
// linked and checked anew, from the declarations that are there.
func (d *Document) In(in Input) *Document {
	next := *d
	next.in = in
	next.in.Editor = true
	return next.link()
}

// Result is the built unit of this version.
func (d *Document) Result() *Result {
	if len(d.edited) == 0 {
		return d.result
	}
	// Only a unit of one file is edited without a link, and its findings are known.
	b := newBuilder(d.in)
	b.files = []*File{d.main()}
	r := b.link()
	r.Read = d.result.Read
	r.Diagnostics, r.Suppressed = d.judged()
	return r
}

// main is the file as it is now.
func (d *Document) main() *File {
	f := *d.file
	f.Source = source.New(d.name, d.Text())
	f.Decls, f.Bases = d.text.flatten()
	// What stands behind the last declaration has only moved.
	moved := uint32(len(f.Source.Text) - len(d.file.Source.Text))
	f.Tail = slices.Clone(f.Tail)
	for i := range f.Tail {
		f.Tail[i].Start += moved
		f.Tail[i].End += moved
	}
	return &File{Path: d.in.Path, AST: &f, Parts: d.text.parts()}
}

// link binds and checks the whole document.
func (d *Document) link() *Document {
	b := newBuilder(d.in)
	b.names[d.in.Path] = true
	b.start(d.main())
	b.findBundle()
	_ = b.manifestFindings() // an editor gets findings, never an error
	b.bundlePrompts()
	r := b.link()
	d.links, d.own, d.edited = nil, nil, nil
	if b.alone(r) {
		d.checkApart(r, b.out)
	} else {
		b.check(r)
	}
	b.stages(r)
	d.result = b.placed(r)
	return d
}

// alone tells whether the findings of a unit come from its main file only, and
// from all of it.
func (b *builder) alone(r *Result) bool {
	main := b.files[0].AST
	return len(b.files) == 1 && !hasImports(main) && !main.Stopped && b.folder.Bundle == nil && b.folder.Fault == nil &&
		b.folder.Foreign == nil && (b.in.FS == nil || !reachesOut(r.Scope))
}

// reachesOut tells whether a program reads other files: texts that its prompts
// include, programs of subbots.
func reachesOut(s *scope.Scope) bool {
	for _, texts := range s.PromptTexts {
		if anyInclude(texts) {
			return true
		}
	}
	return slices.ContainsFunc(s.Nodes, func(n *scope.Node) bool { return n.Subbot != nil || anyInclude(n.Texts) })
}

func anyInclude(texts []compile.TextUse) bool {
	return slices.ContainsFunc(texts, func(t compile.TextUse) bool { return hasInclude(&t) })
}

func includesText(p *compile.Part) bool {
	return anyInclude(p.Texts) || p.Node != nil && anyInclude(p.Node.Texts)
}

// checkApart runs the checks and keeps what each node's own ones found, so that
// an edit of a node repeats only those.
func (d *Document) checkApart(r *Result, out *finding.List) {
	l := &links{nodes: map[*ast.Declaration]int{}, readers: map[string][]*scope.Node{}}
	d.links, d.own = l, map[int][]finding.Finding{}
	d.check = check.New(r.Scope, d.in.Path)
	d.check.CheckUnit(out)
	l.unit = out.Items
	for _, n := range r.Scope.Nodes {
		d.recheck(n)
		if n.Instance == nil {
			l.nodes[n.Tree] = n.Index
		}
		for name := range compile.PromptNames(n.Node) {
			l.readers[name] = append(l.readers[name], n)
		}
	}
	out.Items = d.findings()
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
	for _, p := range d.text {
		for _, decl := range p.decls {
			b.WriteString(decl.Text)
		}
	}
	b.WriteString(d.tail)
	return b.String()
}

// Edit returns the version in which the bytes from start to end are replaced.
func (d *Document) Edit(start, end int, with string) *Document {
	return d.EditIn(d.in, start, end, with)
}

// EditIn is Edit where the files around the document are given anew, with the
// texts that the document's unit has read.
func (d *Document) EditIn(in Input, start, end int, with string) *Document {
	around := *d
	around.in = in
	around.in.Editor = true
	if next := around.within(start, end, with); next != nil {
		return next
	}
	text := d.Text()
	start = min(max(start, 0), len(text))
	end = min(max(end, start), len(text))
	return OpenIn(in, text[:start]+with+text[end:])
}

// within edits inside one declaration, or returns nil when the change may
// reach further.
func (d *Document) within(start, end int, with string) *Document {
	at, ok := d.text.find(start)
	if !ok || d.file.Across || d.file.Stopped || len(d.file.Problems) > 0 {
		return nil
	}
	before, ok := d.text.before(at)
	if !ok || len(before.Problems) > 0 || headKind(before) || headKind(d.text.decl(at)) {
		return nil // the declaration before may reach into this one
	}
	old := d.text.decl(at)
	from, to := start-at.base, end-at.base
	if from == 0 || to < from || to >= len(old.Text) {
		return nil
	}
	// A backtick may find its partner, or lose it, anywhere in the file.
	if strings.ContainsAny(with, "`\r") || strings.Contains(old.Text[from:to], "`") {
		return nil
	}
	behind := d.tail
	if next, ok := d.text.after(at); ok {
		behind = next.Text
	}
	text := old.Text[:from] + with + old.Text[to:]
	tree, ok := parser.One(text, behind, d.file)
	if !ok || !utf8.ValidString(text) || !startsAtMargin(text) {
		return nil
	}
	return d.replace(at, tree)
}

// headKind tells whether a declaration belongs to the head of the file, where
// the profile and the directives are decided.
func headKind(d *ast.Declaration) bool {
	k := d.Root().Kind
	return k == ast.Header || k == ast.Import
}

// startsAtMargin tells whether the first text of a declaration stands at
// column 0; what is indented belongs to the declaration before.
func startsAtMargin(text string) bool {
	at := len(text) - len(strings.TrimLeft(text, " \t\n"))
	return at < len(text) && (at == 0 || text[at-1] == '\n')
}

// replace puts a new tree in the place of a declaration.
func (d *Document) replace(at spot, tree *ast.Declaration) *Document {
	next := *d
	old := d.text.decl(at)
	part := compile.Declaration(tree, literal.ModeOf(d.file))
	next.text = d.text.with(at, tree, part)
	same := d.file.Header || check.SameProfileUse(old, tree, d.file.Strict)
	if !same || !alike(old, tree) || includesText(part) || !next.patch(old, part) {
		return next.link()
	}
	return &next
}

// patch keeps the link and runs the checks that read the replaced declaration
// again. It returns false when more than those may change.
func (d *Document) patch(old *ast.Declaration, part *compile.Part) bool {
	if d.links == nil {
		return false
	}
	one := replaced{old: old, tree: part.Tree}
	at := slices.IndexFunc(d.edited, func(r replaced) bool { return r.tree == old })
	if at >= 0 {
		one.old = d.edited[at].old
	}
	n, isNode := d.links.nodes[one.old]
	if !isNode {
		n = -1
	}
	if d.elsewhere(n, old) || d.elsewhere(n, one.old) {
		return false
	}
	d.own = maps.Clone(d.own)
	switch {
	case part.Node != nil && isNode:
		node := *d.result.Scope.Nodes[n]
		node.NodePart = part.Node
		one.node = &node
		d.recheck(&node)
	case part.Prompt != nil && len(d.result.Scope.Groups) == 0:
		d.check = d.check.WithPrompt(part)
		var out finding.List
		if d.check.CheckPrompt(part.Prompt.Name, &out); len(out.Items) > 0 {
			return false
		}
		for _, reader := range d.links.readers[part.Prompt.Name] {
			d.recheck(d.latest(reader))
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
	related := func(f finding.Finding) bool { return pointsInto(f, tree) }
	if slices.ContainsFunc(d.links.unit, func(f finding.Finding) bool { return f.Tree == tree || related(f) }) {
		return true
	}
	for i, list := range d.own {
		if i != n && slices.ContainsFunc(list, related) {
			return true
		}
	}
	return false
}

// findings lists what the link and the nodes' own checks found, in the order in
// which Unit runs them: of two that become one, the first names it.
func (d *Document) findings() []finding.Finding {
	list := slices.Clone(d.links.unit)
	for _, n := range slices.Sorted(maps.Keys(d.own)) {
		list = append(list, d.own[n]...)
	}
	return list
}

// pointsInto tells whether a related place or a fix of a finding lies in a
// declaration.
func pointsInto(f finding.Finding, tree *ast.Declaration) bool {
	return slices.ContainsFunc(f.Related, func(p finding.Place) bool { return p.Tree == tree }) ||
		slices.ContainsFunc(f.Fixes, func(x finding.Fix) bool {
			return slices.ContainsFunc(x.Edits, func(e finding.Edit) bool { return e.Tree == tree })
		})
}

// Diagnostics returns the findings, sorted, as Unit gives them.
func (d *Document) Diagnostics() []diagnostics.Diagnostic {
	kept, _ := d.judged()
	return kept
}

// Suppressed returns the findings that `lint:` comments allow, sorted.
func (d *Document) Suppressed() []diagnostics.Diagnostic {
	_, allowed := d.judged()
	return allowed
}

// judged parts the findings by what `lint:` comments allow.
func (d *Document) judged() (kept, allowed []diagnostics.Diagnostic) {
	if len(d.edited) == 0 {
		return d.result.Diagnostics, d.result.Suppressed
	}
	p := &placer{name: d.name, rangeIn: d.rangeOf}
	list := d.problems(p)
	for _, f := range agreed(d.result.Scope, d.findings()) {
		list = p.add(list, f)
	}
	slices.SortFunc(list, diagnostics.Compare)
	return directive.Apply(merge(list), d.directives(), false)
}
