package session

import (
	"strconv"
	"sync"
)

// Tokens keeps the semantic tokens that a client was given last for each open
// text, so that it can be told what differs.
type Tokens struct {
	mu   sync.Mutex
	next int
	last map[string]keptTokens // by key
}

type keptTokens struct {
	id   string
	data []uint32
}

// Keep notes what a client is given and names it.
func (t *Tokens) Keep(key string, data []uint32) (id string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.next++
	id = strconv.Itoa(t.next)
	t.last[key] = keptTokens{id, data}
	return id
}

// Last returns what a client was given under a name, if it is the newest.
func (t *Tokens) Last(key, id string) (data []uint32, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	kept := t.last[key]
	return kept.data, id != "" && kept.id == id
}

func (t *Tokens) forget(key string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.last, key)
}
