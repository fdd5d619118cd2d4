package runtime

import (
	"context"
	"time"

	"iterion/ir"
	"iterion/ir/outcome"
)

// emitNode fires an event; its first payload stays. In its mapping `input` is
// the run's launch inputs.
func (e *engine) emitNode(n *ir.Node, v view) answer {
	v.input = merged(v.s.Vars, v.s.Inputs)
	payload := v.mapping(n.Emit.With)
	if payload == nil {
		payload = map[string]any{}
	}
	return answer{output: payload, extra: map[string]any{"emitted": n.Emit.Event.V}}
}

// wake hands an event's payload to those who wait for it.
func (e *engine) wake(event string) {
	if event == "" {
		return
	}
	for _, waiter := range e.waiters[event] {
		waiter <- e.state.Mailbox[event]
	}
	delete(e.waiters, event)
}

// wait answers with an event's payload, at once when it has fired.
func (e *engine) wait(n *ir.Node, v view) (answer, job) {
	event := n.Wait.Event.V
	if payload, fired := v.s.Mailbox[event]; fired {
		return received(payload), nil
	}
	limit, err := duration(n.Wait.Timeout.V, e.lookup)
	if err != nil {
		return failed(outcome.ExecutionFailed, "its timeout cannot be read: "+err.Error()), nil
	}
	fired := make(chan any, 1)
	e.waiters[event] = append(e.waiters[event], fired)
	return answer{}, func(ctx context.Context, _ reporter) answer {
		timer := time.NewTimer(limit)
		defer timer.Stop()
		select {
		case payload := <-fired:
			return received(payload)
		case <-timer.C:
			return failed(outcome.Timeout, "the event "+event+" did not come within "+limit.String())
		case <-ctx.Done():
			return failed(outcome.Cancelled, "cancelled while it waited for "+event)
		}
	}
}

func received(payload any) answer {
	m, _ := payload.(map[string]any)
	return answer{output: m}
}
