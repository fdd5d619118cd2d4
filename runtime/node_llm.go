package runtime

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"iterion/ir"
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
	slot, images := sessionSlot(n), e.images(n, v)
	return answer{}, func(ctx context.Context, r reporter) answer {
		ctx, cancel := r.r.within(ctx, limit, errTimeout)
		defer cancel()
		r.ends = true
		c := call{r: r, images: images, text: schema == nil, check: func(out map[string]any) (map[string]any, *schemaMiss) {
			return conform(schema, out)
		}}
		got := c.routed(ctx, routes, schema)
		if errors.Is(context.Cause(ctx), errTimeout) && got.failure != nil {
			return failed(outcome.Timeout, "the node ran longer than its timeout of "+limit.String())
		}
		if slot != "" && got.failure == nil && !got.unasked {
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

// call is one task of a backend: retries, and one repair of an answer that a
// question can fix.
type call struct {
	b      backend.Backend
	task   backend.Task
	route  string // the fallback's name, "" for the node's own
	r      reporter
	images images // that its conversation begins with
	check  func(map[string]any) (map[string]any, *schemaMiss)
	text   bool // an answer in text is one
	more   bool // what it says goes on with a conversation that is open
	// inPlace: a person is asked while the task runs, or not at all: what it is a
	// part of cannot be resumed in its middle.
	inPlace bool
}

func (c *call) sink() backend.Sink {
	if c.inPlace {
		return inPlaceSink{c.r}
	}
	return c.r
}

// inPlaceSink leaves no question open.
type inPlaceSink struct{ reporter }

func (s inPlaceSink) Ask(ctx context.Context, q backend.Question) (backend.Answer, error) {
	q.Resumes = false
	return s.reporter.Ask(ctx, q)
}

func (c *call) ask(ctx context.Context) answer {
	if c.r.e.p.limits.CostUSD > 0 && !c.r.e.AllowUnknownCost && !c.b.Priced(c.task) {
		return failed(outcome.Unsupported, "the budget caps the cost, and the price of "+cmp.Or(c.task.Model, "the backend's own model")+
			" is not known: take max_cost_usd away, or run with --allow-unknown-cost")
	}
	if f := c.look(ctx); f != nil {
		return answer{failure: f}
	}
	say := c.task.User
	for repaired := false; ; repaired = true {
		result, f := c.retried(ctx, say)
		switch {
		case f != nil:
			return answer{failure: f}
		case result.Pending:
			return answer{unasked: true}
		}
		out, miss := c.judge(result)
		switch {
		case miss == nil:
			return answer{output: merged(out, c.facts(result))}
		case !miss.fixable || repaired:
			return failed(outcome.SchemaValidation, "the answer does not fit the schema: "+miss.Error())
		}
		c.more, c.task.Repair = true, miss.Error()
		say = "Your answer cannot be used: " + miss.Error() + ". Answer again, in the form that was asked for."
	}
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
		"_session_id": c.r.r.session, "_session_fingerprint": c.task.Session.Fingerprint,
		"_model": cmp.Or(result.Model, c.task.Model),
	} {
		if value != "" {
			out[key] = value
		}
	}
	return out
}

// retried calls the backend, again after failures that pass. say is what its
// conversation goes on with.
func (c *call) retried(ctx context.Context, say string) (backend.Result, *Failure) {
	for attempt := 1; ; attempt++ {
		if err := c.begin(say); err != nil {
			return backend.Result{}, &Failure{Code: outcome.ExecutionFailed, Message: err.Error()}
		}
		say = ""
		result, err := c.b.Run(ctx, c.task, c.sink())
		if err == nil {
			if !result.Pending {
				c.r.Event(outcome.DelegateFinished, merged(usageData(result.Usage), map[string]any{"backend": c.b.Info().Name, "session_id": c.r.r.session}))
			}
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
