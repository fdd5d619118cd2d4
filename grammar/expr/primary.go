package expr

import (
	"slices"

	"github.com/alecthomas/participle/v2/lexer"
)

func (p *climber) primary() *Node {
	switch t := p.peek(); t.Type {
	case tokName:
		return p.pathOrCall()
	case tokInt, tokFloat, tokString, tokWord:
		return p.literal()
	case tokOpen:
		return p.parentheses()
	case tokListOpen:
		return p.list()
	case tokMapOpen:
		return p.object()
	case tokLambdaName, tokLambdaOpen:
		p.fail(t, "a function may only stand as an argument of map, filter or reduce")
	default:
		p.fail(t, "a value is missing before "+describe(t)+": a name, number, string, list, map or ( is accepted here")
	}
	return nil
}

func (p *climber) literal() *Node {
	t := p.next()
	value, err := literalValue(t)
	if err != nil {
		p.failAt(err)
	}
	return p.make(t.Pos.Offset, Node{Kind: Literal, Value: value})
}

func (p *climber) parentheses() *Node {
	p.enter(p.next())
	node := p.climb(bindOr)
	p.expect(tokClose, ") to close the parenthesis")
	p.depth--
	return node
}

func (p *climber) pathOrCall() *Node {
	names := p.names.mark()
	first := p.next()
	p.names.push(segment(first))
	if p.peek().Type == tokOpen {
		return p.call(first.Pos.Offset, names)
	}
	p.members()
	kind := Path
	if p.isBound(first.Value) {
		kind = Local
	}
	return p.make(first.Pos.Offset, Node{Kind: kind, Names: p.names.cut(names)})
}

// members pushes the names of `.name.name`.
func (p *climber) members() {
	for p.peek().Type == tokDot {
		p.next()
		p.names.push(segment(p.expect(tokName, "a name behind the dot")))
	}
}

func (p *climber) call(start, names int) *Node {
	args := p.args.mark()
	p.enter(p.next())
	for p.peek().Type != tokClose {
		p.args.push(p.argument())
		if !p.comma(tokClose, ")") {
			break
		}
	}
	p.expect(tokClose, ") or , behind the argument")
	p.depth--
	node := p.make(start, Node{Kind: Call, Args: p.args.cut(args), Names: p.names.cut(names)})
	if p.err == nil {
		p.failAt(checkCall(node))
	}
	return node
}

func (p *climber) argument() *Node {
	switch p.peek().Type {
	case tokLambdaName, tokLambdaOpen:
		return p.lambda()
	}
	return p.climb(bindOr)
}

func (p *climber) lambda() *Node {
	start, bound := p.peek().Pos.Offset, len(p.bound)
	if open := p.peek(); open.Type == tokLambdaOpen {
		p.next()
		p.bind(tokName)
		p.expect(tokComma, ",")
		p.bind(tokName)
		p.expect(tokClose, ")")
	} else {
		p.bind(tokLambdaName)
	}
	params := slices.Clone(p.bound[bound:])
	p.enter(p.expect(tokArrow, "=>"))
	args := p.args.mark()
	p.args.push(p.climb(bindOr))
	p.depth--
	p.bound = p.bound[:bound]
	return p.make(start, Node{Kind: Lambda, Args: p.args.cut(args), Names: params})
}

func (p *climber) bind(typ lexer.TokenType) {
	name := segment(p.expect(typ, "a name"))
	p.failAt(checkParam(name))
	p.bound = append(p.bound, name)
}

func (p *climber) isBound(name string) bool {
	return slices.ContainsFunc(p.bound, func(s Segment) bool { return s.Name == name })
}

func (p *climber) list() *Node {
	open := p.next()
	args := p.args.mark()
	p.enter(open)
	for p.peek().Type != tokListClose {
		p.args.push(p.climb(bindOr))
		if !p.comma(tokListClose, "]") {
			break
		}
	}
	p.expect(tokListClose, "] or , behind the element")
	p.depth--
	return p.make(open.Pos.Offset, Node{Kind: List, Args: p.args.cut(args)})
}

func (p *climber) object() *Node {
	open := p.next()
	args, names := p.args.mark(), p.names.mark()
	p.enter(open)
	for p.peek().Type != tokMapClose {
		p.names.push(p.key())
		p.expect(tokColon, ": behind the key")
		p.args.push(p.climb(bindOr))
		if !p.comma(tokMapClose, "}") {
			break
		}
	}
	p.expect(tokMapClose, "} or , behind the value")
	p.depth--
	node := p.make(open.Pos.Offset, Node{Kind: Object, Args: p.args.cut(args), Names: p.names.cut(names)})
	p.failAt(checkKeys(node.Names))
	return node
}

func (p *climber) key() Segment {
	t := p.peek()
	if t.Type != tokName && t.Type != tokString {
		p.fail(t, "a key is missing before "+describe(t)+": a name or a string is accepted here")
		return Segment{}
	}
	return keySegment(p.next())
}

// comma consumes a comma and tells whether there was one. One before the
// closing token is an error.
func (p *climber) comma(closing lexer.TokenType, sign string) bool {
	if p.peek().Type != tokComma {
		return false
	}
	comma := p.next()
	if p.peek().Type == closing {
		p.fail(comma, "remove the , before "+sign+": a trailing comma is not accepted")
	}
	return true
}
