// Package expr parses the expression language of `.bot` files: the text of a
// compute field, of a quoted `when`, of a loop cap and of a route's `when`.
//
// The parser is a participle parser over a hand-written scanner. What the
// language is stands once more as a plain grammar in reference.go; tests hold
// the two together.
package expr

import "iterion/ast/source"

// MaxDepth is the number of levels an expression may nest: parentheses,
// arguments, brackets, function bodies and prefix operators each count one.
const MaxDepth = 256

// Kind says what a node is, and so which of its fields are set.
type Kind uint8

// The kinds of nodes. Fields not named in a kind's line are empty.
const (
	Invalid Kind = iota
	Literal      // Value: bool, int64, float64 or string
	Path         // Names: the segments of a dotted path, at least one
	Local        // Names: as Path, but the first names a lambda's parameter
	Unary        // Ops[0]: Not or Neg; Args[0]: the operand
	Binary       // Args: two operands or more; Ops[i] stands between Args[i] and Args[i+1]
	Index        // Args[0]: the collection; Args[1]: the index; Names: members read behind the bracket
	Call         // Names[0]: the function; Args: the arguments
	Lambda       // Names: one or two parameters; Args[0]: the body
	List         // Args: the elements
	Object       // Names: the keys; Args: their values
)

// Op is an operator.
type Op uint8

// The operators. All operators of one Binary node bind equally: only Or, only
// And, one comparison, a run of Add and Sub, or a run of Mul, Div and Mod,
// grouped from the left.
const (
	NoOp Op = iota
	Or
	And
	Not
	Eq
	Ne
	Lt
	Le
	Gt
	Ge
	Add
	Sub
	Mul
	Div
	Mod
	Neg
)

var opText = [...]string{
	Or: "||", And: "&&", Not: "!", Eq: "==", Ne: "!=", Lt: "<", Le: "<=", Gt: ">", Ge: ">=",
	Add: "+", Sub: "-", Mul: "*", Div: "/", Mod: "%", Neg: "-",
}

// String is the operator's sign.
func (o Op) String() string {
	if int(o) < len(opText) {
		return opText[o]
	}
	return ""
}

// IsComparison tells whether the operator is one of == != < <= > >=.
func (o Op) IsComparison() bool { return o >= Eq && o <= Ge }

// Segment is one name of a path, a parameter, a key or a function's name. A
// quoted key has its decoded text as Name and the quotes inside Span.
type Segment struct {
	Name string
	Span source.Span
}

// Operator is an operator where it stands.
type Operator struct {
	Op   Op
	Span source.Span
}

// Node is one part of an expression. Nodes are immutable; offsets count bytes
// from the start of the text given to Parse. Parentheses belong to the node
// around them: a parenthesised node's Span excludes its own pair.
type Node struct {
	Kind  Kind
	Span  source.Span
	Value any
	Args  []*Node
	Ops   []Operator
	Names []Segment
}

// Op is the operator of a Unary node and the first one of a Binary node.
func (n *Node) Op() Op {
	if len(n.Ops) == 0 {
		return NoOp
	}
	return n.Ops[0].Op
}

// Name is the first of Names: the function of a Call, the namespace or field
// of a Path; empty when there is none.
func (n *Node) Name() string {
	if len(n.Names) == 0 {
		return ""
	}
	return n.Names[0].Name
}

// Walk visits n and everything below it, parents first and in the order of
// the text. Where visit returns false, the node's children are left out.
func Walk(n *Node, visit func(*Node) bool) {
	if n == nil || !visit(n) {
		return
	}
	for _, arg := range n.Args {
		Walk(arg, visit)
	}
}

// IsNamespace tells whether a path that begins with name reads a namespace.
// Any other first name is a field of `input`.
func IsNamespace(name string) bool {
	switch name {
	case "vars", "input", "outputs", "artifacts", "loop", "run":
		return true
	}
	return false
}

// Error is the first thing that is wrong with an expression.
type Error struct {
	Span    source.Span // bytes of the text; empty at its end when something is missing there
	Message string      // one sentence without a capital: what stands there and what is accepted
}

func (e *Error) Error() string { return e.Message }
