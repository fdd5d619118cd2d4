package compile

import (
	"iter"
	"reflect"
	"strings"

	"iterion/grammar/template"
	"iterion/ir"
)

// Paste replaces each `{{params.p}}` of text by the parameter's value. A
// parameter that is not bound stays as written.
func Paste(text string, params map[string]string) string {
	refs, _ := template.Parse(text)
	return template.Render(text, keepOthers(text, refs), func(r template.Ref) (string, bool) {
		if r.Literal || r.Namespace != "params" || len(r.Path) != 1 {
			return text[r.Span.Start:r.Span.End], true
		}
		v, ok := params[r.Path[0]]
		return v, ok
	})
}

// keepOthers drops the forms that Render would resolve by itself: only
// parameters are pasted here.
func keepOthers(text string, refs []template.Ref) []template.Ref {
	kept := refs[:0:0]
	for _, r := range refs {
		if r.Namespace == "params" {
			kept = append(kept, r)
		}
	}
	return kept
}

// Rewrite returns a copy of a node in which every string went through text,
// and every prompt's name through prompt.
func Rewrite(p NodePart, text, prompt func(string) string) NodePart {
	node := *p.Node
	common := *node.Common
	node.Common = &common
	rewriteValue(reflect.ValueOf(&common).Elem(), text)
	for _, own := range []any{&node.LLM, &node.Router, &node.Human, &node.Tool, &node.Compute} {
		v := reflect.ValueOf(own).Elem()
		if v.IsNil() {
			continue
		}
		copied := reflect.New(v.Type().Elem())
		copied.Elem().Set(v.Elem())
		rewriteValue(copied.Elem(), text)
		v.Set(copied)
	}
	for _, use := range promptUses(&node) {
		if use != nil && use.Set() && !use.V.Inline {
			use.V.Name = prompt(use.V.Name)
		}
	}
	for _, inline := range p.Inlines {
		changed := ir.PlainText(text(inline.Prompt.Text.Value()))
		use := promptUse(&node, inline.Prop)
		use.V.Name = InlineName(changed.Value())
	}
	if use := interactionPrompt(&node); use != nil && use.Set() {
		use.V = prompt(use.V)
	}
	out := NodePart{Node: &node, Texts: RewriteTexts(p.Texts, text), Exprs: rewriteExprs(p.Exprs, text)}
	for _, inline := range p.Inlines {
		copied := *inline.Prompt
		copied.Text = ir.PlainText(text(copied.Text.Value()))
		copied.Name = InlineName(copied.Text.Value())
		out.Inlines = append(out.Inlines, Inline{&copied, inline.Prop})
	}
	return out
}

// RewriteTexts rewrites texts and finds their references again. A text that
// did not change keeps its exact places.
func RewriteTexts(texts []TextUse, text func(string) string) []TextUse {
	c := &compiler{}
	c.uses.Step = len(texts)
	for _, t := range texts {
		if !Rewritable(t.Text) {
			c.uses.Add(t)
			continue
		}
		value := t.Text.Value()
		changed := text(value)
		if changed == value {
			c.uses.Add(t)
			continue
		}
		c.text(t.Row, t.Key, t.Kind, ir.PlainText(changed), t.Span)
	}
	return c.uses.Cut()
}

func rewriteExprs(exprs []ExprUse, text func(string) string) []ExprUse {
	var list []ExprUse
	for _, e := range exprs {
		value := e.Text.Value()
		if changed := text(value); changed != value {
			e = NewExpr(e.Role, e.Key, ir.PlainText(changed), e.Span)
		}
		list = append(list, e)
	}
	return list
}

// RewriteEdge returns a copy of an edge with its strings rewritten.
func RewriteEdge(p *EdgePart, text func(string) string) *EdgePart {
	e := p.Edge
	rewriteText(&e.Expr, text)
	if e.Loop != nil {
		copied := *e.Loop
		rewriteText(&copied.Cap, text)
		e.Loop = &copied
	}
	if e.Foreach != nil {
		copied := *e.Foreach
		rewriteText(&copied.Collection, text)
		e.Foreach = &copied
	}
	if e.With.Set() {
		rewriteValue(reflect.ValueOf(&e.With).Elem(), text)
	}
	return &EdgePart{Edge: e, Texts: RewriteTexts(p.Texts, text), Exprs: rewriteExprs(p.Exprs, text)}
}

func rewriteText(t *ir.Opt[ir.Text], text func(string) string) {
	if t.Set() {
		t.V = changedText(t.V, text)
	}
}

// Rewritable tells whether a text may hold what an instance rewrites: outputs of
// its nodes and parameters. Most do not, and need not be decoded.
func Rewritable(t ir.Text) bool {
	raw, _ := t.Scan()
	return strings.Contains(raw, "outputs.") || strings.Contains(raw, "params.")
}

func changedText(t ir.Text, text func(string) string) ir.Text {
	if !Rewritable(t) {
		return t
	}
	value := t.Value()
	if changed := text(value); changed != value {
		return ir.PlainText(changed)
	}
	return t
}

// rewriteValue rewrites every string property below v in place; slices and
// blocks are copied first, since the group keeps its own.
func rewriteValue(v reflect.Value, text func(string) string) {
	switch p := v.Addr().Interface().(type) {
	case *ir.Opt[ir.Text]:
		rewriteText(p, text)
		return
	case *ir.Opt[string]:
		if p.Set() {
			p.V = text(p.V)
		}
		return
	case *ir.Text:
		*p = changedText(*p, text)
		return
	case *ir.Item:
		p.Text = text(p.Text)
		return
	case *ir.Opt[ir.PromptUse], *ir.Block, *ir.Key:
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				rewriteValue(v.Field(i), text)
			}
		}
	case reflect.Slice:
		if v.IsNil() {
			return
		}
		copied := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		reflect.Copy(copied, v)
		v.Set(copied)
		for i := range v.Len() {
			rewriteValue(v.Index(i), text)
		}
	case reflect.Pointer:
		if v.IsNil() {
			return
		}
		copied := reflect.New(v.Type().Elem())
		copied.Elem().Set(v.Elem())
		v.Set(copied)
		rewriteValue(copied.Elem(), text)
	}
}

// promptUses lists the prompts a node names, set or not; nil for none.
func promptUses(n *ir.Node) [2]*ir.Opt[ir.PromptUse] {
	switch {
	case n.LLM != nil:
		return [2]*ir.Opt[ir.PromptUse]{&n.LLM.System, &n.LLM.User}
	case n.Router != nil:
		return [2]*ir.Opt[ir.PromptUse]{&n.Router.System, &n.Router.User}
	case n.Human != nil:
		return [2]*ir.Opt[ir.PromptUse]{&n.Human.Instructions, &n.Human.System}
	}
	return [2]*ir.Opt[ir.PromptUse]{}
}

// interactionPrompt is the property that takes a prompt's name only.
func interactionPrompt(n *ir.Node) *ir.Opt[string] {
	switch {
	case n.LLM != nil:
		return &n.LLM.InteractionPrompt
	case n.Human != nil:
		return &n.Human.InteractionPrompt
	}
	return nil
}

func promptUse(n *ir.Node, prop string) *ir.Opt[ir.PromptUse] {
	uses := promptUses(n)
	if prop == "user" || prop == "system" && n.Human != nil {
		return uses[1]
	}
	return uses[0]
}

// PromptNames yields the declared prompts that a node uses.
func PromptNames(n *ir.Node) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, use := range promptUses(n) {
			if use != nil && use.Set() && !use.V.Inline && !yield(use.V.Name) {
				return
			}
		}
		if use := interactionPrompt(n); use != nil && use.Set() {
			yield(use.V)
		}
	}
}
