package feature

import (
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	"iterion/grammar/lexer"
	"iterion/grammar/schema"
	"iterion/grammar/token"
	"iterion/ir"
	"iterion/ir/effective"
	"iterion/ir/routes"
)

// valueOfKey completes what stands behind `key:`, or behind the dash of an item.
func (c *completer) valueOfKey(kind *schema.Kind) {
	p := kind.Prop(c.key())
	if p == nil {
		c.entryValue(kind)
		return
	}
	c.word(wordCharacters(p))
	words := c.before(c.start)
	if len(words) == 1 || len(words) > 1 && c.openList(words) {
		c.element(p)
	}
}

// openList tells whether words end behind `[` or a comma of a list.
func (c *completer) openList(words []lexeme) bool {
	last := words[len(words)-1].kind
	return last == token.LBrack || last == token.Comma && slices.ContainsFunc(words, func(w lexeme) bool { return w.kind == token.LBrack })
}

// wordCharacters are what a bare value may hold besides letters.
func wordCharacters(p *schema.Property) string {
	switch p.Form {
	case schema.ToolList:
		return ".*"
	case schema.Dotted, schema.StrOrName, schema.StrOrNameList:
		return "."
	}
	return ""
}

// element offers the values of a property: its words, the names it refers to,
// or what is known of its like.
func (c *completer) element(p *schema.Property) {
	c.word(wordCharacters(p))
	switch p.Form {
	case schema.Str, schema.Word, schema.QStr, schema.StrList:
		c.quote = c.literal == nil
	}
	has := c.elements()
	for _, v := range p.Values {
		if !has[v.Word] {
			c.valueOf(v, c.path()+"/"+p.Name+"="+v.Word)
		}
	}
	switch {
	case p.Form == schema.Bool:
		c.bools()
	case p.Ref == schema.RefNode:
		c.nodesFor(p, has)
	case p.Ref != schema.NoRef:
		list, kind := c.declared(p.Ref)
		for _, n := range list {
			if !has[n.name] {
				c.name(n.name, n.detail, kind)
			}
		}
	default:
		c.known(p, has)
	}
}

// elements are those that the list around the cursor has besides.
func (c *completer) elements() map[string]bool {
	has := map[string]bool{}
	for i := 0; i < len(c.lines); i++ {
		l := &c.lines[i]
		if len(c.words) == 0 || l.words[0] != c.words[0] {
			continue
		}
		for j := 1; j < len(l.words); j++ {
			w := l.words[j]
			if w.end < c.start || w.start > c.end {
				has[strings.Trim(c.slice(w), "\"`")] = true
			}
		}
	}
	return has
}

func (c *completer) bools() {
	for _, word := range []string{"true", "false"} {
		c.add(rankUsual, protocol.CompletionItem{Label: word, Kind: protocol.CompletionItemKindValue}, "")
	}
}

// nodesFor offers the nodes that a property can mean.
func (c *completer) nodesFor(p *schema.Property, has map[string]bool) {
	for _, n := range c.allNodes() {
		switch kind := c.kind().Name; {
		case has[n.ID], kind == "supervisor" && n.LLM == nil, kind == "await_answers" && n.LLM == nil:
		case kind == "port":
			c.name(n.ID, nodeDetail(n), protocol.CompletionItemKindClass)
			for _, f := range c.fields(c.scope.Schema(n.Common.Output.V)) {
				c.name(n.ID+"."+f.name, f.detail, protocol.CompletionItemKindField)
			}
		case n.Kind != ir.KindFail:
			c.name(n.ID, nodeDetail(n), protocol.CompletionItemKindClass)
		}
	}
}

// known offers what no table lists: what the unit has, and what backends know.
func (c *completer) known(p *schema.Property, has map[string]bool) {
	typed := strings.Trim(c.text[c.start:c.end], `"`)
	value := func(list []string, detail string) {
		for _, v := range list {
			if !has[v] && v != typed {
				c.name(v, detail, protocol.CompletionItemKindValue)
			}
		}
	}
	switch p.Name {
	case "tools", "tool_policy", "agent_tools":
		c.tools(has)
	case "allow", "ask", "deny":
		c.rules(has)
	case "skills":
		c.skills(has)
	case "model", "interaction_model":
		value(c.written(modelsOf), "a model of this program")
	case "provider":
		value(routes.Providers(), "provider")
	case "source":
		c.files(".bot", "")
	case "event":
		value(c.written(eventsOf), "event")
	case "session_slot":
		value(c.written(slotsOf), "a conversation of this program")
	case "port":
		c.ports()
	}
}

// skills offers those of the bundle. A name that is no identifier is quoted.
func (c *completer) skills(has map[string]bool) {
	b := c.unit.Result().Bundle
	if b == nil {
		return
	}
	for _, s := range b.Skills {
		if s.Name == nil || s.Name.Value.Str() == "" || has[s.Name.Value.Str()] {
			continue
		}
		name, detail := s.Name.Value.Str(), ""
		if s.Description != nil {
			detail = s.Description.Value.Str()
		}
		c.quote = c.literal == nil && lexer.WordEnd(name, 0) < len(name)
		c.name(name, detail, protocol.CompletionItemKindFile)
	}
}

func modelsOf(n *ir.Node) (list []string) {
	for _, r := range effective.Routes(nil, n) {
		list = append(list, r.Model.V.Value())
	}
	if n.LLM != nil {
		list = append(list, n.LLM.InteractionModel.V.Value())
	}
	return list
}

func eventsOf(n *ir.Node) []string {
	switch {
	case n.Emit != nil:
		return []string{n.Emit.Event.V}
	case n.Wait != nil:
		return []string{n.Wait.Event.V}
	}
	return nil
}

func slotsOf(n *ir.Node) []string {
	if n.LLM == nil {
		return nil
	}
	return []string{n.LLM.SessionSlot.V}
}

// ports are those of the contract around the cursor, as a criterion names them.
func (c *completer) ports() {
	contract := c.scope.Contracts[c.named(c.levels[0].line)]
	if contract == nil {
		return
	}
	for _, p := range contract.Inputs {
		c.name("input."+p.Name, p.Type, protocol.CompletionItemKindField)
	}
	for _, p := range contract.Outputs {
		c.name("output."+p.Name, p.Type, protocol.CompletionItemKindField)
	}
}

// entryValue completes what stands behind an author's own name.
func (c *completer) entryValue(kind *schema.Kind) {
	if kind.Entry == nil {
		return
	}
	words := c.before(c.start)
	switch {
	case kind.Entry.Typed != nil:
		c.typed(kind.Entry.Typed, words)
	case len(words) != 1:
	case kind.Entry.Ref == schema.RefVar:
		c.valuesOfVar(c.key())
	case kind.Entry.Ref == schema.RefCursor:
		if cursor := c.scope.Cursors[c.key()]; cursor != nil {
			for _, v := range cursor.Values.V {
				c.name(v.Key, firstLine(v.Value.Value()), protocol.CompletionItemKindEnumMember)
			}
		}
	}
}

// typed completes `name: type [enum: …] [matching: …] = default`.
func (c *completer) typed(t *schema.Typed, words []lexeme) {
	switch {
	case len(words) == 1:
		for _, name := range t.Types {
			c.add(rankUsual, protocol.CompletionItem{Label: name, Kind: protocol.CompletionItemKindTypeParameter}, "")
		}
		if list, kind := c.declared(schema.RefSchema); t.Schemas {
			for _, n := range list {
				c.name(n.name, n.detail, kind)
			}
		}
	case words[len(words)-1].kind == token.Equal:
		if c.slice(words[1]) == "bool" {
			c.bools()
		}
		c.quote = true
		for _, w := range c.enumOf(words) {
			c.name(w, "", protocol.CompletionItemKindEnumMember)
		}
	case words[len(words)-1].kind == token.LBrack:
		c.constraint(t, "")
	case len(words) == 2, words[len(words)-1].kind == token.RBrack:
		c.constraint(t, "[")
		if t.Default {
			c.keyword("=", "= ")
		}
	}
}

// constraint offers what may limit a type, with the bracket unless it is there.
func (c *completer) constraint(t *schema.Typed, open string) {
	if t.Enum {
		c.keyword("enum", open+`enum: "`)
	}
	if t.Matching {
		c.keyword("matching", open+`matching: "`)
	}
}

// enumOf are the words of an enum that stands on the line.
func (c *completer) enumOf(words []lexeme) (list []string) {
	in := false
	for _, w := range words {
		switch text := c.slice(w); {
		case w.kind == token.Ident:
			in = text == "enum"
		case w.kind == token.RBrack:
			in = false
		case in && w.kind == token.String:
			list = append(list, strings.Trim(text, `"`))
		}
	}
	return list
}

// valuesOfVar offers the values that a variable can have.
func (c *completer) valuesOfVar(name string) {
	v := c.scope.Program.Var(name)
	if v == nil {
		return
	}
	if v.Type == "bool" {
		c.bools()
	}
	c.quote = c.literal == nil
	for _, w := range ir.Strings(v.Enum) {
		c.name(w, v.Name, protocol.CompletionItemKindEnumMember)
	}
}
