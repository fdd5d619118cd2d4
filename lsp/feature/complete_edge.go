package feature

import (
	"strings"

	"go.lsp.dev/protocol"

	"iterion/ast/source"
	"iterion/grammar/token"
	"iterion/ir"
	"iterion/ir/scope"
)

// edgePart is how far an edge line has come.
type edgePart uint8

const (
	atTarget edgePart = iota
	atClauses
	atWhen
	atNot
	atAs
	atLoop
	atCap
	atForeach
	atBinding
	atIn
	atWith
	atEntry
	atColon
	atValue
)

// edgeState is what an edge line says before the cursor.
type edgeState struct {
	at   edgePart
	ends []string        // its nodes so far
	used map[string]bool // its clauses
	keys map[string]bool // of its `with`
	key  string          // whose value comes next
}

// readEdge reads the words of an edge, or of a line with a `with` group, which
// begins among the clauses.
func readEdge(s *site, words []lexeme, from edgePart) edgeState {
	e := edgeState{at: from, used: map[string]bool{}, keys: map[string]bool{}}
	for _, w := range words {
		if w.kind == token.Src {
			e.ends = append(e.ends, strings.TrimSpace(strings.TrimSuffix(s.slice(w), "->")))
			e.at = atTarget
			continue
		}
		e.take(w.kind, s.slice(w))
	}
	return e
}

func (e *edgeState) take(kind token.Type, text string) {
	name := kind == token.Ident
	switch {
	case kind == token.Arrow:
		e.at = atTarget
	case kind == token.RBrace, kind == token.RParen:
		e.at = atClauses
	case e.at == atTarget && name:
		e.target(text)
	case e.at == atClauses && kind == token.Dot && len(e.ends) > 0:
		e.ends[len(e.ends)-1] += "."
	case (e.at == atClauses || e.at == atLoop) && name:
		e.clause(text)
	case e.at == atWhen && name && text == "not":
		e.at = atNot
	case e.at == atWhen, e.at == atNot:
		e.at = atClauses
	case e.at == atAs && name && text == "foreach":
		e.at = atForeach
	case e.at == atAs && name:
		e.at = atLoop
	case kind == token.LParen && e.at == atLoop:
		e.at = atCap
	case kind == token.LParen && e.at == atForeach:
		e.at = atBinding
	case e.at == atBinding && name && text == "in":
		e.at = atIn
	case e.at == atWith && kind == token.LBrace, kind == token.Comma && e.at >= atWith:
		e.at = atEntry
	case e.at == atEntry && (name || kind == token.Key):
		e.key, e.at = text, atColon
	case e.at == atColon && kind == token.Colon:
		e.keys[e.key], e.at = true, atValue
	case e.at == atValue:
		e.at = atEntry
	}
}

// target takes a name behind an arrow, or one behind a dot of it.
func (e *edgeState) target(text string) {
	e.ends = append(e.ends, text)
	e.at = atClauses
}

func (e *edgeState) clause(text string) {
	if n := len(e.ends); n > 0 && strings.HasSuffix(e.ends[n-1], ".") {
		e.ends[n-1] += text
		return
	}
	e.used[text] = true
	switch text {
	case "when":
		e.at = atWhen
	case "as":
		e.at = atAs
	case "with":
		e.at = atWith
	}
}

// source and destination are the nodes of the last arrow, "" for none yet.
func (e *edgeState) source() string {
	switch n := len(e.ends); {
	case n == 0:
		return ""
	case n == 1 || e.at == atTarget:
		return e.ends[n-1]
	default:
		return e.ends[n-2]
	}
}

func (e *edgeState) destination() string {
	if len(e.ends) < 2 {
		return ""
	}
	return e.ends[len(e.ends)-1]
}

// edgeLine completes an edge behind its first node.
func (c *completer) edgeLine(words []lexeme) {
	e := readEdge(c.site, words, atTarget)
	if e.at != atTarget {
		c.word("")
	}
	switch e.at {
	case atTarget:
		c.targets(e.source())
	case atClauses, atLoop:
		c.clauses(&e)
	case atWhen, atNot:
		c.flags(c.nodeNamed(e.source()))
		if e.at == atWhen {
			c.keyword("not", "")
		}
	case atAs:
		c.loops()
	case atCap:
		c.keyword("unbounded", "")
	case atForeach:
		for _, name := range sortedKeys(c.scope.Foreaches) {
			c.name(name, "foreach", protocol.CompletionItemKindReference)
		}
	case atBinding:
		c.keyword("in", "")
	case atWith, atEntry, atColon, atValue:
		c.withKeys(e, c.inputs(c.nodeNamed(e.destination())))
	}
}

// targets offers where an edge may lead: nodes, and the two ends of a run. Few
// edges lead back to where they begin.
func (c *completer) targets(source string) {
	for _, n := range c.edgeEnds() {
		rank := c.nearRank(n.ID)
		if n.ID == source {
			rank = rankLast
		}
		c.add(rank, protocol.CompletionItem{Label: n.ID, Detail: nodeDetail(n), Kind: protocol.CompletionItemKindClass}, "")
	}
	for _, end := range []suggestion{{ir.Done, "ends the run"}, {ir.Fail, "ends the run as failed"}} {
		c.add(rankRest, protocol.CompletionItem{Label: end.name, Detail: end.detail, Kind: protocol.CompletionItemKindConstant}, "")
	}
}

// clauses offers those that the edge has not yet.
func (c *completer) clauses(e *edgeState) {
	if len(e.used) == 0 {
		c.keyword("->", "-> ")
	}
	if len(e.ends) < 2 {
		return
	}
	if !e.used["when"] && !e.used["else"] {
		c.keyword("when", "")
		c.keyword("else", "")
	}
	if !e.used["as"] {
		c.keyword("as", "")
	}
	if !e.used["with"] {
		c.keyword("with", "with { ")
	}
}

// flags offers the bool fields of a node's output.
func (c *completer) flags(n *ir.Node) {
	if n == nil {
		return
	}
	if s := c.scope.Schema(n.Common.Output.V); s != nil {
		for _, f := range s.Fields {
			if f.Type == "bool" {
				c.name(f.Name, "bool", protocol.CompletionItemKindField)
			}
		}
	}
}

// loops offers the loops of the unit: edges of one name are one loop.
func (c *completer) loops() {
	for _, name := range sortedKeys(c.scope.Loops) {
		text := name
		if cap := capOf(c.scope.Loops[name]); cap != "" && !strings.HasPrefix(c.text[c.end:], "(") {
			text += "(" + cap + ")"
		}
		c.add(rankUsual, protocol.CompletionItem{Label: name, Detail: "loop", Kind: protocol.CompletionItemKindReference}, text)
	}
	c.keyword("foreach", "foreach ")
}

// capOf is the bound that the edges of a loop agree on, as written.
func capOf(edges []*scope.Edge) string {
	for _, e := range edges {
		for _, at := range []source.Span{e.Loop.Count.Span, e.Loop.Cap.Span, e.Loop.Unbounded.Span} {
			if text := e.Decl.Tree.Text; !at.IsZero() && int(at.End) <= len(text) {
				return text[at.Start:at.End]
			}
		}
	}
	return ""
}

// withLine completes the `with { … }` of a node.
func (c *completer) withLine(words []lexeme) {
	e := readEdge(c.site, words, atClauses)
	var keys []suggestion
	if n := c.node(); n != nil && n.Subbot != nil {
		keys = c.childVars(n.Subbot.Source.V)
	} else if n != nil && n.Emit != nil {
		keys = c.payload(n.Emit.Event.V)
	}
	c.withKeys(e, keys)
}

// payload are the fields that a wait for an event takes.
func (c *completer) payload(event string) []suggestion {
	for _, n := range c.scope.Nodes {
		if n.Wait != nil && n.Wait.Event.V == event {
			return c.fields(n.OutputSchema)
		}
	}
	return nil
}

// inputs are the fields that a node takes.
func (c *completer) inputs(n *ir.Node) []suggestion {
	if n == nil {
		return nil
	}
	return c.fields(c.scope.Schema(n.Common.Input.V))
}

// withKeys completes the inside of `with { key: value }`.
func (c *completer) withKeys(e edgeState, keys []suggestion) {
	c.word("")
	switch e.at {
	case atWith:
		c.keyword("{", "{ ")
	case atValue:
		c.bools()
	case atEntry:
		for _, k := range keys {
			if !e.keys[k.name] {
				c.withKey(k)
			}
		}
	}
}

func (c *completer) withKey(k suggestion) {
	item := protocol.CompletionItem{Label: k.name, Detail: k.detail, Kind: protocol.CompletionItemKindField}
	text := k.name + ": "
	switch {
	case strings.HasPrefix(strings.TrimLeft(c.text[c.end:], " \t"), ":"):
		text = k.name
	case c.snippets:
		item.InsertTextFormat = protocol.InsertTextFormatSnippet
		text = k.name + `: "$1"$0`
	}
	c.add(rankUsual, item, text)
}
