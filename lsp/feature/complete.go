package feature

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	"iterion/ast/source"
	"iterion/grammar/lexer"
	"iterion/grammar/schema"
	"iterion/grammar/token"
	"iterion/lsp/session"
)

// CompletionTriggers are the characters behind which a list may open by itself.
var CompletionTriggers = []string{".", "{", "\"", ":", " ", ">", "[", "(", ",", "/", "!"}

// Completion is textDocument/completion: what may stand at a place. The list is
// empty where nothing is known.
func Completion(_ context.Context, s *session.Snapshot, p *protocol.CompletionParams) (*protocol.CompletionList, error) {
	f, err := s.File(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	return complete(f, f.Offset(p.Position)), nil
}

func complete(f *session.File, at int) *protocol.CompletionList {
	out := &protocol.CompletionList{Items: []protocol.CompletionItem{}}
	s := siteAt(f, at)
	if s == nil || s.comment {
		return out
	}
	c := &completer{site: s, snippets: f.Snapshot.Client.TextDocument.Completion.CompletionItem.SnippetSupport}
	c.word("")
	switch {
	case s.literal != nil:
		c.insideText()
	case len(s.levels) == 0:
		c.atMargin()
	default:
		c.inBlock()
	}
	out.Items, out.IsIncomplete = c.sorted(), c.incomplete
	return out
}

// completer collects what may stand at a site.
type completer struct {
	*site
	snippets   bool
	incomplete bool
	start, end int  // what an item replaces, on the cursor's line
	quote      bool // an item is written in quotes
	found      []ranked
	nearby     map[string]bool // names around the cursor, made when needed
}

// ranked is an item with its place in the list: a small rank comes first, and
// what has the same stays in the order in which it was found.
type ranked struct {
	rank int
	protocol.CompletionItem
}

// Ranks of items.
const (
	rankRequired = iota
	rankNear
	rankUsual
	rankRest
	rankBlock
	rankLast
)

// word says that an item replaces the name that the cursor touches.
func (c *completer) word(more string) { c.start, c.end = c.partial(more) }

// whole says that an item replaces all that stands between quotes, as far as
// that is on the cursor's line.
func (c *completer) whole() {
	const lineEnds = "\r\n" // an editor ends a line at either
	w := *c.literal
	c.start = max(w.start+1, strings.LastIndexAny(c.text[:c.at], lineEnds)+1)
	c.end = c.at
	if n := w.end - 1; w.kind == token.String && !strings.ContainsAny(c.text[c.at:n], lineEnds) {
		c.end = n
	}
}

// add notes an item of a rank. New is its text, "" for its label.
func (c *completer) add(rank int, item protocol.CompletionItem, text string) {
	if text == "" {
		text = item.Label
	}
	if c.quote {
		text = `"` + text + `"`
	}
	if c.literal == nil && c.start > c.margin && strings.IndexByte(":,>", c.text[c.start-1]) >= 0 {
		text = " " + text // as the formatter writes it
	}
	item.TextEdit = &protocol.TextEdit{NewText: text, Range: c.file.Range(source.Span{Start: uint32(c.start), End: uint32(c.end)})}
	c.found = append(c.found, ranked{rank, item})
}

// name adds a name that something declares, the ones in use nearby first.
func (c *completer) name(label, detail string, kind protocol.CompletionItemKind) {
	rank := rankUsual
	if c.near(label) {
		rank = rankNear
	}
	c.add(rank, protocol.CompletionItem{Label: label, Detail: detail, Kind: kind}, "")
}

// valueOf adds a word of a property's list of values.
func (c *completer) valueOf(v schema.Value, data string) {
	c.add(rankUsual, protocol.CompletionItem{Label: v.Word, Kind: protocol.CompletionItemKindEnumMember, Detail: v.Doc, Data: data}, "")
}

// sorted are the items with texts that keep their order.
func (c *completer) sorted() []protocol.CompletionItem {
	slices.SortStableFunc(c.found, func(a, b ranked) int { return a.rank - b.rank })
	items := make([]protocol.CompletionItem, 0, len(c.found))
	seen := make(map[string]bool, len(c.found))
	for _, f := range c.found {
		if seen[f.Label] {
			continue
		}
		seen[f.Label] = true
		f.SortText = fmt.Sprintf("%04d", len(items))
		items = append(items, f.CompletionItem)
	}
	return items
}

// nearbyBytes is how far around the cursor a name counts as near.
const nearbyBytes = 1500

// near tells whether a name stands around the cursor, besides under it.
func (c *completer) near(name string) bool {
	if c.nearby == nil {
		c.nearby = map[string]bool{}
		c.collect(max(0, c.at-nearbyBytes), c.start)
		c.collect(c.end, min(len(c.text), c.at+nearbyBytes))
	}
	return c.nearby[name[:lexer.WordEnd(name, 0)]]
}

func (c *completer) collect(from, to int) {
	for i := from; i < to; i++ {
		if n := lexer.WordEnd(c.text[:to], i); n > i {
			c.nearby[c.text[i:n]] = true
			i = n
		}
	}
}
