package claw

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"iterion/ir/gate"
	"iterion/ir/outcome"
	"iterion/runtime/backend"

	"iterion/runtime/redact"
)

func TestATextEndsATask(t *testing.T) {
	w := newWorld(t, "bash", backend.Turn{Calls: []backend.Call{bash("a", "ls")}, Model: "m1"}, backend.Turn{Text: "done", Model: "m2"})
	got, err := w.run()
	if err != nil || got.Text != "done" || got.Model != "m2" || got.Output != nil || got.Pending {
		t.Fatalf("%+v, %v", got, err)
	}
	w.equal("the log", w.kinds(), []string{"turn", "begin a", "end a", "turn"})
	w.equal("the conversation", w.told(), []string{
		"user: do it", `model:  [a bash {"command":"ls"}]`, `tool a failed=false: did {"command":"ls"}`, "model: done",
	})
	if r := w.seen[1]; r.Number != 2 || r.NodeID != "n" || r.Visit != 1 || r.Model != "m" || len(r.Messages) != 3 || len(r.Tools) != 1 || r.Tools[0].Name != "bash" {
		t.Errorf("request 2: %+v", r)
	}
	w.seen = nil
	if again, err := w.run(); err != nil || again.Text != "done" || w.seen != nil {
		t.Errorf("resumed after its end: %+v, %v, %d turns", again, err, len(w.seen))
	}
}

// A task goes on from wherever its process ended: what was done is not done
// again, and the conversation comes to the same.
func TestATaskResumesAtEveryPoint(t *testing.T) {
	w := resumable(t)
	if _, err := w.run(); err != nil {
		t.Fatal(err)
	}
	want, effects, length := w.told(), slices.Clone(w.ran), len(w.log)
	if length < 20 || len(effects) != 7 {
		t.Fatalf("%d entries, effects %q", length, effects)
	}
	for cut := range length {
		w := resumable(t)
		w.left = cut
		if _, err := w.run(); !errors.Is(err, errCut) && !strings.Contains(err.Error(), errCut.Error()) {
			t.Fatalf("cut at %d: %v", cut, err)
		}
		began := w.session().Started
		w.left = -1
		got, err := w.run()
		if err != nil || got.Output["ok"] != true {
			t.Fatalf("cut at %d: %+v, %v", cut, got, err)
		}
		w.equal("the conversation, cut at "+w.log[max(cut, 1)-1].kind, without(w.told(), began), without(want, began))
		for _, effect := range w.ran {
			if strings.HasPrefix(effect, "bash") && count(w.ran, effect) != 1 {
				t.Errorf("cut at %d: %s was done %d times", cut, effect, count(w.ran, effect))
			}
		}
		answered := map[string]bool{}
		for _, e := range w.log {
			if e.kind == "asked" && answered[e.call.ID] {
				t.Errorf("cut at %d: %s was asked after its answer", cut, e.call.ID)
			}
			answered[e.call.ID] = answered[e.call.ID] || e.kind == "answered"
		}
		w.seen = nil
		if again, err := w.run(); err != nil || again.Output["ok"] != true || w.seen != nil {
			t.Errorf("cut at %d: resumed after the end: %+v, %v", cut, again, err)
		}
	}
}

// without leaves the results of calls out whose outcome is unknown.
func without(lines, began []string) (out []string) {
	for _, line := range lines {
		for _, id := range began {
			if strings.HasPrefix(line, "tool "+id+" ") {
				line = "tool " + id
			}
		}
		out = append(out, line)
	}
	return out
}

func count(list []string, want string) (n int) {
	for _, item := range list {
		if item == want {
			n++
		}
	}
	return n
}

// resumable is a task with calls of every kind.
func resumable(t *testing.T) *world {
	w := newWorld(t, "bash read_file grep",
		calls(bash("a", "one"), bash("b", "denied"), bash("c", "asked"), bash("d", "two")),
		calls(call("e", "read_file", `{"file_path":"x"}`), call("f", "grep", `{"pattern":"y"}`), bash("g", "three")),
		calls(call("h", "ask_user", `{"question":"which?"}`), call("i", "structured_output", `{"ok":"no"}`)),
		text("what?"),
		calls(bash("j", "four"), call("k", "structured_output", `{"ok":true}`), bash("l", "never")),
	)
	w.policy("deny", "bash read_file grep", "Bash(asked)", "Bash(denied)")
	w.task.Schema = map[string]any{
		"type": "object", "properties": map[string]any{"ok": map[string]any{"type": "boolean"}}, "required": []any{"ok"},
	}
	w.task.Asks = backend.AskPerson
	w.person = w.approve
	return w
}

// A question in the middle of a turn: what is before it has run, what is behind
// it waits.
func TestAQuestionInTheMiddleOfATurn(t *testing.T) {
	w := resumable(t)
	w.person = nil
	got, err := w.run()
	if err != nil || !got.Pending {
		t.Fatalf("%+v, %v", got, err)
	}
	w.equal("done before the question", w.ran, []string{`bash {"command":"one"}`})
	w.equal("the log", w.kinds(), []string{"turn", "begin a", "end a", "end b", "asked c"})

	refused := resumable(t)
	refused.person = nil
	refused.log = append(slices.Clone(w.log), entry{kind: "answered", call: bash("c", "asked"), answer: backend.Answer{Text: "not today"}})
	if got, err := refused.run(); err != nil || !got.Pending { // at ask_user
		t.Fatalf("%+v, %v", got, err)
	}
	if r := refused.result("c"); r.Text != "refused by the operator: not today" || !r.Failed || r.Began || r.Decision.Verdict != "deny" {
		t.Errorf("the refused call: %+v", r)
	}
	if slices.Contains(refused.ran, `bash {"command":"asked"}`) || !slices.Contains(refused.ran, `bash {"command":"two"}`) {
		t.Errorf("after a refusal: %q", refused.ran)
	}

	question := backend.Question{Call: bash("c", "asked"), Verdict: &gate.Verdict{}}
	answer, _ := w.approve(question)
	w.log = append(w.log, entry{kind: "answered", call: question.Call, answer: answer})
	w.ran = nil
	if got, err := w.run(); err != nil || !got.Pending {
		t.Fatalf("%+v, %v", got, err)
	}
	w.equal("done after the approval", w.ran[:2], []string{`bash {"command":"asked"}`, `bash {"command":"two"}`})
	if w.seen[len(w.seen)-1].Number != 3 {
		t.Errorf("the model was asked again: %d", w.seen[len(w.seen)-1].Number)
	}
}

// An approval that was recorded, without a grant that covers the call, opens
// nothing.
func TestAnApprovalThatDoesNotCover(t *testing.T) {
	for name, answer := range map[string]func(*world) backend.Answer{
		"no policy": func(*world) backend.Answer { return backend.Answer{Allowed: true} },
		"another command": func(w *world) backend.Answer {
			a, _ := w.approve(backend.Question{Call: bash("c", "other"), Verdict: &gate.Verdict{}})
			return a
		},
		"a deny since": func(w *world) backend.Answer {
			w.policy("ask", "", "", "Bash(asked)")
			a, _ := w.approve(backend.Question{Call: bash("c", "asked"), Verdict: &gate.Verdict{}})
			return a
		},
	} {
		w := newWorld(t, "bash", calls(bash("c", "asked")), text("ok"))
		w.policy("ask", "", "", "")
		w.person = func(backend.Question) (backend.Answer, bool) { return answer(w), true }
		if _, err := w.run(); err != nil {
			t.Fatal(err)
		}
		if r := w.result("c"); !r.Failed || r.Began || w.ran != nil || !strings.HasPrefix(r.Text, "refused: ") {
			t.Errorf("%s: %+v, ran %q", name, r, w.ran)
		}
	}
}

func TestADeniedCallNamesItsRule(t *testing.T) {
	w := newWorld(t, "bash", calls(bash("a", "git push origin")), text("ok"))
	w.policy("ask", "", "", "Bash(git:*)")
	w.log = nil
	if _, err := w.run(); err != nil {
		t.Fatal(err)
	}
	r := w.result("a")
	if !strings.Contains(r.Text, "`Bash(git:*)`") || !r.Failed || r.Began || r.Decision.Rule != "Bash(git:*)" || r.Decision.Verdict != "deny" {
		t.Errorf("%+v", r)
	}
	w.equal("the log", w.kinds(), []string{"turn", "end a", "turn"})
}

// When the beginning of a call cannot be stored nothing runs.
func TestNothingRunsUnrecorded(t *testing.T) {
	for _, turn := range []backend.Turn{
		calls(bash("a", "one"), bash("b", "two")),
		calls(call("a", "grep", `{"pattern":"x"}`), call("b", "grep", `{"pattern":"y"}`)),
	} {
		w := newWorld(t, "bash grep", turn)
		w.left = 1
		if _, err := w.run(); !errors.Is(err, errCut) || w.ran != nil {
			t.Errorf("%v, ran %q", err, w.ran)
		}
	}
}

func TestCallsThatCannotRun(t *testing.T) {
	for _, c := range []struct{ tools, tool, input, want string }{
		{"bash", "read_file", `{}`, `there is no tool "read_file"; the tools are: bash`},
		{"", "bash", `{}`, `there is no tool "bash"; the tools are: none`},
		{"bash", "structured_output", `{}`, `there is no tool "structured_output"`},
		{"bash ask_user", "ask_user", `{"question":"?"}`, `there is no tool "ask_user"`},
		{"bash", "bash", `{"command":`, "the input cannot be read, nothing was done: it is no JSON"},
		{"bash", "bash", `["ls"]`, "it is no JSON object"},
		{"bash", "bash", ``, "it is no JSON"},
		{"bash", "bash", `{"command":"a"} {}`, "it is no JSON"},
		{"bash", "bash", `{"command":"ls","Command":"rm"}`, `the key "Command" stands twice`},
		{"mcp__github__get", "mcp__github__get", `{}`, "has no MCP servers yet"},
		{"mcp.github.*", "mcp__github__get", `{}`, "has no MCP servers yet"},
		{"mcp.github.*", "mcp__other__get", `{}`, "there is no tool"},
		{"skill", "use_skill", `{}`, "has no such tool yet"},
		{"web_search", "web_search", `{}`, "has no such tool yet"},
		{"create_issue", "create_issue", `{}`, "has no such tool yet"},
	} {
		w := newWorld(t, c.tools, calls(call("a", c.tool, c.input)), text("ok"))
		w.policy("deny", "*", "", "")
		if _, err := w.run(); err != nil {
			t.Fatal(err)
		}
		if r := w.result("a"); !strings.Contains(r.Text, c.want) || !r.Failed || r.Began || w.ran != nil {
			t.Errorf("%s %s: %+v, ran %q", c.tool, c.input, r, w.ran)
		}
	}
}

// A tool's spelling is the model's; the permit is for it.
func TestAToolUnderAnotherSpelling(t *testing.T) {
	w := newWorld(t, "read", calls(call("a", "Read", `{"file_path":"x"}`)), text("ok"))
	if _, err := w.run(); err != nil || len(w.ran) != 1 || w.result("a").Failed || w.seen[0].Tools[0].Name != "read_file" {
		t.Errorf("%v, ran %q, %+v", err, w.ran, w.seen[0].Tools)
	}
}

func TestUndeclaredToolsAreNone(t *testing.T) {
	w := newWorld(t, "", text("ok"))
	w.task.Tools, w.task.Asks = backend.Tools{}, backend.AskAsync
	w.task.Schema = map[string]any{"type": "object"}
	w.turns = list([]backend.Turn{calls(call("q", "ask_user_async", `{"question":"?"}`)), text("{}")})
	w.person = func(q backend.Question) (backend.Answer, bool) { return backend.Answer{Text: "id"}, q.Async }
	if got, err := w.run(); err != nil || got.Output == nil || w.result("q").Failed {
		t.Fatalf("%+v, %v", got, err)
	}
	if tools := w.seen[0].Tools; len(tools) != 2 || tools[0].Name != "ask_user_async" || tools[1].Name != "structured_output" || tools[1].Schema["type"] != "object" {
		t.Errorf("%+v", tools)
	}
}

func TestReadOnlyCallsRunTogetherAndAreRecordedInOrder(t *testing.T) {
	w := newWorld(t, "grep read_file bash", calls(
		call("a", "grep", `{"pattern":"1"}`), call("b", "read_file", `{"file_path":"2"}`), call("c", "grep", `{"pattern":"3"}`),
		bash("d", "x"), call("e", "grep", `{"pattern":"4"}`),
	), text("ok"))
	last := make(chan bool)
	w.tool = func(_ context.Context, c backend.Call) backend.CallResult {
		switch c.ID {
		case "a":
			<-last // so that it ends after c, and only if both run at once
		case "c":
			defer close(last)
		}
		return backend.CallResult{Text: "result " + c.ID}
	}
	if _, err := w.run(); err != nil {
		t.Fatal(err)
	}
	w.equal("the log", w.kinds(), []string{
		"turn", "begin a", "begin b", "begin c", "end a", "end b", "end c", "begin d", "end d", "begin e", "end e", "turn",
	})
	if r := w.result("c"); r.Text != "result c" || r.Decision.Verdict != "allow" {
		t.Errorf("%+v", r)
	}
}

// A denied call splits what runs together, and is not among it.
func TestADeniedCallAmongReadOnlyOnes(t *testing.T) {
	w := newWorld(t, "read_file", calls(
		call("a", "read_file", `{"file_path":"a"}`), call("b", "read_file", `{"file_path":"b"}`),
		call("c", "read_file", `{"file_path":"secret"}`), call("d", "read_file", `{"file_path":"d"}`),
	), text("ok"))
	w.policy("deny", "read_file", "", "Read(secret)")
	if _, err := w.run(); err != nil {
		t.Fatal(err)
	}
	w.equal("the log", w.kinds(), []string{"turn", "begin a", "begin b", "end a", "end b", "end c", "begin d", "end d", "turn"})
}

// Read-only calls that were begun, or refused by a person, before the process
// ended do not run with the others.
func TestReadOnlyCallsOfAResumedTask(t *testing.T) {
	read := func(id string) backend.Call { return call(id, "read_file", `{"file_path":"`+id+`"}`) }
	turn := calls(read("a"), read("b"), read("c"), read("d"))
	w := newWorld(t, "read_file", turn, text("ok"))
	w.log = []entry{
		{kind: "turn", turn: turn}, {kind: "begin", call: read("b")},
		{kind: "answered", call: read("c"), answer: backend.Answer{Text: "no"}},
	}
	if _, err := w.run(); err != nil {
		t.Fatal(err)
	}
	w.equal("ran", w.ran, []string{`read_file {"file_path":"a"}`, `read_file {"file_path":"d"}`})
	if b, c := w.result("b"), w.result("c"); b.Text != unknownOutcome || c.Text != "refused by the operator: no" {
		t.Errorf("%+v, %+v", b, c)
	}
}

func TestAPanicIsAnError(t *testing.T) {
	for _, turn := range []backend.Turn{calls(bash("a", "x")), calls(call("a", "grep", `{}`), call("b", "grep", `{}`))} {
		w := newWorld(t, "bash grep", turn)
		w.tool = func(context.Context, backend.Call) backend.CallResult { panic("broken") }
		if _, err := w.run(); code(err) != outcome.ExecutionFailed || !strings.Contains(err.Error(), "broken") {
			t.Errorf("%v", err)
		}
	}
}

// A tool that ends with its context has a result; the task goes no further.
func TestACancelledTool(t *testing.T) {
	w := newWorld(t, "bash", calls(bash("a", "x"), bash("b", "y")), text("ok"))
	ctx, cancel := context.WithCancel(t.Context())
	w.tool = func(ctx context.Context, c backend.Call) backend.CallResult {
		cancel()
		<-ctx.Done()
		return backend.CallResult{Text: "stopped", Failed: true}
	}
	if _, err := w.runIn(ctx); code(err) != outcome.Cancelled {
		t.Fatalf("%v", err)
	}
	w.equal("the log", w.kinds(), []string{"turn", "begin a", "end a"})
	w.tool = func(context.Context, backend.Call) backend.CallResult { return backend.CallResult{Text: "did"} }
	if _, err := w.run(); err != nil || len(w.ran) != 2 {
		t.Errorf("resumed: %v, ran %q", err, w.ran)
	}
}

func TestFailedTurnsAreRecordedAndCounted(t *testing.T) {
	failure := &backend.Error{Code: outcome.RateLimited, Message: "slow down", RetryAfter: time.Second}
	w := newWorld(t, "", backend.Turn{Err: failure, Usage: backend.Usage{InputTokens: 3}}, text("done"))
	_, err := w.run()
	if got, ok := asError(err); !ok || got.Code != outcome.RateLimited || got.RetryAfter != time.Second {
		t.Fatalf("%v", err)
	}
	if e := w.log[0]; e.turn.Err == nil || e.turn.Usage.InputTokens != 3 {
		t.Errorf("recorded: %+v", e)
	}
	if got, err := w.run(); err != nil || got.Text != "done" || w.seen[1].Number != 2 {
		t.Errorf("again: %+v, %v", got, err)
	}
}

func TestTheBudgetIsAskedBeforeEveryTurn(t *testing.T) {
	w := newWorld(t, "bash", calls(bash("a", "x")), text("done"))
	w.tool = func(context.Context, backend.Call) backend.CallResult {
		w.broke = backend.Errorf(outcome.BudgetExceeded, "spent")
		return backend.CallResult{}
	}
	if _, err := w.run(); code(err) != outcome.BudgetExceeded || len(w.seen) != 1 {
		t.Errorf("%v after %d turns", err, len(w.seen))
	}
}

func TestASupervisorIsHeard(t *testing.T) {
	w := newWorld(t, "bash", calls(bash("a", "x")), text("done"))
	w.tool = func(context.Context, backend.Call) backend.CallResult {
		w.notes = []string{"look at y"}
		return backend.CallResult{Text: "did"}
	}
	if _, err := w.run(); err != nil {
		t.Fatal(err)
	}
	if m := w.seen[1].Messages; m[len(m)-1].Role != backend.User || m[len(m)-1].Text != "look at y" {
		t.Errorf("%+v", m)
	}
}

func TestTheRoundsOfToolsAreBounded(t *testing.T) {
	w := newWorld(t, "bash")
	w.task.MaxSteps = 2
	w.turns = func(r backend.Request) (backend.Turn, error) { return calls(bash("same", "x")), nil }
	_, err := w.run()
	if code(err) != outcome.ExecutionFailed || len(w.ran) != 2 || len(w.seen) != 6 {
		t.Fatalf("%v, %d calls in %d turns", err, len(w.ran), len(w.seen))
	}
	if r := w.seen[2]; len(r.Tools) != 0 || r.Messages[len(r.Messages)-1].Text != conclude {
		t.Errorf("%+v", r)
	}
	w.task.Schema = map[string]any{"type": "object"}
	w.turns = func(r backend.Request) (backend.Turn, error) { return calls(call("o", "structured_output", "{}")), nil }
	if got, err := w.run(); err != nil || got.Output == nil {
		t.Errorf("resumed: %+v, %v", got, err)
	}
}

// Ids that a provider repeats are told apart.
func TestIdsAreMadeUnique(t *testing.T) {
	w := newWorld(t, "bash", calls(bash("0", "one"), bash("0", "two"), bash("", "three")), calls(bash("0", "four")), text("ok"))
	if _, err := w.run(); err != nil || len(w.ran) != 4 {
		t.Fatalf("%v, ran %q", err, w.ran)
	}
	seen := map[string]bool{}
	for _, e := range w.log {
		if e.kind == "end" {
			if seen[e.call.ID] || e.call.ID == "" {
				t.Errorf("the id %q is there twice", e.call.ID)
			}
			seen[e.call.ID] = true
		}
	}
}

// What tools give is redacted before anyone has it.
func TestSecretsAreTakenOut(t *testing.T) {
	w := newWorld(t, "bash", calls(bash("a", "env")), text("ok"))
	w.task.Redact = redact.New(map[string]string{"k": "hunter2"})
	w.tool = func(context.Context, backend.Call) backend.CallResult { return backend.CallResult{Text: "PW=hunter2"} }
	if _, err := w.run(); err != nil || w.result("a").Text != "PW=[secret k]" || w.seen[1].Messages[2].Text != "PW=[secret k]" {
		t.Errorf("%v: %+v", err, w.seen[1].Messages)
	}
}

// A task that goes on with an earlier conversation does not take its end for an
// answer.
func TestAnInheritedConversation(t *testing.T) {
	for _, prompt := range []string{"do it", ""} {
		w := newWorld(t, "bash", calls(bash("a", "x")), text("new"))
		w.task.User = prompt
		w.task.Session.Transcript = []backend.Message{
			{Role: backend.User, Text: "do it"}, {Role: backend.Model, Calls: []backend.Call{bash("a", "old"), bash("z", "lost")}},
			{Role: backend.Tool, CallID: "a", Text: "old result"}, {Role: backend.Model, Text: "old"},
		}
		got, err := w.run()
		if err != nil || got.Text != "new" || len(w.ran) != 1 || !strings.Contains(w.ran[0], `"x"`) {
			t.Fatalf("prompt %q: %+v, %v, ran %q", prompt, got, err, w.ran)
		}
		m := w.seen[0].Messages
		if m[2].Text != "old result" || m[3].CallID != "z" || !m[3].Failed || m[len(m)-1].Role != backend.User {
			t.Errorf("prompt %q: %+v", prompt, m)
		}
	}
}
