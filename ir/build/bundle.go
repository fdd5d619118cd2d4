package build

import (
	"io/fs"
	"path"
	"sort"
	"strings"

	"iterion/ast"
	"iterion/ast/source"
	"iterion/ir"
	"iterion/ir/compile"
)

// bundlePrompts adds the prompt files of a bundle: in a folder with a manifest
// or skills, `prompts/NAME.md` declares the prompt NAME with the file's text.
func (b *builder) bundlePrompts() {
	dir := path.Dir(b.in.Path)
	if b.in.FS == nil || !b.isBundle(dir) {
		return
	}
	names, err := fs.Glob(b.in.FS, path.Join(dir, "prompts", "*.md"))
	if err != nil {
		return
	}
	sort.Strings(names)
	for _, name := range names {
		if text, err := read(b.in, name); err == nil && !b.linked(name) {
			b.files = append(b.files, promptFile(b.display(name), name, text))
		}
	}
}

func (b *builder) isBundle(dir string) bool {
	for _, mark := range []string{"manifest.yaml", "manifest.yml", "skills"} {
		if _, err := fs.Stat(b.in.FS, path.Join(dir, mark)); err == nil {
			return true
		}
	}
	return false
}

// promptFile wraps a text as a file whose one declaration is a prompt.
func promptFile(display, name, text string) *File {
	src := source.Load(display, text)
	all := source.Span{End: uint32(len(src.Text))}
	d := &ast.Declaration{Text: src.Text, Nodes: []ast.Node{{Kind: ast.Decl, End: all.End, Next: 1}}}
	f := &File{Path: name, AST: &ast.File{Source: src, Profile: 2, Decls: []*ast.Declaration{d}, Bases: []uint32{0}}}
	if i := src.FirstInvalid(); i >= 0 {
		f.AST.Problems = append(f.AST.Problems, ast.Problem{Code: "E006", Message: "the prompt file is not UTF-8",
			Span: source.Span{Start: uint32(i), End: uint32(i + 1)}})
	}
	f.Parts = []*compile.Part{compile.PromptText(d, strings.TrimSuffix(path.Base(name), ".md"), ir.NewText(ast.Ident, src.Text, 0), all)}
	return f
}
