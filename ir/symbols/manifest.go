package symbols

import (
	"slices"
	"strings"

	"iterion/ast/source"
	"iterion/ir/build"
	"iterion/ir/bundle"
)

// manifest finds the names that a bundle's manifest hands to the program or
// reads of it.
func (b *builder) manifest(r *build.Result) (f *build.File, list []Occurrence) {
	if r.Bundle == nil || r.Bundle.Manifest == nil {
		return nil, nil
	}
	m := r.Bundle.Manifest
	i := slices.IndexFunc(r.Beside, func(f *build.File) bool { return f.AST.Decls[0] == m.Tree })
	if i < 0 {
		return nil, nil
	}
	b.tree, b.list = m.Tree, nil
	b.manifestVars(m.Root)
	b.chat(m.Root.At("chat"))
	for _, key := range []string{"node", "fallback_nodes", "anchor_node"} {
		for _, v := range m.Root.All("produces", key) {
			b.nodeName(v.Text, v.Span)
		}
	}
	b.value(Secret, m.Root.At("forge", "secret"))
	b.manifestKeys(Attachment, m.Root.At("attachments"))
	return r.Beside[i], b.sorted()
}

// manifestVars notes the variables that get a value from outside.
func (b *builder) manifestVars(root *bundle.Value) {
	for _, path := range []string{"dispatch_vars", "invocations.context_vars", "invocations.schedule.default_vars", "forge.webhook.launch_vars"} {
		for _, values := range root.All(strings.Split(path, ".")...) {
			b.manifestKeys(Var, values)
		}
	}
	for _, path := range []string{"invocations.args_var", "chat.seed_var", "chat.launcher_vars.name", "launch.primary", "launch.hidden"} {
		for _, v := range root.All(strings.Split(path, ".")...) {
			b.value(Var, v)
		}
	}
}

// chat notes the nodes that talk to people, and the fields of what they give.
func (b *builder) chat(chat *bundle.Value) {
	nodes := chat.At("nodes")
	if nodes == nil {
		return
	}
	for i := range nodes.Entries {
		e := &nodes.Entries[i]
		f := b.nodeName(e.Key, e.KeySpan)
		for _, key := range []string{"summary_field", "text_field", "approved_field", "host_event_field"} {
			if v := e.Value.At(key); v != nil {
				at, form := b.unquoted(v.Span)
				b.output(f, v.Text, at, form)
			}
		}
	}
}

func (b *builder) nodeName(name string, span source.Span) found {
	at, form := b.unquoted(span)
	return b.path(nil, name, at, form)
}

func (b *builder) manifestKeys(kind Kind, values *bundle.Value) {
	if values == nil {
		return
	}
	for i := range values.Entries {
		at, form := b.unquoted(values.Entries[i].KeySpan)
		b.add(Symbol{Kind: kind, Name: values.Entries[i].Key}, Refers, form, at)
	}
}

func (b *builder) value(kind Kind, v *bundle.Value) {
	if v != nil {
		at, form := b.unquoted(v.Span)
		b.add(Symbol{Kind: kind, Name: v.Text}, Refers, form, at)
	}
}

// unquoted is the inside of a YAML scalar.
func (b *builder) unquoted(at source.Span) (source.Span, Form) {
	if at.Start < at.End && int(at.End) <= len(b.tree.Text) && strings.ContainsRune(`"'`, rune(b.tree.Text[at.Start])) {
		return source.Span{Start: at.Start + 1, End: max(at.End-1, at.Start+1)}, Quoted
	}
	return at, Word
}
