package trace

import (
	"slices"

	"iterion/ir/outcome"
	"iterion/runtime/store"
)

// applyModel follows models and their calls.
func (t *Trace) applyModel(e store.Event) {
	v := t.open[e.BranchID]
	switch e.Type {
	case outcome.LLMRequest, outcome.DelegateFinished, outcome.DelegateError:
		u := usageOf(e.Data)
		t.Usage.Add(u)
		if v != nil {
			v.Usage.Add(u)
			if e.Type == outcome.LLMRequest {
				v.turn(e, u)
			}
		}
	case outcome.DelegateStarted, outcome.SessionOpened, outcome.ModelFallback:
		if v != nil {
			v.Model, v.Session = or(text(e.Data, "model"), v.Model), or(text(e.Data, "session_id"), v.Session)
		}
	case outcome.ToolStarted:
		t.call(e).Began = true
	case outcome.ToolCalled, outcome.ToolError:
		t.endCall(e)
	}
}

func usageOf(d map[string]any) Usage {
	u := Usage{Input: whole(d, "input_tokens"), Output: whole(d, "output_tokens")}
	if cost, known := d["cost_usd"]; known && cost != nil {
		u.CostUSD, u.Priced = number(d, "cost_usd"), 1
	} else if u.Tokens() > 0 {
		u.Unpriced = 1
	}
	return u
}

// Add sums up.
func (u *Usage) Add(more Usage) {
	u.Input += more.Input
	u.Output += more.Output
	u.CostUSD += more.CostUSD
	u.Priced += more.Priced
	u.Unpriced += more.Unpriced
}

func (v *Visit) turn(e store.Event, u Usage) {
	turn := Turn{
		At: e.Time, Agent: text(e.Data, "agent"), Model: text(e.Data, "model"), Usage: u,
		Text: text(e.Data, "text"), Calls: len(list(e.Data, "calls")),
	}
	if text(e.Data, "failure_code") != "" {
		turn.Failure = failureOf(e)
	}
	if turn.Agent == "" {
		v.Model = or(turn.Model, v.Model)
	}
	v.Turns = append(v.Turns, turn)
}

// call adds a call, with what its event says of it.
func (t *Trace) call(e store.Event) *Call {
	d := e.Data
	c := &Call{
		Span: Span{Start: e.Time}, Node: e.NodeID, Branch: e.BranchID,
		ID: text(d, "call_id"), Tool: text(d, "tool"), Input: text(d, "call_input"), Agent: text(d, "agent"),
		Verdict: text(d, "verdict"), Stage: text(d, "stage"), Rule: text(d, "rule"), Reason: text(d, "reason"),
	}
	t.calls[callKey(d)] = c
	if v := t.open[e.BranchID]; v != nil {
		v.Calls = append(v.Calls, c)
	}
	return c
}

// endCall ends a call; one that was refused has no event of its start.
func (t *Trace) endCall(e store.Event) {
	c := t.calls[callKey(e.Data)]
	if c == nil {
		c = t.call(e)
	}
	c.End, c.Failed, c.Result = e.Time, e.Type == outcome.ToolError, text(e.Data, "result")
	delete(t.calls, callKey(e.Data))
}

func callKey(d map[string]any) string {
	return text(d, "session_id") + "\x00" + text(d, "agent") + "\x00" + text(d, "call_id")
}

// Current is the call that runs, nil for none.
func (v *Visit) Current() *Call {
	for _, c := range slices.Backward(v.Calls) {
		if c.End.IsZero() {
			return c
		}
	}
	return nil
}

func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
