package runtime

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"iterion/ir"
	"iterion/ir/gate"
	"iterion/ir/outcome"
	"iterion/runtime/backend"
	"iterion/runtime/disk"
	"iterion/runtime/store"
)

// caller is a backend that makes one turn of calls, then answers. It runs a
// call by adding it to its ledger.
type caller struct {
	calls  []backend.Call
	mu     sync.Mutex
	ledger []string
	tasks  []backend.Task
}

func bashCall(id, command string) backend.Call {
	input, _ := json.Marshal(map[string]string{"command": command})
	return backend.Call{ID: id, Tool: "bash", Input: string(input)}
}

func (c *caller) Info() backend.Info                  { return backend.Info{Name: "caller"} }
func (c *caller) Priced(backend.Task) bool            { return true }
func (c *caller) find(string) (backend.Backend, bool) { return c, true }
func (c *caller) Run(ctx context.Context, t backend.Task, s backend.Sink) (backend.Result, error) {
	c.mu.Lock()
	c.tasks = append(c.tasks, t)
	c.mu.Unlock()
	done := map[string]bool{}
	turns := 0
	for _, m := range t.Session.Transcript {
		done[m.CallID] = m.Role == backend.Tool
		if m.Role == backend.Model {
			turns++
		}
	}
	if turns == 0 {
		if err := c.turn(ctx, s, backend.Turn{Calls: c.calls}); err != nil {
			return backend.Result{}, err
		}
	}
	for _, call := range c.calls {
		if done[call.ID] {
			continue
		}
		pending, err := c.call(ctx, t, s, call)
		if err != nil || pending {
			return backend.Result{Pending: pending}, err
		}
	}
	return backend.Result{Text: "done"}, c.turn(ctx, s, backend.Turn{Text: "done"})
}

func (c *caller) turn(ctx context.Context, s backend.Sink, t backend.Turn) error {
	if _, err := s.More(ctx); err != nil {
		return err
	}
	return s.Turn(t)
}

func (c *caller) call(ctx context.Context, t backend.Task, s backend.Sink, call backend.Call) (pending bool, err error) {
	if slices.Contains(t.Session.Started, call.ID) {
		return false, s.End(call, backend.CallResult{Text: "outcome unknown", Failed: true})
	}
	g := gate.New(t.Policy, disk.Links{})
	v := g.Evaluate(call.Gate())
	if v.Decision == gate.Asked {
		answer, err := s.Ask(ctx, backend.Question{Call: call, Verdict: &v, Resumes: true})
		switch {
		case errors.Is(err, backend.ErrUnanswered):
			return true, nil
		case err != nil:
			return false, err
		case !answer.Allowed:
			return false, s.End(call, backend.CallResult{Text: "refused by the operator", Failed: true, Decision: backend.Decide(v)})
		}
		g = gate.New(*answer.Policy, disk.Links{})
		v = g.Evaluate(call.Gate())
	}
	if v.Decision != gate.Allowed {
		return false, s.End(call, backend.CallResult{Text: v.Reason(), Failed: true, Decision: backend.Decide(v)})
	}
	if err := s.Begin(call, backend.Decide(v)); err != nil {
		return false, err
	}
	c.mu.Lock()
	c.ledger = append(c.ledger, call.ID)
	c.mu.Unlock()
	return false, s.End(call, backend.CallResult{Text: "ran", Began: true})
}

// asking is a program whose agent asks before it calls.
func asking(parts ...any) *ir.Program {
	n, prompt := agent("a", "")
	n.LLM.Permission, n.LLM.Allow = set("ask"), words("Bash(echo:*)")
	return program(append([]any{n, prompt, edge("a", "done")}, parts...)...)
}

func results(s *State) (out []string) {
	for _, id := range sortedKeys(s.Talks) {
		for _, m := range s.Talks[id].Messages {
			if m.Role == backend.Tool {
				out = append(out, m.CallID+": "+m.Text)
			}
		}
	}
	return out
}

// An asked call pauses the run, with what each answer stores; an approval runs
// that very call, once, in another process too, and holds for the rest of the run.
func TestAnApprovedCallRunsOnce(t *testing.T) {
	calls := []backend.Call{bashCall("1", "echo hi"), bashCall("2", "touch x"), bashCall("3", "touch x"), bashCall("4", "touch y")}
	for answer, want := range map[string]struct{ ledger, paused string }{
		Allow:       {"1 2 3", "4"},
		AllowAlways: {"1 2 3 4", ""},
		Deny:        {"1", "3"},
	} {
		c, s := &caller{calls: calls}, &store.Memory{}
		o := Options{Store: s, Backends: c.find, Program: asking()}
		r := play(t, o)
		if r.Status != outcome.PausedHuman || len(r.Waiting) != 1 || len(r.Waiting[0].Choices) != 4 || fmt.Sprint(c.ledger) != "[1]" {
			t.Fatalf("%s, waiting %+v, ledger %v", r.Status, r.Waiting, c.ledger)
		}
		if got := fmt.Sprint(r.Waiting[0].Choices); got != "[{allow bash(touch x)} {allow similar bash(touch x:*)} {allow always bash} {deny }]" {
			t.Errorf("choices %s", got)
		}
		asked := only(t, s, outcome.HumanInputRequested)[0]
		if asked["tool"] != "bash" || asked["call_input"] != `{"command":"touch x"}` || asked["kind"] != AskApproval {
			t.Errorf("the event %v", asked)
		}
		r, err := goOn(t, o, Resumption{Given: Decide(answer)})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(c.ledger, " "); got != want.ledger {
			t.Errorf("%s: ledger %s, want %s", answer, got, want.ledger)
		}
		waits := ""
		if len(r.Waiting) > 0 {
			waits = r.Waiting[0].Call.ID
		}
		if waits != want.paused {
			t.Errorf("%s: the run waits for call %q, want %q", answer, waits, want.paused)
		}
	}
}

func TestWhatDoesNotAnswerAnApproval(t *testing.T) {
	c, s := &caller{calls: []backend.Call{bashCall("1", "touch x")}}, &store.Memory{}
	o := Options{Store: s, Backends: c.find, Program: asking(), Asker: Answers{"a": Decide(Allow)}}
	r := play(t, o)
	wantStatus(t, r, outcome.PausedHuman, "") // answers by node approve no call
	for _, given := range []map[string]any{{"ok": "true"}, {decision: "perhaps"}, {decision: ""}} {
		if _, err := goOn(t, o, Resumption{Given: given}); err == nil {
			t.Errorf("%v is taken for an answer", given)
		}
	}
	o.Asker = nil
	r, err := goOn(t, o, Resumption{})
	if err != nil || r.Status != outcome.PausedHuman || len(c.ledger) != 0 {
		t.Errorf("without an answer: %s, %v, ledger %v", r.Status, err, c.ledger)
	}
	r, err = goOn(t, o, Resumption{Answers: Answers{r.Waiting[0].ID: Decide(Deny)}})
	if err != nil || r.Status != outcome.Finished || fmt.Sprint(results(r.State)) != "[1: refused by the operator]" {
		t.Errorf("denied: %s, %v, %v", r.Status, err, results(r.State))
	}
}

// Grants are the run's: they outlive pauses and processes, and a new run has none.
func TestGrantsLiveAsLongAsTheRun(t *testing.T) {
	write := backend.Call{ID: "w", Tool: "write_file", Input: `{"file_path":"f","content":"x"}`}
	c, s := &caller{calls: []backend.Call{write, bashCall("1", "ls"), {ID: "w2", Tool: "Write", Input: `{"file_path":"g","content":"x"}`}, bashCall("2", "id")}}, &store.Memory{}
	o := Options{Store: s, Backends: c.find, Program: asking()}
	play(t, o)
	for range 2 {
		if _, err := goOn(t, o, Resumption{Given: Decide(AllowAlways)}); err != nil {
			t.Fatal(err)
		}
	}
	if got := strings.Join(c.ledger, " "); got != "w 1 w2 2" {
		t.Errorf("ledger %s", got)
	}
	if r := play(t, Options{Backends: c.find, Program: asking()}); r.Status != outcome.PausedHuman {
		t.Errorf("a new run is %s", r.Status)
	}
}

func TestHiddenCharactersAreTold(t *testing.T) {
	for command, hidden := range map[string]bool{
		"ls \u202ehcir\u202c; id": true, "rm a\u200bb": true, "ls\u2028id": true, "ls\x1b[2Kid": true, "echo مرحبا 👋\nls": false,
	} {
		c := &caller{calls: []backend.Call{bashCall("1", command)}}
		r := play(t, Options{Backends: c.find, Program: asking()})
		if len(r.Waiting) != 1 || r.Waiting[0].Hidden != hidden {
			t.Errorf("%q: %+v", command, r.Waiting)
		}
	}
}

// A run that dies anywhere goes on in the middle of its turn: no call that ended
// runs again, and one that may have run is told to be unknown.
func TestATaskThatDiesAnywhereGoesOn(t *testing.T) {
	calls := []backend.Call{bashCall("1", "echo a"), bashCall("2", "echo b")}
	whole, s := &caller{calls: calls}, &store.Memory{}
	o := Options{Store: s, Backends: whole.find, Program: asking()}
	want := play(t, o)
	wantStatus(t, want, outcome.Finished, "")
	events, _ := s.Events("r", 0)
	for n := 1; n < len(events); n++ {
		c := &caller{calls: calls}
		for _, e := range events[:n] {
			if e.Type == outcome.ToolStarted {
				c.ledger = append(c.ledger, text(e.Data, "call_id"))
			}
		}
		o.Store, o.Backends = stored(t, events[:n]), c.find
		r, err := goOn(t, o, Resumption{})
		if err != nil || r.Status != outcome.Finished || strings.Join(c.ledger, " ") != "1 2" {
			t.Fatalf("cut after %d (%s): %s %v, ledger %v", n, events[n-1].Type, r.Status, err, c.ledger)
		}
		unknown := events[n-1].Type == outcome.ToolStarted
		if got := strings.Contains(fmt.Sprint(results(r.State)), "outcome unknown"); got != unknown {
			t.Errorf("cut after %d (%s): results %v", n, events[n-1].Type, results(r.State))
		}
		if r.State.Usage != want.State.Usage {
			t.Errorf("cut after %d: usage %+v, want %+v", n, r.State.Usage, want.State.Usage)
		}
	}
}

func TestSessionsAreCopied(t *testing.T) {
	first, prompt := agent("a", "")
	second, _ := agent("b", "")
	second.LLM.Session = set("inherit")
	c := &caller{}
	r := play(t, Options{Backends: c.find, Program: program(first, second, prompt,
		edge("a", "b", with("_session_id", "{{outputs.a._session_id}}")), edge("b", "done"))})
	wantStatus(t, r, outcome.Finished, "")
	if got := c.tasks[1].Session; got.From != "r/a/1" || got.ID != "r/b/1" || len(got.Transcript) < 2 {
		t.Errorf("session %+v", got)
	}
	if n := len(r.State.Talks["r/a/1"].Messages); n >= len(r.State.Talks["r/b/1"].Messages) {
		t.Errorf("the original grew to %d messages", n)
	}
}

// A failure under wait_all stops the siblings; on resume they go on where they
// stood, and no node that has ended runs again.
func TestBranchesGoOnWhereTheyStood(t *testing.T) {
	dir, s := t.TempDir(), &store.Memory{}
	a := shellTool("a", "echo a >> log")
	b := shellTool("b", "test -e fixed; e=$?; echo b >> log; exit $e")
	for _, n := range []*ir.Node{a, b} {
		n.Tool.ParallelSafe = set(true)
	}
	o := Options{Store: s, Workspace: dir, Vars: map[string]any{"items": []any{1}}, Program: program(each("fan", "{{vars.items}}"), a, b,
		collects(compute("join", "x", "1"), "wait_all"), edge("fan", "a"), edge("a", "b"), edge("b", "join"), edge("join", "done"))}
	wantStatus(t, play(t, o), outcome.FailedResumable, outcome.ToolFailedPermanent)
	if err := os.WriteFile(filepath.Join(dir, "fixed"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := goOn(t, o, Resumption{})
	if err != nil {
		t.Fatal(err)
	}
	wantStatus(t, r, outcome.Finished, "")
	if log, _ := os.ReadFile(filepath.Join(dir, "log")); string(log) != "a\nb\nb\n" {
		t.Errorf("log %q", log)
	}
}

func TestARaisedCapLetsTheRunGoOn(t *testing.T) {
	s := &store.Memory{}
	o := Options{Store: s, Program: program(compute("a", "x", "1"), compute("b", "x", "1"), compute("c", "x", "run.max_iterations"),
		edge("a", "b"), edge("b", "c"), edge("c", "done"), &ir.Budget{MaxIterations: set(int64(1))})}
	wantStatus(t, play(t, o), outcome.FailedResumable, outcome.BudgetExceeded)
	o.Caps = Caps{Iterations: 30}
	r, err := goOn(t, o, Resumption{})
	if err != nil {
		t.Fatal(err)
	}
	wantStatus(t, r, outcome.Finished, "")
	wantOutput(t, r, "c", `{"x":30}`)
}

// Branches together pass a cap by no more than the one turn that reaches it.
func TestTurnsReserveTheBudget(t *testing.T) {
	turns := map[string][]turn{}
	parts := []any{router("fan", ir.ModeFanOutAll), collects(compute("join", "x", "1"), "best_effort"), edge("join", "done"), &ir.Budget{MaxTokens: set(int64(100))}}
	for i := range 8 {
		id := fmt.Sprintf("a%d", i)
		n, prompt := agent(id, "")
		n.LLM.Readonly = set(true)
		turns[id] = []turn{{text: "x", usage: backend.Usage{InputTokens: 40}}}
		parts = append(parts, n, prompt, edge("fan", id), edge(id, "join"))
	}
	f := &fake{turns: turns}
	r := play(t, Options{Backends: f.find, Program: program(parts...)})
	if n := r.State.Usage.Tokens; n > 120 {
		t.Errorf("%d tokens under a cap of 100", n)
	}
}
