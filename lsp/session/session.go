// Package session holds what a client has open: texts with their versions, the
// units around them, and what building those gave. Every state is an immutable
// Snapshot; an answer is made from the one that held when its request came in.
package session

import (
	"fmt"
	"maps"
	"slices"
	"sync"

	"go.lsp.dev/protocol"

	"iterion/ast/source"
	"iterion/lsp/protocol317"
)

// Session is the state of one client.
type Session struct {
	mu  sync.Mutex
	now *Snapshot
}

// New returns a session without open texts.
func New(client *protocol317.ClientCapabilities, folders []string) *Session {
	first := &Snapshot{Client: client, Tokens: &Tokens{last: map[string]keptTokens{}}, Folders: folders, docs: map[string]*Doc{}, units: map[string]*Unit{}}
	if slices.Contains(client.General.PositionEncodings, protocol317.UTF8) {
		first.Encoding = source.UTF8
	}
	return &Session{now: first}
}

// Doc is one version of an open text. It is immutable.
type Doc struct {
	*source.Buffer
	URI     protocol.DocumentURI // as the client spells it
	Version int32
	edit    *source.Edit // what made it of the version before, when that is a single change
}

// Snapshot returns the state as it is now.
func (s *Session) Snapshot() *Snapshot {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now
}

// Open adds a text. One that is open already is replaced.
func (s *Session) Open(item protocol.TextDocumentItem) {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := KeyOf(item.URI)
	doc := &Doc{Buffer: source.NewBuffer(key, item.Text), URI: item.URI, Version: item.Version}
	docs := maps.Clone(s.now.docs)
	docs[key] = doc
	s.now = s.now.next(docs, key, s.now.change(key, item.Text))
}

// Change applies changes one after the other. The error says that the text is
// not open. backwards tells that the version is not behind the one before.
func (s *Session) Change(p *protocol317.DidChangeTextDocumentParams) (backwards bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := KeyOf(p.TextDocument.URI)
	old := s.now.docs[key]
	if old == nil {
		return false, fmt.Errorf("%s is not open", p.TextDocument.URI)
	}
	doc := &Doc{Buffer: old.Buffer, URI: old.URI, Version: p.TextDocument.Version}
	for _, c := range p.ContentChanges {
		doc.apply(s.now.Encoding, c)
	}
	if len(p.ContentChanges) != 1 {
		doc.edit = nil
	}
	docs := maps.Clone(s.now.docs)
	docs[key] = doc
	how := edited
	if doc.Raw == old.Raw {
		how = unchanged
	}
	s.now = s.now.next(docs, key, how)
	return doc.Version <= old.Version, nil
}

func (d *Doc) apply(e source.Encoding, c protocol317.ContentChange) {
	d.edit = nil
	if c.Range == nil {
		d.Buffer = source.NewBuffer(d.Name, c.Text)
		return
	}
	next, start, end, plain := d.Replace(e, place(c.Range.Start), place(c.Range.End), c.Text)
	if plain {
		d.edit = &source.Edit{Span: source.Span{Start: uint32(start), End: uint32(end)}, New: c.Text}
	}
	d.Buffer = next
}

func place(p protocol.Position) source.Place {
	// A client that means "the end" sends the largest number there is.
	const most = 1 << 30
	return source.Place{Line: int(min(p.Line, most)), Character: int(min(p.Character, most))}
}

// Close forgets a text, and what only it needed.
func (s *Session) Close(uri protocol.DocumentURI) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := KeyOf(uri)
	old := s.now.docs[key]
	if old == nil {
		return fmt.Errorf("%s is not open", uri)
	}
	s.now.Tokens.forget(key)
	docs := maps.Clone(s.now.docs)
	delete(docs, key)
	s.now = s.now.next(docs, key, s.now.change(key, old.Raw))
	return nil
}

// Touched says that files have changed on disk.
func (s *Session) Touched(uris []protocol.DocumentURI) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, uri := range uris {
		s.now = s.now.next(s.now.docs, KeyOf(uri), replaced)
	}
}

// SetFolders replaces the folders of the workspace.
func (s *Session) SetFolders(folders []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	next := s.now.with(s.now.docs)
	next.Folders, next.units = folders, s.now.copyUnits()
	s.now = next
}
