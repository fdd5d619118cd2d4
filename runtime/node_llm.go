package runtime

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"iterion/ir"
	"iterion/ir/expr"
	"iterion/ir/outcome"
	"iterion/runtime/backend"
)

// Retries of a backend that failed for a moment.
const (
	maxAttempts = 4
	firstDelay  = 500 * time.Millisecond
	longest     = time.Minute
)

// llm runs an agent or a judge.
func (e *engine) llm(n *ir.Node, v view) (answer, job) {
	routes := e.routes(n, v)
	limit, err := e.timeout(n.LLM.Timeout)
	if err != nil {
		return failed(outcome.ExecutionFailed, err.Error()), nil
	}
	schema := e.p.schema(n.Output)
	slot := sessionSlot(n)
	return answer{}, func(ctx context.Context, r reporter) answer {
		ctx, cancel := within(ctx, limit)
		defer cancel()
		c := call{r: r, text: schema == nil, check: func(out map[string]any) (map[string]any, *schemaMiss) {
			return conform(schema, out)
		}}
		got := c.routed(ctx, routes, schema)
		if errors.Is(context.Cause(ctx), errTimeout) && got.failure != nil {
			return failed(outcome.Timeout, "the node ran longer than its timeout of "+limit.String())
		}
		if slot != "" && got.failure == nil {
			got.extra = map[string]any{"session_slot": slot, "session_id": got.output["_session_id"]}
		}
		return got
	}
}

// timeout reads a node's `timeout:`; 0 for none.
func (e *engine) timeout(t ir.Opt[string]) (time.Duration, error) {
	if !t.Set() {
		return 0, nil
	}
	d, err := duration(t.V, e.lookup)
	if err != nil {
		return 0, fmt.Errorf("its timeout cannot be read: %w", err)
	}
	return d, nil
}

var errTimeout = errors.New("the node's timeout")

// within bounds a context by a node's timeout, 0 for none.
func within(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	if limit <= 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeoutCause(ctx, limit, errTimeout)
}

// call is one conversation with a backend: retries, and one repair of an answer
// that a question can fix.
type call struct {
	b     backend.Backend
	task  backend.Task
	r     reporter
	check func(map[string]any) (map[string]any, *schemaMiss)
	text  bool // an answer in text is one
}

func (c *call) ask(ctx context.Context) answer {
	result, f := c.retried(ctx)
	if f != nil {
		return answer{failure: f}
	}
	out, miss := c.judge(result)
	if miss != nil && miss.fixable {
		c.task.Repair, c.task.Session = miss.Error(), backend.Session{Mode: "inherit", ID: result.SessionID, Fingerprint: result.Fingerprint}
		if result, f = c.retried(ctx); f != nil {
			return answer{failure: f}
		}
		out, miss = c.judge(result)
	}
	if miss != nil {
		return failed(outcome.SchemaValidation, "the answer does not fit the schema: "+miss.Error())
	}
	return answer{output: merged(out, c.facts(result))}
}

// judge reads a result as an output.
func (c *call) judge(result backend.Result) (map[string]any, *schemaMiss) {
	if result.Output != nil {
		out, err := values(result.Output)
		if err != nil {
			return nil, &schemaMiss{problems: []string{err.Error()}}
		}
		return c.check(out)
	}
	if c.text {
		return map[string]any{"text": result.Text}, nil
	}
	if parsed, err := parseJSON(result.Text); err == nil {
		if out, ok := parsed.(map[string]any); ok {
			return c.check(out)
		}
	}
	return nil, &schemaMiss{problems: []string{"the answer is text, not JSON"}, fixable: true}
}

// facts are the fields that the engine writes.
func (c *call) facts(result backend.Result) map[string]any {
	out := map[string]any{"_backend": c.b.Info().Name}
	for key, value := range map[string]string{
		"_session_id": result.SessionID, "_session_fingerprint": result.Fingerprint,
		"_model": first(result.Model, c.task.Model),
	} {
		if value != "" {
			out[key] = value
		}
	}
	return out
}

func first(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// retried calls the backend, again after failures that pass.
func (c *call) retried(ctx context.Context) (backend.Result, *Failure) {
	for attempt := 1; ; attempt++ {
		if c.task.Attempt++; c.task.Attempt > 1 {
			if err := c.r.More(ctx); err != nil {
				f, _ := classify(ctx, err)
				return backend.Result{}, f
			}
		}
		c.r.Event(outcome.DelegateStarted, map[string]any{"backend": c.b.Info().Name, "model": c.task.Model, "attempt": int64(c.task.Attempt)})
		result, err := c.b.Run(ctx, c.task, c.r)
		if err == nil && result.Question != nil {
			err = backend.Errorf(outcome.Unsupported, "this build cannot answer a model's question in the middle of a node")
		}
		if err == nil {
			c.r.Event(outcome.DelegateFinished, merged(usageData(result.Usage), map[string]any{"backend": c.b.Info().Name, "session_id": result.SessionID}))
			return result, nil
		}
		f, wait := classify(ctx, err)
		c.r.Event(outcome.DelegateError, merged(usageData(result.Usage), map[string]any{
			"backend": c.b.Info().Name, "failure_code": string(f.Code), "error": f.Message,
		}))
		if !passing(f.Code) || attempt == maxAttempts {
			return result, f
		}
		wait = delay(attempt, wait)
		c.r.Event(outcome.LLMRetry, map[string]any{
			"attempt": int64(attempt), "failure_code": string(f.Code), "delay_ms": wait.Milliseconds(),
		})
		if !sleep(ctx, wait) {
			return result, f
		}
	}
}

// passing tells whether the engine itself tries again.
func passing(code outcome.Code) bool {
	return code == outcome.RateLimited || code == outcome.NetworkTransient
}

func classify(ctx context.Context, err error) (*Failure, time.Duration) {
	var typed *backend.Error
	switch {
	case errors.As(err, &typed):
		return &Failure{Code: typed.Code, Message: typed.Message}, typed.RetryAfter
	case ctx.Err() != nil:
		return &Failure{Code: outcome.Cancelled, Message: "cancelled"}, 0
	}
	return &Failure{Code: outcome.ExecutionFailed, Message: err.Error()}, 0
}

// delay doubles with each attempt, less a random part; what the provider asked
// for is kept.
func delay(attempt int, asked time.Duration) time.Duration {
	d := min(longest, firstDelay<<(attempt-1))
	return max(asked, d-rand.N(d/2))
}

func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

func (e *engine) prompt(use ir.Opt[ir.PromptUse], v view) string {
	if p := e.p.Prompt(use.V.Name); use.Set() && p != nil {
		return v.text(p.Text)
	}
	return ""
}

func sessionSlot(n *ir.Node) string {
	if n.LLM.Session.V != "persist" {
		return ""
	}
	return n.LLM.SessionSlot.Or(n.ID)
}

// session is the conversation that a node goes on with.
func (e *engine) session(n *ir.Node, v view) backend.Session {
	s := backend.Session{Mode: n.LLM.Session.Or("fresh")}
	switch s.Mode {
	case "inherit", "inherit_if_available", "fork":
		s.ID = expr.SpelledOut(v.input["_session_id"])
		s.Fingerprint = expr.SpelledOut(v.input["_session_fingerprint"])
		if s.ID == "" && s.Mode != "inherit_if_available" {
			e.OnWarning(n.ID + " has no session to go on with: it starts a fresh one")
		}
	case "persist":
		s.ID = e.state.Sessions[sessionSlot(n)]
	}
	return s
}
