package runtime

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"iterion/ast/source"
	show "iterion/diagnostics/shown"
	"iterion/ir"
	"iterion/ir/gate"
	"iterion/ir/outcome"
	"iterion/runtime/backend"
	"iterion/runtime/disk"
)

// The answers to an approval, as people write them.
const (
	Allow        = "allow"         // this call
	AllowSimilar = "allow similar" // calls of its kind
	AllowAlways  = "allow always"  // every call of the tool
	Deny         = "deny"
)

// scopes are what the answers grant.
var scopes = map[string]gate.Scope{Allow: gate.ForArgument, AllowSimilar: gate.ForSimilar, AllowAlways: gate.ForTool}

// decision is the field of an approval's form.
const decision = "decision"

// Ask implements backend.Sink.
func (r reporter) Ask(ctx context.Context, q backend.Question) (backend.Answer, error) {
	var asked Question
	var already *backend.Answer
	var model *sideTask
	err := r.do(func() {
		sc := r.e.state.Scopes[r.r.scope]
		if reply, ok := r.e.state.talk(r.r.session).Answers[q.Call.ID]; ok {
			already = r.e.reply(sc, reply)
			return
		}
		if model = r.e.answering(sc, q); model != nil || !q.Resumes && !q.Async && r.e.Asker == nil {
			return
		}
		asked = r.e.request(sc, r.r.session, q)
	})
	switch {
	case err != nil:
		return backend.Answer{}, err
	case already != nil:
		return *already, nil
	case model != nil:
		return r.modelAnswer(ctx, q, model)
	case asked.ID == "":
		return backend.Answer{}, backend.ErrUnanswered
	case q.Async:
		return backend.Answer{Text: asked.ID}, nil
	}
	answer, err := r.put(ctx, asked)
	if errors.Is(err, backend.ErrUnanswered) && !q.Resumes {
		r.decline(asked)
	}
	return answer, err
}

// request records a question of a task.
func (e *engine) request(sc *Scope, session string, q backend.Question) Question {
	kind := AskQuestion
	data := map[string]any{
		"interaction_id": session + "/" + q.Call.ID, "session_id": session, "resumes": q.Resumes,
		"call_id": q.Call.ID, "tool": q.Call.Tool, "call_input": q.Call.Input,
	}
	switch {
	case q.Verdict != nil:
		kind = AskApproval
		data = merged(data, decisionData(backend.Decide(*q.Verdict)))
		data["choices"] = e.choices(sc, q.Call)
		if hides(q.Call) {
			data["warning"] = "the input holds characters that do not show"
		}
	case q.Async:
		kind = AskLater
		fallthrough
	default:
		data["text"], data["options"] = q.Text, anys(q.Options)
	}
	data["kind"] = kind
	e.emit(Event{Type: outcome.HumanInputRequested, BranchID: sc.ID, NodeID: sc.Node, Data: data})
	return e.asks(e.state.Interactions[text(data, "interaction_id")])
}

// choices lists the answers to an approval with what each stores.
func (e *engine) choices(sc *Scope, c backend.Call) []any {
	var out []any
	for _, choice := range e.offers(sc.Node, c) {
		out = append(out, map[string]any{"answer": choice.Answer, "stores": choice.Stores})
	}
	return out
}

// hides tells whether a call holds characters that do not show, so that a
// person could approve something else than they read.
func hides(c backend.Call) bool {
	value, err := parseJSON(c.Input)
	if err != nil {
		value = c.Input
	}
	found := false
	mapText([]any{c.Tool, value}, func(s string) string {
		found = found || show.Block(s) != s
		return s
	})
	return found
}

// Choice is an answer to an approval.
type Choice struct {
	Answer string
	Stores string // the rule that a grant of it comes to, "" for none
}

func (e *engine) offers(node string, c backend.Call) []Choice {
	var out []Choice
	for _, reach := range gate.New(e.policy(e.p.Node(node)), disk.Links{}).Reaches(c.Gate()) {
		for answer, scope := range scopes {
			if scope == reach.Scope {
				out = append(out, Choice{answer, reach.Rule})
			}
		}
	}
	return append(out, Choice{Deny, ""})
}

// asks is an open interaction as a question.
func (e *engine) asks(it *Interaction) Question {
	q := Question{ID: it.ID, Kind: it.Kind, NodeID: it.Node, BranchID: it.Scope, Call: it.Call, Rule: it.Rule, Reason: it.Reason}
	field, options := ir.Field{Name: "answer", Type: "string"}, it.Options
	if it.Kind == AskApproval {
		field.Name, options = decision, nil
		q.Choices, q.Hidden = e.offers(it.Node, it.Call), hides(it.Call)
		for _, c := range q.Choices {
			options = append(options, c.Answer)
		}
	} else {
		q.Instructions = it.Text
	}
	switch it.Kind {
	case AskChild:
		return q // it is answered in the child's run
	case AskReview:
		q.Fields, q.MinAnswers = e.reviewForm(e.p.Node(it.Node)), 1
		return q
	}
	for _, option := range options {
		field.Enum.V = append(field.Enum.V, ir.Item{Text: option})
		field.Enum.Span = source.Span{End: 1} // it is set, though no file says so
	}
	q.Fields = []ir.Field{field}
	return q
}

// person asks until an answer fits the form. ErrUnanswered tells that nobody
// answers; a person's time counts for no deadline of the node.
func (r reporter) person(ctx context.Context, q Question) (map[string]any, error) {
	defer r.r.hold()()
	for r.e.Asker != nil {
		given, ok, err := r.e.Asker.Ask(ctx, q)
		switch {
		case ctx.Err() != nil:
			return nil, &backend.Error{Code: outcome.Cancelled, Message: "cancelled while a person was asked", Cause: ctx.Err()}
		case err != nil:
			return nil, fmt.Errorf("the question could not be put: %w", err)
		case !ok:
			return nil, backend.ErrUnanswered
		}
		answers, problem := Accept(q, given)
		if problem == nil {
			return answers, nil
		}
		q.Problem = problem.Error()
	}
	return nil, backend.ErrUnanswered
}

// put asks a person for a task, and records the answer.
func (r reporter) put(ctx context.Context, q Question) (backend.Answer, error) {
	answers, err := r.person(ctx, q)
	if err != nil {
		return backend.Answer{}, err
	}
	var answer *backend.Answer
	err = r.do(func() {
		sc := r.e.state.Scopes[r.r.scope]
		answer = r.e.reply(sc, r.e.settleAsked(sc, q, answers))
	})
	return *answer, err
}

// settleAsked records the answer to a task's question.
func (e *engine) settleAsked(sc *Scope, q Question, answers map[string]any) Reply {
	reply := Reply{Allowed: q.Kind == AskApproval && answers[decision] != Deny}
	data := map[string]any{"interaction_id": q.ID, "answers": answers}
	if q.Kind != AskApproval {
		reply.Text = strings.TrimSpace(fmt.Sprint(answers["answer"]))
	} else if scope, granted := scopes[fmt.Sprint(answers[decision])]; granted {
		data["grant"] = map[string]any{
			"tool": q.Call.Tool, "input": q.Call.Input, "scope": string(scope), "by": e.Operator,
		}
	} else {
		reply.Text, _ = answers["reason"].(string)
	}
	data["allowed"], data["text"] = reply.Allowed, reply.Text
	e.emit(Event{Type: outcome.HumanAnswersRecorded, BranchID: sc.ID, NodeID: sc.Node, Data: data})
	return reply
}

// reply is an answer as a backend takes it.
func (e *engine) reply(sc *Scope, reply Reply) *backend.Answer {
	answer := &backend.Answer{Allowed: reply.Allowed, Text: reply.Text}
	if reply.Allowed {
		policy := e.policy(e.p.Node(sc.Node))
		answer.Policy = &policy
	}
	return answer
}

// decline takes back a question that nobody answers and whose task goes on.
func (r reporter) decline(q Question) {
	_ = r.do(func() {
		sc := r.e.state.Scopes[r.r.scope]
		r.e.emit(Event{Type: outcome.HumanAnswersRecorded, BranchID: sc.ID, NodeID: sc.Node, Data: map[string]any{
			"interaction_id": q.ID, "answers": map[string]any{}, "allowed": false, "unanswered": true,
		}})
	})
}

// open is what a parked scope waits for.
func (e *engine) open(sc *Scope) (Question, bool) {
	n := e.p.Node(sc.Node)
	it := e.state.Interactions[sc.Asked]
	switch {
	case n == nil:
		return Question{}, false
	case it != nil && it.Kind != AskForm:
		return e.asks(it), true
	case n.Human != nil:
		return e.question(n, e.view(sc, sc.Input)), true
	}
	return Question{}, false
}

// opens are the questions whose answers let a parked scope go on. One that
// collects answers waits for those of others.
func (e *engine) opens(sc *Scope) []Question {
	q, ok := e.open(sc)
	if !ok || q.Kind != AskCollect {
		return slices.DeleteFunc([]Question{q}, func(Question) bool { return !ok })
	}
	var out []Question
	for _, it := range e.unanswered(e.p.Node(sc.Node)) {
		out = append(out, e.asks(it))
	}
	return out
}
