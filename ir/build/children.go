package build

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"iterion/ir/bundle"
	"iterion/ir/check"
	"iterion/ir/scope"
)

// Bounds of what a bundle runs besides its main file.
const (
	maxPrograms     = 200
	maxProgramBytes = 64 << 20
)

// collection reads the programs of a bundle: its own and those of subbots, in
// its folder and in the folders beside it, each once.
type collection struct {
	*builder
	programs []*check.Program          // the bundle's own first
	byPath   map[string]*check.Program // by the path from the bundle's folder
	bytes    int
}

// programs returns the programs that a bundle runs.
func (b *builder) programs(own *scope.Scope) []*check.Program {
	p := &check.Program{Scope: own, Main: b.in.Path}
	c := &collection{builder: b, byPath: map[string]*check.Program{b.in.Path: p}, programs: []*check.Program{p}}
	c.children(p, b, "")
	return c.programs
}

// children reads the programs of a program's subbots. up leads from the
// bundle's folder to the one that the program's builder reads from.
func (c *collection) children(p *check.Program, by *builder, up string) {
	for _, n := range p.Scope.Nodes {
		if n.Subbot == nil || n.Tainted || n.Subbot.Source.V == "" || strings.HasSuffix(n.Subbot.Source.V, ".bot.yaml") {
			continue
		}
		child, problem := c.child(path.Join(up, by.dirOf(n.Tree)), n.Subbot.Source.V)
		p.Subbots = append(p.Subbots, check.Subbot{Node: n, Program: child, Unread: problem})
	}
}

// child returns the program that a subbot in a folder names, or says why it is
// not read.
func (c *collection) child(dir, source string) (p *check.Program, problem string) {
	name, problem := c.locate(dir, source)
	if problem != "" {
		return nil, problem
	}
	if p := c.byPath[name]; p != nil {
		return p, ""
	}
	if len(c.programs) >= maxPrograms || c.bytes > maxProgramBytes {
		return nil, "the bundle runs too many programs"
	}
	return c.load(name)
}

// locate resolves a source to a path from the bundle's folder. At most one
// `..` leads out of it, to a folder beside.
func (c *collection) locate(dir, source string) (name, problem string) {
	switch {
	case path.IsAbs(source):
		return "", "the path is absolute"
	case strings.ContainsAny(source, "\\:") || strings.Contains(source, "{{") || strings.Contains(source, "$"):
		return "", "it is no relative path with `/`"
	case path.Ext(source) != ".bot":
		return "", "it is no `.bot` file"
	}
	name = path.Join(dir, source)
	if home := "../" + c.in.Folder + "/"; c.in.Folder != "" {
		name = strings.TrimPrefix(name, home)
	}
	if strings.HasPrefix(name, "../../") || strings.HasPrefix(name, "../") && c.in.Around == nil {
		return "", "it lies outside of what may be read with this bundle"
	}
	return name, ""
}

// childStage looks at the files of a gated program's subbots: rules do not reach
// a child, which is a program of its own.
func (b *builder) childStage(r *Result) {
	gate := check.Gated(r.Scope)
	if b.in.FS == nil || gate == nil {
		return
	}
	c := &collection{builder: b}
	for _, n := range r.Scope.Nodes {
		if n.Subbot == nil || n.Tainted || n.Instance != nil {
			continue
		}
		name, problem := c.locate(b.dirOf(n.Tree), n.Subbot.Source.V)
		if problem != "" || strings.HasPrefix(name, "../") || bundle.Linked(b.in.FS, name) {
			continue
		}
		if text, err := b.read(name); err == nil {
			check.UngatedChild(n, gate, parse(b.display(name), name, text).Parts, b.out)
		}
	}
}

// load builds a program.
func (c *collection) load(name string) (p *check.Program, problem string) {
	in, up := Input{FS: c.in.FS, Path: name, Name: c.display(name), Overlay: c.in.Overlay}, ""
	if beside, ok := strings.CutPrefix(name, "../"); ok {
		in.FS, in.Path, in.Overlay, up = c.in.Around, beside, nil, ".."
	}
	switch {
	case !fs.ValidPath(in.Path):
		return nil, "it is no relative path with `/`"
	case bundle.Linked(in.FS, in.Path):
		return nil, "the path goes through a link"
	}
	b := newBuilder(in)
	if up == "" {
		b.names = c.names // read from the same folder
	}
	text, err := b.read(in.Path)
	if err != nil {
		return nil, reason(err)
	}
	b.load(in.Path, text)
	b.findBundle()
	b.bundlePrompts()
	p = &check.Program{Main: in.Path}
	c.byPath[name], c.programs = p, append(c.programs, p)
	r := b.link()
	b.check(r)
	b.placed(r)
	p.Scope, p.Valid = r.Scope, r.Valid()
	for _, f := range b.files {
		c.bytes += len(f.AST.Source.Text)
	}
	c.beside = slices.Concat(c.beside, b.files)
	c.children(p, b, up)
	return p, ""
}
