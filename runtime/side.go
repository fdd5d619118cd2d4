package runtime

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"iterion/runtime/backend"
)

// sideTask is a question to a model beside the conversation of a node: it
// stands in no transcript, but what it uses counts.
type sideTask struct {
	b     backend.Backend
	task  backend.Task
	agent string // the mark of its events
}

// run asks the model.
func (t sideTask) run(ctx context.Context, r reporter) (backend.Result, error) {
	t.task.Session = backend.Session{
		Mode: "fresh", ID: r.r.session + "/" + t.agent, New: true,
		Transcript: []backend.Message{{Role: backend.User, Text: t.task.User}},
	}
	return t.b.Run(ctx, t.task, sideSink{r, t.agent})
}

// sideSink is the Sink of a side task: it asks nobody, and says nothing in the
// node's conversation.
type sideSink struct {
	reporter
	agent string
}

func (s sideSink) Turn(t backend.Turn) error {
	t.Agent, t.Last = s.agent, false // the node's task goes on
	return s.reporter.Turn(t)
}

func (s sideSink) Say(string) error            { return nil }
func (s sideSink) Opened(string, string) error { return nil }

func (s sideSink) Ask(context.Context, backend.Question) (backend.Answer, error) {
	return backend.Answer{}, backend.ErrUnanswered
}

// answering is the model that answers a task's own question, nil where a person
// does.
func (e *engine) answering(sc *Scope, q backend.Question) *sideTask {
	n := e.p.Node(sc.Node)
	mode := e.interaction(n)
	if q.Verdict != nil || q.Async || mode != "llm" && mode != "llm_or_human" || n.LLM == nil {
		return nil
	}
	v := e.view(sc, sc.Input)
	b, f := e.backend(e.backendName(n, v), n)
	if f != nil {
		return nil
	}
	t := e.baseTask(n, v)
	t.Model = cmp.Or(e.Model, v.routing(n.LLM.InteractionModel, e.lookup), v.routing(n.LLM.Model, e.lookup))
	t.System = "You answer the question of another model, in the place of a person."
	if n.LLM.InteractionPrompt.Set() {
		t.System = e.namedPrompt(n.LLM.InteractionPrompt.V, v)
	}
	t.User, t.Schema, t.Tools = q.Text, nil, backend.Tools{Declared: true}
	if len(q.Options) > 0 {
		t.User += "\n\nAnswer with one of: " + strings.Join(q.Options, ", ")
	}
	if mode == "llm_or_human" {
		t.Schema = handOverSchema(map[string]any{
			"type": "object", "properties": map[string]any{"answer": map[string]any{"type": "string"}}, "required": []any{"answer"},
		})
	}
	return &sideTask{b: b, task: t, agent: "answer"}
}

// modelAnswer lets a model answer a task's question, or hand it over to a
// person.
func (r reporter) modelAnswer(ctx context.Context, q backend.Question, model *sideTask) (backend.Answer, error) {
	result, err := model.run(ctx, r)
	if err != nil {
		return backend.Answer{}, err
	}
	if model.task.Schema == nil {
		return backend.Answer{Text: result.Text}, nil
	}
	if !handedOver(result.Output) {
		return backend.Answer{Text: fmt.Sprint(object(result.Output, "answers")["answer"])}, nil
	}
	var asked Question
	if err := r.do(func() { asked = r.e.request(r.e.state.Scopes[r.r.scope], r.r.session, q) }); err != nil {
		return backend.Answer{}, err
	}
	return r.put(ctx, asked)
}
