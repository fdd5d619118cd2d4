package runtime

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"iterion/ir"
	"iterion/ir/outcome"
	"iterion/runtime/backend"
)

// task builds what a backend is asked: the one place that does.
func (e *engine) task(n *ir.Node, v view) (backend.Backend, backend.Task, *Failure) {
	l := n.LLM
	b, f := e.backend(e.backendName(n, v), n)
	if f != nil {
		return nil, backend.Task{}, f
	}
	t := e.baseTask(n, v)
	t.Model, t.Provider = cmp.Or(e.Model, v.routing(l.Model, e.lookup)), v.routing(l.Provider, e.lookup)
	t.Effort, t.Command = v.routing(l.ReasoningEffort, e.lookup), l.Command.V
	t.System, t.User = e.prompt(l.System, v)+e.dials(l.Cursors), e.prompt(l.User, v)
	t.Tools = backend.Tools{Declared: l.Tools.Set(), Names: ir.Strings(l.Tools)}
	t.MaxSteps, t.MaxTokens, t.ReadOnly = l.ToolMaxSteps.V, l.MaxTokens.V, l.Readonly.V
	t.Session, t.Asks = e.session(n, v), asks[e.interaction(n)]
	t.Compaction = compaction(e.p.Workflow.Compaction, l.Compaction)
	if t.Session.Mode == "artifacts_only" {
		t.User += v.published()
	}
	return b, t, nil
}

// asks are the ways in which a model's own questions are taken, by
// `interaction:`.
var asks = map[string]backend.Asks{
	"human": backend.AskPerson, "human_or_host": backend.AskPerson, "async": backend.AskAsync,
}

// compaction is a node's setting over the workflow's.
func compaction(outer, inner *ir.Compaction) (c backend.Compaction) {
	for _, from := range []*ir.Compaction{outer, inner} {
		if from != nil {
			c.Threshold = from.Threshold.Or(c.Threshold)
			c.PreserveRecent = from.PreserveRecent.Or(c.PreserveRecent)
		}
	}
	return c
}

// baseTask holds what every task has.
func (e *engine) baseTask(n *ir.Node, v view) backend.Task {
	t := backend.Task{
		RunID: e.RunID, NodeID: n.ID, BranchID: v.scope.ID,
		Visit:  e.state.Visits[visitKey(n.ID, v.scope.ID)] + 1,
		Schema: jsonSchema(e.p.schema(n.Output)),
		Dir:    e.Workspace, Env: e.environment(n, v.scope), Redact: e.hidden, Files: e.artifactDir(),
	}
	used := e.state.used(v.now)
	if l := e.p.limits; l.Tokens > 0 {
		t.Budget.Tokens = new(max(0, l.Tokens-used.Tokens))
	}
	if l := e.p.limits; l.CostUSD > 0 {
		t.Budget.CostUSD = new(max(0, l.CostUSD-used.CostUSD))
	}
	if l := e.p.limits; l.Duration > 0 {
		t.Budget.Duration = new(max(0, l.Duration-used.Elapsed))
	}
	return t
}

func (e *engine) backendName(n *ir.Node, v view) string {
	if e.Backend != "" {
		return e.Backend
	}
	named := ir.Opt[ir.Text]{}
	switch {
	case n.LLM != nil:
		named = n.LLM.Backend
	case n.Router != nil:
		named = n.Router.Backend
	}
	if !named.Set() {
		named = e.p.Workflow.DefaultBackend
	}
	return v.routing(named, e.lookup)
}

func (e *engine) backend(name string, n *ir.Node) (backend.Backend, *Failure) {
	if b, ok := e.Backends(name); ok {
		return b, nil
	}
	message := "no model backend answers " + n.ID + " (a scripted model can)"
	if name != "" {
		message = fmt.Sprintf("this build has no backend %s, which %s asks for", name, n.ID)
	}
	return nil, &Failure{Code: outcome.Unsupported, Message: message}
}

// namedPrompt renders a prompt by its name.
func (e *engine) namedPrompt(name string, v view) string {
	if p := e.p.Prompt(name); p != nil {
		return v.text(p.Text)
	}
	return ""
}

// llmRouter lets a model choose among the targets.
func (e *engine) llmRouter(n *ir.Node, v view) (answer, job) {
	b, f := e.backend(e.backendName(n, v), n)
	if f != nil {
		return answer{failure: f}, nil
	}
	edges := e.p.Out(n.ID)
	var targets []string
	for _, edge := range edges {
		targets = append(targets, edge.To)
	}
	r, t := n.Router, e.baseTask(n, v)
	t.Model, t.Provider = cmp.Or(e.Model, v.routing(r.Model, e.lookup)), v.routing(r.Provider, e.lookup)
	t.Effort = v.routing(r.ReasoningEffort, e.lookup)
	t.System, t.User = e.prompt(r.System, v), e.prompt(r.User, v)
	t.User = strings.TrimSpace(t.User + "\n\nChoose where to go on: " + strings.Join(targets, ", ") + ".")
	t.Schema, t.Tools = routeSchema(targets, r.Multi.V), backend.Tools{Declared: true}
	input := v.input
	return answer{}, func(ctx context.Context, rep reporter) answer {
		c := call{b: b, task: t, r: rep, check: func(out map[string]any) (map[string]any, *schemaMiss) {
			return checkRoute(out, targets, r.Multi.V)
		}}
		got := c.ask(ctx)
		if got.failure != nil {
			return got
		}
		got.output = merged(input, got.output)
		if routes := list(got.output, "selected_routes"); r.Multi.V && len(routes) > 0 {
			_ = rep.do(func() { got = e.fanOutTo(n.ID, edges, got.output, routes) })
		}
		return got
	}
}

// recovery is the task of an agent that repairs what a tool left undone. Its
// policy is the workflow's.
func (e *engine) recovery(n *ir.Node, v view) (call, *Failure) {
	b, f := e.backend(v.routing(e.p.Workflow.DefaultBackend, e.lookup), n)
	if f != nil {
		return call{}, f
	}
	t := e.baseTask(n, v)
	t.Schema = nil
	t.Model = cmp.Or(e.Model, v.routing(n.Tool.Recovery.Model, e.lookup))
	t.Tools = backend.Tools{Declared: true, Names: ir.Strings(n.Tool.Recovery.AgentTools)}
	t.System = "You repair a step of a workflow. It counts as done when its postcondition, a shell command, succeeds."
	t.User = fmt.Sprintf("Goal: %s\nPostcondition: %s", v.text(n.Tool.Goal.V), v.text(n.Tool.Postcondition.V))
	return call{b: b, task: t, text: true, inPlace: true}, nil
}

// fanOutTo turns a model's routes into a choice or a fan-out over their edges.
func (e *engine) fanOutTo(router string, edges []*ir.Edge, output map[string]any, routes []any) answer {
	if len(routes) == 1 {
		return answer{output: merged(output, map[string]any{"selected_route": routes[0]})}
	}
	var taken []*ir.Edge
	for _, edge := range edges {
		if slices.Contains(routes, any(edge.To)) {
			taken = append(taken, edge)
		}
	}
	if f := e.safe(router, taken, false); f != nil {
		return answer{failure: f}
	}
	return fannedOut(output, e.branchesOf(router, taken))
}

func routeSchema(targets []string, multi bool) map[string]any {
	route := map[string]any{"type": "string", "enum": anys(targets)}
	properties := map[string]any{"selected_route": route, "reasoning": map[string]any{"type": "string"}}
	required := []any{"selected_route", "reasoning"}
	if multi {
		delete(properties, "selected_route")
		properties["selected_routes"] = map[string]any{"type": "array", "items": route, "minItems": int64(1)}
		required[0] = "selected_routes"
	}
	return map[string]any{"type": "object", "properties": properties, "required": required, "additionalProperties": false}
}

// checkRoute holds a model's choice against the targets; an unknown one is asked
// for again.
func checkRoute(out map[string]any, targets []string, multi bool) (map[string]any, *schemaMiss) {
	routes := []any{out["selected_route"]}
	if multi {
		routes = list(out, "selected_routes")
	}
	if len(routes) == 0 {
		return nil, &schemaMiss{problems: []string{"selected_routes is empty"}, fixable: true}
	}
	for _, route := range routes {
		if name, ok := route.(string); !ok || !slices.Contains(targets, name) {
			return nil, &schemaMiss{
				problems: []string{fmt.Sprintf("%s is no route: choose among %s", shown(route), strings.Join(targets, ", "))},
				fixable:  true,
			}
		}
	}
	return out, nil
}

// answeringModel lets a model answer in the place of a person, or hand the
// question over where the node allows that.
func (e *engine) answeringModel(n *ir.Node, v view, mayHandOver bool) (answer, job) {
	b, f := e.backend(e.backendName(n, v), n)
	if f != nil {
		return answer{failure: f}, nil
	}
	h, t := n.Human, e.baseTask(n, v)
	t.Model = cmp.Or(e.Model, v.routing(h.InteractionModel, e.lookup), v.routing(h.Model, e.lookup))
	t.System, t.User = e.prompt(h.System, v), e.prompt(h.Instructions, v)
	if h.InteractionPrompt.Set() {
		t.System = strings.TrimSpace(t.System + "\n\n" + e.namedPrompt(h.InteractionPrompt.V, v))
	}
	t.Tools = backend.Tools{Declared: true}
	schema := e.p.schema(n.Output)
	if mayHandOver {
		t.Schema = handOverSchema(t.Schema)
	}
	q := e.question(n, v)
	return answer{}, func(ctx context.Context, r reporter) answer {
		c := call{b: b, task: t, r: r, text: schema == nil && !mayHandOver, check: func(out map[string]any) (map[string]any, *schemaMiss) {
			if mayHandOver {
				if handedOver(out) {
					return out, nil
				}
				out = object(out, "answers")
			}
			return conform(schema, out)
		}}
		got := c.ask(ctx)
		if got.failure == nil && mayHandOver && handedOver(got.output) {
			q.Instructions = strings.TrimSpace(q.Instructions + "\n\n" + text(got.output, "why"))
			return e.ask(ctx, r, q)
		}
		return got
	}
}

// handOverSchema is the schema of a model that answers or hands over.
func handOverSchema(answers map[string]any) map[string]any {
	if answers == nil {
		answers = map[string]any{"type": "object"}
	}
	return map[string]any{
		"type": "object", "additionalProperties": false, "required": []any{"hand_over"},
		"properties": map[string]any{
			"hand_over": map[string]any{"type": "boolean", "description": "true to leave the answer to a person"},
			"why":       map[string]any{"type": "string", "description": "what the person should know"},
			"answers":   answers,
		},
	}
}

func handedOver(out map[string]any) bool { return flag(out, "hand_over") }
