package runtime

import (
	"context"
	"errors"
	"slices"

	"iterion/ir"
	"iterion/ir/outcome"
	"iterion/runtime/backend"
)

// await waits until the questions that models asked without waiting are
// answered: those of one node, or all.
func (e *engine) await(n *ir.Node, v view) (answer, job) {
	limit, err := duration(n.Await.Timeout.V, e.lookup)
	if err != nil {
		return failed(outcome.ExecutionFailed, "its timeout cannot be read: "+err.Error()), nil
	}
	id := e.interactionID(n, v.scope)
	return answer{}, func(ctx context.Context, r reporter) answer {
		ctx, cancel := context.WithTimeoutCause(ctx, limit, errTimeout)
		defer cancel()
		for {
			q, got := r.toCollect(n)
			if q.ID == "" {
				return got
			}
			answers, err := r.person(ctx, q)
			switch {
			case errors.Is(context.Cause(ctx), errTimeout):
				return failed(outcome.Timeout, q.NodeID+" was not answered within "+limit.String())
			case errors.Is(err, backend.ErrUnanswered):
				_ = r.emit(outcome.HumanInputRequested, map[string]any{"interaction_id": id, "kind": AskCollect})
				return answer{unasked: true}
			case err != nil:
				f, _ := classify(ctx, err)
				return answer{failure: f}
			}
			_ = r.emit(outcome.InteractionAnswered, map[string]any{"interaction_id": q.ID, "answers": answers})
		}
	}
}

// toCollect is the next question without an answer, or all answers.
func (r reporter) toCollect(n *ir.Node) (q Question, got answer) {
	_ = r.do(func() {
		open := r.e.unanswered(n)
		if len(open) > 0 {
			q = r.e.asks(open[0])
			return
		}
		rows := []any{}
		for _, it := range r.e.asynchronous(n) {
			rows = append(rows, map[string]any{
				"interaction_id": it.ID, "node": it.Node, "question": it.Text, "answer": it.Answers["answer"],
			})
		}
		got = answer{output: map[string]any{"answers": rows}}
	})
	return q, got
}

// asynchronous lists the questions that a node collects, in the order of their
// ids.
func (e *engine) asynchronous(n *ir.Node) (list []*Interaction) {
	for _, id := range sortedKeys(e.state.Interactions) {
		it := e.state.Interactions[id]
		if it.Kind == AskLater && (!n.Await.From.Set() || n.Await.From.V == it.Node) {
			list = append(list, it)
		}
	}
	return list
}

func (e *engine) unanswered(n *ir.Node) []*Interaction {
	return slices.DeleteFunc(e.asynchronous(n), func(it *Interaction) bool { return it.Answered })
}

// collected records the answers of a resume to questions that are collected.
func (e *engine) collected(given Answers) {
	for _, id := range sortedKeys(e.state.Interactions) {
		it := e.state.Interactions[id]
		if it.Kind != AskLater || it.Answered {
			continue
		}
		answers, ok := given.to(e.asks(it))
		if !ok {
			continue
		}
		if accepted, err := Accept(e.asks(it), answers); err == nil {
			e.emit(Event{Type: outcome.InteractionAnswered, BranchID: it.Scope, NodeID: it.Node, Data: map[string]any{
				"interaction_id": id, "answers": accepted,
			}})
		} else {
			e.OnWarning("the answer to " + id + " is refused: " + err.Error())
		}
	}
}
