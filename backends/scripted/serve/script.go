package serve

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"time"

	"iterion/backends/scripted"
	"iterion/ir/outcome"
)

// Keys of a script that are no nodes.
const (
	auxKey     = "aux"     // requests beside the loop
	defaultKey = "default" // requests that name no node
)

// turn is one turn of a script as the wires need it.
type turn struct {
	text    string
	output  map[string]any // nil for none
	calls   []call
	failure *failure
	delay   time.Duration
	usage   *scripted.Usage
	model   string // "" for the one asked for
}

// call is a call of a tool: its name and its input, JSON as a model writes it.
type call struct{ name, input string }

// script finds turns. It is safe for concurrent use.
type script struct {
	nodes map[string][]turn

	mu     sync.Mutex
	failed map[point]int // failures given at a point of a conversation
}

// point is where a conversation stands: conversations that open alike are one.
type point struct {
	key     string
	turns   int
	opening [sha256.Size]byte
}

func newScript(nodes map[string][]scripted.Turn) (*script, error) {
	s := &script{nodes: map[string][]turn{}, failed: map[point]int{}}
	for key, list := range nodes {
		turns := make([]turn, len(list))
		for i, given := range list {
			var err error
			if turns[i], err = newTurn(given); err != nil {
				return nil, fmt.Errorf("node %s, turn %d: %w", key, i+1, err)
			}
		}
		s.nodes[key] = turns
	}
	return s, nil
}

// key chooses a request's list of turns.
func (s *script) key(named string, r request) string {
	_, hasAux := s.nodes[auxKey]
	switch {
	case r.aside() || hasAux && len(r.tools) == 0:
		return auxKey
	case named != "":
		return named
	}
	return s.only()
}

// only is the script's one node, or the key for no node. Keys of one node's
// visits, branches and subagents are of one node.
func (s *script) only() string {
	only := ""
	for key := range s.nodes {
		node := scripted.Node(key)
		if node == auxKey || node == only {
			continue
		}
		if only != "" {
			return defaultKey
		}
		only = node
	}
	return cmp.Or(only, defaultKey)
}

// next is the turn that a request is for, and its number in the script's list,
// from 1.
func (s *script) next(key string, r request) (turn, int, *failure) {
	list, found := s.nodes[key]
	if key == auxKey {
		list, r.turns = auxiliary(list), 0
	}
	at := behind(list, r.turns)
	if at < len(list) {
		at += s.failures(list[at:], point{key, r.turns, sha256.Sum256(r.opening)})
	}
	switch {
	case !found && key == defaultKey:
		return turn{}, 1, exhausted("the request names no node (/node/NAME/ in its path, ?node=NAME or X-Iterion-Node), and the script has no entry %s, so no turn 1", key)
	case !found && key != auxKey:
		return turn{}, 1, exhausted("the script has no entry for node %s, so no turn 1", key)
	case at >= len(list):
		return turn{}, at + 1, exhausted("the script has no turn %d for node %s", at+1, key)
	}
	return list[at], at + 1, list[at].failure
}

// auxiliary is the list of requests beside the loop: one turn, whatever their
// conversation has before it.
func auxiliary(list []turn) []turn {
	if len(list) == 0 {
		return []turn{{text: "scripted"}}
	}
	return list[:1]
}

// behind is the place behind the first n turns that did not fail.
func behind(list []turn, n int) int {
	for i, t := range list {
		if n == 0 {
			return i
		}
		if t.failure == nil {
			n--
		}
	}
	return len(list) + n
}

// failures counts the failures at the head of a list that were given at a point
// already, and counts the one that is given now. A failure that ends the list
// stays: how often a client tries is its own affair.
func (s *script) failures(list []turn, at point) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	given := s.failed[at]
	switch {
	case list[given].failure == nil:
		delete(s.failed, at)
	case given+1 < len(list):
		s.failed[at]++
	}
	return given
}

func exhausted(format string, args ...any) *failure {
	return &failure{code: outcome.ScriptExhausted, message: string(outcome.ScriptExhausted) + ": " + fmt.Sprintf(format, args...)}
}

func newTurn(given scripted.Turn) (t turn, err error) {
	t = turn{text: given.Text, output: given.Output, usage: given.Usage, model: given.Model}
	if t.delay, err = duration(given.Delay); err != nil {
		return t, fmt.Errorf("delay: %w", err)
	}
	for _, c := range given.Tools {
		input, err := inputOf(c)
		if err != nil {
			return t, fmt.Errorf("the input of %s: %w", c.Name, err)
		}
		t.calls = append(t.calls, call{c.Name, input})
	}
	if given.Error == nil {
		return t, nil
	}
	t.failure = &failure{code: given.Error.Code, message: given.Error.Message, delay: t.delay}
	if t.failure.retryAfter, err = duration(given.Error.RetryAfter); err != nil {
		return t, fmt.Errorf("retry_after: %w", err)
	}
	return t, nil
}

// inputOf is a call's input in the bytes that the model writes.
func inputOf(c scripted.Call) (string, error) {
	switch {
	case c.JSON != nil:
		return *c.JSON, nil
	case c.Input == nil:
		return "{}", nil
	}
	return encode(c.Input)
}

func duration(text string) (time.Duration, error) {
	if text == "" {
		return 0, nil
	}
	return time.ParseDuration(text)
}

// encode is JSON without escapes for HTML, as providers write it.
func encode(v any) (string, error) {
	var text strings.Builder
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return strings.TrimSuffix(text.String(), "\n"), err
}
