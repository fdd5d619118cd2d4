package trace

import (
	"iterion/ir/outcome"
	"iterion/runtime/store"
)

// later is the kind of a question that its task does not wait for.
const later = "async"

// applyPeople follows questions and answers.
func (t *Trace) applyPeople(e store.Event) {
	switch e.Type {
	case outcome.HumanInputRequested:
		t.ask(e)
	case outcome.HumanAnswersRecorded:
		t.answer(e)
	}
}

func (t *Trace) ask(e store.Event) {
	d := e.Data
	a := t.asks[text(d, "interaction_id")]
	if a == nil { // a resumed run asks the same again
		a = &Ask{ID: text(d, "interaction_id"), Span: Span{Start: e.Time}, Node: e.NodeID, Branch: e.BranchID}
		t.asks[a.ID] = a
		t.Asks = append(t.Asks, a)
	}
	a.Kind, a.Text = text(d, "kind"), or(text(d, "instructions"), text(d, "text"))
	a.Options, a.Tool, a.Input = names(d, "options"), text(d, "tool"), text(d, "call_input")
	a.Rule, a.Reason = text(d, "rule"), text(d, "reason")
	a.Fields, a.Choices = nil, nil
	for _, row := range list(d, "questions") {
		q, _ := row.(map[string]any)
		a.Fields = append(a.Fields, Field{text(q, "name"), text(q, "type"), names(q, "enum")})
	}
	for _, row := range list(d, "choices") {
		c, _ := row.(map[string]any)
		a.Choices = append(a.Choices, Choice{text(c, "answer"), text(c, "stores")})
	}
	if v := t.open[e.BranchID]; v != nil && a.Kind != later && v.State == Running {
		v.State = Waiting
		v.Waits = append(v.Waits, Span{Start: e.Time})
	}
}

func (t *Trace) answer(e store.Event) {
	a := t.asks[text(e.Data, "interaction_id")]
	if a == nil {
		return
	}
	a.End, a.Answers = e.Time, object(e.Data, "answers")
	a.Allowed, a.Unanswered = flag(e.Data, "allowed"), flag(e.Data, "unanswered")
	if g := object(e.Data, "grant"); g != nil {
		a.Granted, a.GrantedBy = text(g, "scope"), text(g, "by")
	}
	v := t.open[a.Branch]
	if v == nil || v.State != Waiting || a.Kind == later {
		return
	}
	v.State, v.Waits[len(v.Waits)-1].End = Running, e.Time
}

// Open lists the questions for whose answers a task waits.
func (t *Trace) Open() []*Ask {
	var open []*Ask
	for _, a := range t.Asks {
		if a.Open() && a.Kind != later {
			open = append(open, a)
		}
	}
	return open
}
