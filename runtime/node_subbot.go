package runtime

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"iterion/ir"
	"iterion/ir/expr"
	"iterion/ir/outcome"
)

// maxDepth is how deep subbots may nest.
const maxDepth = 8

// subbot runs another program as a run of its own, with its own budget. A child
// run that exists, left by an earlier attempt, is resumed.
func (e *engine) subbot(n *ir.Node, v view) (answer, job) {
	if e.Child == nil {
		return failed(outcome.Unsupported, "subbots cannot run here, such as "+n.ID), nil
	}
	if e.depth == maxDepth {
		return failed(outcome.ExecutionFailed, fmt.Sprintf("subbots nest deeper than %d levels", maxDepth)), nil
	}
	from := ""
	if i := n.Origin.File; i < len(e.p.Files) {
		from = e.p.Files[i].Name
	}
	child := e.Options
	child.depth++
	child.Inputs, child.OnEvent, child.Parent = nil, nil, e.RunID
	child.RunID = fmt.Sprintf("%s.%s.%d", e.RunID, strings.ReplaceAll(visitKey(n.ID, v.scope.ID), "/", "."), e.state.Visits[visitKey(n.ID, v.scope.ID)]+1)
	v.input = merged(v.s.Vars, v.s.Inputs)
	given := v.mapping(n.Subbot.With)
	given = merged(given, e.p.pooled(v.scope.Leases))
	return answer{}, func(ctx context.Context, r reporter) answer {
		program, file, err := e.Child(n.Subbot.Source.V, from)
		if err != nil {
			return failed(outcome.ExecutionFailed, "the subbot cannot be compiled: "+err.Error())
		}
		child.Program, child.File = program, file
		if child.Vars, err = childVars(program, given, e.lookup); err != nil {
			return failed(outcome.ExecutionFailed, "the subbot cannot start: "+err.Error())
		}
		return childAnswer(ctx, r, child)
	}
}

// childAnswer starts a child's run, or goes on with it. A run that waits for a
// person is a run like any other: when it was resumed to its end, the parent goes
// on with what it gave.
func childAnswer(ctx context.Context, rep reporter, o Options) answer {
	events, err := o.Store.Events(o.RunID, 0)
	if err != nil {
		return failed(outcome.ExecutionFailed, err.Error())
	}
	var r Result
	if len(events) == 0 {
		r, err = Run(ctx, o)
	} else if done := Fold(events); done.Status == outcome.Finished {
		r = Result{Status: done.Status, Outputs: done.Scopes[Trunk].Outputs, State: done}
	} else {
		r, err = Resume(ctx, o, Resumption{Force: o.force})
	}
	var failure *Failure
	switch {
	case errors.As(err, &failure):
		return failed(failure.Code, "the subbot: "+failure.Message)
	case err != nil:
		return failed(outcome.ExecutionFailed, "the subbot: "+err.Error())
	case r.Status == outcome.Finished:
		return answer{output: childOutput(o.Program, r), extra: map[string]any{"child_run": o.RunID}}
	case r.Status == outcome.CancelledRun:
		return failed(outcome.Cancelled, "the subbot was cancelled")
	case r.Status == outcome.PausedHuman:
		_ = rep.emit(outcome.HumanInputRequested, map[string]any{
			"interaction_id": "run/" + o.RunID, "kind": AskChild, "child_run": o.RunID, "text": o.RunID,
		})
		return answer{unasked: true}
	}
	code := r.FailureCode
	if code == "" {
		code = outcome.ExecutionFailed
	}
	return failed(code, "the subbot failed: "+r.Error)
}

// childVars binds a child's vars: the parent's values, else the defaults. Text
// becomes the var's type; values of a parent are not expanded.
func childVars(p *ir.Program, given map[string]any, lookupEnv func(string) (string, bool)) (map[string]any, error) {
	out := map[string]any{}
	for _, name := range varNames(p) {
		v := p.Var(name)
		value, ok := given[name]
		var err error
		switch {
		case ok && value != nil:
			out[name], err = asVar(v, value)
		case v.Default.Set():
			out[name], err = bind(v, v.Default.V.Text, lookupEnv)
		default:
			err = fmt.Errorf("no value for variable %s", name)
		}
		if err != nil {
			return nil, err
		}
	}
	for _, name := range sortedKeys(given) {
		if p.Var(name) == nil && !strings.HasPrefix(name, "_") {
			return nil, unknown("variable", name, varNames(p))
		}
	}
	return out, nil
}

func asVar(v *ir.Var, value any) (any, error) {
	field := &ir.Field{Name: v.Name, Type: v.Type, Enum: v.Enum}
	if v.Type == "string" {
		value = expr.SpelledOut(value)
	}
	accepted, problem := acceptField(field, value)
	if problem != "" {
		return nil, errors.New(problem)
	}
	return accepted, matches(v, accepted)
}

// childOutput is what a child gives back: the outputs of its contract by port,
// without a contract the output of its last node.
func childOutput(p *ir.Program, r Result) map[string]any {
	out := map[string]any{}
	for _, c := range p.Contracts {
		if c.Name != p.Workflow.Contract.V || !p.Workflow.Contract.Set() {
			continue
		}
		for _, port := range c.Outputs {
			if value, ok := portValue(p, r, port.From.V); ok {
				out[port.Name] = value
			}
		}
		return out
	}
	last, _ := r.Outputs[r.State.Scopes[Trunk].Pred].(map[string]any)
	return merged(last)
}

// portValue reads `node` or `node.field`, the node's id possibly dotted.
func portValue(p *ir.Program, r Result, from string) (any, bool) {
	id, rest, ok := nodeAt(p, strings.Split(from, "."))
	if !ok {
		return nil, false
	}
	value, ok := walk(r.Outputs[id], rest)
	return value, ok && value != nil
}
