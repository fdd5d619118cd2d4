package feature

import (
	"context"
	"strings"

	"go.lsp.dev/protocol"

	"iterion/grammar/expr"
	"iterion/grammar/schema"
	"iterion/grammar/template"
	"iterion/ir/tools"
	"iterion/lsp/session"
)

// ResolveCompletion is completionItem/resolve: it adds the documentation, which
// a list of many items does without.
func ResolveCompletion(_ context.Context, _ *session.Snapshot, item *protocol.CompletionItem) (*protocol.CompletionItem, error) {
	if data, _ := item.Data.(string); data != "" {
		if text := documentation(data); text != "" {
			item.Documentation = &protocol.MarkupContent{Kind: protocol.Markdown, Value: text}
		}
	}
	return item, nil
}

// documentation tells of what an item's data names: `function:NAME`,
// `namespace:NAME`, `member:NAMESPACE.NAME`, `tool:KEY`, else a place in the
// table of properties.
func documentation(data string) string {
	what, name, ok := strings.Cut(data, ":")
	if !ok {
		return tableText(data)
	}
	switch what {
	case "function":
		if f := expr.LookupFunction(name); f != nil {
			return code(f.Signature) + f.Doc
		}
	case "namespace":
		return template.About(name)
	case "member":
		namespace, part, _ := strings.Cut(name, ".")
		for _, m := range template.Members(namespace) {
			if m.Name == part {
				return strings.TrimSpace("`" + m.Type + "` " + m.Doc)
			}
		}
	case "tool":
		return toolText(name)
	}
	return ""
}

func toolText(key string) string {
	t := tools.Lookup(key)
	if t == nil {
		return ""
	}
	text := "Spelled " + strings.Join(append([]string{t.Key}, t.Spellings...), ", ") + "."
	if spec, ok := t.Spec(); ok {
		return spec.About + "\n\n" + text
	}
	return text
}

// tableText describes a kind, a property or one of its values: `agent`,
// `agent/fallbacks/*/model`, `agent/permission=ask`.
func tableText(data string) string {
	at, value, isValue := strings.Cut(data, "=")
	keyword, rest, _ := strings.Cut(at, "/")
	kind := schema.Lookup(keyword)
	if kind == nil || rest == "" {
		if kind == nil {
			return ""
		}
		return kind.Doc + "\n\n" + code(kind.Example)
	}
	p := propertyAt(kind, strings.Split(rest, "/"))
	switch {
	case p == nil:
		return ""
	case isValue:
		for _, v := range p.Values {
			if v.Word == value {
				return v.Doc
			}
		}
	}
	text := p.Doc + "\n\n" + "`" + p.Form.String() + "`"
	if p.Default != "" {
		text += ", default `" + p.Default + "`"
	}
	return text + "\n\n" + code(p.Example)
}

func code(text string) string { return "```bot\n" + strings.TrimSuffix(text, "\n") + "\n```\n" }

// propertyAt follows names of properties, `*` being an author's own entry.
func propertyAt(kind *schema.Kind, path []string) (p *schema.Property) {
	for _, name := range path {
		if kind == nil {
			return nil
		}
		if name == "*" {
			if kind.Entry == nil {
				return nil
			}
			kind = kind.Entry.Block
			continue
		}
		if p = kind.Prop(name); p == nil {
			return nil
		}
		kind = p.Block
	}
	return p
}
