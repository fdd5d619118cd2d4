package runtime

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"iterion/ir"
	"iterion/ir/expr"
)

// plan is what a run reads of its program, looked up once. Only the engine's
// loop uses it.
type plan struct {
	*ir.Program
	index    map[*ir.Edge]int
	into     map[string][]*ir.Edge // by target, in source order
	loops    map[string]*ir.Loop   // loops and foreaches by name
	uses     map[string]*ir.LoopUse
	each     map[string]ir.Text // collections by foreach
	inLoop   map[string][]string
	bodies   map[string]map[string]bool
	exprs    map[ir.Text]*ir.Expr // every expression that parses, by text
	ends     map[*ir.Edge]string  // collectors found so far
	capacity map[string][]string  // leases by resource
	pools    map[string]bool      // resources whose leases have names of their own
	limits   limits
}

func newPlan(p *ir.Program, lookupEnv func(string) (string, bool)) (*plan, error) {
	if p == nil || p.Workflow == nil || !p.Workflow.Entry.Set() {
		return nil, fmt.Errorf("the program has no workflow with an entry")
	}
	pl := &plan{
		Program: p,
		index:   map[*ir.Edge]int{}, into: map[string][]*ir.Edge{},
		loops: map[string]*ir.Loop{}, uses: map[string]*ir.LoopUse{}, each: map[string]ir.Text{},
		inLoop: map[string][]string{}, bodies: map[string]map[string]bool{},
		exprs: map[ir.Text]*ir.Expr{}, capacity: map[string][]string{},
		ends: map[*ir.Edge]string{}, pools: map[string]bool{},
	}
	pl.limits = limitsOf(p.Workflow, lookupEnv)
	for i, e := range p.Edges {
		pl.addEdge(i, e)
	}
	for _, l := range p.Loops {
		pl.loops[l.Name] = l
		pl.bodies[l.Name] = map[string]bool{}
		for _, node := range l.Body {
			pl.bodies[l.Name][node] = true
			pl.inLoop[node] = append(pl.inLoop[node], l.Name)
		}
	}
	for _, n := range p.Nodes {
		if n.Compute != nil {
			for _, b := range n.Compute.Expr.V {
				pl.parse(b.Value)
			}
		}
		if n.LLM != nil {
			for _, f := range n.LLM.Fallbacks {
				pl.parse(f.When.V)
			}
		}
	}
	for _, r := range p.Workflow.Resources {
		pl.capacity[r.Name], pl.pools[r.Name] = leases(r), r.Members.Set()
	}
	return pl, nil
}

func (p *plan) addEdge(i int, e *ir.Edge) {
	p.index[e] = i
	p.into[e.To] = append(p.into[e.To], e)
	if e.Expr.Set() {
		p.parse(e.Expr.V)
	}
	if e.Loop != nil {
		p.uses[e.Loop.Name] = e.Loop
		if e.Loop.Cap.Set() {
			p.parse(e.Loop.Cap.V)
		}
	}
	if e.Foreach != nil {
		p.each[e.Foreach.Name] = e.Foreach.Collection.V
	}
}

func (p *plan) parse(t ir.Text) {
	if e, err := ir.ParseExpr(t.Value()); err == nil {
		p.exprs[t] = e
	}
}

// edge returns the edge of an index, as events hold it; an empty one when a
// changed program has it no more.
func (p *plan) edge(i int) *ir.Edge {
	if i < 0 || i >= len(p.Edges) {
		return &ir.Edge{}
	}
	return p.Edges[i]
}

// eval computes an expression of the program.
func (p *plan) eval(t ir.Text, env expr.Env) (any, error) {
	e := p.exprs[t]
	if e == nil {
		_, err := ir.ParseExpr(t.Value())
		return nil, fmt.Errorf("%q is no expression: %w", t.Value(), err)
	}
	return expr.Eval(e, env)
}

// nodeAt finds the node whose dotted id begins a path, the longest id first,
// and what is left of the path.
func nodeAt(p *ir.Program, path []string) (id string, rest []string, ok bool) {
	for n := len(path); n > 0; n-- {
		if id := strings.Join(path[:n], "."); p.Node(id) != nil {
			return id, path[n:], true
		}
	}
	return "", nil, false
}

// needs are the resources a node holds while it runs, sorted: everyone takes
// them in one order.
func needs(n *ir.Node) []string {
	if n == nil || !n.Needs.Set() {
		return nil
	}
	out := ir.Strings(n.Needs)
	slices.Sort(out)
	return slices.Compact(out)
}

// leases names the units of a resource.
func leases(r ir.Resource) []string {
	if r.Members.Set() {
		return ir.Strings(r.Members)
	}
	out := make([]string, max(0, r.Count.V))
	for i := range out {
		out[i] = fmt.Sprint(i)
	}
	return out
}

// free picks a lease of every resource the node needs; false when one is out.
func (p *plan) free(s *State, n *ir.Node) (map[string]string, bool) {
	wanted := needs(n)
	if len(wanted) == 0 {
		return nil, true
	}
	out := map[string]string{}
	for _, resource := range wanted {
		i := slices.IndexFunc(p.capacity[resource], func(lease string) bool {
			return !slices.Contains(s.Held[resource], lease)
		})
		if i < 0 {
			return nil, false
		}
		out[resource] = p.capacity[resource][i]
	}
	return out, true
}

// pooled are the leases of pools as nodes see them.
func (p *plan) pooled(leases map[string]string) map[string]any {
	out := map[string]any{}
	for resource, lease := range leases {
		if p.pools[resource] {
			out["_lease_"+resource] = lease
		}
	}
	return out
}

// schema returns the fields of a schema that a property names, or nil.
func (p *plan) schema(name ir.Opt[string]) *ir.Schema {
	if !name.Set() {
		return nil
	}
	return p.Schema(name.V)
}

func duration(text string, lookupEnv func(string) (string, bool)) (time.Duration, error) {
	return time.ParseDuration(strings.TrimSpace(expr.ExpandEnv(text, lookupEnv)))
}
