package expr

import (
	"fmt"

	"iterion/ast/source"
	syntax "iterion/grammar/expr"
)

// Budgets of one evaluation.
const (
	// MaxVisits is how many elements functions and collection literals may
	// visit.
	MaxVisits = 100_000
	// MaxText is the length in bytes of the longest string an operator or a
	// function may build.
	MaxText = 5 << 20

	// maxHeight bounds the recursion. No tree that the parser made is
	// higher: a level is at most one node of every binding power, and an index
	// for each level above it.
	maxHeight = (syntax.MaxDepth + 8) * (syntax.MaxDepth + 8)
)

// Env holds what an expression can read.
type Env interface {
	// Lookup reads a path whose first name is one of the namespaces vars,
	// input, outputs, artifacts, loop and run; it may be the only one. How many
	// of the names make up a node's id behind outputs is for Lookup to find
	// out. It gives a value, and false or nil for what is missing.
	Lookup(path []string) (any, bool)
}

// Error is why an evaluation failed.
type Error struct {
	Span    source.Span // the part that failed, in the coordinates of the tree
	Message string      // one sentence without a capital
}

func (e *Error) Error() string { return e.Message }

// Eval computes an expression. The error is an *Error. Under a nil env every
// path is missing.
func Eval(n *syntax.Node, env Env) (any, error) {
	e := evaluator{env: env}
	v, err := e.eval(n)
	if err != nil {
		return nil, err
	}
	return v, nil
}

// PathOf is the path that a Path node reads, its namespace first: a name that
// is no namespace is a field of input.
func PathOf(n *syntax.Node) []string {
	path := make([]string, 0, len(n.Names)+1)
	if !syntax.IsNamespace(n.Name()) {
		path = append(path, "input")
	}
	return append(path, names(n.Names)...)
}

func names(segments []syntax.Segment) []string {
	out := make([]string, len(segments))
	for i, s := range segments {
		out[i] = s.Name
	}
	return out
}

type evaluator struct {
	env    Env
	locals []local
	visits int
	height int
}

// local is a lambda's parameter; the innermost of a name is the last.
type local struct {
	name  string
	value any
}

func fail(n *syntax.Node, format string, args ...any) *Error {
	return &Error{n.Span, fmt.Sprintf(format, args...)}
}

func (e *evaluator) eval(n *syntax.Node) (any, *Error) {
	if n == nil {
		return nil, &Error{Message: "a part of the expression is missing"}
	}
	if e.height++; e.height > maxHeight {
		return nil, fail(n, "the expression nests too deep")
	}
	defer func() { e.height-- }()
	if len(n.Args) < minArgs[n.Kind] || n.Kind == syntax.Binary && len(n.Ops) != len(n.Args)-1 {
		return nil, fail(n, "a part of the expression is missing")
	}
	switch n.Kind {
	case syntax.Literal:
		return n.Value, nil
	case syntax.Path:
		return e.path(n)
	case syntax.Local:
		return e.local(n)
	case syntax.Unary:
		return e.unary(n)
	case syntax.Binary:
		return e.binary(n)
	case syntax.Index:
		return e.index(n)
	case syntax.Call:
		return e.call(n)
	case syntax.List:
		return e.list(n)
	case syntax.Object:
		return e.object(n)
	}
	return nil, fail(n, "a function may only stand as an argument of map, filter or reduce")
}

// minArgs guards against trees that no parser made.
var minArgs = [256]int{syntax.Unary: 1, syntax.Binary: 2, syntax.Index: 2, syntax.Lambda: 1}

func (e *evaluator) path(n *syntax.Node) (any, *Error) {
	if e.env == nil {
		return nil, nil
	}
	raw, ok := e.env.Lookup(PathOf(n))
	if !ok {
		return nil, nil
	}
	switch raw.(type) {
	case nil, bool, int64, string, []any, map[string]any:
		return raw, nil
	}
	v, err := Normalize(raw)
	if err != nil {
		return nil, fail(n, "%v", err)
	}
	return v, nil
}

func (e *evaluator) local(n *syntax.Node) (any, *Error) {
	for i := len(e.locals) - 1; i >= 0; i-- {
		if e.locals[i].name == n.Name() {
			return Member(e.locals[i].value, names(n.Names[1:])...), nil
		}
	}
	return nil, nil
}

func (e *evaluator) unary(n *syntax.Node) (any, *Error) {
	v, err := e.eval(n.Args[0])
	if err != nil {
		return nil, err
	}
	if n.Op() == syntax.Not {
		return !Truthy(v), nil
	}
	out, problem := negate(v)
	if problem != "" {
		return nil, fail(n, "%s", problem)
	}
	return out, nil
}

func (e *evaluator) binary(n *syntax.Node) (any, *Error) {
	if op := n.Op(); op == syntax.Or || op == syntax.And {
		return e.logical(n, op == syntax.Or)
	}
	left, err := e.eval(n.Args[0])
	for i := 0; i < len(n.Ops) && err == nil; i++ {
		var right any
		if right, err = e.eval(n.Args[i+1]); err != nil {
			break
		}
		var problem string
		if left, problem = apply(n.Ops[i].Op, left, right); problem != "" {
			err = &Error{source.Span{Start: n.Span.Start, End: n.Args[i+1].Span.End}, problem}
		}
	}
	return left, err
}

// logical stops at the first operand whose truth is stop.
func (e *evaluator) logical(n *syntax.Node, stop bool) (any, *Error) {
	for _, arg := range n.Args {
		v, err := e.eval(arg)
		if err != nil {
			return nil, err
		}
		if Truthy(v) == stop {
			return stop, nil
		}
	}
	return !stop, nil
}

// index reads an element. nil has none, as a missing member has none.
func (e *evaluator) index(n *syntax.Node) (any, *Error) {
	base, err := e.eval(n.Args[0])
	if err != nil {
		return nil, err
	}
	at, err := e.eval(n.Args[1])
	if err != nil {
		return nil, err
	}
	var found any
	switch base := base.(type) {
	case nil:
	case []any:
		i, ok := toInt(at)
		if !ok {
			return nil, fail(n.Args[1], "a list is indexed by an int, not %s", kindOf(at))
		}
		if i >= 0 && i < int64(len(base)) {
			found = base[i]
		}
	case map[string]any:
		key, ok := at.(string)
		if !ok {
			return nil, fail(n.Args[1], "a map is indexed by a string, not %s", kindOf(at))
		}
		found = base[key]
	default:
		return nil, fail(n, "%s has no elements", kindOf(base))
	}
	return Member(found, names(n.Names)...), nil
}

func (e *evaluator) list(n *syntax.Node) (any, *Error) {
	out := make([]any, len(n.Args))
	for i, arg := range n.Args {
		v, err := e.eval(arg)
		if err != nil {
			return nil, err
		}
		out[i] = v
	}
	return e.build(n, out)
}

func (e *evaluator) object(n *syntax.Node) (any, *Error) {
	if len(n.Names) != len(n.Args) {
		return nil, fail(n, "a part of the expression is missing")
	}
	out := make(map[string]any, len(n.Args))
	for i, arg := range n.Args {
		v, err := e.eval(arg)
		if err != nil {
			return nil, err
		}
		out[n.Names[i].Name] = v
	}
	return e.build(n, out)
}

// visit charges elements to the budget.
func (e *evaluator) visit(n *syntax.Node, elements int) *Error {
	if elements > MaxVisits-e.visits {
		return fail(n, "the evaluation visits more than %d elements", MaxVisits)
	}
	e.visits += elements
	return nil
}

// build charges a new collection. Inside a function body all it holds is
// counted, since there a result may come back as a parameter: `[acc, acc]`
// doubles at each step, though every list is short.
func (e *evaluator) build(n *syntax.Node, v any) (any, *Error) {
	left := MaxVisits - e.visits
	if len(e.locals) > 0 {
		return v, e.visit(n, weigh(v, left))
	}
	return v, e.visit(n, size(v))
}

func size(v any) int {
	switch v := v.(type) {
	case []any:
		return len(v)
	case map[string]any:
		return len(v)
	}
	return 0
}

// weigh counts a value with all it holds, a KiB of text as one; it stops
// counting beyond limit.
func weigh(v any, limit int) int {
	total := 1
	switch v := v.(type) {
	case string:
		total += len(v) >> 10
	case []any:
		for _, e := range v {
			if total > limit {
				break
			}
			total += weigh(e, limit-total)
		}
	case map[string]any:
		for _, e := range v {
			if total > limit {
				break
			}
			total += weigh(e, limit-total)
		}
	}
	return total
}
