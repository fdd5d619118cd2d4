package runtime

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"iterion/ir"
	"iterion/ir/outcome"
	"iterion/runtime/backend"
	"iterion/runtime/store"
)

// Resumption says how a stopped run goes on.
type Resumption struct {
	// Answers to open questions. Those without an answer are put to the Asker.
	Answers Answers
	// Given answers the one open question; it is an error when there are others.
	Given map[string]any
	// Rerun names nodes that may be started again although their effect is not
	// known: `node`, or `node@branch` for one branch.
	Rerun []string
	// Accept gives the outputs of nodes that started and count as done, by the
	// same names.
	Accept map[string]map[string]any
	// Force resumes although the program has changed.
	Force bool
}

// Resume goes on with a run that is paused, cancelled, failed in a resumable
// way, or was left by a process that died. Vars and Inputs of the Options are not
// read. The error is a *Failure with the code RESUME_INVALID or OUTCOME_UNKNOWN
// when the run cannot go on as asked; it is then left as it was.
func Resume(ctx context.Context, o Options, r Resumption) (Result, error) {
	e, err := newEngine(o)
	if err != nil {
		return Result{}, err
	}
	defer e.close()
	lease, err := e.Store.Own(e.RunID)
	if errors.Is(err, store.ErrUnknownRun) {
		return Result{}, invalid("there is no run %s", e.RunID)
	}
	if err != nil {
		return Result{}, err
	}
	defer lease.Release()
	events, err := e.Store.Events(e.RunID, 0)
	if err != nil {
		return Result{}, err
	}
	e.state = Fold(events)
	if err := e.bind(); err != nil {
		return Result{}, err
	}
	accepted, answers, err := e.judge(&r)
	if err != nil {
		return Result{}, err
	}
	e.force = r.Force
	if e.depth > 0 && e.state.Program != e.p.Hash() {
		e.OnWarning("the program of the subbot run " + e.RunID + " has changed since it started")
	}
	data := map[string]any{"force": r.Force}
	if caps := e.Caps.data(); caps != nil {
		data["caps"] = caps
	}
	if said := e.Permission.data(); said != nil {
		data["permission"] = said
	}
	e.emit(Event{Type: outcome.RunResumed, Data: data})
	e.p.limits.cap(e.state.Caps)
	for _, id := range sortedKeys(accepted) {
		sc := e.state.Scopes[id]
		e.end(sc, answer{output: accepted[id], extra: map[string]any{"accepted": true}}, e.now())
	}
	e.collected(r.Answers)
	for _, id := range slices.Clone(e.state.Parked) {
		e.unpark(e.state.Scopes[id], answers[id])
	}
	return e.run(ctx)
}

// bind puts the run under the rules that it has had so far, with those that are
// given now.
func (e *engine) bind() error {
	before, err := permissionOf(e.state.Permission)
	if err != nil {
		return invalid("%v", err)
	}
	e.Permission = e.Permission.over(before)
	return e.guard()
}

// Decide is an answer to an approval: Allow, AllowSimilar, AllowAlways or Deny.
func Decide(answer string) map[string]any { return map[string]any{decision: answer} }

// address finds the question that Given answers. An approval is never taken for
// one of several calls, and an answer never for an approval.
func (e *engine) address(r *Resumption) error {
	if r.Given == nil {
		return nil
	}
	var open []Question
	for _, id := range e.state.Parked {
		open = append(open, e.opens(e.state.Scopes[id])...)
	}
	_, decides := r.Given[decision]
	switch {
	case len(open) == 0:
		return invalid("run %s asks nothing", e.RunID)
	case len(open) > 1:
		var ids []string
		for _, q := range open {
			ids = append(ids, q.ID)
		}
		return invalid("run %s asks several questions: answer them by name in an answers file: %s", e.RunID, strings.Join(ids, ", "))
	case decides && open[0].Kind == AskForm, decides && open[0].Kind == AskQuestion:
		return invalid("%s does not ask for an approval", open[0].NodeID)
	case !decides && open[0].Kind == AskApproval:
		return invalid("%s asks whether a call may run: approve or deny it", open[0].NodeID)
	}
	r.Answers = maps.Clone(r.Answers)
	if r.Answers == nil {
		r.Answers = Answers{}
	}
	r.Answers[open[0].ID] = r.Given
	return nil
}

// Cancel marks a run that nobody drives as cancelled.
func Cancel(s store.Store, run, why string) error {
	lease, err := s.Own(run)
	if err != nil {
		return err
	}
	defer lease.Release()
	events, err := s.Events(run, 0)
	if err != nil {
		return err
	}
	last := Fold(events)
	return s.Append(run, Event{
		Seq: last.Seq + 1, Time: time.Now().Round(0).UTC(), Type: outcome.RunCancelled, RunID: run,
		Data: map[string]any{"reason": why},
	})
}

func invalid(format string, args ...any) *Failure {
	return &Failure{Code: outcome.ResumeInvalid, Message: fmt.Sprintf(format, args...)}
}

// judge tells whether the run can go on, with the accepted outputs and the
// answers by scope.
func (e *engine) judge(r *Resumption) (accepted, answers map[string]map[string]any, err error) {
	switch s := e.state; {
	case s.Seq == 0:
		return nil, nil, invalid("there is no run %s", e.RunID)
	case s.Status == outcome.Finished || s.Status == outcome.Failed:
		return nil, nil, invalid("run %s is %s and cannot be resumed", e.RunID, s.Status)
	case s.Program != e.p.Hash() && !r.Force:
		return nil, nil, invalid("the program of run %s has changed since it started", e.RunID)
	}
	if err := e.address(r); err != nil {
		return nil, nil, err
	}
	accepted, answers = map[string]map[string]any{}, map[string]map[string]any{}
	var unknown []string
	for _, id := range sortedKeys(e.state.Scopes) {
		sc := e.state.Scopes[id]
		n := e.p.Node(sc.Node)
		switch {
		case n == nil:
		case sc.Phase == PhaseParked:
			answers[id], err = e.answersTo(sc, r.Answers)
		case e.state.interrupted(sc):
			accepted[id], err = e.unknown(sc, n, *r)
		}
		var open *Failure
		if errors.As(err, &open) && open.Code == outcome.OutcomeUnknown {
			unknown = append(unknown, visitKey(n.ID, id))
			continue
		}
		if err != nil {
			return nil, nil, err
		}
		if accepted[id] == nil {
			delete(accepted, id)
		}
	}
	if len(unknown) > 0 {
		return nil, nil, notKnown(unknown)
	}
	for node := range r.Accept {
		if !slices.ContainsFunc(sortedKeys(accepted), func(id string) bool {
			place := e.state.Scopes[id].Node
			return place == node || visitKey(place, id) == node
		}) {
			return nil, nil, invalid("%s did not start, or has ended: there is nothing to accept", node)
		}
	}
	return accepted, answers, nil
}

// interrupted tells whether a scope's node started and its end is not known:
// the process died, or a sibling's failure cancelled it.
func (s *State) interrupted(sc *Scope) bool {
	if sc.Phase == PhaseEnded && sc.Held == PhaseRunning {
		parent := s.Scopes[sc.Parent]
		a := parent.Fan.Results[sc.Index]
		return a != nil && a.Victim
	}
	return sc.Phase == PhaseRunning
}

// answersTo are the answers to what a parked scope waits for: recorded before, or
// handed over now; nil for none.
func (e *engine) answersTo(sc *Scope, all Answers) (map[string]any, error) {
	if it := e.state.Interactions[sc.Asked]; it != nil && it.Answered {
		return it.Answers, nil
	}
	q, ok := e.open(sc)
	if !ok {
		return nil, nil
	}
	answers, ok := all.to(q)
	if !ok {
		return nil, nil
	}
	out, err := Accept(q, answers)
	if err != nil {
		return nil, invalid("the answers to %s are refused: %v", sc.Node, err)
	}
	return out, nil
}

// unknown decides about a node that started and did not end: its accepted
// output, or nil when it may start again.
func (e *engine) unknown(sc *Scope, n *ir.Node, r Resumption) (map[string]any, error) {
	place := visitKey(n.ID, sc.ID)
	given, ok := r.Accept[place]
	if !ok {
		given, ok = r.Accept[n.ID]
	}
	if ok {
		output, err := values(given)
		if err != nil {
			return nil, invalid("the output for %s: %v", place, err)
		}
		schema := e.p.schema(n.Output)
		output, miss := conform(schema, typed(schema, output))
		if miss != nil {
			return nil, invalid("the output for %s does not fit its schema: %v", place, miss)
		}
		return output, nil
	}
	if repeatable(n) || slices.Contains(r.Rerun, n.ID) || slices.Contains(r.Rerun, place) {
		return nil, nil
	}
	return nil, notKnown([]string{place})
}

// typed reads texts as the types of a schema's fields, where they fit.
func typed(schema *ir.Schema, output map[string]any) map[string]any {
	output = merged(output)
	for key, value := range output {
		text, isText := value.(string)
		if schema == nil || !isText || schema.Field(key) == nil {
			continue
		}
		if read, err := coerce(schema.Field(key).Type, text); err == nil {
			output[key] = read
		}
	}
	return output
}

// notKnown names the nodes whose effect may have happened, and the two ways on.
func notKnown(places []string) *Failure {
	node, _, _ := strings.Cut(places[0], "@")
	return &Failure{Code: outcome.OutcomeUnknown, Node: node, Message: fmt.Sprintf(
		"%s started and the end was not recorded, so the effect may have happened: look, and resume with --rerun %s to run it again, or with --accept %s --output KEY=VALUE to count it as done",
		strings.Join(places, ", "), places[0], places[0])}
}

// repeatable tells whether a node may start again unasked. A postcondition is
// judged before its recipe; a backend goes on with its own conversation.
func repeatable(n *ir.Node) bool {
	return n.Tool == nil || n.Tool.Postcondition.Set()
}

// unpark gives a parked node its answers, or asks again.
func (e *engine) unpark(sc *Scope, answers map[string]any) {
	n := e.p.Node(sc.Node)
	q, ok := Question{}, false
	if n != nil {
		q, ok = e.open(sc)
	}
	switch {
	case !ok: // the program was changed
		e.failScope(sc, &Failure{Code: outcome.NodeNotFound, Node: sc.Node, Message: "the program has no node " + sc.Node + " that waits for a person"})
	case q.Kind == AskCollect, q.Kind == AskChild, q.Kind == AskReview:
		if q.Kind == AskReview && answers != nil {
			e.emit(Event{Type: outcome.HumanAnswersRecorded, BranchID: sc.ID, NodeID: n.ID, Data: map[string]any{
				"interaction_id": q.ID, "answers": answers,
			}})
		}
		_, job := e.execute(n, e.view(sc, sc.Input))
		e.starting = append(e.starting, &running{scope: sc.ID, node: n.ID, started: e.now(), job: job})
	case q.Kind != AskForm:
		e.goOn(sc, n, q, answers)
	case answers == nil:
		e.starting = append(e.starting, &running{scope: sc.ID, node: n.ID, started: e.now(),
			job: func(ctx context.Context, r reporter) answer { return e.ask(ctx, r, q) }})
	default:
		if it := e.state.Interactions[sc.Asked]; it == nil || !it.Answered {
			e.emit(Event{Type: outcome.HumanAnswersRecorded, BranchID: sc.ID, NodeID: n.ID, Data: map[string]any{
				"interaction_id": q.ID, "answers": answers,
			}})
		}
		e.end(sc, answer{output: answers}, e.now())
	}
}

// goOn resumes a task that waits for a person: with the answer, or when the
// Asker brings one.
func (e *engine) goOn(sc *Scope, n *ir.Node, q Question, answers map[string]any) {
	session := e.state.Interactions[q.ID].Session
	if answers != nil {
		e.settleAsked(sc, q, answers)
	}
	_, task := e.execute(n, e.view(sc, sc.Input))
	r := &running{scope: sc.ID, node: n.ID, started: e.now(), limit: e.p.left(e.state, e.now()), session: session}
	r.job = func(ctx context.Context, rep reporter) answer {
		if answers == nil {
			switch _, err := rep.put(ctx, q); {
			case errors.Is(err, backend.ErrUnanswered):
				return answer{unasked: true}
			case err != nil:
				f, _ := classify(ctx, err)
				return answer{failure: f}
			}
		}
		return task(ctx, rep)
	}
	e.starting = append(e.starting, r)
}
