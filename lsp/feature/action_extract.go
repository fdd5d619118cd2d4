package feature

import (
	"fmt"
	"slices"
	"strings"

	"iterion/ast"
	"iterion/ast/source"
	"iterion/grammar/literal"
	"iterion/grammar/schema"
	"iterion/ir"
	"iterion/ir/build"
	"iterion/lsp/session"
)

// extractions offers a prompt of its own for a text that stands in a node.
func extractions(at *spot) []action {
	tree, base, text := at.inlineText()
	if tree == nil {
		return nil
	}
	name := at.freshPrompt(text.node + "_" + text.property)
	edits, ok := text.extract(at.built.AST, tree, uint32(base), name)
	title := "Extract the text to prompt `" + name + "`"
	// A prompt ends with its last line, a block of text with a newline.
	end := ""
	if strings.HasSuffix(text.value, "\n") {
		end = "\n"
		title += ", without its final newline"
	}
	if !ok || !at.extracted(edits, name, text.value, end) {
		return nil
	}
	return []action{{title: title, edit: change{at.file.Key: edits}}}
}

// inlineText is a text in the place of a prompt's name.
type inlineText struct {
	node, property string
	prop, at       int // nodes of the tree: the property and its value
	value          string
}

// inlineText finds the one around the spot.
func (at *spot) inlineText() (tree *ast.Declaration, base int, text inlineText) {
	if at.built == nil {
		return nil, 0, text
	}
	if tree, base = session.DeclarationAt(at.built.AST, int(at.span.Start)); tree == nil || int(at.span.Start) < base {
		return nil, 0, text
	}
	span := source.Span{Start: at.span.Start - uint32(base), End: max(at.span.End, at.span.Start) - uint32(base)}
	owner, prop := tree.Enclosing(ast.Decl, span), tree.Enclosing(ast.Prop, span)
	if owner < 0 || prop < owner || tree.Nodes[prop].Aux == 0 || tree.Tainted(prop) {
		return nil, 0, text
	}
	kind := schema.Lookup(tree.KeywordOf(owner))
	value := prop + 2 // behind the key
	if kind == nil || int(tree.Nodes[prop].Aux) > len(kind.Props) || value >= int(tree.Nodes[prop].Next) {
		return nil, 0, text
	}
	row := &kind.Props[tree.Nodes[prop].Aux-1]
	switch k := tree.Nodes[value].Kind; {
	case row.Form != schema.Prompt, tree.Slice(prop+1) != row.Name, k != ast.String && k != ast.Raw && k != ast.Scalar:
		return nil, 0, text
	}
	name, _ := tree.Name(owner)
	text = inlineText{node: name, property: row.Name, prop: prop, at: value}
	text.value = literal.Value(tree.Nodes[value].Kind, tree.Slice(value), literal.ModeOf(at.built.AST))
	return tree, base, text
}

// freshPrompt is a name that no prompt of the file's units has.
func (at *spot) freshPrompt(name string) string {
	taken := func(name string) bool {
		for _, u := range at.units {
			if r := u.Result(); r != nil && r.Scope.Program.Prompt(name) != nil {
				return true
			}
		}
		return false
	}
	for fresh, n := name, 2; ; n++ {
		if !taken(fresh) {
			return fresh
		}
		fresh = fmt.Sprint(name, "_", n)
	}
}

// extract writes the name where the text stands, and the prompt below the
// declaration. It is not ok where a comment stands inside.
func (t *inlineText) extract(f *ast.File, tree *ast.Declaration, base uint32, name string) ([]source.Edit, bool) {
	key, value := tree.Nodes[t.prop+1], tree.Nodes[t.at]
	span := source.Span{Start: key.End, End: value.Start + uint32(len(strings.TrimRight(tree.Slice(t.at), " \t\n")))}
	if strings.Contains(tree.Text[key.End:value.Start], "#") {
		return nil, false
	}
	return []source.Edit{{Span: span.Shift(base), New: ": " + name}, below(f, slices.Index(f.Decls, tree), promptText(name, t.value))}, true
}

func promptText(name, value string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "prompt %s:\n", name)
	for line := range strings.Lines(strings.TrimRight(value, "\n")) {
		if strings.TrimSpace(line) != "" {
			b.WriteString("  ")
		}
		b.WriteString(line)
	}
	return b.String() + "\n"
}

// extracted tells whether every unit has the prompt then, and everybody is asked
// the same, but for what the text ends with. In a group a text may mean something
// else than below it.
func (at *spot) extracted(edits []source.Edit, name, value, end string) bool {
	for _, u := range at.units {
		edited := func(edits []source.Edit) *ir.Program {
			return u.Result().Edited(func(f *build.File) []source.Edit {
				if keyOf(f) == at.file.Key {
					return edits
				}
				return nil
			}).Program()
		}
		before, after := edited(nil), edited(edits)
		same := func(was, is string) bool { return was == is || was == value && was == is+end }
		if p := after.Prompt(name); p == nil || !same(value, p.Text.Value()) {
			return false
		}
		if !slices.EqualFunc(promptTexts(before), promptTexts(after), same) {
			return false
		}
	}
	return at.improves(change{at.file.Key: edits})
}

// promptTexts lists what the nodes and supervisors of a program say, in order.
func promptTexts(p *ir.Program) (texts []string) {
	add := func(use *ir.PromptUse) {
		text := ""
		if prompt := p.Prompt(use.Name); prompt != nil {
			text = prompt.Text.Value()
		}
		texts = append(texts, text)
	}
	for _, n := range p.Nodes {
		for _, use := range promptUses(n) {
			add(use)
		}
	}
	for _, s := range p.Supervisors {
		add(&s.System.V)
	}
	return texts
}

// promptUses are the places of a node that name prompts.
func promptUses(n *ir.Node) (uses []*ir.PromptUse) {
	if n.LLM != nil {
		uses = append(uses, &n.LLM.System.V, &n.LLM.User.V)
	}
	if n.Router != nil {
		uses = append(uses, &n.Router.System.V, &n.Router.User.V)
	}
	if n.Human != nil {
		uses = append(uses, &n.Human.Instructions.V, &n.Human.System.V)
	}
	return uses
}
