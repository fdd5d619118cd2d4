package runtime

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"iterion/ir"
	"iterion/ir/outcome"
	"iterion/runtime/backend"
)

// human asks a person. The question is an event before anyone sees it; without
// an answer the scope stays parked.
func (e *engine) human(n *ir.Node, v view) (answer, job) {
	mode := n.Human.Interaction.Or("human")
	switch mode {
	case "human", "none", "human_or_host":
	case "llm", "llm_or_human":
		return e.answeringModel(n, v, mode == "llm_or_human")
	case "review":
		return e.review(n, v)
	default:
		return failed(outcome.Unsupported, "this build cannot run `interaction: "+mode+"` of human nodes"), nil
	}
	q := e.question(n, v)
	return answer{}, func(ctx context.Context, r reporter) answer { return e.ask(ctx, r, q) }
}

// question is what a human node asks.
func (e *engine) question(n *ir.Node, v view) Question {
	q := Question{
		ID: e.interactionID(n, v.scope), Kind: AskForm, NodeID: n.ID, BranchID: v.scope.ID,
		Instructions: e.prompt(n.Human.Instructions, v), Input: v.input, MinAnswers: n.Human.MinAnswers.V,
	}
	if schema := e.p.schema(n.Output); schema != nil {
		q.Fields = schema.Fields
	}
	return q
}

// interactionID is the same in every attempt of one visit.
func (e *engine) interactionID(n *ir.Node, sc *Scope) string {
	return fmt.Sprintf("%s/%s/%d", e.RunID, visitKey(n.ID, sc.ID), e.state.Visits[visitKey(n.ID, sc.ID)]+1)
}

func (e *engine) ask(ctx context.Context, r reporter, q Question) answer {
	questions := make([]any, len(q.Fields))
	for i := range q.Fields {
		questions[i] = map[string]any{"name": q.Fields[i].Name, "type": q.Fields[i].Type, "enum": anys(ir.Strings(q.Fields[i].Enum))}
	}
	_ = r.emit(outcome.HumanInputRequested, map[string]any{
		"interaction_id": q.ID, "kind": q.Kind, "instructions": q.Instructions, "input": q.Input, "questions": questions,
	})
	answers, err := r.person(ctx, q)
	switch {
	case errors.Is(err, backend.ErrUnanswered):
		return answer{unasked: true}
	case err != nil:
		f, _ := classify(ctx, err)
		return answer{failure: f}
	}
	_ = r.emit(outcome.HumanAnswersRecorded, map[string]any{"interaction_id": q.ID, "answers": answers})
	return answer{output: answers}
}

// Accept reads answers against a question's form: text becomes the field's
// type. The error names each field that does not fit.
func Accept(q Question, given map[string]any) (map[string]any, error) {
	answers, err := values(given)
	if err != nil {
		return nil, err
	}
	answers = merged(answers)
	var problems []string
	var answered int64
	for i := range q.Fields {
		f := &q.Fields[i]
		value, ok := answers[f.Name]
		if !ok || value == nil {
			if q.MinAnswers == 0 && f.Type != "file" {
				problems = append(problems, f.Name+" is missing")
			}
			continue
		}
		answered++
		accepted, problem := acceptField(f, value)
		if problem != "" {
			problems = append(problems, problem)
		}
		answers[f.Name] = accepted
	}
	if answered < q.MinAnswers {
		problems = append(problems, fmt.Sprintf("%d answers are needed, %d given", q.MinAnswers, answered))
	}
	if len(problems) > 0 {
		return nil, fmt.Errorf("%s", strings.Join(problems, "; "))
	}
	return answers, nil
}

func acceptField(f *ir.Field, value any) (any, string) {
	if text, ok := value.(string); ok && f.Type != "file" {
		read, err := coerce(f.Type, text)
		if err != nil {
			return nil, f.Name + ": " + err.Error()
		}
		value = read
	}
	return fit(f, value)
}
