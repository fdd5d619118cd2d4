package lsp

import (
	"context"
	"sync"
	"time"

	"go.lsp.dev/jsonrpc2"
)

// queued is a stream whose writes never wait: the server must go on reading
// while its client reads nothing, else both may wait for each other.
type queued struct {
	jsonrpc2.Stream
	mu      sync.Mutex
	waiting []jsonrpc2.Message
	wake    chan struct{} // holds one when something waits
	ended   chan struct{} // closed by Close
	flushed chan struct{} // closed when nothing more is written
	once    sync.Once
}

func newQueued(s jsonrpc2.Stream) *queued {
	q := &queued{Stream: s, wake: make(chan struct{}, 1), ended: make(chan struct{}), flushed: make(chan struct{})}
	go q.drain()
	return q
}

// Write implements jsonrpc2.Stream.
func (q *queued) Write(_ context.Context, m jsonrpc2.Message) (int64, error) {
	q.mu.Lock()
	q.waiting = append(q.waiting, m)
	q.mu.Unlock()
	select {
	case q.wake <- struct{}{}:
	default:
	}
	return 0, nil
}

func (q *queued) take() []jsonrpc2.Message {
	q.mu.Lock()
	defer q.mu.Unlock()
	list := q.waiting
	q.waiting = nil
	return list
}

func (q *queued) drain() {
	defer close(q.flushed)
	for {
		ended := false
		select {
		case <-q.wake:
		case <-q.ended:
			ended = true
		}
		for _, m := range q.take() {
			if _, err := q.Stream.Write(context.Background(), m); err != nil {
				return
			}
		}
		if ended {
			return
		}
	}
}

// lastWords is how long a client may take to read what waits when the
// connection ends.
const lastWords = time.Second

// Close implements jsonrpc2.Stream: what waits is written first.
func (q *queued) Close() error {
	q.once.Do(func() { close(q.ended) })
	select {
	case <-q.flushed:
	case <-time.After(lastWords):
	}
	return q.Stream.Close()
}
