package build

import (
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"iterion/ast"
	"iterion/ast/source"
	"iterion/grammar/template"
	"iterion/ir"
	"iterion/ir/compile"
	"iterion/ir/scope"
)

// maxInclude is the largest text that may be included, in bytes.
const maxInclude = 256 << 10

// includes replaces the `{{include "…"}}` marks of prompts by the files'
// texts. What the included text refers to is reported at the mark.
func (b *builder) includes(s *scope.Scope) {
	for name, texts := range s.PromptTexts {
		for i := range texts {
			if hasInclude(&texts[i]) {
				texts = slices.Clone(texts)
				p := s.Program.Prompt(name)
				b.reader = b.readerIn(p.Tree, "")
				b.include(s, p, &texts[i])
				s.PromptTexts[name] = texts
			}
		}
	}
	for _, n := range s.Nodes {
		for i := range n.Texts {
			if hasInclude(&n.Texts[i]) {
				b.inlineIncludes(s, n)
				break
			}
		}
	}
}

// inlineIncludes expands the inline prompts of one node. The node's part is
// copied: it belongs to every version of the file.
func (b *builder) inlineIncludes(s *scope.Scope, n *scope.Node) {
	part := *n.NodePart
	part.Texts = slices.Clone(part.Texts)
	n.NodePart = &part
	b.reader = b.readerIn(n.Tree, n.Name)
	for i := range part.Texts {
		for _, inline := range part.Inlines {
			if t := &part.Texts[i]; hasInclude(t) && inline.Prompt.TextSpan == t.Span {
				b.include(s, s.Program.Prompt(inline.Prompt.Name), t)
			}
		}
	}
}

func hasInclude(t *compile.TextUse) bool {
	for i := range t.Refs {
		if t.Refs[i].Include != "" {
			return true
		}
	}
	return false
}

// include expands one prompt. Its compiled part is shared, so the expanded
// prompt is a new one.
func (b *builder) include(s *scope.Scope, p *ir.Prompt, t *compile.TextUse) {
	if p == nil || p.Tainted {
		return
	}
	dir := b.dirOf(p.Tree)
	texts := map[string]string{}
	refs := t.Refs[:0:0]
	for _, r := range t.Refs {
		refs = append(refs, r)
		if r.Include == "" {
			continue
		}
		text, problem := b.expanded(dir, r.Include, nil)
		if problem != "" {
			b.out.Add("C055", p.Tree, r.PathSpan, "`%s` cannot be included: %s", r.Include, problem)
			continue
		}
		texts[r.Include] = text
		inner, _ := template.Parse(text)
		for _, in := range inner {
			in.Span, in.PathSpan = r.Span, r.Span
			refs = append(refs, in)
		}
	}
	t.Refs = refs
	expanded := *p
	expanded.Text = ir.PlainText(expandIncludes(p.Text.Value(), texts))
	s.Program.ReplacePrompt(&expanded)
}

// Included is a text that prompts of the unit include, in the form of a bundle's
// prompt file.
type Included struct {
	*File
	By []Reader // each once
}

// Reader is a declaration whose prompt includes a text: a prompt, a node with an
// inline one, or a group whose member has it. It is known by where it stands,
// which holds for the unit with other texts too.
type Reader struct {
	File, Declaration int // in Result.Files, and in that file
	Member            int // of a group
}

// readerIn finds a declaration; member is the name of a group's node.
func (b *builder) readerIn(tree *ast.Declaration, member string) (r Reader) {
	for i, f := range b.files {
		k := slices.Index(f.AST.Decls, tree)
		if k < 0 {
			continue
		}
		r = Reader{File: i, Declaration: k}
		if g := f.Parts[k].Group; g != nil {
			r.Member = slices.IndexFunc(g.Nodes, func(n *compile.NodePart) bool { return n.Node.Name == member })
		}
	}
	return r
}

// includedBy notes a text, read for the prompt at work.
func (b *builder) includedBy(name, text string) {
	i := slices.IndexFunc(b.included, func(f *Included) bool { return f.Path == name })
	if i < 0 {
		i = len(b.included)
		f := promptFile(b.display(name), name, text)
		b.included = append(b.included, &Included{File: f})
		b.beside = append(b.beside, f)
	}
	if f := b.included[i]; !slices.Contains(f.By, b.reader) {
		f.By = append(f.By, b.reader)
	}
}

// dirOf is the folder of the file that holds a declaration.
func (b *builder) dirOf(tree *ast.Declaration) string {
	for _, f := range b.files {
		if slices.Contains(f.AST.Decls, tree) {
			return path.Dir(f.Path)
		}
	}
	return "."
}

func expandIncludes(text string, texts map[string]string) string {
	refs, _ := template.Parse(text)
	var b strings.Builder
	last := uint32(0)
	for _, r := range refs {
		if with, ok := texts[r.Include]; r.Include != "" && ok {
			b.WriteString(text[last:r.Span.Start])
			b.WriteString(with)
			last = r.Span.End
		}
	}
	b.WriteString(text[last:])
	return b.String()
}

// expanded reads a text below dir with its own includes expanded, or says why
// it cannot.
func (b *builder) expanded(dir, name string, stack []string) (whole, problem string) {
	switch {
	case b.in.FS == nil:
		return "", "the text is checked without its folder"
	case path.IsAbs(name) || strings.Contains(name, "\\"):
		return "", "the path is not relative"
	}
	full := path.Join(dir, name)
	if dir != "." && !strings.HasPrefix(full, dir+"/") || strings.HasPrefix(full, "../") {
		return "", "the path leaves the folder of the file"
	}
	for _, s := range stack {
		if s == full {
			return "", "it includes itself"
		}
	}
	if b.linked(full) {
		return "", "the path goes through a link"
	}
	info, err := fs.Stat(b.in.FS, full)
	switch {
	case err != nil:
		return "", reason(err)
	case info.IsDir():
		return "", "it is a folder"
	case info.Size() > maxInclude:
		return "", "it is larger than 256 KiB"
	}
	text, err := b.read(full)
	if err != nil {
		return "", reason(err)
	}
	if !utf8.ValidString(text) {
		return "", "it is not UTF-8"
	}
	text = source.Load(name, text).Text
	b.includedBy(full, text)
	texts := map[string]string{}
	refs, _ := template.Parse(text)
	for _, r := range refs {
		if r.Include == "" {
			continue
		}
		inner, problem := b.expanded(path.Dir(full), r.Include, append(stack[:len(stack):len(stack)], full))
		if problem != "" {
			return "", "`" + r.Include + "`: " + problem
		}
		texts[r.Include] = inner
	}
	text = expandIncludes(text, texts)
	if len(text) > template.MaxRendered {
		return "", "it grows beyond 5 MiB"
	}
	return text, ""
}
