package runtime

import (
	"context"
	"time"

	"iterion/ir"
	"iterion/ir/outcome"
	"iterion/runtime/backend"
)

// reporter carries what a job sees while it runs to the engine's loop. It is the
// backend's Sink.
type reporter struct {
	e *engine
	r *running
	// ends: when the task of the job ends, nothing is left to do but the node's end.
	ends bool
}

// do runs f in the engine's loop and waits until what it emitted is stored. The
// error tells that it is not, or that the run ends.
func (r reporter) do(f func()) error {
	done := make(chan error, 1)
	r.e.messages <- func() {
		f()
		r.e.stored = append(r.e.stored, done)
	}
	return <-done
}

// post runs f in the engine's loop and waits for that alone: what it emits is
// stored with the next event that somebody waits for. It is for what announces no
// effect.
func (r reporter) post(f func()) error {
	done := make(chan error, 1)
	r.e.messages <- func() {
		f()
		done <- r.e.err
	}
	return <-done
}

// emit records an event of the job's node.
func (r reporter) emit(kind outcome.EventType, data map[string]any) error {
	data, err := values(data)
	if err != nil {
		return err
	}
	return r.do(func() { r.e.emit(r.event(kind, data)) })
}

func (r reporter) event(kind outcome.EventType, data map[string]any) Event {
	return Event{Type: kind, BranchID: r.r.scope, NodeID: r.r.node, Data: data}
}

// talked records an event of the task's conversation, and waits for the store by
// do or not by post.
func (r reporter) talked(kind outcome.EventType, agent string, data map[string]any, record func(func()) error) error {
	data["session_id"], data["kept"] = r.r.session, r.r.kept
	if agent != "" {
		data["agent"] = agent
	}
	data, err := values(data)
	if err != nil {
		return err
	}
	return record(func() { r.e.emit(r.event(kind, data)) })
}

// Event implements backend.Sink.
func (r reporter) Event(kind outcome.EventType, data map[string]any) {
	if data, err := values(data); err == nil {
		_ = r.post(func() { r.e.emit(r.event(kind, data)) })
	}
}

// Opened implements backend.Sink.
func (r reporter) Opened(id, fingerprint string) error {
	r.r.session = id
	return r.emit(outcome.SessionOpened, map[string]any{"session_id": id, "session_fingerprint": fingerprint})
}

// Turn implements backend.Sink.
func (r reporter) Turn(t backend.Turn) error {
	data := usageData(t.Usage)
	if t.Model != "" {
		data["model"] = t.Model
	}
	if t.Err != nil {
		data["failure_code"], data["error"] = string(t.Err.Code), t.Err.Message
	} else {
		calls := make([]any, len(t.Calls))
		for i, c := range t.Calls {
			calls[i] = map[string]any{"id": c.ID, "tool": c.Tool, "input": c.Input}
		}
		data["text"], data["calls"] = t.Text, calls
	}
	r.e.turns.observe(t.Usage)
	record := r.do
	if t.Last && r.ends {
		record, r.r.owes = r.post, true
	}
	err := r.talked(outcome.LLMRequest, t.Agent, data, record)
	r.e.turns.release(r.r)
	return err
}

// Begin implements backend.Sink.
func (r reporter) Begin(c backend.Call, d backend.Decision) error {
	if r.e.ctx.Err() != nil {
		return context.Cause(r.e.ctx)
	}
	return r.talked(outcome.ToolStarted, d.Agent, merged(callData(c), decisionData(d)), r.do)
}

// End implements backend.Sink.
func (r reporter) End(c backend.Call, result backend.CallResult) error {
	kind := outcome.ToolCalled
	if result.Failed {
		kind = outcome.ToolError
	}
	data := map[string]any{"call_id": c.ID, "tool": c.Tool, "result": result.Text}
	if !result.Began {
		data = merged(data, callData(c), decisionData(result.Decision))
	}
	if len(result.Images) > 0 {
		data["images"] = anys(result.Images)
	}
	record := r.do
	if result.Pure {
		record = r.post
	}
	return r.talked(kind, result.Decision.Agent, data, record)
}

// Say implements backend.Sink.
func (r reporter) Say(words string) error {
	return r.talked(outcome.MessageAdded, "", map[string]any{"text": words, "source": "loop"}, r.do)
}

func callData(c backend.Call) map[string]any {
	return map[string]any{"call_id": c.ID, "tool": c.Tool, "call_input": c.Input}
}

func decisionData(d backend.Decision) map[string]any {
	if d.Verdict == "" {
		return nil
	}
	return map[string]any{"verdict": d.Verdict, "stage": d.Stage, "rule": d.Rule, "reason": d.Reason}
}

func usageData(u backend.Usage) map[string]any {
	d := map[string]any{"input_tokens": u.InputTokens, "output_tokens": u.OutputTokens}
	if u.CostUSD != nil {
		d["cost_usd"] = *u.CostUSD
	}
	return d
}

// More implements backend.Sink.
func (r reporter) More(ctx context.Context) ([]string, error) {
	for {
		if ctx.Err() != nil {
			return nil, &backend.Error{Code: outcome.Cancelled, Message: "cancelled", Cause: ctx.Err()}
		}
		var stop *Failure
		var notes []string
		wait := r.e.turns.changed()
		taken := false
		err := r.post(func() {
			now := r.e.now()
			if stop = r.e.p.turn(r.e.state, r.r.scope, now); stop != nil {
				return
			}
			if taken = r.e.turns.reserve(r.r, r.e.p.limits, r.e.state.used(now)); taken {
				notes = r.e.notes(r.r)
			}
		})
		switch {
		case err != nil:
			return nil, &backend.Error{Code: outcome.Cancelled, Message: err.Error(), Cause: err}
		case stop != nil:
			return nil, &backend.Error{Code: stop.Code, Message: stop.Message}
		case taken:
			return notes, nil
		}
		select {
		case <-wait:
		case <-ctx.Done():
		}
	}
}

// notes are what supervisors said to a task since its last turn; they become
// messages of its conversation.
func (e *engine) notes(r *running) []string {
	said := e.whispers[r.scope]
	delete(e.whispers, r.scope)
	for _, words := range said {
		e.emit(Event{Type: outcome.MessageAdded, BranchID: r.scope, NodeID: r.node, Data: map[string]any{
			"session_id": r.session, "kept": r.kept, "text": words, "source": "supervisor",
		}})
	}
	return said
}

// within bounds a part of a job by a time in which people's answers do not
// count; 0 for no bound.
func (r *running) within(ctx context.Context, limit time.Duration, cause error) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	if limit <= 0 {
		return ctx, func() { cancel(nil) }
	}
	w := &stopwatch{left: limit, since: time.Now()}
	w.timer = time.AfterFunc(limit, func() { cancel(cause) })
	r.mu.Lock()
	r.watches = append(r.watches, w)
	r.mu.Unlock()
	return ctx, func() {
		w.timer.Stop()
		cancel(nil)
	}
}

// stopwatch is a deadline that can be held.
type stopwatch struct {
	timer *time.Timer
	left  time.Duration
	since time.Time
}

// hold stops the deadlines of a job until the returned function is called.
func (r *running) hold() (goOn func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	var held []*stopwatch
	for _, w := range r.watches {
		if w.timer.Stop() {
			w.left -= time.Since(w.since)
			held = append(held, w)
		}
	}
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		for _, w := range held {
			w.since = time.Now()
			w.timer.Reset(max(w.left, time.Millisecond))
		}
	}
}

// interaction is how a node's model may ask people.
func (e *engine) interaction(n *ir.Node) string {
	mode := e.p.Workflow.Interaction.Or("none")
	if n.LLM != nil {
		mode = n.LLM.Interaction.Or(mode)
	}
	return mode
}
