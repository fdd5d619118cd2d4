package runtime

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"iterion/ir/expr"
	"iterion/ir/outcome"
	"iterion/runtime/process"
	"iterion/runtime/redact"
)

// maxBatch is how many events may wait for one append.
const maxBatch = 256

// engine runs one run. Its loop alone touches the state; jobs talk to it
// through messages.
type engine struct {
	Options
	p            *plan
	state        *State
	batch        []Event
	ctx          context.Context // of the jobs; ended when the run is cancelled
	jobs         map[string]*running
	starting     []*running
	messages     chan func()
	workers      sync.WaitGroup
	stored       []chan error          // who waits for the next flush
	owing        bool                  // the batch has a turn of a task that has ended
	waiters      map[string][]chan any // by event name
	turns        turns
	whispers     map[string][]string // of supervisors, by scope
	policies     *policies
	supervisors  []*supervisor
	watch        context.Context // of supervisors; ended when no task runs
	stopWatching context.CancelFunc
	watching     int // supervisors that look at something
	hidden       *redact.Redactor
	lookup       func(string) (string, bool)
	tempDir      string
	err          error // of the store; ends the run
}

// running is a node whose job has started.
type running struct {
	scope   string
	node    string
	job     job
	limit   time.Duration // what the budget leaves, 0 for no bound
	started time.Time
	cancel  context.CancelFunc
	session string // the conversation of its task
	kept    bool   // the engine keeps that conversation
	owes    bool   // its last turn is not stored yet; the job's until it has finished
	mu      sync.Mutex
	watches []*stopwatch
}

func newEngine(o Options) (*engine, error) {
	if err := o.defaults(); err != nil {
		return nil, err
	}
	e := &engine{
		Options: o, state: NewState(), jobs: map[string]*running{},
		hidden: redact.New(o.Secrets.Values), messages: make(chan func()), waiters: map[string][]chan any{}, whispers: map[string][]string{},
	}
	warn := o.OnWarning
	e.OnWarning = func(message string) { warn(e.hidden.Text(message)) }
	for _, name := range e.hidden.Weak() {
		e.OnWarning("the secret " + name + " is too short to be found again: what shows it is not redacted")
	}
	e.watch, e.stopWatching = context.WithCancel(context.Background())
	env := map[string]string{}
	for _, entry := range o.Env {
		name, value, _ := strings.Cut(entry, "=")
		env[name] = value
	}
	e.lookup = func(name string) (string, bool) { v, ok := env[name]; return v, ok }
	var err error
	if e.p, err = newPlan(o.Program, e.lookup); err == nil && e.p.limits.warning != "" {
		e.OnWarning(e.p.limits.warning)
	}
	if err == nil {
		e.supervisors = e.newSupervisors()
	}
	return e, err
}

// guard resolves the policies and refuses a program that this build cannot hold
// to them.
func (e *engine) guard() (err error) {
	if e.policies, err = newPolicies(&e.Options); err != nil {
		return err
	}
	if err := e.confine(); err != nil {
		return err
	}
	return e.bounded()
}

func (e *engine) close() {
	if e.tempDir != "" {
		os.RemoveAll(e.tempDir)
	}
}

// run goes on until nothing may start and nothing runs.
func (e *engine) run(ctx context.Context) (Result, error) {
	jobs, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	jobs, end := process.WithLeftovers(jobs)
	defer end()
	e.ctx = jobs
	defer e.stopWatching()
	for {
		if ctx.Err() == nil {
			e.advance(ctx)
		} else {
			cancel()
		}
		if e.mustFlush() {
			e.flush()
		}
		if e.err != nil {
			cancel()
		}
		e.launch()
		switch {
		case len(e.jobs) > 0:
		case e.watching > 0:
			e.stopWatching()
		case e.settle(ctx):
			e.workers.Wait()
			return e.result(), e.err
		default:
			continue
		}
		select {
		case message := <-e.messages:
			e.take(message)
		case <-e.done(ctx, jobs):
			cancel()
		}
	}
}

// take does what a job asks for, and with it what others ask for at the same
// time: they share a commit.
func (e *engine) take(message func()) {
	for range maxBatch {
		message()
		select {
		case message = <-e.messages:
		default:
			return
		}
	}
	message()
}

// done is the caller's end of the run; nil, which never comes, once the jobs
// were told.
func (e *engine) done(ctx, jobs context.Context) <-chan struct{} {
	if jobs.Err() != nil {
		return nil
	}
	return ctx.Done()
}

// advance does what the state wants until only jobs can bring it on.
func (e *engine) advance(ctx context.Context) {
	for ctx.Err() == nil && e.err == nil {
		step, ok := e.p.next(e.state)
		if !ok {
			return
		}
		e.do(step)
		if len(e.batch) >= maxBatch {
			e.flush()
		}
	}
}

// settle ends a run in which nothing runs any more; false when there is more
// to do.
func (e *engine) settle(ctx context.Context) bool {
	switch {
	case e.err != nil || e.state.Ended():
		return true
	case ctx.Err() != nil:
		e.emit(Event{Type: outcome.RunCancelled, Data: map[string]any{"reason": context.Cause(ctx).Error()}})
	case len(e.state.Parked) > 0:
		sc := e.state.Scopes[e.state.Parked[0]]
		e.emit(Event{Type: outcome.RunPaused, BranchID: sc.ID, NodeID: sc.Node, Data: map[string]any{
			"status": string(outcome.PausedHuman), "reason": "human", "interaction_id": sc.Asked,
		}})
	default:
		e.failRun(e.state.Scopes[Trunk], &Failure{Code: outcome.ExecutionFailed, Message: "nothing can go on: a node waits for a resource that no node holds"})
	}
	return false
}

func (e *engine) do(step Step) {
	sc := e.state.Scopes[step.Scope]
	switch step.Do {
	case StartNode:
		e.startNode(sc)
	case LeaveNode:
		e.leave(sc)
	case Arrive:
		e.arrive(sc)
	case Abandon:
		e.endBranch(sc, map[string]any{"victim": true}, &Failure{Code: outcome.Cancelled, Message: "cancelled: " + e.firstFailure(sc)})
	case StartBranch:
		e.startBranch(sc, step.Index)
	case SkipBranch:
		e.skipBranch(sc, step.Index)
	case Join:
		e.join(sc)
	}
}

// emit records an event: the state has it at once, the store with the next
// flush, which comes before anything that could be seen outside.
func (e *engine) emit(ev Event) {
	ev.Seq, ev.RunID = e.state.Seq+1, e.RunID
	ev.Data, _ = e.hidden.Value(ev.Data).(map[string]any)
	ev.Time = e.now()
	e.state.Apply(ev)
	e.batch = append(e.batch, ev)
	e.supervise(ev)
	if ev.Type == outcome.NodeFinished {
		e.wake(text(ev.Data, "emitted"))
	}
}

// now is the clock without its monotonic part, which a stored event does not
// keep.
func (e *engine) now() time.Time { return e.Clock().Round(0).UTC() }

// mustFlush tells whether what was emitted has to be stored now: somebody waits
// for it, a job is to start, a model was paid for it, or nothing runs that would
// bring the next flush.
func (e *engine) mustFlush() bool {
	return e.owing || len(e.stored) > 0 || len(e.starting) > 0 || len(e.jobs) == 0 || len(e.batch) >= maxBatch || e.ctx.Err() != nil
}

func (e *engine) flush() {
	e.write()
	for _, done := range e.stored {
		done <- e.err
	}
	e.stored, e.owing = e.stored[:0], false
}

func (e *engine) write() {
	if len(e.batch) == 0 || e.err != nil {
		return
	}
	if err := e.Store.Append(e.RunID, e.batch...); err != nil {
		e.err = fmt.Errorf("the run cannot be recorded: %w", err)
		return
	}
	for _, ev := range e.batch {
		e.OnEvent(ev)
	}
	e.batch = e.batch[:0]
}

// launch starts the jobs whose node_started is stored.
func (e *engine) launch() {
	starting := e.starting
	e.starting = nil
	for _, r := range starting {
		if e.err != nil {
			continue
		}
		ctx, cancel := r.within(e.ctx, r.limit, errBudgetTime)
		r.cancel = cancel
		e.jobs[r.scope] = r
		e.workers.Go(func() {
			got := r.do(ctx, reporter{e: e, r: r})
			if got.failure != nil && errors.Is(context.Cause(ctx), errBudgetTime) {
				got.failure = &Failure{Code: outcome.BudgetExceeded, Message: errBudgetTime.Error()}
			}
			cancel()
			e.turns.end(r)
			e.messages <- func() { e.finished(r, got) }
		})
	}
}

var errBudgetTime = errors.New("the budget's duration cap ended the node")

// do runs the job. One that panics fails its node: what the others did stays
// recorded, and the run can be resumed.
func (r *running) do(ctx context.Context, rep reporter) (got answer) {
	defer func() {
		if cause := recover(); cause != nil {
			got = answer{failure: &Failure{
				Code:    outcome.ExecutionFailed,
				Message: fmt.Sprintf("internal error: %v (a defect of iterion, not of the workflow)", cause),
			}}
		}
	}()
	return r.job(ctx, rep)
}

// finished takes a job's outcome. A job whose branch was given up has none.
func (e *engine) finished(r *running, got answer) {
	e.owing = e.owing || r.owes
	if e.jobs[r.scope] != r {
		return
	}
	delete(e.jobs, r.scope)
	sc := e.state.Scopes[r.scope]
	if e.ctx.Err() != nil && got.failure != nil && got.failure.Code == outcome.Cancelled {
		return // the run is cancelled as a whole, its nodes stand where they are
	}
	if sc == nil || sc.Phase != PhaseRunning && sc.Phase != PhaseParked {
		return
	}
	e.end(sc, got, r.started)
}

func (e *engine) result() Result {
	s := e.state
	r := Result{RunID: e.RunID, Status: s.Status, State: s}
	if trunk := s.Scopes[Trunk]; trunk != nil {
		r.Outputs = trunk.Outputs
	}
	if f := s.Failure; f != nil {
		r.FailureCode, r.Error, r.FailedNode = f.Code, f.Message, f.Node
	}
	if s.Status == outcome.PausedHuman {
		for _, id := range s.Parked {
			r.Waiting = append(r.Waiting, e.opens(s.Scopes[id])...)
		}
	}
	return r
}

// values turns a caller's map into one of values.
func values(m map[string]any) (map[string]any, error) {
	if m == nil {
		return map[string]any{}, nil
	}
	v, err := expr.Normalize(m)
	if err != nil {
		return nil, err
	}
	return v.(map[string]any), nil
}
