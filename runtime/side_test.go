package runtime

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"iterion/ir"
	"iterion/ir/outcome"
	"iterion/runtime/backend"
	"iterion/runtime/store"
)

// curious is a backend whose tasks ask before they answer; the models beside it
// answer from a list.
type curious struct {
	replies []backend.Result // of tasks that are not `a`'s own
	async   bool
}

func (c *curious) Info() backend.Info                  { return backend.Info{Name: "curious"} }
func (c *curious) Priced(backend.Task) bool            { return true }
func (c *curious) find(string) (backend.Backend, bool) { return c, true }

func (c *curious) Run(ctx context.Context, t backend.Task, s backend.Sink) (backend.Result, error) {
	if _, err := s.More(ctx); err != nil {
		return backend.Result{}, err
	}
	if err := s.Turn(backend.Turn{Text: "hm"}); err != nil {
		return backend.Result{}, err
	}
	if strings.HasSuffix(t.Session.ID, "/answer") {
		return c.replies[0], nil
	}
	q := backend.Question{Call: backend.Call{ID: "q", Tool: "ask_user", Input: `{"question":"which?"}`}, Text: "which?", Async: c.async, Resumes: true}
	if answer, ok := t.Session.Answers["q"]; ok {
		return backend.Result{Text: "got " + answer.Text}, nil
	}
	answer, err := s.Ask(ctx, q)
	switch {
	case errors.Is(err, backend.ErrUnanswered):
		return backend.Result{Pending: true}, nil
	case err != nil:
		return backend.Result{}, err
	}
	return backend.Result{Text: "got " + answer.Text}, nil
}

// asksBy is a program whose agent asks under an interaction.
func asksBy(mode string, parts ...any) *ir.Program {
	n, prompt := agent("a", "")
	n.LLM.Interaction = set(mode)
	return program(append([]any{n, prompt}, parts...)...)
}

// A model's question is answered by a model, by a person, or by a model that
// hands it over to a person.
func TestWhoAnswersAModel(t *testing.T) {
	handOver := backend.Result{Output: map[string]any{"hand_over": true, "why": "hard"}}
	itself := backend.Result{Output: map[string]any{"hand_over": false, "answers": map[string]any{"answer": "blue"}}}
	for _, c := range []struct {
		mode  string
		reply backend.Result
		asker Asker
		want  string
	}{
		{"llm", backend.Result{Text: "red"}, nil, "got red"},
		{"llm_or_human", itself, nil, "got blue"},
		{"llm_or_human", handOver, Answers{"a": {"answer": "green"}}, "got green"},
		{"human", backend.Result{}, Answers{"a": {"answer": "green"}}, "got green"},
	} {
		b := &curious{replies: []backend.Result{c.reply}}
		s := &store.Memory{}
		r := play(t, Options{Store: s, Backends: b.find, Asker: c.asker, Program: asksBy(c.mode, edge("a", "done"))})
		wantStatus(t, r, outcome.Finished, "")
		if got := r.Outputs["a"].(map[string]any)["text"]; got != c.want {
			t.Errorf("%s: %v, want %s", c.mode, got, c.want)
		}
		if asked := len(only(t, s, outcome.HumanInputRequested)); (asked > 0) != (c.asker != nil) {
			t.Errorf("%s: %d questions to a person", c.mode, asked)
		}
	}
	b := &curious{replies: []backend.Result{handOver}}
	o := Options{Store: &store.Memory{}, Backends: b.find, Program: asksBy("llm_or_human", edge("a", "done"))}
	wantStatus(t, play(t, o), outcome.PausedHuman, "")
	r, err := goOn(t, o, Resumption{Given: map[string]any{"answer": "late"}})
	if err != nil || r.Outputs["a"].(map[string]any)["text"] != "got late" {
		t.Errorf("resumed: %v, %v", r.Outputs["a"], err)
	}
}

// A question that is not waited for is collected later: from the Asker, or from
// who resumes.
func TestQuestionsAreCollected(t *testing.T) {
	wait := node("w", ir.KindAwait)
	wait.Await = &ir.AwaitAnswers{From: set("a"), Timeout: set("1m")}
	build := func() Options {
		b := &curious{async: true}
		return Options{Store: &store.Memory{}, Backends: b.find, Program: asksBy("async", wait, edge("a", "w"), edge("w", "done"))}
	}
	const want = `{"answers":[{"answer":"7","interaction_id":"r/a/1/q","node":"a","question":"which?"}]}`
	o := build()
	o.Asker = Answers{"a": {"answer": "7"}}
	r := play(t, o)
	wantStatus(t, r, outcome.Finished, "")
	wantOutput(t, r, "w", want)
	o = build()
	r = play(t, o)
	if r.Status != outcome.PausedHuman || len(r.Waiting) != 1 || r.Waiting[0].Kind != AskLater {
		t.Fatalf("%s, waiting %+v", r.Status, r.Waiting)
	}
	r, err := goOn(t, o, Resumption{Given: map[string]any{"answer": "7"}})
	if err != nil {
		t.Fatal(err)
	}
	wantStatus(t, r, outcome.Finished, "")
	wantOutput(t, r, "w", want)
}

// An agent repairs what a recipe left undone, and the postcondition decides.
func TestRecoveryByAnAgent(t *testing.T) {
	for fixes, want := range map[bool]outcome.Status{true: outcome.Finished, false: outcome.FailedResumable} {
		dir := t.TempDir()
		n := shellTool("a", "exit 1")
		n.Tool.Postcondition, n.Tool.Policy, n.Tool.Goal = str("test -e made"), set("recover"), str("made is there")
		n.Tool.Recovery = &ir.Recovery{MaxRepairAttempts: set(int64(0)), MaxAgentAttempts: set(int64(2)), AgentTools: words("bash")}
		b := &mender{file: filepath.Join(dir, "made"), fixes: fixes}
		s := &store.Memory{}
		r := play(t, Options{Store: s, Workspace: dir, Backends: b.find, Program: program(n, edge("a", "done"))})
		if r.Status != want {
			t.Errorf("fixes %v: %s %s", fixes, r.Status, r.Error)
		}
		if len(b.tasks) != 2 || !strings.Contains(b.tasks[0].User, "Goal: made is there") || b.tasks[0].Tools.Names[0] != "bash" {
			t.Errorf("fixes %v: %d tasks, %+v", fixes, len(b.tasks), b.tasks[0].Tools)
		}
		if !b.tasks[1].Session.Resumed {
			t.Error("the second attempt begins anew")
		}
	}
}

// mender makes the file at its second attempt.
type mender struct {
	file  string
	fixes bool
	tasks []backend.Task
}

func (m *mender) Info() backend.Info                  { return backend.Info{Name: "mender"} }
func (m *mender) Priced(backend.Task) bool            { return true }
func (m *mender) find(string) (backend.Backend, bool) { return m, true }

func (m *mender) Run(_ context.Context, t backend.Task, _ backend.Sink) (backend.Result, error) {
	if m.tasks = append(m.tasks, t); m.fixes && len(m.tasks) == 2 {
		return backend.Result{Text: "mended"}, os.WriteFile(m.file, nil, 0o600)
	}
	return backend.Result{Text: "looked"}, nil
}

// A conversation of artifacts_only begins with what was published.
func TestArtifactsOnly(t *testing.T) {
	first := compute("first", "x", "41")
	first.Publish = set("plan")
	n, prompt := agent("a", "Go on.")
	n.LLM.Session = set("artifacts_only")
	f := &fake{turns: map[string][]turn{"a": {{text: "ok"}}}}
	play(t, Options{Backends: f.find, Program: program(first, n, prompt, edge("first", "a"), edge("a", "done"))})
	if got := f.tasks[0].User; got != "Go on.\n\nWhat was published so far:\n- plan: {\"x\":41}" {
		t.Errorf("prompt %q", got)
	}
}

// A supervisor's words reach the task before its next turn, as often as it may
// look.
func TestASupervisorIsHeard(t *testing.T) {
	n, prompt := agent("a", "")
	p := program(n, prompt, edge("a", "done"))
	coach := &ir.Supervisor{MaxEvals: set(int64(1))}
	coach.Name = "coach"
	p.Supervisors = append(p.Supervisors, coach)
	b := &coached{}
	s := &store.Memory{}
	r := play(t, Options{Store: s, Backends: b.find, Program: p})
	wantStatus(t, r, outcome.Finished, "")
	if r.Outputs["a"].(map[string]any)["text"] != "slow down" {
		t.Errorf("heard %v", r.Outputs["a"])
	}
	if added := only(t, s, outcome.MessageAdded); len(added) != 1 || added[0]["source"] != "supervisor" || r.State.Evals["coach"].Count != 1 {
		t.Errorf("added %v, evaluations %+v", added, r.State.Evals)
	}
}

// coached is a task that takes turns until a supervisor speaks.
type coached struct{}

func (c *coached) Info() backend.Info                  { return backend.Info{Name: "coached"} }
func (c *coached) Priced(backend.Task) bool            { return true }
func (c *coached) find(string) (backend.Backend, bool) { return c, true }

func (c *coached) Run(ctx context.Context, t backend.Task, s backend.Sink) (backend.Result, error) {
	if t.NodeID == "coach" {
		return backend.Result{Output: map[string]any{"speak": true, "message": "slow down"}}, s.Turn(backend.Turn{Text: "hm"})
	}
	for ctx.Err() == nil {
		notes, err := s.More(ctx)
		if err != nil || len(notes) > 0 {
			return backend.Result{Text: strings.Join(notes, " ")}, err
		}
		if err := s.Turn(backend.Turn{Text: "hm"}); err != nil {
			return backend.Result{}, err
		}
	}
	return backend.Result{}, ctx.Err()
}
