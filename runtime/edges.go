package runtime

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"iterion/ir"
	"iterion/ir/expr"
	"iterion/ir/outcome"
)

// stallLimit is how many crossings in a row an unbounded loop may make without
// a change in its source's output.
const stallLimit = 3

// choice is the outcome of choosing an edge.
type choice struct {
	edge    *ir.Edge
	same    int64            // for a loop edge: crossings in a row with this output
	notices []map[string]any // data of budget_warning events
	skipped []string         // conditions that could not be judged
}

// chooser picks the edge that leaves a node. Its view reads the node's output
// as `input`.
type chooser struct {
	view
	output map[string]any
	choice
	spent bool // a loop edge was declined
}

// choose follows the order of the language: the first conditional edge that
// holds, the first unconditional loop or foreach edge that can run, else, the
// bare edge.
func (v view) choose(node string, output map[string]any) (choice, *Failure) {
	c := chooser{view: v, output: output}
	c.input = output
	edges := v.p.Out(node)
	for _, kind := range []func(*ir.Edge) bool{
		(*ir.Edge).Conditional,
		func(e *ir.Edge) bool { return !e.Conditional() && (e.Loop != nil || e.Foreach != nil) },
		func(e *ir.Edge) bool { return e.Else.Set() },
		(*ir.Edge).Bare,
	} {
		for _, e := range edges {
			if !kind(e) || !c.holds(e) {
				continue
			}
			runs, err := c.runs(e)
			if err != nil {
				return c.choice, &Failure{Code: outcome.ExpressionFailed, Message: err.Error(), Node: node}
			}
			if runs {
				c.edge = e
				return c.choice, nil
			}
		}
	}
	if c.spent {
		return c.choice, &Failure{Code: outcome.LoopExhausted, Node: node,
			Message: fmt.Sprintf("%s cannot go on: %s is spent and no other edge can be taken", node, c.spentLoop(edges))}
	}
	message := fmt.Sprintf("no edge of %s can be taken", node)
	if len(edges) == 0 {
		message = fmt.Sprintf("%s has no edge that leaves it: write where the run goes on, or `%s -> done` where it ends", node, node)
	}
	return c.choice, &Failure{Code: outcome.NoOutgoingEdge, Node: node, Message: message}
}

// spentLoop names the loop that ran out.
func (c *chooser) spentLoop(edges []*ir.Edge) string {
	for _, e := range edges {
		if e.Loop != nil && c.holds(e) {
			return "loop " + e.Loop.Name
		}
	}
	return "its loop"
}

// holds judges an edge's `when`. One that cannot be judged does not hold.
func (c *chooser) holds(e *ir.Edge) bool {
	switch {
	case e.When.Set():
		value, ok := c.output[e.When.V]
		b, isBool := value.(bool)
		if ok && !isBool {
			c.skipped = append(c.skipped, fmt.Sprintf("%s: %s is %s, not a bool", e.ID(), e.When.V, shown(value)))
		}
		return ok && isBool && b != e.Not
	case e.Expr.Set():
		value, err := c.p.eval(e.Expr.V, c)
		if err != nil {
			c.skipped = append(c.skipped, fmt.Sprintf("%s: %v", e.ID(), err))
		}
		return err == nil && expr.Truthy(value)
	}
	return true
}

// runs tells whether a loop or foreach edge may be crossed once more.
func (c *chooser) runs(e *ir.Edge) (bool, error) {
	switch {
	case e.Foreach != nil:
		l := c.s.loop(c.scope.ID, e.Foreach.Name)
		return l.Count+1 < int64(len(c.collection(e.Foreach.Name))), nil
	case e.Loop == nil:
		return true, nil
	}
	l := c.s.loop(c.scope.ID, e.Loop.Name)
	limit, err := c.loopCap(e.Loop)
	if err != nil {
		return false, err
	}
	if limit >= 0 && l.Count >= limit {
		c.spent = true
		return false, nil
	}
	c.same = 1
	if l.Staged != nil && reflect.DeepEqual(visible(l.Staged), visible(c.output)) {
		c.same = l.Same + 1
	}
	if e.Loop.Unbounded.Set() && c.same > stallLimit {
		c.decline(map[string]any{"reason": "liveness_stall", "loop": e.Loop.Name})
		return false, nil
	}
	if axis := c.guarded(l); axis != "" {
		c.decline(map[string]any{"reason": "loop_budget_guard", "loop": e.Loop.Name, "axis": axis})
		return false, nil
	}
	return true, nil
}

func (c *chooser) decline(notice map[string]any) {
	c.spent = true
	c.notices = append(c.notices, notice)
}

// visible is an output without the fields that the engine writes.
func visible(output any) any {
	m, ok := output.(map[string]any)
	if !ok {
		return output
	}
	out := map[string]any{}
	for k, v := range m {
		if !strings.HasPrefix(k, "_") {
			out[k] = v
		}
	}
	return out
}

// loopCap is how many crossings a loop allows, negative for any number.
func (v view) loopCap(use *ir.LoopUse) (int64, error) {
	switch {
	case use.Count.Set():
		return use.Count.V, nil
	case use.Cap.Set():
		return v.dynamicCap(use)
	case use.Fuel.Set():
		return use.Fuel.V, nil
	case v.p.limits.Iterations > 0:
		return v.p.limits.Iterations, nil
	}
	return -1, nil
}

func (v view) dynamicCap(use *ir.LoopUse) (int64, error) {
	var value any
	if ref, ok := use.Cap.V.Whole(); ok {
		value, _ = v.ref(ref)
		if s, isText := value.(string); isText {
			if n, err := coerce("int", s); err == nil {
				value = n
			}
		}
	} else {
		var err error
		if value, err = v.p.eval(use.Cap.V, v); err != nil {
			return 0, fmt.Errorf("the cap of loop %s: %w", use.Name, err)
		}
	}
	n, ok := integral(value)
	if count, _ := n.(int64); ok && count >= 0 {
		return count, nil
	}
	return 0, errors.New("the cap of loop " + use.Name + " must be a whole number from 0, not " + shown(value))
}

// crossing is the data of edge_selected: the edge and all that follows from it.
func (v view) crossing(c choice) map[string]any {
	e := c.edge
	d := map[string]any{
		"from": e.From, "to": e.To, "edge": int64(v.p.index[e]),
		"condition": nil, "negated": e.Not, "expression": nil, "loop": nil, "iteration": v.scope.Iteration,
	}
	switch {
	case e.When.Set():
		d["condition"] = e.When.V
	case e.Expr.Set():
		d["expression"] = e.Expr.V.Value()
	}
	switch {
	case e.Loop != nil:
		d["loop"], d["same"] = e.Loop.Name, c.same
		d["iteration"] = v.s.loop(v.scope.ID, e.Loop.Name).Count + 1
	case e.Foreach != nil:
		d["foreach"] = e.Foreach.Name
		d["iteration"] = v.s.loop(v.scope.ID, e.Foreach.Name).Count + 1
	default:
		v.p.resets(e, d)
	}
	return d
}

// resets notes the loops that a forward edge enters from outside: their
// counters start again, the histories of their nodes too.
func (p *plan) resets(e *ir.Edge, d map[string]any) {
	var loops, forget []any
	for _, l := range p.Loops {
		if slices.Contains(l.Entries, e.To) && !p.bodies[l.Name][e.From] {
			loops = append(loops, l.Name)
			forget = append(forget, anys(l.Body)...)
		}
	}
	if loops != nil {
		d["resets"], d["forget"] = loops, forget
	}
}

// iteration is the highest counter of the loops a node belongs to.
func (v view) iteration(node string) int64 {
	var highest int64
	for _, name := range v.p.inLoop[node] {
		highest = max(highest, v.s.loop(v.scope.ID, name).Count)
	}
	return highest
}
