// Package parser turns `.bot` text into a tree. participle is the parser; the
// file's production is our own and reads one top-level declaration after the
// other into flat nodes. A fault becomes a Problem and a Bad node, parsing goes
// on behind that line and what is indented under it, so it always returns a
// tree.
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

// file is the root of the grammar: the declarations, read by a production of
// our own. participle hands it the tokens once a file, since a hand-over a
// declaration would cost as much as reading it.
type file struct {
	Declarations declarations `parser:"@@"`
}

type declarations interface{ done() }

// done is what the production returns: its work lies in the Parser.
type done struct{}

func (done) done() {}

// symbols gives participle the token names; tokens come from our own lexer.
type symbols struct{}

func (symbols) Symbols() map[string]plex.TokenType { return token.Symbols() }

func (symbols) Lex(string, io.Reader) (plex.Lexer, error) {
	return nil, errors.New("tokens come from grammar/lexer")
}

var trailing = participle.AllowTrailing(true)

// Parser parses files with buffers of its own. It is not safe for concurrent
// use; make one per worker, or call File.
type Parser struct {
	grammar *participle.Parser[file]
	lex     *lexer.Lexer
	state   state
	read    trees // what was read of the file so far

	text string // what is being parsed
	size int    // of the last text
	most int    // how many declarations to read, 0 for all
	file *ast.File
}

// New returns a parser.
func New() *Parser {
	p := &Parser{lex: lexer.New()}
	p.grammar = participle.MustBuild[file](participle.Lexer(symbols{}), participle.ParseTypeWith(p.declarations))
	return p
}

// Parsers at rest. The buffers of a usual one are dear to make, and a sync.Pool
// would lose them at every second garbage collection; those that a large text
// blew up are left to it.
var (
	usual = make(chan *Parser, 4)
	large sync.Pool
)

// What a usual parser holds on to at most; old tokens point into the text.
const (
	usualText   = 2 << 20 // bytes
	usualTokens = 1 << 15
)

// borrow takes a parser for a text of that many bytes.
func borrow(size int) *Parser {
	if size > usualText {
		if p, ok := large.Get().(*Parser); ok {
			return p
		}
	}
	select {
	case p := <-usual:
		return p
	default:
		return New()
	}
}

// rest keeps a parser for the next text.
func (p *Parser) rest() {
	if p.size > usualText || p.lex.Size() > usualTokens {
		large.Put(p)
		return
	}
	select {
	case usual <- p:
	default:
	}
}

// File parses a whole file with a parser from a shared pool.
func File(src *source.File) *ast.File {
	p := borrow(len(src.Text))
	defer p.rest()
	return p.File(src)
}

// File parses a whole file.
func (p *Parser) File(src *source.File) *ast.File {
	f := &ast.File{Source: src, Profile: 1}
	if stop := unreadable(src); stop != nil {
		f.Problems, f.Stopped = append(f.Problems, *stop), true
		return f
	}
	p.parse(src.Text, 0, f)
	resolve(f)
	return f
}

// parse reads the declarations of text into f, at most most of them.
func (p *Parser) parse(text string, most int, f *ast.File) {
	p.text, p.size, p.most, p.file = text, len(text), most, f
	p.read.reset(0)
	defer func() { p.text, p.file = "", nil }() // they belong to the file now
	if _, ok := p.lex.Next(text); !ok {
		f.Tail = tail(p.lex.Comments, 0)
		return
	}
	if _, err := p.grammar.ParseFromLexer(p.lex.Peeker, trailing); err != nil {
		panic(err) // the production never fails
	}
	p.read.into(f, text)
}

// declarations is the production of the file: one declaration after the other,
// each from tokens of its own. Faults are in the declarations' Problems.
func (p *Parser) declarations(lex *plex.PeekingLexer) (declarations, error) {
	f := p.file
	for base, end := 0, p.lex.End(); ; {
		p.state.declaration(lex)
		base += end
		p.read.add(&p.state, p.lex.Comments, base)
		if p.read.full() {
			p.read.into(f, p.text)
		}
		if p.most--; p.most == 0 {
			return done{}, nil
		}
		var ok bool
		if end, ok = p.lex.Next(p.text[base:]); !ok {
			f.Tail = tail(p.lex.Comments, uint32(base))
			return done{}, nil
		}
		lex = p.lex.Peeker
	}
}

// One parses a text that is exactly one declaration, leading comments
// included. behind is what follows it in the file: the lexer looks ahead. ok is
// false when the text is not one whole declaration, or when its reading may
// depend on more than what is given; the file must be parsed anew then.
func One(text, behind string, f *ast.File) (d *ast.Declaration, ok bool) {
	p := borrow(len(text))
	defer p.rest()
	var one ast.File
	p.parse(text+behind, 1, &one)
	if len(one.Decls) == 0 {
		return nil, false
	}
	d = one.Decls[0]
	if len(d.Text) != len(text) || d.Root().Kind != ast.Decl && d.Root().Kind != ast.Use {
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
