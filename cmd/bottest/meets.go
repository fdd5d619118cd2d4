package bottest

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"iterion/ir/tools"
	"iterion/runtime"
	"iterion/runtime/process"
)

// keys are the keys that are about a visit of a node, the most exact one first:
// as in scripts.
func keys(node, branch string, visit int64) []string {
	number := fmt.Sprintf("#%d", visit)
	list := []string{node + number, node}
	if branch != "" {
		inBranch := node + "@" + branch
		list = append([]string{inBranch + number, inBranch}, list...)
	}
	return list
}

// people answer the questions of a run, and keep what was wrong with them.
type people struct {
	mu        sync.Mutex
	forms     map[string]Forms
	given     map[string]int // answers by node
	approvals []Approval     // that are left
	problems  []string
}

// Ask implements runtime.Asker.
func (p *people) Ask(_ context.Context, q runtime.Question) (map[string]any, bool, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case q.Problem != "":
		p.problems = append(p.problems, fmt.Sprintf("answers.%s: it does not fit: %s", q.NodeID, q.Problem))
		return nil, false, nil
	case q.Kind == runtime.AskApproval:
		return p.approve(q)
	}
	for _, key := range keys(q.NodeID, q.BranchID, 0) {
		f, ok := p.forms[key]
		at := p.given[key]
		switch {
		case !ok:
			continue
		case f.each == nil:
			p.given[key]++
			return f.always, true, nil
		case at < len(f.each):
			p.given[key]++
			return f.each[at], true, nil
		}
		return nil, false, nil
	}
	return nil, false, nil
}

func (p *people) approve(q runtime.Question) (map[string]any, bool, error) {
	if len(p.approvals) == 0 {
		return nil, false, nil
	}
	next := p.approvals[0]
	if !same(next.Tool, q.Call.Tool) || !matches(q.Call.Input, next.Match) {
		p.problems = append(p.problems, fmt.Sprintf("approvals: the next is for %s, and %s asks for %s", call(next.Tool, next.Match), q.NodeID, call(q.Call.Tool, q.Call.Input)))
		return nil, false, nil
	}
	p.approvals = p.approvals[1:]
	return runtime.Decide(next.Answer), true, nil
}

// left says what nobody asked for.
func (p *people) left() (list []string) {
	for key, f := range p.forms {
		switch n := len(f.each) - p.given[key]; {
		case f.each == nil && p.given[key] == 0:
			list = append(list, "the answers of "+key+" were not asked for")
		case f.each != nil && n > 0:
			list = append(list, fmt.Sprintf("%s of %s not asked for", counted(n, "answer"), key))
		}
	}
	slices.Sort(list)
	for _, a := range p.approvals {
		list = append(list, "the approval of "+call(a.Tool, a.Match)+" was not asked for")
	}
	return list
}

// bench stands in for the commands of tool nodes.
type bench struct {
	mu       sync.Mutex
	tools    map[string]Tool
	used     map[string]bool
	proofs   map[runtime.ToolStep]int
	commands map[string][]string // that were not run, by node
}

// run implements runtime.StandIn.
func (b *bench) run(s runtime.ToolStep) (process.Output, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, key := range keys(s.NodeID, s.BranchID, s.Visit) {
		t, ok := b.tools[key]
		if !ok {
			continue
		}
		b.used[key] = true
		if s.Postcondition {
			return process.Output{Exit: b.proof(t, s)}, true
		}
		b.commands[s.NodeID] = append(b.commands[s.NodeID], s.Text)
		return t.outcome(), true
	}
	return process.Output{}, false
}

// proof is the exit code of a postcondition. Without a word about it, it holds
// once the command has been tried.
func (b *bench) proof(t Tool, s runtime.ToolStep) int {
	s.Text = ""
	at := b.proofs[s]
	b.proofs[s]++
	holds := t.Postcondition
	if len(holds) == 0 {
		holds = []bool{false, t.Exit == 0}
	}
	if holds[min(at, len(holds)-1)] {
		return 0
	}
	return 1
}

func (t Tool) outcome() process.Output {
	if t.Output == nil {
		return process.Output{Stdout: t.Stdout, Stderr: t.Stderr, Exit: t.Exit}
	}
	return process.Output{Stdout: spell(t.Output), Stderr: t.Stderr, Exit: t.Exit}
}

func (b *bench) left() (list []string) {
	for key := range b.tools {
		if !b.used[key] {
			list = append(list, "the tool "+key+" did not run")
		}
	}
	slices.Sort(list)
	return list
}

// same tells whether two names mean one tool.
func same(a, b string) bool {
	if t := tools.Lookup(a); t != nil {
		return t.Named(b)
	}
	return a == b
}

// matches tells whether a part stands in a text of a call's input.
func matches(input, part string) bool {
	if strings.Contains(input, part) {
		return true
	}
	var v any
	return json.Unmarshal([]byte(input), &v) == nil && holds(v, part)
}

func holds(v any, part string) bool {
	switch v := v.(type) {
	case string:
		return strings.Contains(v, part)
	case []any:
		return slices.ContainsFunc(v, func(e any) bool { return holds(e, part) })
	case map[string]any:
		for _, e := range v {
			if holds(e, part) {
				return true
			}
		}
	}
	return false
}

func call(tool, about string) string {
	if about == "" {
		return tool
	}
	return tool + " " + brief(about)
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
