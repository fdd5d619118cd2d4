package runtime

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"iterion/ir"
	"iterion/ir/expr"
	"iterion/ir/outcome"
	"iterion/runtime/backend"
)

// begin opens, or goes on with, the conversation of a task, and says what it is
// to go on with. It fills what the task needs to know of the conversation.
func (c *call) begin(say string) error {
	c.task.Attempt++
	r, kept := c.r, !c.b.Info().Keeps
	record := r.post
	if r.r.owes { // it was not the node's last after all: stored before the next one is paid
		record, r.r.owes = r.do, false
	}
	return record(func() {
		e := r.e
		sc := e.state.Scopes[r.r.scope]
		s := e.conversation(sc, c, kept)
		if s.Resumed && !c.more {
			say = "" // it was said already
		}
		data := map[string]any{
			"backend": c.b.Info().Name, "model": c.task.Model, "attempt": int64(c.task.Attempt),
			"session_id": s.ID, "mode": s.Mode, "kept": kept, "say": say,
		}
		if s.From != "" {
			data["from"] = s.From
		}
		if kept && !s.Resumed && len(c.task.Images) > 0 {
			data["images"] = anys(c.task.Images)
		}
		e.emit(r.event(outcome.DelegateStarted, data))
		r.r.session, r.r.kept = s.ID, kept
		c.task.Session, c.task.Turns = e.recalled(s), sc.Turns
		c.task.Policy = e.policy(e.p.Node(sc.Node))
	})
}

// conversation tells which conversation a task goes on with. One that the engine
// keeps is copied for each visit: the original stays as it was, whoever else goes
// on with it.
func (e *engine) conversation(sc *Scope, c *call, kept bool) backend.Session {
	s := c.task.Session
	if sc.Session != "" {
		s.ID, s.Resumed = sc.Session, true
		return s
	}
	old := s.ID
	s.ID, s.New = e.sessionID(sc, c.route), true
	switch {
	case old == "":
	case s.Mode == "fork" || kept:
		s.From = old
	default:
		s.ID, s.New = old, false
	}
	return s
}

// sessionID names the conversation of a visit.
func (e *engine) sessionID(sc *Scope, route string) string {
	id := fmt.Sprintf("%s/%s/%d", e.RunID, sc.Node, e.state.Visits[visitKey(sc.Node, sc.ID)]+1)
	if sc.ID != Trunk {
		id += "@" + sc.ID
	}
	if route != "" {
		id += "/" + route
	}
	return id
}

// recalled fills in what was said in a conversation.
func (e *engine) recalled(s backend.Session) backend.Session {
	t := e.state.Talks[s.ID]
	if t == nil {
		return s
	}
	s.Transcript, s.Started = slices.Clone(t.Messages), slices.Clone(t.Started)
	s.Answers = map[string]backend.Answer{}
	for call, reply := range t.Answers {
		s.Answers[call] = backend.Answer{Allowed: reply.Allowed, Text: reply.Text}
	}
	if t.Fingerprint != "" {
		s.Fingerprint = t.Fingerprint
	}
	return s
}

func sessionSlot(n *ir.Node) string {
	if n.LLM.Session.V != "persist" {
		return ""
	}
	return n.LLM.SessionSlot.Or(n.ID)
}

// session is the conversation that a node's file asks to go on with.
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

// published is what a conversation of `artifacts_only` begins with: the
// artifacts that the scope sees.
func (v view) published() string {
	all := map[string]any{}
	for sc := range v.s.scopes(v.scope.ID) {
		for name, a := range sc.Artifacts {
			if _, nearer := all[name]; !nearer {
				all[name] = a.Value
			}
		}
	}
	if len(all) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("\n\nWhat was published so far:")
	for _, name := range sortedKeys(all) {
		value, err := json.Marshal(all[name])
		if err == nil {
			fmt.Fprintf(&b, "\n- %s: %s", name, value)
		}
	}
	return b.String()
}
