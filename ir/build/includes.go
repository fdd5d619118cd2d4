package build

import (
	"io/fs"
	"path"
	"strings"
	"unicode/utf8"

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
	for _, p := range s.Prompts {
		for i := range p.Texts {
			b.include(p.Prompt, &p.Texts[i])
		}
	}
	for _, n := range s.Nodes {
		for i := range n.Texts {
			t := &n.Texts[i]
			if !hasInclude(t) {
				continue
			}
			for _, inline := range n.Inlines {
				if inline.Prompt.TextSpan == t.Span {
					if p := s.Program.Prompt(inline.Prompt.Name); p != nil {
						b.include(p, t)
					}
				}
			}
		}
	}
}

func hasInclude(t *compile.TextUse) bool {
	for _, r := range t.Refs {
		if r.Include != "" {
			return true
		}
	}
	return false
}

// include expands one prompt. The text use is replaced, never written to: its
// slices are shared with the compiled part.
func (b *builder) include(p *ir.Prompt, t *compile.TextUse) {
	if !hasInclude(t) || p.Tainted || p.Origin.File >= len(b.files) {
		return
	}
	dir := path.Dir(b.files[p.Origin.File].Path)
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
	p.Text = ir.PlainText(expandIncludes(p.Text.Value(), texts))
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
func (b *builder) included(dir, name string, stack []string) (text, problem string) {
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
	raw, err := read(b.in, full)
	if err != nil {
		return "", reason(err)
	}
	if !utf8.Valid(raw) {
		return "", "it is not UTF-8"
	}
	text = source.Load(name, raw).Text
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
