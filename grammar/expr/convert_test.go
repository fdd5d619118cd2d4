package expr

import (
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"iterion/ast/source"
)

// parseReference reads text by the plain grammar. It gives the tree that
// Parse gives, or an error exactly when Parse does; its messages are
// participle's.
func parseReference(text string) (*Node, error) {
	tree, err := referenceParser().Parse("", strings.NewReader(text))
	if err != nil {
		return nil, err
	}
	var c converter
	node := c.or(tree, 0)
	if c.err != nil {
		return nil, c.err
	}
	return node, nil
}

// converter turns the grammar's tree into nodes and applies the rules beside
// the grammar. Depth is passed down.
type converter struct {
	err   *Error
	bound []string
}

func (c *converter) or(e *orExpr, depth int) *Node {
	b := chainBuilder{args: []*Node{c.and(e.First, depth)}}
	for _, t := range e.Rest {
		b.add(t.Op, Or, c.and(t.Right, depth))
	}
	return b.node(e.Tokens)
}

func (c *converter) and(e *andExpr, depth int) *Node {
	b := chainBuilder{args: []*Node{c.not(e.First, depth)}}
	for _, t := range e.Rest {
		b.add(t.Op, And, c.not(t.Right, depth))
	}
	return b.node(e.Tokens)
}

func (c *converter) not(e *notExpr, depth int) *Node {
	if e.Compare != nil {
		return c.compare(e.Compare, depth)
	}
	return unaryOf(Not, e.Op, e.Tokens, c.not(e.Operand, c.deeper(depth)))
}

func (c *converter) compare(e *compareExpr, depth int) *Node {
	b := chainBuilder{args: []*Node{c.add(e.Left, depth)}}
	if e.Tail != nil {
		b.add(e.Tail.Op, binaryOps[e.Tail.Op.Type].op, c.add(e.Tail.Right, depth))
	}
	return b.node(e.Tokens)
}

func (c *converter) add(e *addExpr, depth int) *Node {
	b := chainBuilder{args: []*Node{c.mul(e.First, depth)}}
	for _, t := range e.Rest {
		b.add(t.Op, binaryOps[t.Op.Type].op, c.mul(t.Right, depth))
	}
	return b.node(e.Tokens)
}

func (c *converter) mul(e *mulExpr, depth int) *Node {
	b := chainBuilder{args: []*Node{c.unary(e.First, depth)}}
	for _, t := range e.Rest {
		b.add(t.Op, binaryOps[t.Op.Type].op, c.unary(t.Right, depth))
	}
	return b.node(e.Tokens)
}

func (c *converter) unary(e *unaryExpr, depth int) *Node {
	if e.Postfix != nil {
		return c.postfix(e.Postfix, depth)
	}
	return unaryOf(Neg, e.Op, e.Tokens, c.unary(e.Operand, c.deeper(depth)))
}

func (c *converter) postfix(e *postfixExpr, depth int) *Node {
	node := c.primary(e.Primary, depth)
	start := e.Primary.Tokens[0].Pos.Offset
	for _, t := range e.Indexes {
		depth = c.deeper(depth)
		args := []*Node{node, c.or(t.Index, depth)}
		whole := source.Span{Start: uint32(start), End: spanOf(t.Tokens).End}
		node = &Node{Kind: Index, Span: whole, Args: args, Names: members(t.Members)}
	}
	return node
}

func (c *converter) primary(e *primaryExpr, depth int) *Node {
	node := &Node{Span: spanOf(e.Tokens)}
	switch {
	case e.Literal != nil:
		node.Kind = Literal
		node.Value, c.err = c.literal(e.Literal)
	case e.Inner != nil:
		return c.or(e.Inner, c.deeper(depth))
	case e.List != nil:
		node.Kind = List
		for _, element := range e.List.Elements {
			node.Args = append(node.Args, c.or(element, depth+1))
		}
		c.deeper(depth)
	case e.Object != nil:
		node.Kind = Object
		for _, entry := range e.Object.Entries {
			node.Names = append(node.Names, keySegment(&entry.Key))
			node.Args = append(node.Args, c.or(entry.Value, depth+1))
		}
		c.deeper(depth)
		c.fail(checkKeys(node.Names))
	case e.Named.Call != nil:
		node.Kind, node.Names = Call, []Segment{segment(&e.Named.Name)}
		for _, arg := range e.Named.Call.Arguments {
			node.Args = append(node.Args, c.argument(arg, depth+1))
		}
		c.deeper(depth)
		c.fail(checkCall(node))
	default:
		c.path(node, e.Named)
	}
	return node
}

func (c *converter) literal(t *lexer.Token) (any, *Error) {
	value, err := literalValue(t)
	if c.err != nil {
		err = c.err
	}
	return value, err
}

func (c *converter) path(node *Node, e *namedExpr) {
	node.Kind = Path
	for _, name := range c.bound {
		if name == e.Name.Value {
			node.Kind = Local
		}
	}
	node.Names = append([]Segment{segment(&e.Name)}, members(e.Members)...)
}

func (c *converter) argument(e *argument, depth int) *Node {
	if e.Value != nil {
		return c.or(e.Value, depth)
	}
	names, bound := params(e.Lambda.Params), len(c.bound)
	for _, p := range names {
		c.fail(checkParam(p))
		c.bound = append(c.bound, p.Name)
	}
	body := c.or(e.Lambda.Body, c.deeper(depth))
	c.bound = c.bound[:bound]
	return &Node{Kind: Lambda, Span: spanOf(e.Lambda.Tokens), Names: names, Args: []*Node{body}}
}

func (c *converter) deeper(depth int) int {
	if depth++; depth > MaxDepth {
		c.fail(&Error{Message: tooDeep})
	}
	return depth
}

func (c *converter) fail(err *Error) {
	if c.err == nil {
		c.err = err
	}
}

// chainBuilder gathers a run of operators of equal power.
type chainBuilder struct {
	args []*Node
	ops  []Operator
}

func (b *chainBuilder) add(t lexer.Token, op Op, right *Node) {
	b.ops = append(b.ops, Operator{op, tokenSpan(&t)})
	b.args = append(b.args, right)
}

func (b *chainBuilder) node(tokens []lexer.Token) *Node {
	if len(b.ops) == 0 {
		return b.args[0]
	}
	return &Node{Kind: Binary, Span: spanOf(tokens), Args: b.args, Ops: b.ops}
}

func unaryOf(op Op, t *lexer.Token, tokens []lexer.Token, operand *Node) *Node {
	return &Node{Kind: Unary, Span: spanOf(tokens), Args: []*Node{operand}, Ops: []Operator{{op, tokenSpan(t)}}}
}

func spanOf(tokens []lexer.Token) source.Span {
	return span(tokens[0].Pos.Offset, tokenEnd(&tokens[len(tokens)-1]))
}

func members(tails []*nameTail) []Segment {
	var out []Segment
	for _, t := range tails {
		out = append(out, segment(&t.Name))
	}
	return out
}

func params(l *paramList) []Segment {
	if l.One != nil {
		return []Segment{segment(l.One)}
	}
	return []Segment{segment(l.First), segment(l.Second)}
}
