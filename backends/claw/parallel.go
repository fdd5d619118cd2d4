package claw

import (
	"context"

	"iterion/ir/gate"
	"iterion/ir/tools"
	"iterion/runtime/backend"
)

// atOnce bounds how many calls of one turn run at the same time.
const atOnce = 8

// permitted is a call that may run.
type permitted struct {
	call    backend.Call
	permit  gate.Permit
	verdict gate.Verdict
}

// sharing lists the calls from one on that may run at the same time: those that
// only read, stand next to each other and are allowed. None of them can change
// what the verdict on another was about.
func (r *round) sharing(from int) (group []permitted) {
	if _, ended := r.output(); ended {
		return nil
	}
	for _, c := range r.calls[from:] {
		_, done := r.results[c.ID]
		_, answered := r.answer(c)
		tool, problem := r.set.find(c.Tool)
		if done || answered || r.begun(c) || problem != "" || !onlyReads(tool) || unreadable(c.Input) != "" {
			break
		}
		v := r.gate.Evaluate(c.Gate())
		permit, ok := v.Permit()
		if !ok {
			break
		}
		group = append(group, permitted{c, permit, v})
	}
	return group
}

func onlyReads(t *tools.Tool) bool {
	const reading = tools.Reads | tools.Lists
	return t.Can&reading != 0 && t.Can&^reading == 0
}

// together runs calls at the same time. Each has begun before any runs, and the
// results are recorded in the order of the calls.
func (r *round) together(ctx context.Context, group []permitted) error {
	for _, p := range group {
		if err := r.sink.Begin(p.call, r.decision(p.verdict)); err != nil {
			return err
		}
	}
	ctx, cancel := context.WithCancel(ctx)
	results := make([]chan outcomeOf, len(group))
	slots := make(chan struct{}, atOnce)
	for i, p := range group {
		results[i] = make(chan outcomeOf, 1)
		go func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			results[i] <- r.guarded(ctx, p)
		}()
	}
	return r.collect(group, results, cancel)
}

// outcomeOf is a result, or the panic that came in its place.
type outcomeOf struct {
	result backend.CallResult
	panic  any
}

// guarded brings a panic to the loop's own goroutine, where it is caught.
func (r *round) guarded(ctx context.Context, p permitted) (out outcomeOf) {
	defer func() { out.panic = recover() }()
	return outcomeOf{result: r.runner.Run(ctx, p.permit, p.call)}
}

// collect records the results. It returns when nothing runs any more, also after
// an error.
func (r *round) collect(group []permitted, results []chan outcomeOf, cancel func()) (err error) {
	defer cancel()
	var broken any
	for i, p := range group {
		out := <-results[i]
		if out.panic != nil && broken == nil {
			broken = out.panic
		}
		if err == nil && broken == nil {
			out.result.Began, out.result.Decision = true, r.decision(p.verdict)
			err = r.end(p.call, out.result)
		}
		if err != nil || broken != nil {
			cancel()
		}
	}
	if broken != nil {
		panic(broken)
	}
	return err
}
