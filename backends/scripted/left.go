package scripted

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"iterion/runtime/backend"
)

// Counted is a model over a script that knows which turns it gave.
type Counted struct {
	*Model
	mu    sync.Mutex
	given map[string]int // the most turns of one conversation, by key
}

// NewCounted returns a counting model over a script.
func NewCounted(script *Script) *Counted {
	return &Counted{Model: New(script), given: map[string]int{}}
}

// Turn implements backend.LanguageModel.
func (c *Counted) Turn(ctx context.Context, r backend.Request) (backend.Turn, error) {
	for _, key := range keys(r) {
		if turns, ok := c.script.Nodes[key]; ok {
			c.mu.Lock()
			c.given[key] = max(c.given[key], min(int(r.Number), len(turns)))
			c.mu.Unlock()
			break
		}
	}
	return c.Model.Turn(ctx, r)
}

// Left says which keys of the script have turns that no conversation came to,
// one line each.
func (c *Counted) Left() (list []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for key, turns := range c.script.Nodes {
		switch left := len(turns) - c.given[key]; left {
		case 0:
		case 1:
			list = append(list, fmt.Sprintf("script of node %s has 1 unused turn", key))
		default:
			list = append(list, fmt.Sprintf("script of node %s has %d unused turns", key, left))
		}
	}
	slices.Sort(list)
	return list
}
