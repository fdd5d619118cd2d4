package expr

import (
	"fmt"
	"sync"

	"github.com/alecthomas/participle/v2/lexer"

	"iterion/ast/source"
	"iterion/grammar/slab"
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

var climbers = sync.Pool{New: func() any { return newClimber() }}

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

// climber is the working memory of one parse. Trees are cut from blocks that
// serve one expression after the other, so a short one costs next to nothing;
// what it keeps alive is a few kilobytes at most.
type climber struct {
	err *Error // the first one; from then on peek gives EOF and parsing runs out

	lex   *lexer.PeekingLexer
	end   int // offset behind the last token consumed
	depth int
	bound []Segment // lambda parameters in scope, innermost last

	nodes slab.Of[Node]
	args  lists[*Node]
	ops   lists[Operator]
	names lists[Segment]
}

// block is how many elements are allocated at once.
const block = 32

func newClimber() *climber {
	p := &climber{}
	p.nodes.Step, p.args.cuts.Step, p.ops.cuts.Step, p.names.cuts.Step = block, block, block, block
	return p
}

// reset forgets one expression; what is left of the blocks serves the next.
func (p *climber) reset() {
	p.err, p.lex, p.end, p.depth, p.bound = nil, nil, 0, 0, nil
	p.args.drop()
	p.ops.drop()
	p.names.drop()
}

func (p *climber) parse(lex *lexer.PeekingLexer) (*Node, *Error) {
	p.lex = lex
	defer p.reset()
	if t := p.peek(); t.EOF() {
		p.fail(t, "the expression is empty")
	}
	node := p.climb(bindOr)
	if t := p.peek(); p.err == nil && !t.EOF() {
		p.fail(t, trailing(t))
	}
	return node, p.err
}

// make puts a node that began at start and ends with the last token consumed
// into the tree.
func (p *climber) make(start int, n Node) *Node {
	slot := p.nodes.New()
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
