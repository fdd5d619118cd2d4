// Package build is the one entry to the compiler: it reads a unit through an
// fs.FS, parses, compiles, links and checks it, and gives back immutable
// values. The command line and the editor call the same function.
package build

import (
	"errors"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"iterion/ast"
	"iterion/ast/source"
	"iterion/diagnostics"
	"iterion/grammar/author"
	"iterion/grammar/parser"
	"iterion/ir"
	"iterion/ir/check"
	"iterion/ir/compile"
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
}

// Result is a built unit.
type Result struct {
	Files       []*File
	Scope       *scope.Scope
	Diagnostics []diagnostics.Diagnostic // sorted
}

// File is one file of the unit.
type File struct {
	Path  string // in Input.FS
	AST   *ast.File
	Parts []*compile.Part

	document *author.Document // that AST was spelled from; nil for a `.bot`
}

// Source is the file's own text, which findings point into.
func (f *File) Source() *source.File {
	if f.document != nil {
		return f.document.Source
	}
	return f.AST.Source
}

// rangeOf places a range of the tree's text.
func (f *File) rangeOf(s source.Span) diagnostics.Range {
	if f.document != nil {
		s = f.document.Place(s)
	}
	return rangeOf(f.Source(), s)
}

// Program returns the linked program. Only one without errors may be run.
func (r *Result) Program() *ir.Program { return r.Scope.Export() }

// Valid tells whether no finding is an error.
func (r *Result) Valid() bool {
	return !slices.ContainsFunc(r.Diagnostics, func(d diagnostics.Diagnostic) bool { return d.Severity == diagnostics.Error })
}

// Unit builds the unit whose main file is in.Path. The error is about the
// request: the main file cannot be read.
func Unit(in Input) (*Result, error) {
	text, err := read(in, in.Path)
	if err != nil {
		return nil, err
	}
	b := &builder{in: in, out: &finding.List{}, seen: map[string]int{}}
	b.load(in.Path, text)
	b.bundlePrompts()
	return b.finish(), nil
}

// Text builds a text that has no file.
func Text[T string | []byte](name string, text T) *Result {
	b := &builder{in: Input{Path: name}, out: &finding.List{}, seen: map[string]int{}}
	b.load(name, string(text))
	return b.finish()
}

// read returns a file's text, the overlay's first.
func read(in Input, name string) (string, error) {
	if text, ok := in.Overlay[name]; ok {
		return text, nil
	}
	f, err := in.FS.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	if info.IsDir() {
		return "", &fs.PathError{Op: "read", Path: name, Err: errors.New("is a directory")}
	}
	var text strings.Builder // the file's bytes are copied once
	text.Grow(int(min(info.Size(), source.MaxSize)) + 1)
	_, err = io.Copy(&text, io.LimitReader(f, source.MaxSize+1))
	return text.String(), err
}

type builder struct {
	in         Input
	out        *finding.List
	files      []*File
	seen       map[string]int // path → index in files, -1 while its imports load
	incomplete bool
}

// load reads a file, then what it imports, each once.
func (b *builder) load(name, text string) {
	b.seen[name] = len(b.files)
	f := mainFile(b.display(name), name, text)
	b.files = append(b.files, f)
	if len(b.files) == 1 || !f.AST.Stopped {
		b.imports(f, []string{name})
	}
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
		rel = name[len(dir)+1:]
	}
	return path.Join(path.Dir(b.in.Name), rel)
}

func (b *builder) finish() *Result {
	units := make([]scope.Unit, len(b.files))
	for i, f := range b.files {
		units[i] = scope.Unit{File: f.AST, Parts: f.Parts}
	}
	r := &Result{Files: b.files}
	r.Scope = scope.Link(units, b.incomplete, b.out)
	b.includes(r.Scope)
	switch main := b.files[0].AST; {
	case main.Stopped:
	case b.in.FS == nil && hasImports(main):
		// The names it uses may all stand in what it imports.
		b.unresolved(main)
	default:
		check.All(r.Scope, b.in.Path, b.out)
	}
	r.Diagnostics = render(b.files, b.out.Items)
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
