package bundle

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	yamlast "github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	yamlparser "github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"iterion/ast/source"
)

// Bounds of a YAML file that is read: a token takes the library far more memory
// than its text, and time grows with the square of the keys of a map.
const (
	marks    = "[]{},:&*!|>?-\"'#%\n" // what a token begins or ends with
	maxMarks = 60_000
	maxDepth = 32
)

// Problem is what is wrong at a place of a file.
type Problem struct {
	Span    source.Span
	Path    string // dotted, "" for the file as a whole
	Message string
}

// zero is the start of a file.
var zero source.Span

func problem(at source.Span, path, format string, args ...any) *Problem {
	return &Problem{at, path, fmt.Sprintf(format, args...)}
}

// parse reads a YAML file. unreadable says why there is no value. fault is the
// first thing that YAML allows and these files do not: an anchor, an alias, a
// tag, a directive, a second document, a key that is no plain text or stands
// twice. The value leaves it out.
func parse(text *source.File) (v *Value, fault, unreadable *Problem) {
	defer func() {
		if recover() != nil { // the library's fault on hostile input
			v, fault, unreadable = nil, nil, problem(zero, "", "YAML cannot read it")
		}
	}()
	r := &reader{src: text}
	if i := text.FirstInvalid(); i >= 0 {
		return nil, nil, problem(source.Span{Start: uint32(i), End: uint32(i + 1)}, "", "it is not UTF-8")
	}
	if count(text.Text, marks) > maxMarks {
		return nil, nil, problem(zero, "", "it holds too many keys and marks")
	}
	tokens := lexer.Tokenize(text.Text)
	if unreadable = r.shallow(tokens); unreadable != nil {
		return nil, nil, unreadable
	}
	file, err := yamlparser.Parse(tokens, 0, yamlparser.AllowDuplicateMapKey())
	var syntax *yaml.SyntaxError
	switch {
	case errors.As(err, &syntax):
		return nil, nil, problem(r.token(syntax.Token), "", "%s", syntax.Message)
	case err != nil:
		return nil, nil, problem(zero, "", "YAML cannot read it")
	}
	return r.documents(file.Docs), r.fault, nil
}

// reader turns nodes into values. It walks forward only, so that a place costs
// no more than the way from the one before.
type reader struct {
	src    *source.File
	fault  *Problem
	line   int // of the last place, from 1
	column int // of the last place in code points, from 1
	offset int // of the last place
}

func (r *reader) refuse(at source.Span, path, format string, args ...any) {
	if r.fault == nil {
		r.fault = problem(at, path, format, args...)
	}
}

// count counts the bytes of a text that are among those of a set.
func count(text, set string) int {
	n := 0
	for i := range len(text) {
		if strings.IndexByte(set, text[i]) >= 0 {
			n++
		}
	}
	return n
}

// shallow refuses a file that nests deeper on one line than the parser should
// follow.
func (r *reader) shallow(tokens token.Tokens) *Problem {
	flow, line, dashes := 0, 0, 0
	for _, t := range tokens {
		if t.Position.Line != line {
			line, dashes = t.Position.Line, 0
		}
		switch t.Type {
		case token.MappingStartType, token.SequenceStartType:
			flow++
		case token.MappingEndType, token.SequenceEndType:
			flow--
		case token.SequenceEntryType, token.MappingKeyType:
			dashes++
		}
		if flow > maxDepth || dashes > maxDepth {
			return problem(r.token(t), "", "it is nested deeper than %d levels", maxDepth)
		}
	}
	return nil
}

// documents returns the value of the first document; a file without any is an
// empty map.
func (r *reader) documents(docs []*yamlast.DocumentNode) *Value {
	var first *Value
	for _, d := range docs {
		if d.Body == nil {
			continue
		}
		at := r.token(d.Body.GetToken())
		switch {
		case d.Body.Type() == yamlast.DirectiveType:
			r.refuse(at, "", "directives are not read here")
		case first != nil:
			r.refuse(at, "", "a second document is not read here")
		default:
			first = r.value(d.Body, "", 0)
		}
	}
	if first == nil {
		return &Value{Kind: Map}
	}
	return first
}

func (r *reader) value(n yamlast.Node, path string, depth int) *Value {
	if depth > maxDepth {
		r.refuse(r.token(n.GetToken()), path, "it is nested deeper than %d levels", maxDepth)
		return &Value{Path: path}
	}
	switch n := n.(type) {
	case *yamlast.MappingNode:
		if n.IsFlowStyle {
			return r.between(n.Start, n.End, func() *Value { return r.mapping(n.Values, path, depth) })
		}
		return r.mapping(n.Values, path, depth)
	case *yamlast.MappingValueNode:
		return r.mapping([]*yamlast.MappingValueNode{n}, path, depth)
	case *yamlast.SequenceNode:
		if n.IsFlowStyle {
			return r.between(n.Start, n.End, func() *Value { return r.sequence(n, path, depth) })
		}
		return r.sequence(n, path, depth)
	case *yamlast.LiteralNode:
		return &Value{Kind: Scalar, Path: path, Span: r.token(n.Start), Text: n.Value.Value, Quoted: true}
	case *yamlast.NullNode:
		return &Value{Path: path, Span: r.token(n.Token)}
	case *yamlast.StringNode:
		return &Value{Kind: Scalar, Path: path, Span: r.token(n.Token), Text: n.Value, Quoted: quoted(n.Token)}
	case *yamlast.AnchorNode:
		r.refuse(r.token(n.Start), path, "anchors are not read here")
		return &Value{Path: path}
	case *yamlast.AliasNode:
		r.refuse(r.token(n.Start), path, "aliases are not read here")
		return &Value{Path: path}
	case *yamlast.TagNode:
		r.refuse(r.token(n.Start), path, "tags are not read here")
		return &Value{Path: path}
	}
	t := n.GetToken() // a number, a word or the like: its text counts
	return &Value{Kind: Scalar, Path: path, Span: r.token(t), Text: t.Value}
}

// between reads a value in brackets, which belong to its place.
func (r *reader) between(start, end *token.Token, read func() *Value) *Value {
	from := r.token(start)
	v := read()
	v.Span = source.Span{Start: from.Start, End: max(v.Span.End, r.token(end).End)}
	return v
}

func quoted(t *token.Token) bool {
	return t.Type == token.SingleQuoteType || t.Type == token.DoubleQuoteType
}

func (r *reader) mapping(values []*yamlast.MappingValueNode, path string, depth int) *Value {
	v := &Value{Kind: Map, Path: path}
	seen := map[string]bool{}
	for _, n := range values {
		key, ok := n.Key.(*yamlast.StringNode)
		at := r.token(n.Key.GetToken())
		line := r.line
		if !ok {
			r.refuse(at, path, "a key is a plain text here")
			continue
		}
		e := Entry{Key: key.Value, KeySpan: at, Line: line, Value: r.value(n.Value, below(path, key.Value), depth+1)}
		if seen[e.Key] {
			r.refuse(at, e.Value.Path, "the key `%s` stands twice", e.Key)
			continue
		}
		seen[e.Key] = true
		v.Entries = append(v.Entries, e)
	}
	if n := len(v.Entries); n > 0 {
		v.Span = source.Span{Start: v.Entries[0].KeySpan.Start, End: v.Entries[n-1].Value.Span.End}
	}
	return v
}

func (r *reader) sequence(n *yamlast.SequenceNode, path string, depth int) *Value {
	v := &Value{Kind: List, Path: path, Span: r.token(n.Start)}
	for i, value := range n.Values {
		v.Items = append(v.Items, r.value(value, item(path, i), depth+1))
	}
	if n := len(v.Items); n > 0 {
		v.Span.End = max(v.Span.End, v.Items[n-1].Span.End)
	}
	return v
}

// token is the place of a token as it is written.
func (r *reader) token(t *token.Token) source.Span {
	if t == nil || t.Position == nil {
		return source.Span{}
	}
	start := r.place(t.Position.Line, t.Position.Column)
	end := start
	if written := strings.TrimSpace(t.Origin); strings.HasPrefix(r.src.Text[start:], written) {
		end += len(written)
	}
	return source.Span{Start: uint32(start), End: uint32(end)}
}

// place converts a line and a column in code points to an offset.
func (r *reader) place(line, column int) int {
	if line != r.line || column < r.column {
		start, _ := r.src.LineSpan(line - 1)
		r.line, r.column, r.offset = line, 1, start
	}
	for r.column < column && r.offset < len(r.src.Text) && r.src.Text[r.offset] != '\n' {
		_, width := utf8.DecodeRuneInString(r.src.Text[r.offset:])
		r.offset += width
		r.column++
	}
	return r.offset
}
