package expr

import (
	"fmt"
	"sync"

	"github.com/alecthomas/participle/v2/lexer"

	"iterion/ast/source"
)

// Binding powers, loosest first. bindNot is between them because `!` takes a
// whole comparison: `!a == b` is `!(a == b)`.
const (
	bindNone = iota
	bindOr
	bindAnd
	bindNot
	bindCompare
	bindAdd
	bindMul
)

type binaryOp struct {
	op    Op
	power int
}

// binaryOps gives each binary operator's token its operator and power.
var binaryOps = [tokDot + 1]binaryOp{
	tokOr: {Or, bindOr}, tokAnd: {And, bindAnd},
	tokEq: {Eq, bindCompare}, tokNe: {Ne, bindCompare}, tokLt: {Lt, bindCompare},
	tokLe: {Le, bindCompare}, tokGt: {Gt, bindCompare}, tokGe: {Ge, bindCompare},
	tokAdd: {Add, bindAdd}, tokSub: {Sub, bindAdd},
	tokMul: {Mul, bindMul}, tokDiv: {Div, bindMul}, tokMod: {Mod, bindMul},
}

// root is the grammar's only production: a Parseable that climbs precedences.
type root struct {
	node *Node
	err  *Error
}

var climbers = sync.Pool{New: func() any { return &climber{} }}

// Parse implements participle.Parseable.
func (r *root) Parse(lex *lexer.PeekingLexer) error {
	p := climbers.Get().(*climber)
	r.node, r.err = p.parse(lex)
	climbers.Put(p)
	if r.err != nil {
		return r.err
	}
	return nil
}

// climber is the working memory of one parse. The tree is cut from slabs as
// large as the count of tokens asks for, so a short expression costs a handful
// of allocations.
type climber struct {
	err *Error // the first one; from then on peek gives EOF and parsing runs out

	lex   *lexer.PeekingLexer
	end   int // offset behind the last token consumed
	depth int
	bound []Segment // lambda parameters in scope, innermost last

	nodes []Node // unused rest of the current block
	args  slab[*Node]
	ops   slab[Operator]
	names slab[Segment]

	// first homes of the slabs' stacks
	argStack  [8]*Node
	opStack   [4]Operator
	nameStack [4]Segment
}

// blockSize is the number of elements of a slab's block for long expressions.
const blockSize = 32

func (p *climber) parse(lex *lexer.PeekingLexer) (*Node, *Error) {
	*p = climber{lex: lex}
	defer func() { *p = climber{} }() // the tree is the caller's
	p.reserve(lex.Peek().Pos.Line, lex)
	if t := p.peek(); t.EOF() {
		p.fail(t, "the expression is empty")
	}
	node := p.climb(bindOr)
	if t := p.peek(); p.err == nil && !t.EOF() {
		p.fail(t, trailing(t))
	}
	return node, p.err
}

// reserve sizes the slabs for that many tokens: no node, name or operator
// lacks a token of its own, and a dot and the name behind it make no node.
func (p *climber) reserve(tokens int, lex *lexer.PeekingLexer) {
	size := min(tokens, blockSize)
	nodes := size
	for _, t := range lex.Range(lex.RawCursor(), lex.RawCursor()+lexer.RawCursor(size)) {
		if t.Type == tokDot {
			nodes -= 2
		}
	}
	p.nodes = make([]Node, max(nodes, 1))
	p.args.stack, p.args.size = p.argStack[:0], size
	p.ops.stack, p.ops.size = p.opStack[:0], (size+1)/2
	p.names.stack, p.names.size = p.nameStack[:0], (size+1)/2
}

// make puts a node that began at start and ends with the last token consumed
// into the tree.
func (p *climber) make(start int, n Node) *Node {
	if len(p.nodes) == 0 {
		p.nodes = make([]Node, blockSize)
	}
	slot := &p.nodes[0]
	p.nodes = p.nodes[1:]
	*slot = n
	slot.Span = span(start, p.end)
	return slot
}

// climb parses operands joined by operators of that power or a tighter one.
func (p *climber) climb(power int) *Node {
	start := p.peek().Pos.Offset
	left := p.prefix(power)
	for {
		next := binary(p.peek()).power
		if next == bindNone || next < power {
			return left
		}
		left = p.chain(start, left, next)
	}
}

// chain parses the run of operators of one power behind left.
func (p *climber) chain(start int, left *Node, power int) *Node {
	args, ops := p.args.mark(), p.ops.mark()
	p.args.push(left)
	for binary(p.peek()).power == power {
		t := p.next()
		p.ops.push(Operator{binary(t).op, tokenSpan(t)})
		p.args.push(p.climb(power + 1))
		if again := p.peek(); power == bindCompare && binary(again).power == power {
			p.fail(again, "comparisons do not chain: join two of them with && or use parentheses")
		}
	}
	return p.make(start, Node{Kind: Binary, Args: p.args.cut(args), Ops: p.ops.cut(ops)})
}

// prefix parses `!` and `not`, where power lets them stand, or goes on to
// the operands that bind tighter.
func (p *climber) prefix(power int) *Node {
	t := p.peek()
	if t.Type != tokNot {
		return p.unary()
	}
	if power > bindNot {
		p.fail(t, fmt.Sprintf("%s takes a whole comparison and may not stand behind an operator that binds tighter: put it in parentheses", t.Value))
		return nil
	}
	return p.unaryNode(Not, func() *Node { return p.climb(bindNot) })
}

// unary parses `-` and what it may stand before.
func (p *climber) unary() *Node {
	if p.peek().Type != tokSub {
		return p.postfix()
	}
	return p.unaryNode(Neg, p.unary)
}

func (p *climber) unaryNode(op Op, operand func() *Node) *Node {
	t := p.next()
	args, ops := p.args.mark(), p.ops.mark()
	p.ops.push(Operator{op, tokenSpan(t)})
	p.enter(t)
	p.args.push(operand())
	p.depth--
	return p.make(t.Pos.Offset, Node{Kind: Unary, Args: p.args.cut(args), Ops: p.ops.cut(ops)})
}

// postfix parses a primary and the indexes behind it. Each index is one level
// deeper than the one before.
func (p *climber) postfix() *Node {
	start, depth := p.peek().Pos.Offset, p.depth
	node := p.primary()
	for p.peek().Type == tokListOpen {
		open := p.next()
		args, names := p.args.mark(), p.names.mark()
		p.args.push(node)
		p.enter(open)
		p.args.push(p.climb(bindOr))
		p.expect(tokListClose, "] behind the index")
		p.members()
		node = p.make(start, Node{Kind: Index, Args: p.args.cut(args), Names: p.names.cut(names)})
	}
	p.depth = depth
	return node
}

// enter goes one level deeper; the callers take the level back.
func (p *climber) enter(t *lexer.Token) {
	p.depth++
	if p.depth > MaxDepth {
		p.fail(t, tooDeep)
	}
}

var eof = lexer.EOFToken(lexer.Position{})

// peek is the next token; EOF as soon as something failed.
func (p *climber) peek() *lexer.Token {
	if p.err != nil {
		return &eof
	}
	return p.lex.Peek()
}

// next consumes and returns peek's token.
func (p *climber) next() *lexer.Token {
	t := p.peek()
	if !t.EOF() {
		p.lex.Next()
		p.end = tokenEnd(t)
	}
	return t
}

// expect consumes a token of that type, or fails saying what was wanted.
func (p *climber) expect(typ lexer.TokenType, wanted string) *lexer.Token {
	t := p.peek()
	if t.Type != typ {
		p.fail(t, "expected "+wanted+", found "+describe(t))
		return &eof
	}
	return p.next()
}

func (p *climber) fail(t *lexer.Token, message string) { p.failAt(&Error{tokenSpan(t), message}) }

// failAt keeps the first error; nil is none.
func (p *climber) failAt(err *Error) {
	if p.err == nil && err != nil {
		p.err = err
	}
}

func binary(t *lexer.Token) binaryOp {
	if t.Type < 0 {
		return binaryOp{}
	}
	return binaryOps[t.Type]
}

func tokenEnd(t *lexer.Token) int { return t.Pos.Offset + len(t.Value) }

func tokenSpan(t *lexer.Token) source.Span { return span(t.Pos.Offset, tokenEnd(t)) }
