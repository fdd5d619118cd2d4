package build

import (
	"io/fs"
	"path"
	"sort"
	"strings"

	"iterion/ast"
	"iterion/ast/source"
	"iterion/ir"
	"iterion/ir/bundle"
	"iterion/ir/check"
	"iterion/ir/compile"
)

// findBundle looks for a bundle in the folder of the main file.
func (b *builder) findBundle() {
	if b.in.FS != nil {
		b.folder = bundle.Find(path.Dir(b.in.Path), bundle.Files{FS: b.in.FS, Read: b.read, Name: b.display})
	}
}

// isMain tells whether the bundle's manifest is about the main file, not
// about another file beside it.
func (b *builder) isMain() bool { return path.Base(b.in.Path) == bundle.Main }

// manifestFindings reports a manifest that is not read: C222, C223. One that
// cannot be used is an error of the request; in an editor its text is checked
// as if it stood alone.
func (b *builder) manifestFindings() error {
	if !b.isMain() {
		return nil
	}
	if fault := b.folder.Fault; fault != nil {
		if !b.in.Editor {
			return fault
		}
		f := b.out.Add("C222", nil, source.Span{}, "the bundle does not open, so this file is checked alone: %s", fault.Message)
		f.See(b.addBeside(fault.Text).tree(), fault.Span, "here")
		f.Field = fault.Path
		b.folder = bundle.Folder{}
	}
	if foreign := b.folder.Foreign; foreign != nil {
		f := b.out.Add("C223", b.addBeside(foreign.Text).tree(), foreign.Span, "`%s` is not read as the manifest of this bundle: %s",
			path.Base(foreign.Text.Path), foreign.Message)
		f.Near(foreign.Path, bundle.KeyNames())
		f.Field = foreign.Path
	}
	return nil
}

// addBeside makes a file one that findings may point into.
func (b *builder) addBeside(text *bundle.Text) *File {
	f := fileOf(text)
	b.beside = append(b.beside, f)
	return f
}

func (f *File) tree() *ast.Declaration { return f.AST.Decls[0] }

func fileOf(t *bundle.Text) *File {
	return &File{Path: t.Path, AST: &ast.File{Source: t.Source, Profile: 2, Decls: []*ast.Declaration{t.Tree}, Bases: []uint32{0}}}
}

// bundlePrompts adds the prompt files of a bundle: `prompts/NAME.md` declares
// the prompt NAME with the file's text.
func (b *builder) bundlePrompts() {
	if b.folder.Bundle == nil && b.folder.Fault == nil {
		return
	}
	names, err := fs.Glob(b.in.FS, path.Join(path.Dir(b.in.Path), "prompts", "*.md"))
	if err != nil {
		return
	}
	sort.Strings(names)
	for _, name := range names {
		if b.linked(name) {
			continue
		}
		if text, err := b.read(name); err == nil {
			b.files = append(b.files, promptFile(b.display(name), name, text))
		}
	}
}

// promptFile wraps a text as a file whose one declaration is a prompt.
func promptFile(display, name, text string) *File {
	f := fileOf(bundle.NewText(name, display, text))
	f.prose = true
	src, d := f.AST.Source, f.tree()
	if i := src.FirstInvalid(); i >= 0 {
		f.AST.Problems = append(f.AST.Problems, ast.Problem{Code: "E006", Message: "the prompt file is not UTF-8",
			Span: source.Span{Start: uint32(i), End: uint32(i + 1)}})
	}
	f.Parts = []*compile.Part{compile.PromptText(d, strings.TrimSuffix(path.Base(name), ".md"), ir.NewText(ast.Ident, src.Text, 0), d.Root().Span())}
	return f
}

// bundleStage runs the checks of a bundle.
func (b *builder) bundleStage(r *Result) {
	if b.folder.Bundle == nil || !b.isMain() {
		return
	}
	r.Bundle = b.folder.Bundle
	if m := r.Bundle.Manifest; m != nil {
		b.addBeside(m.Text)
	}
	for _, s := range r.Bundle.Skills {
		b.addBeside(s.Text)
	}
	facts := &check.Bundle{Bundle: r.Bundle, Folder: b.in.Folder, Engine: b.in.Engine, Programs: b.programs(r.Scope)}
	check.OfBundle(r.Scope, b.in.Path, facts, b.out)
}
