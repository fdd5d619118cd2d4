package feature

import (
	"fmt"
	"strings"
	"sync"

	"go.lsp.dev/protocol"

	"iterion/grammar/schema"
)

// block offers a whole declaration: the example of its kind, with a stop at its
// name and at each value where the client knows them.
func (c *completer) block(k *schema.Kind) {
	if k.Example == "" || len(c.levels) > 0 && !c.snippets {
		return // its lines would need an indentation that only a client can give
	}
	item := protocol.CompletionItem{Label: k.Name + " …", FilterText: k.Name, Kind: protocol.CompletionItemKindSnippet,
		Detail: "a whole block", Data: k.Name, InsertTextMode: protocol.InsertTextModeAdjustIndentation}
	text := strings.TrimSuffix(k.Example, "\n")
	if c.snippets {
		item.InsertTextFormat = protocol.InsertTextFormatSnippet
		text = exampleSnippet(text)
	}
	c.add(rankBlock, item, text)
}

// exampleSnippet makes stops of an example's name and values.
func exampleSnippet(example string) string {
	var b strings.Builder
	n := 0
	stop := func(text string) string {
		n++
		return fmt.Sprintf("${%d:%s}", n, escaped(text))
	}
	for i, line := range strings.Split(example, "\n") {
		if i > 0 {
			b.WriteByte('\n')
		}
		key, value, ok := strings.Cut(line, ":")
		keyword, name, named := strings.Cut(key, " ")
		name, rest, called := strings.Cut(name, "(")
		switch {
		case i == 0 && named && ok && called:
			b.WriteString(keyword + " " + stop(name) + "(" + escaped(rest) + ":")
		case i == 0 && named && ok && keyword != "use":
			b.WriteString(keyword + " " + stop(name) + ":")
		case ok && strings.HasPrefix(value, ` "`) && strings.HasSuffix(value, `"`) && len(value) > 2:
			b.WriteString(key + `: "` + stop(value[2:len(value)-1]) + `"`)
		case ok && value != "" && !strings.Contains(value, `"`):
			b.WriteString(key + ": " + stop(strings.TrimSpace(value)))
		default:
			b.WriteString(escaped(line))
		}
	}
	return b.String() + "$0"
}

// escaped writes a text so that a snippet has it as it is.
func escaped(text string) string { return escapes().Replace(text) }

var escapes = sync.OnceValue(func() *strings.Replacer { return strings.NewReplacer(`\`, `\\`, `$`, `\$`, `}`, `\}`) })

// propertySnippet is a property with a stop where its value goes.
func propertySnippet(p *schema.Property) string {
	key := p.Name + ": "
	switch p.Form {
	case schema.Block:
		return p.Name + ":\n  $0"
	case schema.With:
		return `with { ${1:key}: "$2" }$0`
	case schema.Map:
		return key + `{ ${1:KEY}: "$2" }$0`
	case schema.NameList, schema.ToolList:
		return key + "[$0]"
	case schema.StrList, schema.StrOrNameList:
		return key + `["$1"]$0`
	case schema.Bool:
		if p.Default == "true" {
			return key + "${1|false,true|}"
		}
		return key + "${1|true,false|}"
	case schema.Str, schema.Word, schema.QStr:
		if len(p.Values) > 0 {
			return key + `"` + choice(p) + `"`
		}
		return key + `"$1"$0`
	case schema.Enum, schema.EnumOrEnv, schema.OneOf:
		return key + choice(p)
	}
	return key + "$0"
}

func choice(p *schema.Property) string {
	return "${1|" + strings.Join(schema.Words(p.Values), ",") + "|}"
}
