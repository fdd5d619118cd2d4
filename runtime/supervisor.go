package runtime

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"iterion/ir"
	"iterion/ir/outcome"
	"iterion/runtime/backend"
)

const (
	supervisorMark  = "supervisor:" // before the name, in events of its turns
	defaultCooldown = 30 * time.Second
	defaultEvals    = 20
)

// supervisor is a model that watches tasks while they run.
type supervisor struct {
	*ir.Supervisor
	cooldown time.Duration
	evals    int64
	busy     bool // it looks at something
}

// Evals counts what a supervisor has looked at.
type Evals struct {
	Count int64     `json:"count"`
	At    time.Time `json:"at"`
}

func (e *engine) newSupervisors() []*supervisor {
	var out []*supervisor
	for _, decl := range e.p.Supervisors {
		s := &supervisor{Supervisor: decl, cooldown: defaultCooldown, evals: decl.MaxEvals.Or(defaultEvals)}
		if decl.Cooldown.Set() {
			if d, err := duration(decl.Cooldown.V, e.lookup); err == nil {
				s.cooldown = d
			} else {
				e.OnWarning(fmt.Sprintf("the cooldown of %s cannot be read: it is %s", decl.Name, defaultCooldown))
			}
		}
		out = append(out, s)
	}
	return out
}

// looks tells whether an event makes a supervisor look: a turn of a task that it
// watches, or what it monitors.
func (s *supervisor) looks(e *engine, ev Event) bool {
	n := e.p.Node(ev.NodeID)
	if s.busy || n == nil || n.LLM == nil || text(ev.Data, "agent") != "" {
		return false
	}
	if s.Watches.Set() && !slices.Contains(ir.Strings(s.Watches), ev.NodeID) {
		return false
	}
	if sc := e.state.Scopes[ev.BranchID]; sc == nil || sc.Session == "" {
		return false
	}
	done := e.state.Evals[s.Name]
	return done.Count < s.evals && (done.Count == 0 || ev.Time.Sub(done.At) >= s.cooldown) && s.monitors(ev)
}

// monitors tells whether an event fits one of the patterns, `key=value` over the
// event's type and data; without patterns every turn does.
func (s *supervisor) monitors(ev Event) bool {
	if len(s.Monitors.V) == 0 {
		return ev.Type == outcome.LLMRequest
	}
	return slices.ContainsFunc(ir.Strings(s.Monitors), func(pattern string) bool {
		key, value, _ := strings.Cut(pattern, "=")
		if key == "event_type" {
			return value == string(ev.Type)
		}
		got, ok := ev.Data[key]
		return ok && fmt.Sprint(got) == value
	})
}

// evaluated counts a look of a supervisor.
func (s *State) evaluated(e Event) {
	if name, ok := strings.CutPrefix(text(e.Data, "agent"), supervisorMark); ok {
		s.Evals[name] = Evals{Count: s.Evals[name].Count + 1, At: e.Time}
	}
}

// supervise lets supervisors look at an event: when one has something to say, the
// task hears it before its next turn.
func (e *engine) supervise(ev Event) {
	for _, s := range e.supervisors {
		if s.looks(e, ev) {
			e.evaluate(s, ev)
		}
	}
}

func (e *engine) supervisorTask(s *supervisor, ev Event) (sideTask, *Failure) {
	sc := e.state.Scopes[ev.BranchID]
	n := e.p.Node(ev.NodeID)
	v := e.view(sc, sc.Input)
	b, f := e.backend(e.backendName(n, v), n)
	if f != nil {
		return sideTask{}, f
	}
	t := e.baseTask(n, v)
	t.NodeID, t.Visit = s.Name, e.state.Evals[s.Name].Count+1
	t.Model = s.Model.V
	if t.Model == "" {
		t.Model = v.routing(n.LLM.Model, e.lookup)
	}
	t.System = e.prompt(s.System, v)
	t.User = "You watch " + ev.NodeID + ". The end of its conversation:\n\n" + recent(e.state.Talks[sc.Session]) +
		"\n\nSay something only when it helps."
	t.Schema = map[string]any{
		"type": "object", "additionalProperties": false, "required": []any{"speak"},
		"properties": map[string]any{"speak": map[string]any{"type": "boolean"}, "message": map[string]any{"type": "string"}},
	}
	t.Tools = backend.Tools{Declared: true}
	return sideTask{b: b, task: t, agent: supervisorMark + s.Name}, nil
}

// recent is the end of a conversation as text.
func recent(t *Talk) string {
	const most = 8 << 10
	if t == nil {
		return ""
	}
	var b strings.Builder
	for _, m := range t.Messages {
		fmt.Fprintf(&b, "%s: %s\n", m.Role, m.Text)
		for _, c := range m.Calls {
			fmt.Fprintf(&b, "  calls %s %s\n", c.Tool, c.Input)
		}
	}
	text := b.String()
	return strings.ToValidUTF8(text[max(0, len(text)-most):], "")
}

// evaluate asks a supervisor's model beside the run.
func (e *engine) evaluate(s *supervisor, ev Event) {
	task, f := e.supervisorTask(s, ev)
	if f != nil {
		e.OnWarning("the supervisor " + s.Name + " cannot look: " + f.Message)
		return
	}
	s.busy = true
	r := reporter{e: e, r: &running{scope: ev.BranchID, node: ev.NodeID, session: e.state.Scopes[ev.BranchID].Session}}
	e.watching++
	e.workers.Go(func() {
		result, err := task.run(e.watch, r)
		e.messages <- func() {
			e.watching--
			s.busy = false
			e.turns.end(r.r)
			e.heard(s, r.r, result, err)
		}
	})
}

// heard takes what a supervisor answered. A task that has ended hears nothing.
func (e *engine) heard(s *supervisor, r *running, result backend.Result, err error) {
	sc := e.state.Scopes[r.scope]
	switch {
	case e.watch.Err() != nil:
	case err != nil:
		e.OnWarning("the supervisor " + s.Name + " could not look: " + err.Error())
	case flag(result.Output, "speak") && sc != nil && sc.Session == r.session && text(result.Output, "message") != "":
		e.whispers[r.scope] = append(e.whispers[r.scope], text(result.Output, "message"))
	}
}
