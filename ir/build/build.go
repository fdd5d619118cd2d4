// Package build is the one entry to the compiler: it reads a unit through an
// fs.FS, parses, compiles, links and checks it, and gives back immutable
// values. The command line and the editor call the same function.
package build

import (
	"errors"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"iterion/ast"
	"iterion/ast/source"
	"iterion/diagnostics"
	"iterion/grammar/author"
	"iterion/grammar/parser"
	"iterion/ir"
	"iterion/ir/bundle"
	"iterion/ir/check"
	"iterion/ir/compile"
	"iterion/ir/directive"
	"iterion/ir/finding"
	"iterion/ir/scope"
)

// Input says what to build.
type Input struct {
	// FS holds the files of the unit; nil for a text that has no file, whose
	// imports cannot be read.
	FS fs.FS
	// Path is the main file, slash-separated and relative to FS.
	Path string
	// Name is how findings name the main file; "" takes Path. Files that it
	// imports are named relative to it.
	Name string
	// Overlay replaces the contents of files by path: unsaved buffers.
	Overlay map[string]string

	// Folder is the name of the folder that FS stands for, or of the archive
	// without its extension; "" when nobody knows.
	Folder string
	// Around is what holds that folder beside others, from which subbots may
	// come. Without it nothing outside of FS is read.
	Around fs.FS
	// Engine is the release that a bundle's requirement is held against; ""
	// for none.
	Engine string
	// Editor makes a manifest that cannot be used a finding, not an error of the
	// request: the text is checked alone.
	Editor bool
}

// Result is a built unit. Its findings are sorted.
type Result struct {
	Files       []*File
	Scope       *scope.Scope
	Diagnostics []diagnostics.Diagnostic // sorted
	Suppressed  []diagnostics.Diagnostic // those that a `lint:` comment allows

	Bundle   *bundle.Bundle // nil when the main file is no bundle's
	Included []*Included    // texts that prompts include
	Beside   []*File        // what findings may point into besides Files: manifest, skills, children, included texts
	Read     []string       // every file of Input.FS that was read, sorted
}

// File is one file of the unit.
type File struct {
	Path  string // in Input.FS
	AST   *ast.File
	Parts []*compile.Part

	document *author.Document // that AST was spelled from; nil for a `.bot`
	prose    bool             // the text of a prompt
}

// Source is the file's own text, which findings point into.
func (f *File) Source() *source.File {
	if f.document != nil {
		return f.document.Source
	}
	return f.AST.Source
}

// Place is where a range of the tree's text stands in the file's own text.
func (f *File) Place(s source.Span) source.Span {
	if f.document != nil {
		return f.document.Place(s)
	}
	return s
}

// rangeOf places a range of the tree's text.
func (f *File) rangeOf(s source.Span) diagnostics.Range { return rangeOf(f.Source(), f.Place(s)) }

// Program returns the linked program. Only one without errors may be run.
func (r *Result) Program() *ir.Program { return r.Scope.Export() }

// Valid tells whether no finding is an error.
func (r *Result) Valid() bool {
	return !slices.ContainsFunc(r.Diagnostics, func(d diagnostics.Diagnostic) bool { return d.Severity == diagnostics.Error })
}

// Unit builds the unit whose main file is in.Path. The error is about the
// request: the main file cannot be read, or the manifest beside it cannot be
// used.
func Unit(in Input) (*Result, error) {
	b := newBuilder(in)
	text, err := b.read(in.Path)
	if err != nil {
		return nil, err
	}
	b.load(in.Path, text)
	b.findBundle()
	if err := b.manifestFindings(); err != nil {
		return nil, err
	}
	b.bundlePrompts()
	r := b.link()
	b.check(r)
	b.stages(r)
	return b.placed(r), nil
}

// Text builds a text that has no file.
func Text[T string | []byte](name string, text T) *Result {
	b := newBuilder(Input{Path: name})
	b.load(name, string(text))
	r := b.link()
	b.check(r)
	return b.placed(r)
}

// read returns a file's text, the overlay's first.
func (b *builder) read(name string) (string, error) {
	if text, ok := b.in.Overlay[name]; ok {
		b.names[name] = true
		return text, nil
	}
	info, err := fs.Stat(b.in.FS, name)
	switch {
	case err != nil:
		return "", err
	case info.IsDir():
		return "", &fs.PathError{Op: "read", Path: name, Err: errors.New("is a directory")}
	case !info.Mode().IsRegular(): // opening a pipe would wait for a writer
		return "", &fs.PathError{Op: "read", Path: name, Err: errors.New("is no regular file")}
	}
	f, err := b.in.FS.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	var text strings.Builder // the file's bytes are copied once
	text.Grow(int(min(info.Size(), source.MaxSize)) + 1)
	_, err = io.Copy(&text, io.LimitReader(f, source.MaxSize+1))
	b.names[name] = true
	return text.String(), err
}

type builder struct {
	in         Input
	out        *finding.List
	files      []*File
	seen       map[string]int // path → index in files, -1 while its imports load
	incomplete bool

	folder   bundle.Folder // what the main file's folder is
	included []*Included
	reader   Reader // of the prompt whose includes are read
	beside   []*File
	names    map[string]bool // of the files that were read
}

func newBuilder(in Input) *builder {
	return &builder{in: in, out: &finding.List{}, seen: map[string]int{}, names: map[string]bool{}}
}

// load reads the main file, then what it imports, each once.
func (b *builder) load(name, text string) { b.start(mainFile(b.display(name), name, text)) }

// start takes the main file and reads what it imports, each once.
func (b *builder) start(f *File) {
	b.seen[f.Path] = len(b.files)
	b.files = append(b.files, f)
	b.imports(f, []string{f.Path})
}

// mainFile is parse for a main file, which alone may be an author document.
func mainFile(display, name, text string) *File {
	if !author.Is(name) {
		return parse(display, name, text)
	}
	d := author.Read(display, text)
	return &File{Path: name, AST: d.AST, Parts: compile.File(d.AST), document: d}
}

// parse makes a file's tree and compiles its declarations.
func parse(display, name, text string) *File {
	f := &File{Path: name, AST: parser.File(source.Load(display, text))}
	f.Parts = compile.File(f.AST)
	return f
}

// display is a file's name in findings.
func (b *builder) display(name string) string {
	if b.in.Name == "" {
		return name
	}
	if name == b.in.Path {
		return b.in.Name
	}
	rel := name
	if dir := path.Dir(b.in.Path); dir != "." {
		rel = strings.TrimPrefix(name, dir+"/")
	}
	return path.Join(path.Dir(b.in.Name), rel)
}

// link joins the files of the unit.
func (b *builder) link() *Result {
	units := make([]scope.Unit, len(b.files))
	for i, f := range b.files {
		units[i] = scope.Unit{File: f.AST, Parts: f.Parts}
	}
	r := &Result{Files: b.files}
	r.Scope = scope.Link(units, b.incomplete, b.out)
	b.includes(r.Scope)
	return r
}

// check runs the checks of the linked unit.
func (b *builder) check(r *Result) {
	switch main := b.files[0].AST; {
	case main.Stopped:
	case b.in.FS == nil && hasImports(main):
		// The names it uses may all stand in what it imports.
		b.unresolved(main)
	default:
		check.All(r.Scope, b.in.Path, b.out)
	}
}

// stages runs the checks that look at other files than the unit's.
func (b *builder) stages(r *Result) {
	b.bundleStage(r)
	b.childStage(r)
}

// placed gives the findings their places, and holds them against the `lint:`
// comments.
func (b *builder) placed(r *Result) *Result {
	r.Included, r.Beside = b.included, b.beside
	r.Read = slices.Sorted(maps.Keys(b.names))
	comments := append(directives(b.files), bundleDirectives(r.Bundle)...)
	r.Diagnostics, r.Suppressed = directive.Apply(render(b.files, b.beside, r.Scope, b.out.Items), comments, r.Bundle != nil)
	return r
}

func hasImports(f *ast.File) bool {
	return slices.ContainsFunc(f.Decls, func(d *ast.Declaration) bool { return d.Root().Kind == ast.Import })
}

func (b *builder) unresolved(f *ast.File) {
	for _, d := range f.Decls {
		if d.Root().Kind == ast.Import && !d.Tainted(0) {
			b.out.Add("C030", d, d.Root().Span(), "this import cannot be read: the text is checked without its file")
			return
		}
	}
}
