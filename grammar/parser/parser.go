// Package parser turns `.bot` text into a tree. participle is the parser: its
// unit is one top-level declaration, whose production is a Parseable that
// writes flat nodes. A fault becomes a Problem and a Bad node, parsing goes on
// behind that line and what is indented under it, so it always returns a tree.
package parser

import (
	"errors"
	"io"
	"sync"

	"github.com/alecthomas/participle/v2"
	plex "github.com/alecthomas/participle/v2/lexer"

	"iterion/ast"
	"iterion/ast/source"
	"iterion/grammar/lexer"
	"iterion/grammar/token"
)

// production is the root of the grammar: one declaration.
type production struct {
	state *state
}

// Parse implements participle.Parseable. It never fails: faults are in the
// declaration's Problems.
func (d *production) Parse(lex *plex.PeekingLexer) error {
	d.state = states.Get().(*state)
	d.state.declaration(lex)
	return nil
}

var states = sync.Pool{New: func() any { return &state{} }}

// symbols gives participle the token names; tokens come from our own lexer.
type symbols struct{}

func (symbols) Symbols() map[string]plex.TokenType { return token.Symbols() }

func (symbols) Lex(string, io.Reader) (plex.Lexer, error) {
	return nil, errors.New("tokens come from grammar/lexer")
}

var build = sync.OnceValue(func() *participle.Parser[production] {
	return participle.MustBuild[production](participle.Lexer(symbols{}))
})

var trailing = participle.AllowTrailing(true)

// Parser parses files with buffers of its own. It is not safe for concurrent
// use; make one per worker, or call File.
type Parser struct {
	lex   *lexer.Lexer
	nodes []ast.Node        // arena: the trees of a file are cut from it
	decls []ast.Declaration // arena
	chunk int               // declarations in a piece of the arena
}

// New returns a parser.
func New() *Parser { return &Parser{lex: lexer.New()} }

var parsers = sync.Pool{New: func() any { return New() }}

// File parses a whole file with a parser from a shared pool.
func File(src *source.File) *ast.File {
	p := parsers.Get().(*Parser)
	defer parsers.Put(p)
	return p.File(src)
}

// File parses a whole file.
func (p *Parser) File(src *source.File) *ast.File {
	f := &ast.File{Source: src, Profile: 1}
	defer func() { p.nodes, p.decls = nil, nil }() // they belong to the file now
	if stop := unreadable(src); stop != nil {
		f.Problems, f.Stopped = append(f.Problems, *stop), true
		return f
	}
	p.chunk = min(max(len(src.Text)/512, 1), 32)
	for base := 0; ; {
		d, end := p.next(src.Text[base:])
		if d == nil {
			f.Tail = p.tail(base)
			break
		}
		f.Decls = append(f.Decls, d)
		f.Bases = append(f.Bases, uint32(base))
		base += end
	}
	resolve(f)
	return f
}

// One parses a text that is exactly one declaration, leading comments
// included. behind is what follows it in the file: the lexer looks ahead. ok is
// false when the text is not one whole declaration, or when its reading may
// depend on more than what is given; the file must be parsed anew then.
func One(text, behind string, f *ast.File) (d *ast.Declaration, ok bool) {
	p := parsers.Get().(*Parser)
	defer parsers.Put(p)
	p.chunk, p.nodes, p.decls = 1, nil, nil
	d, end := p.next(text + behind)
	p.nodes, p.decls = nil, nil
	if d == nil || end != len(text) || d.Root().Kind != ast.Decl && d.Root().Kind != ast.Use {
		return nil, false
	}
	if start := d.Root().Start; start > 0 && text[start-1] != '\n' {
		return nil, false // an indented line goes on with the declaration before
	}
	for _, pr := range d.Problems {
		if pr.Code == "E004" { // a backtick may find its partner anywhere
			return nil, false
		}
	}
	if lexer.LooksAhead(text) {
		return nil, false
	}
	d.Text = text // the joined text is not kept
	byProfile(d, f)
	return d, true
}

// next parses the first declaration of text and returns where it ends, or nil
// when text holds none.
func (p *Parser) next(text string) (*ast.Declaration, int) {
	end, ok := p.lex.Next(text)
	if !ok {
		return nil, end
	}
	root, err := build().ParseFromLexer(p.lex.Peeker, trailing)
	if err != nil {
		panic(err) // production.Parse never fails
	}
	d := p.keep(root.state)
	states.Put(root.state)
	d.Text = text[:end]
	d.Comments = comments(p.lex.Comments, 0)
	return d, end
}

// keep copies what was parsed out of the working memory.
func (p *Parser) keep(s *state) *ast.Declaration {
	if len(p.decls) == 0 {
		p.decls = make([]ast.Declaration, p.chunk)
	}
	d := &p.decls[0]
	p.decls = p.decls[1:]
	n := len(s.nodes)
	if n > cap(p.nodes)-len(p.nodes) {
		p.nodes = make([]ast.Node, 0, max(n, p.chunk*16)) // not cleared twice
	}
	start := len(p.nodes)
	p.nodes = append(p.nodes, s.nodes...)
	d.Nodes = p.nodes[start:len(p.nodes):len(p.nodes)]
	d.Problems, d.Escapes, d.Removed = s.problems, s.escapes, s.removed
	s.toks = nil // they belong to the lexer
	return d
}

func (p *Parser) tail(base int) []ast.Comment {
	return comments(p.lex.Comments, uint32(base))
}

func comments(from []lexer.Comment, base uint32) []ast.Comment {
	if len(from) == 0 {
		return nil
	}
	list := make([]ast.Comment, len(from))
	for i, c := range from {
		list[i] = ast.Comment{Start: base + c.Start, End: base + c.End, Trailing: c.Trailing}
	}
	return list
}

// unreadable reports what stops a file before it is lexed.
func unreadable(src *source.File) *ast.Problem {
	if len(src.Text) > source.MaxSize {
		return &ast.Problem{Code: "E001", Message: "the file is larger than 10 MiB", Hint: "Split the program with imports."}
	}
	if i := src.FirstInvalid(); i >= 0 {
		return &ast.Problem{Code: "E006", Span: span(i, i+1), Message: "the file is not UTF-8: this byte starts no character"}
	}
	return nil
}

func span(start, end int) source.Span {
	return source.Span{Start: uint32(start), End: uint32(end)}
}
