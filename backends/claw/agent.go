package claw

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"iterion/runtime/backend"
)

// delegate gives a task to a subagent: a conversation of its own over the same
// model, under the same gate. It has no more tools than the node, cannot ask and
// cannot delegate. A failure of it is a result; what ends the whole task meets
// the caller's own next turn.
func (r *round) delegate(ctx context.Context, c backend.Call) backend.CallResult {
	var in struct {
		Description string   `json:"description"`
		Prompt      string   `json:"prompt"`
		Tools       []string `json:"tools"`
	}
	if err := into(c.Input, &in); err != nil {
		return backend.CallResult{Text: err.Error(), Failed: true}
	}
	if strings.TrimSpace(in.Prompt) == "" {
		return backend.CallResult{Text: "the input is not valid: prompt is missing", Failed: true}
	}
	set, problem := r.set.lent(in.Tools)
	if problem != "" {
		return backend.CallResult{Text: problem, Failed: true}
	}
	child := &loop{
		node: r.node, parent: r.loop, agent: strconv.Itoa(r.agents(c)), set: set, limit: limitOf(r.model, r.task),
		said: []backend.Message{{Role: backend.User, Text: in.Prompt}},
	}
	result, err := child.run(ctx)
	switch {
	case err != nil:
		return backend.CallResult{Text: fmt.Sprintf("the subagent failed: %v. What it did before is done", err), Failed: true}
	case result.Text == "":
		return backend.CallResult{Text: "the subagent ended without a word"}
	}
	return backend.CallResult{Text: result.Text}
}

// lent is the part of the tools that a subagent gets: those it asks for, or all.
func (s *toolset) lent(names []string) (toolset, string) {
	mine := s.only(func(key string) bool {
		return !slices.Contains([]string{outputTool, askTool, askLaterTool, agentTool}, key)
	})
	if names == nil {
		return mine, ""
	}
	var keys []string
	for _, name := range names {
		tool, problem := mine.find(name)
		if problem != "" {
			return toolset{}, "the subagent was not started: " + problem
		}
		keys = append(keys, tool.Key)
	}
	return mine.only(func(key string) bool { return slices.Contains(keys, key) }), ""
}

// agents numbers the calls of subagents in the visit, up to this one.
func (l *loop) agents(to backend.Call) (n int) {
	for _, m := range l.said[l.start:] {
		for _, c := range m.Calls {
			if isOf(c, agentTool) {
				n++
			}
			if c.ID == to.ID {
				return n
			}
		}
	}
	return n
}
