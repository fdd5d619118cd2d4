package runtime

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"iterion/ir"
	"iterion/ir/outcome"
	"iterion/runtime/backend"
)

// defaultTurns is how often a review's companion speaks before only the verdict
// is asked for.
const defaultTurns = 10

// review lets a person and a companion model talk about what the run did, until
// there is a verdict in the node's form. Where it stands is in the state: a
// review can stop and go on at any round.
func (e *engine) review(n *ir.Node, v view) (answer, job) {
	h := n.Human
	if into := h.MergeInto.Or("current"); into != "none" {
		return failed(outcome.Unsupported, n.ID+" merges into "+into+", which this build cannot do: set `merge_into: none`, and merge the run's branch by hand"), nil
	}
	b, f := e.backend(e.backendName(n, v), n)
	if f != nil {
		return answer{failure: f}, nil
	}
	t := e.baseTask(n, v)
	t.Model = cmp.Or(e.Model, v.routing(h.InteractionModel, e.lookup), v.routing(h.Model, e.lookup))
	t.System = e.prompt(h.System, v)
	if h.InteractionPrompt.Set() {
		t.System = strings.TrimSpace(t.System + "\n\n" + e.namedPrompt(h.InteractionPrompt.V, v))
	}
	t.User = strings.TrimSpace(e.prompt(h.Instructions, v) + "\n" + v.text(h.ReviewURL.V))
	t.Schema = reviewSchema(t.Schema)
	t.Tools = backend.Tools{Declared: true}
	r := reviewing{
		id: e.interactionID(n, v.scope), schema: e.p.schema(n.Output), most: h.MaxTurns.Or(defaultTurns),
		alone: h.Posture.V == "agent_verdict_ok",
		call: call{b: b, task: t, check: func(out map[string]any) (map[string]any, *schemaMiss) {
			return out, nil
		}},
	}
	return answer{}, func(ctx context.Context, rep reporter) answer {
		r.call.r = rep
		return r.run(ctx)
	}
}

// reviewing is a review that runs.
type reviewing struct {
	id     string
	schema *ir.Schema
	most   int64
	alone  bool // the companion's verdict is enough
	call   call
}

func (r *reviewing) run(ctx context.Context) answer {
	for {
		round, said, last := r.stand()
		if out, ok := r.verdict(last); ok {
			return answer{output: out}
		}
		c := r.call
		if said > 0 && said <= round {
			c.more, c.task.User = true, text(last, "message")
		}
		reply := answer{output: map[string]any{"reply": "There is no more to say from here: please decide."}}
		if int64(round) < r.most {
			reply = c.ask(ctx)
		}
		if reply.failure != nil || reply.unasked {
			return reply
		}
		proposed := object(reply.output, "verdict")
		if out, ok := r.verdict(proposed); ok && r.alone {
			return answer{output: out}
		}
		if got := r.put(ctx, round, text(reply.output, "reply"), proposed); got.failure != nil || got.unasked {
			return got
		}
	}
}

// stand tells how many rounds a person has answered, how often the companion was
// spoken to, and the last answers.
func (r *reviewing) stand() (round, said int, last map[string]any) {
	_ = r.call.r.do(func() {
		s := r.call.r.e.state
		for it := s.Interactions[r.round(round)]; it != nil && it.Answered; it = s.Interactions[r.round(round)] {
			last = it.Answers
			round++
		}
		if t := s.Talks[s.Scopes[r.call.r.r.scope].Session]; t != nil {
			for _, m := range t.Messages {
				if m.Role == backend.User {
					said++
				}
			}
		}
	})
	return round, said, last
}

func (r *reviewing) round(n int) string { return fmt.Sprintf("%s/%d", r.id, n+1) }

// verdict reads answers as the node's output.
func (r *reviewing) verdict(answers map[string]any) (map[string]any, bool) {
	if answers == nil {
		return nil, false
	}
	out, miss := conform(r.schema, answers)
	return out, miss == nil && (r.schema != nil || text(answers, "message") == "")
}

// put asks the person for a message or the verdict.
func (r *reviewing) put(ctx context.Context, round int, reply string, proposed map[string]any) answer {
	if proposed != nil {
		verdict, _ := json.Marshal(proposed)
		reply += "\n\nProposed: " + string(verdict)
	}
	rep := r.call.r
	var q Question
	err := rep.do(func() {
		rep.e.emit(rep.event(outcome.HumanInputRequested, map[string]any{
			"interaction_id": r.round(round), "kind": AskReview, "text": reply, "session_id": rep.r.session,
		}))
		q = rep.e.asks(rep.e.state.Interactions[r.round(round)])
	})
	if err != nil {
		return failed(outcome.ExecutionFailed, err.Error())
	}
	answers, err := rep.person(ctx, q)
	switch {
	case errors.Is(err, backend.ErrUnanswered):
		return answer{unasked: true}
	case err != nil:
		f, _ := classify(ctx, err)
		return answer{failure: f}
	}
	_ = rep.emit(outcome.HumanAnswersRecorded, map[string]any{"interaction_id": q.ID, "answers": answers})
	return answer{}
}

// reviewForm is what a person fills in, in part: words for the companion, or the
// verdict.
func (e *engine) reviewForm(n *ir.Node) []ir.Field {
	fields := []ir.Field{{Name: "message", Type: "string"}}
	if schema := e.p.schema(n.Output); schema != nil {
		fields = append(fields, schema.Fields...)
	}
	return fields
}

// reviewSchema is what a companion answers.
func reviewSchema(verdict map[string]any) map[string]any {
	if verdict == nil {
		verdict = map[string]any{"type": "object"}
	}
	return map[string]any{
		"type": "object", "additionalProperties": false, "required": []any{"reply"},
		"properties": map[string]any{
			"reply":   map[string]any{"type": "string", "description": "what you say to the person"},
			"verdict": verdict,
		},
	}
}
