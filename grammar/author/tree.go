package author

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/goccy/go-yaml"
	yast "github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	yparser "github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"iterion/ast/source"
)

// shape is what a YAML value is.
type shape uint8

const (
	null shape = iota
	text
	number
	boolean
	list
	mapping
)

var shapeNames = [...]string{"nothing", "a text", "a number", "a bool", "a list", "a mapping"}

// node is a value of the document.
type node struct {
	shape  shape
	style  style
	span   source.Span
	value  string        // of a scalar: what it says, a number as it is written
	places []source.Span // of each byte of value
	items  []*node       // of a list
	pairs  []pair        // of a mapping
}

// first is the first key of a mapping, and of anything else the whole.
func (n *node) first() source.Span {
	if len(n.pairs) > 0 {
		return n.pairs[0].key.span
	}
	return n.span
}

// pair is an entry of a mapping.
type pair struct {
	key   *node
	value *node
}

// get returns the value of a key, or nil.
func (n *node) get(key string) *node {
	for _, p := range n.pairs {
		if p.key.value == key {
			return p.value
		}
	}
	return nil
}

// parse gives the document's mapping. It reports what is no plain document
// and returns nil then.
func (d *Document) parse() *node {
	if !d.readable() {
		return nil
	}
	d.separators()
	p := placesOf(d.Source)
	body := d.yaml(p)
	if body == nil {
		return nil
	}
	b := builder{doc: d, places: p}
	before := len(d.Problems)
	root := b.node(body, source.Span{})
	switch {
	case len(d.Problems) > before:
		return nil
	case root.shape != mapping:
		d.fail("E050", root.span, "a document is a mapping, this is "+shapeNames[root.shape], "Start with `dsl: 2`.")
		return nil
	}
	return root
}

// yaml parses the text within its bounds. The parser is not ours: where it
// gives up with a panic, the text is at fault.
func (d *Document) yaml(p places) (body yast.Node) {
	defer func() {
		if cause := recover(); cause != nil {
			body = nil
			d.fail("E050", source.Span{}, "the document is not YAML that can be read", "")
		}
	}()
	text := d.Source.Text
	if !strings.HasSuffix(text, "\n") {
		text += "\n" // without it the scanner forgets a tag that ends the text
	}
	tokens := lexer.Tokenize(text)
	if !d.guard(p, tokens) {
		return nil
	}
	f, err := yparser.Parse(tokens, 0, yparser.AllowDuplicateMapKey())
	if err != nil {
		d.syntax(p, err)
		return nil
	}
	if len(f.Docs) == 0 || f.Docs[0].Body == nil {
		d.fail("E050", source.Span{}, "the document is empty", "Start with `dsl: 2`.")
		return nil
	}
	return f.Docs[0].Body
}

// readable reports what must not reach the scanner.
func (d *Document) readable() bool {
	switch text := d.Source.Text; {
	case len(text) > maxSize:
		d.fail("E050", source.Span{}, "the document is larger than 1 MiB", smaller)
	case d.Source.FirstInvalid() >= 0:
		at := uint32(d.Source.FirstInvalid())
		d.fail("E006", source.Span{Start: at, End: at + 1}, "the document is not UTF-8: this byte starts no character", "")
	case cost(text) > maxCost:
		d.fail("E050", source.Span{}, "the document has too many tabs or blank lines in a row", "Write long texts into files and include them.")
	default:
		return true
	}
	return false
}

// traps are the syntax errors that authors meet first, by a part of the
// scanner's words, and the spelling that avoids them.
var traps = []struct{ words, hint string }{
	{"mapping value is not allowed", "Quote the whole value: inside a plain one, `: ` starts a mapping. Or correct the indentation."},
	{"pre-defined", "Quote the whole value, and write a quote inside it twice."},
	{"flow map", "Quote a value that starts with `{`."},
	{"must be specified", "Close the bracket, or quote a value that starts with one."},
	{"reserved character", "Quote a value that starts with this character."},
	{"end character", "Close the quote."},
	{"'\t'", "Indent with spaces."},
}

// syntax reports what the YAML parser refuses.
func (d *Document) syntax(p places, err error) {
	var at source.Span
	message := err.Error()
	if e := (*yaml.SyntaxError)(nil); errors.As(err, &e) {
		at, message = p.token(e.Token), e.Message
	}
	message, _, _ = strings.Cut(message, "\n")
	hint := ""
	for _, t := range traps {
		if strings.Contains(message, t.words) {
			hint = t.hint
			break
		}
	}
	d.fail("E050", at, "this is no YAML: "+message, hint)
}

// builder makes nodes of the parsed YAML.
type builder struct {
	doc    *Document
	places places
}

// node converts a value. Nothing at all stands at its key.
func (b *builder) node(y yast.Node, key source.Span) *node {
	switch y := y.(type) {
	case *yast.MappingNode:
		return b.mapping(y.Values, b.places.between(y.Start, y.End))
	case *yast.MappingValueNode:
		return b.mapping([]*yast.MappingValueNode{y}, source.Span{})
	case *yast.SequenceNode:
		n := &node{shape: list, span: cover(b.places.token(y.Start), b.places.between(y.Start, y.End))}
		for _, item := range y.Values {
			n.items = append(n.items, b.node(item, n.span))
			n.span = cover(n.span, n.items[len(n.items)-1].span)
		}
		return n
	case *yast.LiteralNode:
		return b.scalar(text, y.Start, y.Value.Value)
	case *yast.StringNode:
		return b.scalar(shapeOf(y.Token), y.Token, y.Value)
	case *yast.BoolNode:
		return b.scalar(boolean, y.Token, y.Token.Value)
	case *yast.NullNode:
		if y.Token.Type == token.ImplicitNullType {
			return &node{shape: null, span: key}
		}
		return b.scalar(null, y.Token, y.Token.Value)
	case *yast.IntegerNode, *yast.FloatNode, *yast.InfinityNode, *yast.NanNode:
		return b.scalar(number, y.GetToken(), y.GetToken().Value)
	}
	at := key
	if y != nil {
		at = b.places.token(y.GetToken())
	}
	b.doc.fail("E050", at, "this is no plain YAML value", "")
	return &node{span: at}
}

// numeral is a plain text that YAML reads as a number though this parser
// does not.
var numeral = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$`)
})

func shapeOf(t *token.Token) shape {
	if t.Type == token.StringType && numeral().MatchString(t.Value) {
		return number
	}
	return text
}

func (b *builder) scalar(s shape, t *token.Token, value string) *node {
	n := &node{shape: s, value: value, style: styleOf(t)}
	n.span, n.places = b.places.scalar(t, n.style, value)
	return n
}

// mapping converts the entries of a mapping. at is the range of its brackets,
// if it has any.
func (b *builder) mapping(entries []*yast.MappingValueNode, at source.Span) *node {
	n := &node{shape: mapping, span: at}
	first := map[string]source.Span{}
	for _, e := range entries {
		key := b.node(e.Key, at)
		n.span = cover(n.span, key.span)
		if key.shape != text {
			b.doc.fail("E050", key.span, "a key is a plain word, this is "+shapeNames[key.shape], "Quote it if it is a name.")
			continue
		}
		if s, twice := first[key.value]; twice {
			p := b.doc.fail("E050", key.span, fmt.Sprintf("`%s` is written twice in this mapping", key.value), "Keep one of them.")
			p.Related, p.Label = &s, "first written here"
			continue
		}
		first[key.value] = key.span
		value := b.node(e.Value, key.span)
		n.pairs = append(n.pairs, pair{key, value})
		n.span = cover(n.span, value.span)
	}
	return n
}

// cover is the smallest range that holds both; one that was never set counts
// for nothing.
func cover(a, b source.Span) source.Span {
	switch {
	case a.IsZero():
		return b
	case b.IsZero():
		return a
	}
	return source.Span{Start: min(a.Start, b.Start), End: max(a.End, b.End)}
}
