package expr

import (
	"maps"
	"math"
	"slices"
	"strings"

	syntax "iterion/grammar/expr"
)

// call evaluates a function. Those that choose what is evaluated see the tree,
// all others their arguments' values.
func (e *evaluator) call(n *syntax.Node) (any, *Error) {
	f := syntax.LookupFunction(n.Name())
	if f == nil {
		return nil, fail(n, "there is no function %s", n.Name())
	}
	if !f.Accepts(len(n.Args)) {
		return nil, fail(n, "%s takes %s, not %d", f.Name, f.Arity(), len(n.Args))
	}
	switch f.Name {
	case "if":
		return e.choose(n)
	case "map", "filter", "reduce":
		return e.combine(n, f)
	}
	c := call{evaluator: e, node: n, args: make([]any, len(n.Args))}
	for i, arg := range n.Args {
		v, err := e.eval(arg)
		if err != nil {
			return nil, err
		}
		c.args[i] = v
	}
	v := c.run(f.Name)
	if c.err != nil {
		return nil, c.err
	}
	return v, nil
}

// call is one function with its arguments. The first failure stays in err;
// the argument readers give empty values from then on.
type call struct {
	*evaluator
	node *syntax.Node
	args []any
	err  *Error
}

func (c *call) run(name string) any {
	switch name {
	case "length":
		return c.length()
	case "concat":
		return c.concat()
	case "unique":
		return c.unique()
	case "contains":
		return c.contains()
	case "join":
		return c.join()
	case "tail":
		list, n := c.list(0), c.int(1)
		return list[len(list)-clamp(n, len(list)):]
	case "slice":
		return c.slice()
	case "sort":
		return c.sort()
	case "keys":
		return toAny(sortedKeys(c.mapping()))
	case "values":
		m := c.mapping()
		out := []any{}
		for _, k := range sortedKeys(m) {
			out = append(out, m[k])
		}
		return out
	case "sum":
		return c.sum()
	case "min":
		return c.extreme(-1)
	case "max":
		return c.extreme(1)
	case "flatten":
		return c.flatten(c.list(0))
	case "floor":
		return c.whole(math.Floor)
	case "round":
		return c.whole(math.Round)
	}
	c.fail(0, "%s cannot be called", name)
	return nil
}

func (c *call) fail(arg int, format string, args ...any) {
	if c.err == nil {
		c.err = fail(c.node.Args[arg], format, args...)
	}
}

// charge counts elements and gives them back, or nothing when the budget is
// spent.
func (c *call) charge(list []any) []any {
	if c.err == nil {
		c.err = c.visit(c.node, len(list))
	}
	if c.err != nil {
		return nil
	}
	return list
}

// list reads an argument that is a list; nil counts as an empty one.
func (c *call) list(i int) []any {
	switch v := c.args[i].(type) {
	case []any:
		return c.charge(v)
	case nil:
	default:
		c.fail(i, "%s takes a list, not %s", c.node.Name(), kindOf(v))
	}
	return []any{}
}

func (c *call) int(i int) int64 {
	n, ok := toInt(c.args[i])
	if !ok {
		c.fail(i, "argument %d of %s must be an int, not %s", i+1, c.node.Name(), kindOf(c.args[i]))
	}
	return n
}

func (c *call) mapping() map[string]any {
	m, ok := c.args[0].(map[string]any)
	if !ok && c.args[0] != nil {
		c.fail(0, "%s takes a map, not %s", c.node.Name(), kindOf(c.args[0]))
	}
	if c.err == nil {
		c.err = c.visit(c.node, len(m))
	}
	return m
}

func (c *call) length() any {
	switch v := c.args[0].(type) {
	case nil:
	case string:
		return int64(len(v))
	case []any, map[string]any:
		return int64(size(v))
	default:
		c.fail(0, "length takes a string, list or map, not %s", kindOf(v))
	}
	return int64(0)
}

func (c *call) concat() any {
	out := []any{}
	for i := range c.args {
		out = append(out, c.list(i)...)
	}
	return out
}

func (c *call) unique() any {
	out, seen := []any{}, map[string]bool{}
	for _, v := range c.list(0) {
		if text := SpelledOut(v); !seen[text] {
			seen[text] = true
			out = append(out, v)
		}
	}
	return out
}

func (c *call) contains() any {
	wanted := SpelledOut(c.args[1])
	return slices.ContainsFunc(c.list(0), func(v any) bool { return SpelledOut(v) == wanted })
}

func (c *call) join() any {
	sep, ok := c.args[1].(string)
	if !ok {
		c.fail(1, "the separator of join must be a string, not %s", kindOf(c.args[1]))
	}
	var out strings.Builder
	for i, v := range c.list(0) {
		if i > 0 {
			out.WriteString(sep)
		}
		out.WriteString(SpelledOut(v))
		if out.Len() > MaxText {
			c.fail(0, "%s", tooLong)
			break
		}
	}
	return out.String()
}

// slice takes [from, to); negatives count from the end, then both are
// clamped.
func (c *call) slice() any {
	list, from, to := c.list(0), c.int(1), c.int(2)
	lo, hi := position(from, len(list)), position(to, len(list))
	return list[min(lo, hi):hi]
}

func position(i int64, length int) int {
	if i < 0 {
		i += int64(length)
	}
	return clamp(i, length)
}

func clamp(i int64, length int) int { return int(min(max(i, 0), int64(length))) }

func (c *call) sort() any {
	list := slices.Clone(c.list(0))
	if !slices.ContainsFunc(list, func(v any) bool { return !isNumber(v) }) {
		slices.SortStableFunc(list, compareNumbers)
		return list
	}
	return sortByText(list)
}

func sortByText(list []any) any {
	type spelled struct {
		text  string
		value any
	}
	all := make([]spelled, len(list))
	for i, v := range list {
		all[i] = spelled{SpelledOut(v), v}
	}
	slices.SortStableFunc(all, func(a, b spelled) int { return strings.Compare(a.text, b.text) })
	for i, s := range all {
		list[i] = s.value
	}
	return list
}

func (c *call) sum() any {
	var total any = int64(0)
	for i, v := range c.list(0) {
		if !isNumber(v) {
			c.fail(0, "sum takes numbers, but element %d is %s", i, kindOf(v))
			break
		}
		sum, problem := arithmetic(syntax.Add, total, v)
		if problem != "" {
			c.fail(0, "%s", problem)
			break
		}
		total = sum
	}
	return total
}

// extreme finds the least (sign -1) or greatest (sign 1) number; nil when
// there is none.
func (c *call) extreme(sign int) any {
	values := c.args
	if len(values) == 1 {
		values = c.list(0)
	} else {
		values = c.flatten(c.charge(values))
	}
	var best any
	for _, v := range values {
		if !isNumber(v) {
			c.fail(0, "%s takes numbers, not %s", c.node.Name(), kindOf(v))
			break
		}
		if best == nil || compareNumbers(v, best)*sign > 0 {
			best = v
		}
	}
	return best
}

func (c *call) flatten(list []any) []any {
	out := []any{}
	for _, v := range list {
		if inner, ok := v.([]any); ok {
			out = append(out, c.charge(inner)...)
		} else {
			out = append(out, v)
		}
	}
	return out
}

// whole rounds a number to an int.
func (c *call) whole(round func(float64) float64) any {
	switch v := c.args[0].(type) {
	case int64:
		return v
	case float64:
		if i, ok := toInt(round(v)); ok {
			return i
		}
		c.fail(0, overflow)
	default:
		c.fail(0, "%s takes a number, not %s", c.node.Name(), kindOf(v))
	}
	return nil
}

func sortedKeys(m map[string]any) []string { return slices.Sorted(maps.Keys(m)) }

func toAny(list []string) []any {
	out := make([]any, len(list))
	for i, s := range list {
		out[i] = s
	}
	return out
}
