package runtime

import (
	"slices"

	"iterion/ir/gate"
	"iterion/ir/outcome"
	"iterion/runtime/backend"
)

// Talk is a conversation. What is said in it is kept here unless the backend
// keeps that itself.
type Talk struct {
	Messages    []backend.Message `json:"messages,omitempty"`
	Started     []string          `json:"started,omitempty"` // calls that began and did not end
	Answers     map[string]Reply  `json:"answers,omitempty"` // what people said, by call
	Fingerprint string            `json:"fingerprint,omitempty"`
}

// Reply is a person's answer to a call, before the call has its result.
type Reply struct {
	Allowed bool   `json:"allowed"`
	Text    string `json:"text,omitempty"`
}

// The kinds of questions to a person.
const (
	AskForm     = "form"     // a human node
	AskApproval = "approval" // may this call run
	AskQuestion = "question" // a model's own, which it waits for
	AskLater    = "async"    // a model's own, which is collected later
	AskCollect  = "collect"  // a node that waits for the answers to such
	AskReview   = "review"   // a round of a review
	AskChild    = "child"    // a subbot whose run waits for a person
)

// Interaction is a question to a person.
type Interaction struct {
	ID       string         `json:"id"`
	Kind     string         `json:"kind"`
	Scope    string         `json:"scope"`
	Node     string         `json:"node"`
	Session  string         `json:"session,omitempty"`
	Call     backend.Call   `json:"call"`
	Text     string         `json:"text,omitempty"`
	Options  []string       `json:"options,omitempty"`
	Rule     string         `json:"rule,omitempty"`
	Reason   string         `json:"reason,omitempty"`
	Resumes  bool           `json:"resumes,omitempty"` // the task can be resumed with the answer
	Commit   string         `json:"commit,omitempty"`  // what a review that merges is about
	Answered bool           `json:"answered,omitempty"`
	Answers  map[string]any `json:"answers,omitempty"`
}

// applyTalk applies the events of conversations; false for another type.
func (s *State) applyTalk(sc *Scope, e Event) bool {
	d := e.Data
	switch e.Type {
	case outcome.DelegateStarted:
		s.openTalk(sc, d)
	case outcome.SessionOpened:
		sc.Session = text(d, "session_id")
		s.talk(sc.Session).Fingerprint = text(d, "session_fingerprint")
	case outcome.LLMRequest:
		s.consume(d)
		s.evaluated(e)
		s.said(sc, d)
	case outcome.MessageAdded:
		s.add(sc, d, backend.Message{Role: backend.User, Text: text(d, "text")})
	case outcome.ToolStarted:
		if text(d, "agent") == "" {
			t := s.talk(text(d, "session_id"))
			t.Started = append(t.Started, text(d, "call_id"))
		}
	case outcome.ToolCalled, outcome.ToolError:
		s.ended(sc, e)
	case outcome.ModelFallback:
		sc.Route, sc.Turned, sc.Session = text(d, "route"), failureOf(d), ""
	default:
		return false
	}
	return true
}

func (s *State) talk(id string) *Talk {
	if s.Talks[id] == nil {
		s.Talks[id] = &Talk{}
	}
	return s.Talks[id]
}

// openTalk begins a conversation, or goes on with one.
func (s *State) openTalk(sc *Scope, d map[string]any) {
	id := text(d, "session_id")
	if id == "" {
		return
	}
	if from := s.Talks[text(d, "from")]; from != nil && s.Talks[id] == nil {
		s.talk(id).Messages = slices.Clip(from.Messages)
	}
	s.talk(id)
	sc.Session = id
	if say, images := text(d, "say"), names(d, "images"); say != "" || len(images) > 0 {
		s.add(sc, d, backend.Message{Role: backend.User, Text: say, Images: images})
	}
}

// add puts a message behind a conversation that the engine keeps.
func (s *State) add(sc *Scope, d map[string]any, m backend.Message) {
	if flag(d, "kept") && text(d, "agent") == "" {
		t := s.talk(text(d, "session_id"))
		t.Messages = append(t.Messages, m)
	}
}

func (s *State) said(sc *Scope, d map[string]any) {
	if text(d, "agent") != "" {
		return
	}
	sc.Turns++
	if text(d, "failure_code") != "" {
		return
	}
	s.add(sc, d, backend.Message{Role: backend.Model, Text: text(d, "text"), Calls: callsOf(d)})
}

func (s *State) ended(sc *Scope, e Event) {
	d := e.Data
	if text(d, "agent") != "" {
		return
	}
	t, id := s.talk(text(d, "session_id")), text(d, "call_id")
	t.Started = slices.DeleteFunc(slices.Clone(t.Started), func(other string) bool { return other == id })
	delete(t.Answers, id)
	s.add(sc, d, backend.Message{
		Role: backend.Tool, CallID: id, Text: text(d, "result"), Images: names(d, "images"),
		Failed: e.Type == outcome.ToolError,
	})
}

func callsOf(d map[string]any) []backend.Call {
	var calls []backend.Call
	for _, row := range list(d, "calls") {
		m, _ := row.(map[string]any)
		calls = append(calls, backend.Call{ID: text(m, "id"), Tool: text(m, "tool"), Input: text(m, "input")})
	}
	return calls
}

// requested takes note of a question. One that is waited for parks its scope.
func (s *State) requested(sc *Scope, e Event) {
	d := e.Data
	it := &Interaction{
		ID: text(d, "interaction_id"), Kind: text(d, "kind"), Scope: e.BranchID, Node: e.NodeID,
		Session: text(d, "session_id"), Text: text(d, "text"), Options: names(d, "options"),
		Call: backend.Call{ID: text(d, "call_id"), Tool: text(d, "tool"), Input: text(d, "call_input")},
		Rule: text(d, "rule"), Reason: text(d, "reason"), Resumes: flag(d, "resumes"), Commit: text(d, "commit"),
	}
	s.Interactions[it.ID] = it
	if it.Kind != AskLater {
		s.park(sc, e)
	}
}

// answered takes a person's answer: an approval becomes a grant, and a task that
// waited for the answer runs again.
func (s *State) answered(e Event) {
	it := s.Interactions[text(e.Data, "interaction_id")]
	if it == nil {
		return
	}
	it.Answered, it.Answers = true, object(e.Data, "answers")
	if g := object(e.Data, "grant"); g != nil {
		s.Grants = append(s.Grants, gate.Grant{
			Tool: text(g, "tool"), Input: text(g, "input"), Scope: gate.Scope(text(g, "scope")),
			By: text(g, "by"), At: e.Time,
		})
	}
	switch it.Kind {
	case AskApproval, AskQuestion:
		t := s.talk(it.Session)
		if t.Answers == nil {
			t.Answers = map[string]Reply{}
		}
		t.Answers[it.Call.ID] = Reply{Allowed: flag(e.Data, "allowed"), Text: text(e.Data, "text")}
		delete(s.Interactions, it.ID)
	case AskReview:
	default:
		return
	}
	if sc := s.Scopes[it.Scope]; sc != nil && sc.Phase == PhaseParked && sc.Asked == it.ID {
		sc.Asked = ""
		s.startClock(e.Time)
		s.phase(sc, PhaseRunning)
	}
}
