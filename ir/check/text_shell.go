package check

import (
	"slices"
	"strings"

	"iterion/ast/source"
	"iterion/diagnostics"
	"iterion/grammar/template"
	"iterion/ir"
	"iterion/ir/scope"
)

// checkShell judges what a tool hands to a shell: C137, C157, C158.
func checkShell(c *Context, n *scope.Node) {
	if n.Tool == nil {
		return
	}
	for _, body := range []ir.Opt[ir.Text]{n.Tool.Command, n.Tool.Postcondition} {
		shellBody{c, n, body}.check(false)
	}
	switch n.Tool.Language.V {
	case "", "sh", "bash":
		shellBody{c, n, n.Tool.Script}.check(true)
	}
}

// shellBody is one text that a shell runs.
type shellBody struct {
	c    *Context
	n    *scope.Node
	text ir.Opt[ir.Text]
}

func (b shellBody) check(script bool) {
	if raw, _ := b.text.V.Scan(); !holdsNoiseEnv(raw) && !mayBeQuoted(raw) {
		return // most texts are not worth decoding
	}
	text := b.text.V.Value()
	refs, _ := template.Parse(text)
	sh := scanShell(text)
	starts := make([]int, len(refs))
	for i, ref := range refs {
		starts[i] = int(ref.Span.Start)
	}
	regions := sh.around(starts)
	b.noise(refs, regions, script)
	for i, ref := range refs {
		if !script && !ref.Raw && ref.Namespace != "" && regions[i].quote() {
			b.quoted(&refs[i], regions[i], sh)
		}
	}
	if len(sh.noise) > 0 {
		first := slices.MinFunc(sh.noise, func(a, b region) int { return a.start - b.start })
		b.c.node("C158", b.n, b.at(first.start, first.end), "in quotes the list of paths is one word, which names no file").
			Fix(diagnostics.UnquoteEnv, b.unquoted(sh.noise)...)
	}
}

// mayBeQuoted tells whether the text must be scanned for its references: a
// quote stands before one, or one reads the list of paths.
func mayBeQuoted(text string) bool {
	if !template.Has(text) {
		return false
	}
	behind := func(start int) bool { return start >= 0 && template.Has(text[start:]) }
	return behind(strings.IndexAny(text, "'\"`")) || behind(strings.Index(text, "<<")) || strings.Contains(text, "tree_noise")
}

// quoted: C137. A value is quoted when it is filled in, so the author's quotes
// end where it begins; what an agent or a person wrote is then run.
func (b shellBody) quoted(ref *ir.Ref, q region, sh *shellText) {
	f := b.c.node("C137", b.n, b.at(q.start, q.end), "`%s` stands in quotes, and its value brings quotes of its own", referenceText(ref))
	switch ref.Namespace {
	case "artifacts", "attachments", "loop":
		f.Severity = diagnostics.Error
	}
	if sh.needless(q) {
		f.Fix(diagnostics.UnquoteRef, b.unquoted([]region{q})...)
	}
}

// noise: C157, at the first plain reference to the list. In a script one that
// is quoted is a text like any other; in a command C137 stands for it.
func (b shellBody) noise(refs []ir.Ref, regions []region, script bool) {
	var plain []int
	for i, ref := range refs {
		if ref.Raw || ref.Namespace != "run" || len(ref.Path) != 1 || ref.Path[0] != "tree_noise" {
			continue
		}
		if regions[i].quote() || script && regions[i].kind != plainRegion {
			continue
		}
		plain = append(plain, i)
	}
	if plain == nil {
		return
	}
	first := refs[plain[0]].Span
	b.c.node("C157", b.n, b.at(int(first.Start), int(first.End)), "the list of paths is quoted as one word here, which names no file").
		Fix(diagnostics.RawTreeNoiseRef, b.raw(refs, plain)...)
}

// at maps a range of the decoded text to the declaration.
func (b shellBody) at(start, end int) source.Span {
	if b.text.V.Substituted() {
		return b.text.Span
	}
	return b.text.V.At(-1, source.Span{Start: uint32(start), End: uint32(end)}).Shift(b.text.Span.Start)
}
