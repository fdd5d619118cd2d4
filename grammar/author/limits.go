package author

import (
	"fmt"
	"strings"

	"github.com/goccy/go-yaml/token"

	"iterion/ast/source"
)

// The bounds of a document. The YAML parser recurses once for every level and
// once for every key of a mapping, and some of its steps grow with the square
// of their number: what is larger is refused before it is asked.
const (
	maxSize   = 1 << 20
	maxDepth  = 100
	maxKeys   = 10_000
	maxTokens = 100_000
	maxCost   = 200_000_000
)

// cost estimates the steps that the YAML scanner takes with the square of
// something: tabs on one line, runs of `<`, and runs of blank lines, which it
// takes off a block text one by one, with a copy of the text each time.
func cost(text string) int {
	const few = 16 // blank lines; a shorter run costs nothing worth counting
	total, blanks, at := 0, 0, 0
	for line := range strings.Lines(strings.ReplaceAll(text, "\r", "\n")) {
		at += len(line)
		if strings.TrimSpace(line) == "" {
			blanks++
			continue
		}
		if blanks > few {
			total += blanks * at
		}
		blanks = 0
		total += strings.Count(line, "\t")*len(line) + strings.Count(line, "<<")*len(line)
	}
	if blanks > few {
		total += blanks * at
	}
	return total
}

// refused are the tokens of what a document may not hold, with what is said.
var refused = map[token.Type][2]string{
	token.AnchorType:     {"an anchor is not read", "Write the value where it is used."},
	token.AliasType:      {"an alias is not read", "Write the value where it is used; quote a text that starts with `*`."},
	token.TagType:        {"an explicit tag is not read: a value's shape says what it is", "Delete the tag; quote a text that starts with `!`."},
	token.MergeKeyType:   {"a merge key is not read", "Write the entries in place."},
	token.DirectiveType:  {"a directive is not read", "Delete it; quote a text that starts with `%`."},
	token.MappingKeyType: {"a key is a plain word", "Write `key: value`."},
}

// guard reports what makes the tokens no plain document, and tells whether
// they may be parsed.
func (d *Document) guard(p places, tokens token.Tokens) bool {
	before := len(d.Problems)
	if len(tokens) > maxTokens {
		d.fail("E050", source.Span{}, fmt.Sprintf("the document has more than %d parts", maxTokens), smaller)
		return false
	}
	var one oneDocument
	var depth depths
	keys := 0
	for i, t := range tokens {
		if what, ok := refused[t.Type]; ok {
			d.fail("E050", p.token(t), what[0], what[1])
		}
		if t.Type == token.MappingValueType {
			keys++
		}
		message, hint := "", smaller
		switch {
		case !one.add(t):
			message, hint = "a second document begins here", "Write one plain YAML mapping in a file."
		case keys > maxKeys:
			message = fmt.Sprintf("the document has more than %d keys", maxKeys)
		case depth.add(tokens, i) > maxDepth:
			message, hint = fmt.Sprintf("this is nested more than %d levels deep", maxDepth), "Write the value flatter."
		}
		if message != "" {
			d.fail("E050", p.token(t), message, hint)
			return false
		}
	}
	return len(d.Problems) == before
}

const smaller = "Split the program with imports."

// oneDocument follows whether the tokens are of one document.
type oneDocument struct{ content, ended bool }

func (o *oneDocument) add(t *token.Token) bool {
	switch {
	case t.Type == token.CommentType:
		return true
	case o.ended, o.content && t.Type == token.DocumentHeaderType:
		return false
	}
	o.content, o.ended = true, t.Type == token.DocumentEndType
	return true
}

// depths follows how deep the tokens are nested: in brackets, and in blocks,
// whose columns grow.
type depths struct {
	flow   int
	blocks []int
}

func (d *depths) add(tokens token.Tokens, i int) int {
	t := tokens[i]
	key := i+1 < len(tokens) && tokens[i+1].Type == token.MappingValueType
	switch {
	case t.Type == token.MappingStartType, t.Type == token.SequenceStartType:
		d.flow++
	case t.Type == token.MappingEndType, t.Type == token.SequenceEndType:
		d.flow = max(d.flow-1, 0)
	case d.flow == 0 && (key || t.Type == token.SequenceEntryType):
		at := t.Position.Column
		for len(d.blocks) > 0 && d.blocks[len(d.blocks)-1] >= at {
			d.blocks = d.blocks[:len(d.blocks)-1]
		}
		d.blocks = append(d.blocks, at)
	}
	return d.flow + len(d.blocks)
}
