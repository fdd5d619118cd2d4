package build

import (
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
	file  *ast.File // Source is stale; Text gives the text
	parts []*compile.Part
	lines []uint32 // line of each declaration's first byte, from 0
	scope *scope.Scope
	index map[*ast.Declaration]int // also of the versions before, while alike
	nodes map[*ast.Declaration]*scope.Node
	check *check.Context
	unit  []finding.Finding         // of the link and the unit's checks
	own   map[int][]finding.Finding // of a node's checks, by node index
}

// Open reads a document for the first time.
func Open(name, text string) *Document {
	f := parse(name, name, text)
	return link(f.AST, f.Parts)
}

// link binds and checks all of a file.
func link(f *ast.File, parts []*compile.Part) *Document {
	d := &Document{file: f, parts: parts, index: make(map[*ast.Declaration]int, len(f.Decls)), own: map[int][]finding.Finding{}}
	line := uint32(0)
	d.lines = make([]uint32, len(f.Decls))
	for i, decl := range f.Decls {
		d.index[decl] = i
		d.lines[i] = line
		line += uint32(strings.Count(decl.Text, "\n"))
	}
	var out finding.List
	d.scope = scope.Link([]scope.Unit{{File: f, Parts: parts}}, hasImports(f), &out)
	d.check = check.New(d.scope, f.Source.Name)
	if f.Stopped {
		d.unit = out.Items
		return d
	}
	d.check.Unit(&out)
	d.unit = out.Items
	d.nodes = make(map[*ast.Declaration]*scope.Node, len(d.scope.Nodes))
	for _, n := range d.scope.Nodes {
		if n.Instance == nil {
			d.nodes[n.Tree] = n
		}
		d.recheck(n)
	}
	return d
}

func (d *Document) recheck(n *scope.Node) {
	var out finding.List
	d.check.Node(n, &out)
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
	b.WriteString(d.tail())
	return b.String()
}

// tail is the text behind the last declaration.
func (d *Document) tail() string {
	last := len(d.file.Decls) - 1
	if last < 0 {
		return d.file.Source.Text
	}
	// The tail never changes without a whole parse.
	src := d.file.Source.Text
	return src[len(src)-d.tailLen():]
}

func (d *Document) tailLen() int {
	end := 0
	for i, decl := range d.file.Decls {
		end = int(d.file.Bases[i]) + len(decl.Text)
	}
	return d.length() - end
}

func (d *Document) length() int { return len(d.file.Source.Text) }
