package session

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"iterion/ast/source"
	"iterion/grammar/author"
	"iterion/lsp/protocol317"
	"iterion/workspace"
)

// Snapshot is one state of a session. What is built of it is kept, and goes
// over to the next state where nothing changed.
type Snapshot struct {
	Client   *protocol317.ClientCapabilities
	Encoding source.Encoding
	Folders  []string // of the workspace, absolute
	Tokens   *Tokens  // shared by all states

	docs  map[string]*Doc // by key
	mu    sync.Mutex
	units map[string]*Unit // by the key of the main file
}

// how a file has changed from one state to the next.
type how int

const (
	unchanged how = iota
	edited        // its text
	replaced      // or whether it is there at all
)

// change tells what it means to open or close a text: nothing, when the file on
// disk has the same.
func (s *Snapshot) change(key, raw string) how {
	if on, err := os.ReadFile(key); err == nil && string(on) == raw {
		return unchanged
	}
	return replaced
}

// next is the state with other texts, in which one file has changed. Units that
// looked at it are built anew when somebody asks, from what is still good; those
// that no open text needs are let go.
func (s *Snapshot) next(docs map[string]*Doc, key string, h how) *Snapshot {
	next := s.with(docs)
	for main, u := range s.copyUnits() {
		switch {
		case !u.done.Load():
			// Nobody knows yet what it reads.
			continue
		case !u.serves(docs):
			continue
		case h == unchanged, !u.seen.reads(key) && (h == edited || !u.seen.listed(key)):
			next.units[main] = u
		default:
			next.units[main] = u.after(next, key, h)
		}
	}
	return next
}

// with is a state with other texts, of which nothing is built.
func (s *Snapshot) with(docs map[string]*Doc) *Snapshot {
	return &Snapshot{Client: s.Client, Encoding: s.Encoding, Folders: s.Folders, Tokens: s.Tokens, docs: docs, units: map[string]*Unit{}}
}

func (s *Snapshot) copyUnits() map[string]*Unit {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.units)
}

// Docs lists the open texts, sorted by their keys.
func (s *Snapshot) Docs() []*Doc {
	var list []*Doc
	for _, key := range slices.Sorted(maps.Keys(s.docs)) {
		list = append(list, s.docs[key])
	}
	return list
}

// Doc returns an open text, or nil.
func (s *Snapshot) Doc(name protocol.DocumentURI) *Doc { return s.docs[KeyOf(name)] }

// URI is how the client names a file.
func (s *Snapshot) URI(key string) protocol.DocumentURI { return uriOf(s.docs, key) }

func uriOf(docs map[string]*Doc, key string) protocol.DocumentURI {
	if d := docs[key]; d != nil {
		return d.URI
	}
	if filepath.IsAbs(key) {
		return uri.File(key)
	}
	return protocol.DocumentURI(key)
}

// Unit returns the unit of a main file.
func (s *Snapshot) Unit(main string) *Unit {
	s.mu.Lock()
	u := s.units[main]
	if u == nil {
		u = newUnit(s, main)
		s.units[main] = u
	}
	s.mu.Unlock()
	u.built()
	return u
}

// UnitsOf lists the units that a file belongs to: of a fragment those that
// import it, of a file of a bundle the bundle; else the one whose main file it
// is. Of a file of another kind there are none.
func (s *Snapshot) UnitsOf(key string) []*Unit {
	if !filepath.IsAbs(key) {
		return []*Unit{s.Unit(key)}
	}
	if main, ok := workspace.BundleOf(key); ok {
		return []*Unit{s.Unit(main)}
	}
	if filepath.Ext(key) != workspace.Ext && !author.Is(key) {
		return nil
	}
	var list []*Unit
	if root, _, ok := workspace.Fragment(key); ok {
		for _, main := range mainsIn(root) {
			if u := s.Unit(main); u.imports(key) {
				list = append(list, u)
			}
		}
	}
	if len(list) == 0 {
		list = append(list, s.Unit(key))
	}
	return list
}

// UnitsReading lists the units that read a file of another kind, as an included
// text, among those whose main files lie in its folder and above, up to top.
func (s *Snapshot) UnitsReading(key, top string) (list []*Unit) {
	for dir := filepath.Dir(key); ; dir = filepath.Dir(dir) {
		for _, main := range mainsIn(dir) {
			if u := s.Unit(main); u.seen.reads(key) {
				list = append(list, u)
			}
		}
		if dir == top || dir == filepath.Dir(dir) {
			return list
		}
	}
}

// mainsIn lists the files of a folder that may import fragments.
func mainsIn(root string) (paths []string) {
	entries, err := os.ReadDir(root)
	if err != nil {
		return nil
	}
	for _, e := range entries {
		if e.Type().IsRegular() && (filepath.Ext(e.Name()) == workspace.Ext || author.Is(e.Name())) {
			paths = append(paths, filepath.Join(root, e.Name()))
		}
	}
	return paths
}

// OpenUnits lists the units that the open texts belong to, each once, in the
// order of their main files.
func (s *Snapshot) OpenUnits() []*Unit {
	all := map[string]*Unit{}
	for key := range s.docs {
		for _, u := range s.UnitsOf(key) {
			all[u.Main] = u
		}
	}
	var list []*Unit
	for _, main := range slices.Sorted(maps.Keys(all)) {
		list = append(list, all[main])
	}
	return list
}

// File returns a file for a feature: an open text, or one on disk that a unit of
// the session may reach. The error says why there is none.
func (s *Snapshot) File(name protocol.DocumentURI) (*File, error) {
	key := KeyOf(name)
	if d := s.docs[key]; d != nil {
		return &File{Doc: d, Key: key, Snapshot: s}, nil
	}
	path, ok := PathOf(name)
	if !ok {
		return nil, fmt.Errorf("%s is not open", name)
	}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular() || info.Size() > source.MaxSize:
		return nil, fmt.Errorf("%s is no source file", name)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return &File{Doc: &Doc{Buffer: source.NewBuffer(key, string(raw)), URI: name}, Key: key, Snapshot: s}, nil
}
