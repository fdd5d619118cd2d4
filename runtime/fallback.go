package runtime

import (
	"context"
	"slices"

	"iterion/ir"
	"iterion/ir/expr"
	"iterion/ir/outcome"
	"iterion/runtime/backend"
)

// classes are the failures that a fallback route's `on` names. `any` is every
// failure but those that end the run as a whole.
var classes = map[string][]outcome.Code{
	"usage_window":        {outcome.UsageLimitBlocked},
	"auth":                {outcome.AuthFailed},
	"unavailable":         {outcome.NetworkTransient, outcome.Unsupported},
	"transient_exhausted": {outcome.RateLimited, outcome.NetworkTransient, outcome.Timeout, outcome.ExecutionFailed},
}

// route is one way to have a node's task answered; the first of a node is its
// own backend.
type route struct {
	name    string // "" for the first
	b       backend.Backend
	task    backend.Task
	missing *Failure // there is no such backend
	skip    bool     // `action: skip`
	on      []string
}

// takes tells whether a route answers for a failure.
func (r route) takes(f *Failure) bool {
	return slices.ContainsFunc(r.on, func(class string) bool {
		if class == "any" {
			return f.Code != outcome.Cancelled && f.Code != outcome.BudgetExceeded
		}
		return slices.Contains(classes[class], f.Code)
	})
}

// routes prepares a node's own task and its fallbacks. A fallback whose `when`
// does not hold is left out; one that changes the backend starts a conversation
// of its own.
func (e *engine) routes(n *ir.Node, v view) []route {
	own := route{}
	own.b, own.task, own.missing = e.task(n, v)
	name := e.backendName(n, v)
	out := []route{own}
	for _, f := range n.LLM.Fallbacks {
		if f.When.Set() && !e.gate(f.When.V, v) {
			continue
		}
		r := route{name: f.Name, b: own.b, task: own.task, missing: own.missing, skip: f.Action.V == "skip"}
		r.on = []string{"usage_window", "unavailable"}
		if f.On.Set() {
			r.on = ir.Strings(f.On)
		}
		if other := v.routing(f.Backend, e.lookup); other != "" && other != name {
			r.b, r.missing = e.backend(other, n)
			r.task.Session = backend.Session{Mode: "fresh"}
		}
		if f.Model.Set() {
			r.task.Model = v.routing(f.Model, e.lookup)
		}
		if f.Provider.Set() {
			r.task.Provider = v.routing(f.Provider, e.lookup)
		}
		out = append(out, r)
	}
	return out
}

// gate judges a fallback's `when`; one that cannot be judged does not hold.
func (e *engine) gate(t ir.Text, v view) bool {
	value, err := e.p.eval(t, v)
	return err == nil && expr.Truthy(value)
}

// routed asks the node's own backend, then each route that takes the failure
// before it. When all fail the first failure stands. A node that is resumed goes
// on with the route that answered.
func (c call) routed(ctx context.Context, routes []route, schema *ir.Schema) answer {
	at, original := c.r.routeOf()
	begun := at == ""
	for _, r := range routes {
		if !begun {
			if begun = r.name == at; !begun {
				continue
			}
		} else if original != nil {
			if !r.takes(original) {
				continue
			}
			c.r.Event(outcome.ModelFallback, map[string]any{
				"route": r.name, "model": r.task.Model, "failure_code": string(original.Code), "error": original.Message, "skip": r.skip,
			})
		}
		if r.skip {
			return answer{output: zero(schema)}
		}
		got := answer{failure: r.missing}
		if r.missing == nil {
			attempt := c
			attempt.b, attempt.task, attempt.route = r.b, r.task, r.name
			got = attempt.ask(ctx)
		}
		if got.failure == nil {
			if r.name != "" && !got.unasked {
				got.output["_fallback_used"], got.output["_served_by"] = r.name, r.b.Info().Name
			}
			return got
		}
		if original == nil {
			original = got.failure
		}
	}
	return answer{failure: original}
}

// routeOf is the fallback that answers already, with the failure that led to it.
func (r reporter) routeOf() (name string, cause *Failure) {
	_ = r.post(func() {
		sc := r.e.state.Scopes[r.r.scope]
		name, cause = sc.Route, sc.Turned
	})
	return name, cause
}
