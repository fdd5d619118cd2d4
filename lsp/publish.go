package lsp

import (
	"context"
	"maps"
	"reflect"
	"slices"
	"sync"
	"time"

	"go.lsp.dev/protocol"

	"iterion/lsp/feature"
	"iterion/lsp/session"
)

// Typing faster than checking makes no queue: changes are waited for as long as
// the last check took, within bounds, and what is checked is always the newest
// state.
const (
	mostQuiet = 60 * time.Millisecond  // without a change before a check
	mostDelay = 250 * time.Millisecond // from a change to its check
)

// publisher sends diagnostics to a client that does not pull them.
type publisher struct {
	s    *server
	wake chan struct{}

	mu   sync.Mutex
	last map[string]published // by key: what the client shows
}

type published struct {
	list    []protocol.Diagnostic
	version int32
	open    bool
}

func newPublisher(s *server) *publisher {
	return &publisher{s: s, wake: make(chan struct{}, 1), last: map[string]published{}}
}

// changed says that there may be something new.
func (p *publisher) changed() {
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

// run checks whenever something changed.
func (p *publisher) run(ctx context.Context) {
	cost := time.Duration(0)
	for {
		select {
		case <-p.wake:
		case <-ctx.Done():
			return
		}
		p.settle(ctx, min(cost, mostQuiet))
		start := time.Now()
		var err error
		func() {
			defer p.s.recovered("checking", &err)
			p.check(p.s.session.Snapshot())
		}()
		cost = time.Since(start)
	}
}

// settle waits until nothing has changed for a while.
func (p *publisher) settle(ctx context.Context, quiet time.Duration) {
	latest := time.After(mostDelay)
	for {
		select {
		case <-p.wake:
		case <-time.After(quiet):
			return
		case <-latest:
			return
		case <-ctx.Done():
			return
		}
	}
}

// check builds what changed and publishes what differs from what the client has.
func (p *publisher) check(s *session.Snapshot) {
	if s.Client.TextDocument.Diagnostic != nil {
		return // it pulls
	}
	found := feature.Diagnostics(s.OpenUnits())
	for _, d := range s.Docs() {
		key := d.Name
		p.publish(s, key, published{list: found[key], version: d.Version, open: true})
		delete(found, key)
	}
	for _, key := range slices.Sorted(maps.Keys(found)) {
		p.publish(s, key, published{list: found[key]})
	}
	p.mu.Lock()
	gone := slices.DeleteFunc(slices.Sorted(maps.Keys(p.last)), func(key string) bool { return found[key] != nil || p.last[key].open })
	p.mu.Unlock()
	for _, key := range gone {
		p.publish(s, key, published{})
	}
}

// publish sends what a file has, unless the client has it. What is no longer
// open was said to be empty when it was closed.
func (p *publisher) publish(s *session.Snapshot, key string, now published) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if now.open && p.s.session.Snapshot().Doc(s.URI(key)) == nil {
		return
	}
	was, known := p.last[key]
	if known && reflect.DeepEqual(was, now) || !known && !now.open && len(now.list) == 0 {
		return
	}
	p.send(s.URI(key), now)
	if p.last[key] = now; !now.open && len(now.list) == 0 {
		delete(p.last, key)
	}
}

func (p *publisher) send(uri protocol.DocumentURI, now published) {
	list := now.list
	if list == nil {
		list = []protocol.Diagnostic{}
	}
	p.s.notify(protocol.MethodTextDocumentPublishDiagnostics, &protocol.PublishDiagnosticsParams{
		URI: uri, Version: uint32(max(now.version, 0)), Diagnostics: list})
}

// closed empties what the client shows of a text that it has closed.
func (p *publisher) closed(uri protocol.DocumentURI) {
	if p.s.client.TextDocument.Diagnostic == nil {
		p.mu.Lock()
		p.send(uri, published{})
		delete(p.last, session.KeyOf(uri))
		p.mu.Unlock()
	}
	p.changed()
}
