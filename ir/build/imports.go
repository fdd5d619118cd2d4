package build

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"iterion/ast"
	"iterion/grammar/parser"
)

// imports loads what a file imports. stack is the chain of files from the
// main one to this.
func (b *builder) imports(f *File, stack []string) {
	for _, d := range f.AST.Decls {
		if d.Root().Kind != ast.Import {
			continue
		}
		if d.Tainted(0) || b.in.FS == nil {
			b.incomplete = true
			continue
		}
		b.importOne(f, d, stack)
	}
}

func (b *builder) importOne(f *File, d *ast.Declaration, stack []string) {
	name := parser.ImportPath(d)
	at := d.Nodes[1].Span()
	main := len(stack) == 1 && !strings.HasPrefix("/"+f.Path, "/lib/")
	switch {
	case main && !strings.HasPrefix(name, "lib/"):
		b.out.Add("E045", d, at, "an imported fragment lies under `lib/`, `%s` does not", name)
		b.incomplete = true
		return
	case !main && strings.Contains(name, "/"):
		b.out.Add("E045", d, at, "a fragment imports its siblings by bare name, not `%s`", name)
		b.incomplete = true
		return
	}
	target := path.Join(path.Dir(f.Path), name)
	if slices.Contains(stack, target) {
		b.out.Add("E047", d, at, "`%s` is already being imported: the imports form a cycle", name)
		b.incomplete = true
		return
	}
	if _, done := b.seen[target]; done {
		return
	}
	if b.linked(target) {
		b.out.Add("E046", d, at, "`%s` is reached through a link", name)
		b.incomplete = true
		return
	}
	text, err := b.read(target)
	if err != nil {
		b.out.Add("E046", d, at, "`%s` cannot be read: %s", name, reason(err))
		b.incomplete = true
		return
	}
	b.seen[target] = len(b.files)
	file := parse(b.display(target), target, text)
	b.files = append(b.files, file)
	if file.AST.Stopped {
		b.incomplete = true
		return
	}
	b.imports(file, append(stack[:len(stack):len(stack)], target))
}

// linked tells whether a part of the path, below the main file's folder, is a
// symbolic link.
func (b *builder) linked(name string) bool {
	dir := path.Dir(b.in.Path)
	for p := name; p != dir && p != "." && p != "/"; p = path.Dir(p) {
		if info, err := fs.Lstat(b.in.FS, p); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return true
		}
	}
	return false
}

// reason is an error's cause without the path it repeats, the same in every
// file system.
func reason(err error) string {
	if errors.Is(err, fs.ErrNotExist) {
		return "no such file or directory"
	}
	if pe, ok := err.(*fs.PathError); ok {
		return pe.Err.Error()
	}
	return err.Error()
}
