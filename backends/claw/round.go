package claw

import (
	"context"
	"fmt"
	"slices"

	"iterion/ir/gate"
	"iterion/ir/tools"
	"iterion/runtime/backend"
)

// round is the calls of one turn, with what has become of them. Calls are taken
// in order; those whose result is known are done.
type round struct {
	*loop
	calls   []backend.Call
	set     toolset // of the turn
	results map[string]backend.Message
}

// round collects the results of the turn at an index of the conversation.
func (l *loop) round(at int) *round {
	r := &round{loop: l, calls: l.said[at].Calls, set: l.tools(at), results: map[string]backend.Message{}}
	for _, m := range l.said[at+1:] {
		if m.Role == backend.Tool {
			r.results[m.CallID] = m
		}
	}
	return r
}

// open lists the calls without a result.
func (r *round) open() (list []backend.Call) {
	for _, c := range r.calls {
		if _, done := r.results[c.ID]; !done {
			list = append(list, c)
		}
	}
	return list
}

// run brings every call to its result. The error is backend.ErrUnanswered when
// one waits for a person: the calls behind it are not touched then.
func (r *round) run(ctx context.Context) error {
	for i := 0; i < len(r.calls); {
		if ctx.Err() != nil {
			return fault(ctx, context.Cause(ctx))
		}
		if _, done := r.results[r.calls[i].ID]; done {
			i++
		} else if group := r.sharing(i); len(group) > 1 {
			if err := r.together(ctx, group); err != nil {
				return err
			}
			i += len(group)
		} else {
			if err := r.one(ctx, r.calls[i]); err != nil {
				return err
			}
			i++
		}
	}
	return nil
}

// one brings a call to its result.
func (r *round) one(ctx context.Context, c backend.Call) error {
	if r.begun(c) {
		return r.end(c, backend.CallResult{Text: unknownOutcome, Failed: true, Began: true})
	}
	if _, ended := r.output(); ended {
		return r.refuse(c, backend.Decision{}, "not run: the call of structured_output before it ended the task")
	}
	tool, problem := r.set.find(c.Tool)
	if problem == "" {
		problem = unreadable(c.Input)
	}
	switch {
	case r.set.bars(tools.Lookup(c.Tool)) != "":
		return r.refuse(c, readOnly(problem), problem)
	case problem != "":
		return r.refuse(c, backend.Decision{}, problem)
	case tool.Exempt:
		return r.plumbing(ctx, c, tool)
	}
	v, refusal, err := r.judge(ctx, c)
	switch {
	case err != nil:
		return err
	case refusal != "":
		return r.refuse(c, refused(v, refusal), refusal)
	}
	return r.execute(ctx, c, tool, v)
}

// unreadable says what is wrong with an input that no tool can take: its values
// would depend on who reads it.
func unreadable(input string) string {
	if _, err := object(input); err != nil {
		return fmt.Sprintf("the input cannot be read, nothing was done: %v. Give one JSON object", err)
	}
	return ""
}

// execute runs a call that the gate allowed.
func (r *round) execute(ctx context.Context, c backend.Call, tool *tools.Tool, v gate.Verdict) error {
	permit, ok := v.Permit()
	if !ok {
		return r.refuse(c, r.decision(v), "refused: "+v.Reason())
	}
	if err := r.sink.Begin(c, r.decision(v)); err != nil {
		return err
	}
	result := r.perform(ctx, c, tool, permit)
	result.Began, result.Decision = true, r.decision(v)
	return r.end(c, result)
}

// perform carries out a call: here when the tool is a part of the loop.
func (r *round) perform(ctx context.Context, c backend.Call, tool *tools.Tool, permit gate.Permit) backend.CallResult {
	switch covered := permit.Covers(c.Gate()); {
	case covered && tool.Key == agentTool:
		return r.delegate(ctx, c)
	case covered && tool.Key == searchTool:
		return r.search(c)
	}
	return r.runner.Run(ctx, permit, c)
}

// refuse gives a call that does not run its result.
func (r *round) refuse(c backend.Call, d backend.Decision, why string) error {
	return r.end(c, backend.CallResult{Text: why, Failed: true, Decision: d})
}

// end records a result.
func (r *round) end(c backend.Call, result backend.CallResult) error {
	result.Text = r.task.Redact.Text(result.Text)
	result.Decision.Agent = r.agent
	if err := r.sink.End(c, result); err != nil {
		return err
	}
	m := backend.Message{Role: backend.Tool, CallID: c.ID, Text: result.Text, Failed: result.Failed, Images: result.Images}
	r.said, r.results[c.ID] = append(r.said, m), m
	return nil
}

func (l *loop) decision(v gate.Verdict) backend.Decision {
	d := backend.Decide(v)
	d.Agent = l.agent
	return d
}

const unknownOutcome = "outcome unknown: the call began and its end was not recorded; check before repeating"

// begun tells whether a call began in another process, which did not tell its
// end.
func (l *loop) begun(c backend.Call) bool {
	return l.agent == "" && slices.Contains(l.task.Session.Started, c.ID)
}

// answer is what a person said to a call before the task went on.
func (l *loop) answer(c backend.Call) (backend.Answer, bool) {
	if l.agent != "" {
		return backend.Answer{}, false
	}
	a, ok := l.task.Session.Answers[c.ID]
	return a, ok
}
