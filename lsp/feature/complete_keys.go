package feature

import (
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	"iterion/ast"
	"iterion/grammar/schema"
	"iterion/grammar/token"
	"iterion/ir"
)

// atMargin completes what stands at the first column.
func (c *completer) atMargin() {
	words := c.before(c.start)
	switch {
	case c.column() > 0 && len(c.words) == 0:
	case len(words) == 0:
		c.declarations(schema.Kinds(), rankUsual)
		c.head()
	case c.leading(words[0]) == "dsl" && len(words) == 1:
		for _, profile := range []string{"2", "1"} {
			c.add(rankUsual, protocol.CompletionItem{Label: profile, Kind: protocol.CompletionItemKindValue}, "")
		}
	case c.leading(words[0]) == "use":
		c.useLine(words)
	}
}

// head offers the lines that stand before all declarations.
func (c *completer) head() {
	f := c.parsed.AST
	lines, imports := 0, true
	for i, d := range f.Decls {
		root := d.Root()
		if int(f.Bases[i]+root.Start) < c.margin {
			lines++
			imports = imports && (root.Kind == ast.Header || root.Kind == ast.Import)
		}
	}
	if !f.Header && lines == 0 {
		c.add(rankRequired, protocol.CompletionItem{Label: "dsl", Detail: "the profile of the file", Kind: protocol.CompletionItemKindKeyword}, "dsl: 2")
	}
	if imports {
		c.add(rankRest, protocol.CompletionItem{Label: "import", Detail: "a fragment below lib/", Kind: protocol.CompletionItemKindKeyword}, `import "`)
	}
}

// declarations offers keywords, and whole blocks of them.
func (c *completer) declarations(kinds []*schema.Kind, rank int) {
	for _, k := range kinds {
		if c.taken(k) {
			continue
		}
		text := k.Name + " "
		if !k.Named && k.Name != "use" {
			text = k.Name + ":"
		}
		c.add(rank, protocol.CompletionItem{Label: k.Name, Kind: protocol.CompletionItemKindKeyword, Data: k.Name}, text)
		c.block(k)
	}
}

// taken tells whether a block that may stand once is in the file already.
func (c *completer) taken(k *schema.Kind) bool {
	if k.Named && k.Name != "workflow" || k.Name == "use" {
		return false
	}
	for i, d := range c.parsed.AST.Decls {
		root := int(c.parsed.AST.Bases[i] + d.Root().Start)
		if d.Keyword() == k.Name && (c.at < root || c.at > root+len(k.Name)) {
			return true
		}
	}
	return false
}

// inBlock completes a line of a block.
func (c *completer) inBlock() {
	kind := c.kind()
	if kind.Members&schema.Edges != 0 {
		c.word(".")
	}
	words := c.before(c.start)
	switch {
	case len(words) == 0 && c.edgeStarts():
		c.word(".")
		c.nodes(c.sources())
	case len(words) == 0:
		c.word("")
		c.members(kind)
	case kind.Prop("with") != nil && c.slice(words[0]) == "with":
		c.withLine(words)
	case c.key() != "":
		c.word("")
		c.valueOfKey(kind)
	case kind.Members&schema.Edges != 0:
		c.edgeLine(words)
	}
}

// edgeStarts tells whether the line is an edge whose first node is being typed.
func (c *completer) edgeStarts() bool {
	if c.kind().Members&schema.Edges == 0 {
		return false
	}
	rest, _, _ := strings.Cut(c.text[c.end:], "\n")
	return strings.Contains(c.text[c.start:c.at], ".") || strings.HasPrefix(strings.TrimLeft(rest, " \t"), "->")
}

// members offers the lines that a block may have.
func (c *completer) members(kind *schema.Kind) {
	set := c.siblings()
	path := c.path()
	for i := range kind.Props {
		p := &kind.Props[i]
		if set[p.Name] || p.Replace != "" || p.Removed > 0 && c.parsed.AST.Profile >= p.Removed {
			continue
		}
		c.property(p, c.rankOf(kind, p), path+"/"+p.Name)
	}
	c.entries(kind, set)
	if kind.Members&schema.Nodes != 0 {
		c.declarations(slices.DeleteFunc(slices.Clone(schema.Kinds()), func(k *schema.Kind) bool { return !inGroup(k) }), rankUsual)
	}
	if kind.Members&schema.Edges != 0 {
		c.word(".")
		c.nodes(c.sources())
	}
}

// inGroup tells whether a group may hold a declaration.
func inGroup(k *schema.Kind) bool {
	switch ir.Kind(k.Name) {
	case ir.KindAgent, ir.KindJudge, ir.KindRouter, ir.KindHuman, ir.KindTool, ir.KindCompute:
		return true
	}
	return false
}

// rankOf: what is required comes first, then what the kind's example shows.
func (c *completer) rankOf(kind *schema.Kind, p *schema.Property) int {
	switch {
	case p.Require:
		return rankRequired
	case strings.Contains(kind.Example, "\n  "+p.Name+":"):
		return rankUsual
	}
	return rankRest
}

// property offers a property, with what its value begins with.
func (c *completer) property(p *schema.Property, rank int, path string) {
	item := protocol.CompletionItem{Label: p.Name, Kind: protocol.CompletionItemKindProperty, Detail: p.Doc, Data: path}
	rest := strings.TrimLeft(c.text[c.end:], " \t")
	switch {
	case strings.HasPrefix(rest, ":"), p.Form == schema.With && strings.HasPrefix(rest, "{"):
		c.add(rank, item, "")
	case c.snippets:
		item.InsertTextFormat = protocol.InsertTextFormatSnippet
		if p.Form == schema.Block {
			item.InsertTextMode = protocol.InsertTextModeAdjustIndentation
		}
		c.add(rank, item, propertySnippet(p))
	case p.Form == schema.Block:
		c.add(rank, item, p.Name+":")
	case p.Form == schema.With:
		c.add(rank, item, "with { ")
	default:
		c.add(rank, item, p.Name+": ")
	}
}

// entries offers the names of lines that are known from elsewhere.
func (c *completer) entries(kind *schema.Kind, set map[string]bool) {
	if kind.Entry == nil {
		return
	}
	var names []suggestion
	switch {
	case kind.Entry.Ref == schema.RefVar, kind.Name == "inputs":
		names = c.vars()
	case kind.Entry.Ref == schema.RefCursor:
		for _, cursor := range c.scope.Program.Cursors {
			names = append(names, suggestion{cursor.Name, cursor.Description.V.Value()})
		}
	case kind.Entry.Text == schema.Expression:
		if n := c.node(); n != nil {
			names = c.fields(c.scope.Schema(n.Common.Output.V))
		}
	}
	for _, n := range names {
		if set[n.name] {
			continue
		}
		text := n.name + ": "
		if strings.HasPrefix(strings.TrimLeft(c.text[c.end:], " \t"), ":") {
			text = n.name
		} else if kind.Name == "inputs" {
			text += c.typeOf(n.name)
		}
		c.add(rankUsual, protocol.CompletionItem{Label: n.name, Detail: n.detail, Kind: protocol.CompletionItemKindField}, text)
	}
}

func (c *completer) typeOf(variable string) string {
	if v := c.scope.Program.Var(variable); v != nil {
		return v.Type
	}
	return ""
}

// path is where the innermost block stands in the table of properties.
func (c *completer) path() string {
	path := ""
	for i, l := range c.levels {
		name := l.kind.Name
		if i > 0 {
			outer := c.levels[i-1].kind
			switch first := c.first(l.line); {
			case outer.Prop(first) != nil:
				name = path + "/" + first
			case !l.kind.Node:
				name = path + "/*"
			}
		}
		path = name
	}
	return path
}

// useLine completes `use GROUP as PREFIX with { param: … }`.
func (c *completer) useLine(words []lexeme) {
	switch {
	case len(words) == 1:
		for _, g := range sortedKeys(c.scope.Groups) {
			c.name(g, "group", protocol.CompletionItemKindModule)
		}
	case len(words) == 2:
		c.keyword("as", "")
	case len(words) == 4:
		c.keyword("with", "")
	case len(words) > 5 && words[4].kind == token.Ident:
		c.withKeys(readEdge(c.site, words[4:], atClauses), c.params(c.slice(words[1])))
	}
}

// params are the parameters of a group.
func (c *completer) params(group string) (names []suggestion) {
	if g := c.scope.Groups[group]; g != nil {
		for _, p := range g.Group.Params {
			names = append(names, suggestion{p.Name, "parameter of " + group})
		}
	}
	return names
}

// keyword offers a word of the grammar. text is what it is written as, "" for
// itself.
func (c *completer) keyword(word, text string) {
	c.add(rankUsual, protocol.CompletionItem{Label: word, Kind: protocol.CompletionItemKindKeyword}, text)
}
