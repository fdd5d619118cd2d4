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
	approved, f := e.approvals(n, e.interactionID(n, v.scope))
	if f != nil {
		return answer{failure: f}, nil
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
		alone: h.Posture.V == "agent_verdict_ok", approved: approved,
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

	approved *approvals // nil when nothing is merged
}

func (r *reviewing) run(ctx context.Context) answer {
	for {
		commit, f := r.approved.snapshot(ctx)
		if f != nil {
			return answer{failure: f}
		}
		round, said, last := r.stand()
		out, decided := r.verdict(last.Answers)
		if decided && last.Commit == commit {
			return r.approved.close(ctx, out, commit)
		}
		c := r.call
		if said > 0 && said <= round {
			c.more, c.task.User = true, text(last.Answers, "message")
		}
		reply := answer{output: map[string]any{"reply": "There is no more to say from here: please decide."}}
		switch {
		case decided && int64(round) >= r.most:
			return failed(outcome.WorkspaceSafety, "the files of the run change while they are reviewed: end what writes to them")
		case decided:
			reply.output["reply"] = "The files of the run have changed since the verdict: please decide again."
		case int64(round) < r.most:
			reply = c.ask(ctx)
		}
		if reply.failure != nil || reply.unasked {
			return reply
		}
		proposed := object(reply.output, "verdict")
		if out, ok := r.verdict(proposed); ok && r.alone {
			return r.approved.close(ctx, out, commit)
		}
		if got := r.put(ctx, round, text(reply.output, "reply"), proposed, commit); got.failure != nil || got.unasked {
			return got
		}
	}
}

// stand tells how many rounds a person has answered, how often the companion was
// spoken to, and the last round.
func (r *reviewing) stand() (round, said int, last Interaction) {
	_ = r.call.r.do(func() {
		s := r.call.r.e.state
		for it := s.Interactions[r.round(round)]; it != nil && it.Answered; it = s.Interactions[r.round(round)] {
			last = *it
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
func (r *reviewing) put(ctx context.Context, round int, reply string, proposed map[string]any, commit string) answer {
	if proposed != nil {
		verdict, _ := json.Marshal(proposed)
		reply += "\n\nProposed: " + string(verdict)
	}
	reply += r.approved.offer(commit)
	rep := r.call.r
	var q Question
	err := rep.do(func() {
		data := map[string]any{"interaction_id": r.round(round), "kind": AskReview, "text": reply, "session_id": rep.r.session}
		if commit != "" {
			data["commit"] = commit
		}
		rep.e.emit(rep.event(outcome.HumanInputRequested, data))
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
