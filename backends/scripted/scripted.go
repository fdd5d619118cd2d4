// Package scripted is a language model that answers from a script, so that a bot
// runs the same way every time and without a key.
package scripted

import (
	"context"
	"fmt"
	"strings"
	"time"

	"iterion/ir/outcome"
	"iterion/runtime/backend"
)

// Name is what `backend:` calls it.
const Name = "scripted"

// Model gives the turns of a script. Which turn is told by the number of the
// request, so that a run that is resumed in another process goes on where it
// stood.
type Model struct{ script *Script }

// New returns a model over a script.
func New(script *Script) *Model { return &Model{script} }

// Window implements backend.LanguageModel.
func (m *Model) Window(string) int64 { return m.script.Window }

// Priced implements backend.LanguageModel: every turn of the node that has a use
// has its cost.
func (m *Model) Priced(node, _ string) bool {
	for key, turns := range m.script.Nodes {
		for i := range turns {
			if u := turns[i].Usage; Node(key) == node && u != nil && u.CostUSD == nil {
				return false
			}
		}
	}
	return true
}

// Turn implements backend.LanguageModel. A conversation without an entry, or out
// of turns, fails with SCRIPT_EXHAUSTED.
func (m *Model) Turn(ctx context.Context, r backend.Request) (backend.Turn, error) {
	turn, err := m.script.turn(r)
	if err != nil {
		return backend.Turn{}, err
	}
	if err := wait(ctx, turn.delay); err != nil {
		return backend.Turn{}, err
	}
	answer := turn.turn
	answer.Calls = append([]backend.Call(nil), answer.Calls...) // the script's own stays as it is
	switch {
	case turn.err != nil:
		failure := *turn.err
		return answer, &failure
	case turn.output != "" && r.Schema == nil:
		return answer, backend.Errorf(outcome.ExecutionFailed,
			"turn %d of %s in the script gives an output, and here none with a schema is asked for: write it as text", r.Number, where(r))
	}
	return answer, nil
}

// turn is the turn that a request asks for.
func (s *Script) turn(r backend.Request) (*ready, error) {
	turns, found := s.turns(r)
	switch {
	case !found:
		return nil, backend.Errorf(outcome.ScriptExhausted, "the script has no entry for %s, so no turn %d", where(r), r.Number)
	case r.Number < 1 || r.Number > int64(len(turns)):
		return nil, backend.Errorf(outcome.ScriptExhausted, "the script has no turn %d for %s (visit %d)", r.Number, where(r), r.Visit)
	}
	return &turns[r.Number-1].ready, nil
}

func where(r backend.Request) string {
	text := "node " + r.NodeID
	if r.BranchID != "" {
		text += " in " + r.BranchID
	}
	if r.Agent != "" {
		text += ", subagent " + r.Agent
	}
	return text
}

func (s *Script) turns(r backend.Request) ([]Turn, bool) {
	for _, key := range keys(r) {
		if turns, ok := s.Nodes[key]; ok {
			return turns, true
		}
	}
	return nil, false
}

// keys are the keys that are about a conversation, the most exact one first.
func keys(r backend.Request) []string {
	visit := fmt.Sprintf("#%d", r.Visit)
	of := []string{r.NodeID + visit, r.NodeID}
	if r.BranchID != "" {
		inBranch := r.NodeID + "@" + r.BranchID
		of = []string{inBranch + visit, inBranch, of[0], of[1]}
	}
	if r.Agent == "" {
		return of
	}
	var list []string
	for _, suffix := range []string{agentSuffix + "#" + r.Agent, agentSuffix} {
		for _, key := range of {
			list = append(list, key+suffix)
		}
	}
	return list
}

// agentSuffix marks the key of a subagent's conversation.
const agentSuffix = "/agent"

// Node is the id of the node that a key of a script is about.
func Node(key string) string {
	if at := strings.LastIndex(key, agentSuffix); at >= 0 {
		if rest := key[at+len(agentSuffix):]; rest == "" || rest[0] == '#' {
			key = key[:at]
		}
	}
	if at := strings.IndexAny(key, "@#"); at >= 0 {
		key = key[:at]
	}
	return key
}

func wait(ctx context.Context, d time.Duration) error {
	if d == 0 {
		return ctx.Err()
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
