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
				b.include(s, s.Program.Prompt(name), &texts[i])
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
		text, problem := b.included(dir, r.Include, nil)
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

// included reads a text below dir with its own includes expanded, or says why
// it cannot.
func (b *builder) included(dir, name string, stack []string) (expanded, problem string) {
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
	texts := map[string]string{}
	refs, _ := template.Parse(text)
	for _, r := range refs {
		if r.Include == "" {
			continue
		}
		inner, problem := b.included(path.Dir(full), r.Include, append(stack[:len(stack):len(stack)], full))
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
