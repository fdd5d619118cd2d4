package report_test

import (
	"os"
	"testing"
	"time"

	"iterion/ir"
	"iterion/ir/build"
	"iterion/ir/outcome"
	"iterion/runtime/store"
)

type data = map[string]any

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// log writes the events of a run as its engine would.
type log struct {
	at     time.Time
	events []store.Event
}

func (l *log) add(after time.Duration, kind outcome.EventType, branch, node string, d data) {
	l.at = l.at.Add(after)
	l.events = append(l.events, store.Event{
		Seq: int64(len(l.events)) + 1, Time: l.at, Type: kind, RunID: "run_demo", BranchID: branch, NodeID: node, Data: d,
	})
}

func (l *log) turn(after time.Duration, branch, node string, in, out int64, more data) {
	d := data{"input_tokens": in, "output_tokens": out, "session_id": node + branch, "model": "anthropic/claude-small"}
	for k, v := range more {
		d[k] = v
	}
	l.add(after, outcome.LLMRequest, branch, node, d)
}

func (l *log) edge(branch, from, to string, p *ir.Program, more data) {
	d := data{"from": from, "to": to}
	for i, e := range p.Edges {
		if e.From == from && e.To == to {
			d["edge"] = int64(i)
		}
	}
	for k, v := range more {
		d[k] = v
	}
	l.add(0, outcome.EdgeSelected, branch, from, d)
}

// nasty is text that wants to be more than text.
const nasty = "</pre><script>alert(1)</script><img src=x onerror=alert(1)> ![x](http://evil.example/p.png) \u202etxt.exe\x1b[31m `|` \u200b"

func program(t *testing.T) *ir.Program {
	t.Helper()
	r, err := build.Unit(build.Input{FS: os.DirFS("testdata"), Path: "review.bot"})
	if err != nil || !r.Valid() {
		t.Fatal(err, r)
	}
	return r.Program()
}

const sec, ms = time.Second, time.Millisecond

// demo is a run with everything in it: allowed, asked and refused calls,
// parallel branches of which one fails, a loop, a question that took two hours,
// and a command that failed at the end.
func demo(p *ir.Program) (store.Run, []store.Event) {
	l := &log{at: noon}
	l.add(0, outcome.RunStarted, "", "", data{"entry": "plan", "workflow": "review_pages", "vars": data{"depth": int64(2), "title": nasty}})
	l.plan(p)
	branches := []any{}
	for _, id := range []string{"branch_each_page_0", "branch_each_page_1", "branch_each_page_2"} {
		branches = append(branches, data{"id": id, "edge": int64(1), "to": "review", "item": id})
	}
	l.add(0, outcome.NodeStarted, "", "each_page", data{"kind": "router"})
	l.add(0, outcome.NodeFinished, "", "each_page", data{"output": data{"count": int64(3)}, "fan": data{
		"collector": "collect", "strategy": "best_effort", "bindings": true, "as": "page", "count": int64(3), "branches": branches}})
	l.reviews(p)
	l.add(20*ms, outcome.JoinReady, "", "collect", data{"strategy": "best_effort", "join_node": "collect", "with": data{}})
	l.add(0, outcome.NodeStarted, "", "collect", data{"kind": "compute"})
	l.add(2*ms, outcome.NodeFinished, "", "collect", data{"output": data{"text": "collected", "_failed_branches": []any{data{"branch_id": "branch_each_page_2"}}}})
	l.edge("", "collect", "check", p, nil)
	l.rounds(p)
	l.approval(p)
	l.add(100*ms, outcome.NodeStarted, "", "publish", data{"kind": "tool"})
	l.add(3*sec, outcome.RunFailed, "", "publish", data{
		"failure_code": "TOOL_FAILED_PERMANENT", "error": "the command ended with status 2: make: *** [publish] Error 2\n" + nasty,
		"failed_node": "publish", "final": false, "resumable": true, "output": data{"exit_code": int64(2), "stderr": "no route to host"}})
	return store.Run{
		ID: "run_demo", Workflow: "review_pages", Hash: "4f1e", File: "/home/ada/site/review.bot", Workspace: "/home/ada/site",
		Status: outcome.FailedResumable, Seq: int64(len(l.events)), Created: noon, Updated: l.at,
	}, l.events
}

func (l *log) plan(p *ir.Program) {
	l.add(5*ms, outcome.NodeStarted, "", "plan", data{"kind": "agent", "iteration": int64(0), "input": data{"depth": int64(2)}})
	l.add(5*ms, outcome.DelegateStarted, "", "plan", data{"backend": "claw", "model": "anthropic/claude-small", "session_id": "plan", "say": "Which pages?"})
	l.turn(1200*ms, "", "plan", 1800, 90, data{"cost_usd": 0.0072, "text": "Let me look.", "calls": []any{data{"id": "c1"}, data{"id": "c2"}}})
	call := func(id, tool, input string, more data) data {
		d := data{"session_id": "plan", "call_id": id, "tool": tool, "call_input": input}
		for k, v := range more {
			d[k] = v
		}
		return d
	}
	allow := data{"verdict": "allow", "stage": "allow", "rule": "Bash(git ls-files:*)", "reason": "an allow rule"}
	l.add(10*ms, outcome.ToolStarted, "", "plan", call("c1", "bash", `{"command":"git ls-files docs"}`, allow))
	l.add(80*ms, outcome.ToolCalled, "", "plan", call("c1", "bash", "", data{"result": "docs/a.md\ndocs/b.md\ndocs/c.md\n"}))
	l.add(5*ms, outcome.ToolError, "", "plan", call("c2", "web_fetch", `{"url":"http://169.254.169.254/latest/meta-data"}`, data{
		"verdict": "deny", "stage": "deny", "rule": "WebFetch(domain:169.254.169.254)", "reason": "a deny rule closes it", "result": "refused by rule WebFetch(domain:169.254.169.254)"}))
	l.turn(900*ms, "", "plan", 2100, 60, data{"cost_usd": 0.0081, "calls": []any{data{"id": "c3"}}})
	ask := call("c3", "bash", `{"command":"git push origin HEAD"}`, data{
		"interaction_id": "plan/c3", "kind": "approval", "verdict": "ask", "stage": "ask", "rule": "Bash(git push:*)", "reason": "an ask rule",
		"choices": []any{data{"answer": "allow", "stores": "Bash(git push origin HEAD)"}, data{"answer": "deny", "stores": ""}}})
	l.add(5*ms, outcome.HumanInputRequested, "", "plan", ask)
	l.add(20*sec, outcome.HumanAnswersRecorded, "", "plan", data{"interaction_id": "plan/c3", "answers": data{"decision": "allow"}, "allowed": true,
		"grant": data{"tool": "bash", "input": `{"command":"git push origin HEAD"}`, "scope": "argument", "by": "ada"}})
	l.add(5*ms, outcome.ToolStarted, "", "plan", call("c3", "bash", `{"command":"git push origin HEAD"}`, data{"verdict": "allow", "stage": "grant", "rule": "Bash(git push origin HEAD)"}))
	l.add(700*ms, outcome.ToolError, "", "plan", call("c3", "bash", "", data{"result": "exit status 1\n" + nasty}))
	l.turn(800*ms, "", "plan", 2400, 120, data{"cost_usd": 0.0096, "text": "Done."})
	l.add(5*ms, outcome.NodeFinished, "", "plan", data{"output": data{"pages": []any{"docs/a.md", "docs/b.md", "docs/c.md"}, "_backend": "claw"}})
	l.edge("", "plan", "each_page", p, nil)
}

func (l *log) reviews(p *ir.Program) {
	ids := []string{"branch_each_page_0", "branch_each_page_1", "branch_each_page_2"}
	for i, b := range ids {
		l.add(2*ms, outcome.BranchStarted, b, "review", data{"router": "each_page", "index": int64(i), "target": "review"})
		l.add(1*ms, outcome.NodeStarted, b, "review", data{"kind": "agent", "input": data{}})
	}
	l.turn(2*sec, ids[0], "review", 5200, 310, nil)
	l.turn(700*ms, ids[1], "review", 4100, 280, data{"cost_usd": 0.0164})
	l.add(10*ms, outcome.NodeFinished, ids[1], "review", data{"output": data{"text": "b is fine"}})
	l.edge(ids[1], "review", "collect", p, nil)
	l.add(0, outcome.BranchFinished, ids[1], "review", data{"router": "each_page", "index": int64(1), "join_node": "collect", "with": data{}})
	l.add(600*ms, outcome.DelegateError, ids[2], "review", data{"backend": "claw", "failure_code": "RATE_LIMITED", "error": "slow down"})
	l.add(0, outcome.LLMRetry, ids[2], "review", data{"attempt": int64(1), "failure_code": "RATE_LIMITED", "delay_ms": int64(500)})
	l.add(900*ms, outcome.NodeFinished, ids[0], "review", data{"output": data{"text": nasty}})
	l.edge(ids[0], "review", "collect", p, nil)
	l.add(0, outcome.BranchFinished, ids[0], "review", data{"router": "each_page", "index": int64(0), "join_node": "collect", "with": data{}})
	l.add(1500*ms, outcome.BranchFinished, ids[2], "review", data{"router": "each_page", "index": int64(2),
		"failure_code": "AUTH_FAILED", "error": "the provider refused the key", "failed_node": "review", "with": data{}})
}

func (l *log) rounds(p *ir.Program) {
	for round := range int64(2) {
		l.add(2*ms, outcome.NodeStarted, "", "check", data{"kind": "judge", "iteration": round, "input": data{}})
		l.turn(1500*ms, "", "check", 3000, 40, data{"cost_usd": 0.0096, "session_id": "check"})
		l.add(5*ms, outcome.NodeFinished, "", "check", data{"output": data{"ok": round == 1, "why": "a link is dead"}, "history": true})
		if round == 1 {
			l.edge("", "check", "approve", p, data{"condition": "ok"})
			return
		}
		l.edge("", "check", "mend", p, data{"loop": "rounds", "iteration": int64(1)})
		l.add(2*ms, outcome.NodeStarted, "", "mend", data{"kind": "agent", "iteration": int64(1), "input": data{"why": "a link is dead"}})
		l.turn(2500*ms, "", "mend", 6100, 900, data{"cost_usd": 0.0318})
		l.add(0, outcome.ArtifactWritten, "", "mend", data{"publish": "patch", "version": int64(0)})
		l.add(5*ms, outcome.NodeFinished, "", "mend", data{"output": data{"text": "--- a/docs/a.md\n+++ b/docs/a.md\n@@ -1 +1 @@\n-\tdead\n+\talive\n"}})
		l.edge("", "mend", "check", p, nil)
	}
}

func (l *log) approval(p *ir.Program) {
	l.add(2*ms, outcome.NodeStarted, "", "approve", data{"kind": "human", "input": data{}})
	l.add(0, outcome.HumanInputRequested, "", "approve", data{"interaction_id": "run_demo/approve/1", "kind": "form",
		"instructions": "Shall it be published?\nThe diff is above.", "questions": []any{data{"name": "go", "type": "bool"}, data{"name": "remark", "type": "string"}}})
	l.add(1*ms, outcome.RunPaused, "", "approve", data{"status": "paused_waiting_human", "reason": "human", "interaction_id": "run_demo/approve/1"})
	l.add(2*time.Hour+11*time.Minute, outcome.RunResumed, "", "", data{"force": false})
	l.add(1*ms, outcome.HumanAnswersRecorded, "", "approve", data{"interaction_id": "run_demo/approve/1", "answers": data{"go": true, "remark": "read it twice"}})
	l.add(1*ms, outcome.NodeFinished, "", "approve", data{"output": data{"go": true, "remark": "read it twice"}})
	l.edge("", "approve", "publish", p, data{"condition": "go"})
}
