package session

import (
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"

	"go.lsp.dev/protocol"

	"iterion/ast"
	"iterion/ast/source"
	"iterion/diagnostics"
	"iterion/grammar/author"
	"iterion/ir/build"
	"iterion/workspace"
)

// Unit is a main file with all that belongs to it, built on first use.
type Unit struct {
	Main string // key of its main file
	docs map[string]*Doc
	seen *sightings
	enc  source.Encoding

	once sync.Once
	done atomic.Bool
	from *build.Document // of the state before, to go on from
	edit *source.Edit    // what made this text of that one; nil when other files changed

	document *build.Document // nil for what cannot be edited piece by piece
	found    []diagnostics.Diagnostic
	result   func() *build.Result // nil when the main file cannot be read
	buffers  sync.Map             // of files that are not open, by key
	memo     sync.Map             // what Memo keeps
}

// Memo is what a function makes of a unit, made once. The key is a value of a
// type of the caller's own.
func Memo[T any](u *Unit, key any, made func(*Unit) T) T {
	once, _ := u.memo.LoadOrStore(key, sync.OnceValue(func() T { return made(u) }))
	return once.(func() T)()
}

func newUnit(s *Snapshot, main string) *Unit {
	return &Unit{Main: main, docs: s.docs, enc: s.Encoding, seen: newSightings()}
}

// after is the unit in the next state, in which a file that it looked at has
// changed.
func (u *Unit) after(next *Snapshot, key string, h how) *Unit {
	n := newUnit(next, u.Main)
	main := next.docs[u.Main]
	switch {
	case u.document == nil || main == nil || h != edited:
	case key != u.Main:
		n.from = u.document
	case main.edit != nil:
		n.from, n.edit, n.seen = u.document, main.edit, u.seen.copied()
	}
	return n
}

// serves tells whether an open text belongs to the unit.
func (u *Unit) serves(docs map[string]*Doc) bool {
	if docs[u.Main] != nil {
		return true
	}
	for key := range docs {
		if u.seen.reads(key) {
			return true
		}
	}
	return false
}

func (u *Unit) built() {
	u.once.Do(func() {
		u.build()
		u.done.Store(true)
		u.from, u.edit = nil, nil
	})
}

func (u *Unit) build() {
	doc := u.docs[u.Main]
	in := build.Input{Path: u.Main, Editor: true} // a text that has no file
	if filepath.IsAbs(u.Main) {
		var dir string
		dir, in = workspace.Input(u.Main)
		in.FS, in.Around = filesIn(dir, u.docs, u.seen), filesIn(filepath.Dir(dir), u.docs, u.seen)
		in.Editor = true
	}
	u.seen.note(u.Main, false)
	switch {
	case u.from != nil && u.edit != nil:
		u.take(u.from.EditIn(in, int(u.edit.Start), int(u.edit.End), u.edit.New))
	case u.from != nil:
		u.take(u.from.In(in))
	case doc != nil && !author.Is(u.Main):
		u.take(build.OpenIn(in, doc.Text))
	case in.FS == nil && doc == nil: // no file, and not open either
	case in.FS == nil:
		u.keep(build.Text(u.Main, doc.Text))
	default:
		if r, err := build.Unit(in); err == nil {
			u.keep(r)
		}
	}
}

func (u *Unit) take(d *build.Document) {
	u.document, u.found = d, d.Diagnostics()
	u.result = sync.OnceValue(d.Result)
}

func (u *Unit) keep(r *build.Result) {
	u.found, u.result = r.Diagnostics, func() *build.Result { return r }
}

// Diagnostics are the findings of the unit, as `validate` lists them. The names
// of files are their keys, with slashes.
func (u *Unit) Diagnostics() []diagnostics.Diagnostic { return u.found }

// Result is the built unit; nil when its main file cannot be read.
func (u *Unit) Result() *build.Result {
	if u.result == nil {
		return nil
	}
	return u.result()
}

// Files lists the keys of the unit's files, its main file's first.
func (u *Unit) Files() (keys []string) {
	if r := u.Result(); r != nil {
		for _, f := range r.Files {
			keys = append(keys, filepath.FromSlash(f.Source().Name))
		}
	}
	return keys
}

// imports tells whether a file is one of the unit's.
func (u *Unit) imports(key string) bool { return u.file(key) != nil }

func (u *Unit) file(key string) *build.File {
	r := u.Result()
	if r == nil {
		return nil
	}
	i := slices.IndexFunc(r.Files, func(f *build.File) bool { return f.Source().Name == filepath.ToSlash(key) })
	if i < 0 {
		return nil
	}
	return r.Files[i]
}

// Location is the place of a range of a declaration, which may stand in any
// file of the unit.
func (u *Unit) Location(tree *ast.Declaration, span source.Span) (protocol.Location, bool) {
	r := u.Result()
	if r == nil {
		return protocol.Location{}, false
	}
	for _, f := range r.Files {
		if i := slices.Index(f.AST.Decls, tree); i >= 0 {
			at := f.Place(span.Shift(f.AST.Bases[i]))
			b := u.buffer(f.Source())
			return protocol.Location{URI: u.URI(b.Name), Range: rangeOf(b, u.enc, at)}, true
		}
	}
	return protocol.Location{}, false
}

// URI is how the client names a file.
func (u *Unit) URI(key string) protocol.DocumentURI { return uriOf(u.docs, key) }

// Range is the place of a finding, in the file that it names.
func (u *Unit) Range(at diagnostics.Range) (protocol.Range, bool) {
	b := u.named(at.File)
	if b == nil {
		return protocol.Range{}, false
	}
	return rangeOf(b, u.enc, at.Offsets), true
}

// named returns the text of a file by its name in findings.
func (u *Unit) named(name string) *source.Buffer {
	if d := u.docs[filepath.FromSlash(name)]; d != nil {
		return d.Buffer
	}
	r := u.Result()
	for _, f := range slices.Concat(r.Files, r.Beside) {
		if f.Source().Name == name {
			return u.buffer(f.Source())
		}
	}
	return nil
}

// buffer is a file's text as the editor has it, or would have it.
func (u *Unit) buffer(f *source.File) *source.Buffer {
	key := filepath.FromSlash(f.Name)
	if d := u.docs[key]; d != nil {
		return d.Buffer
	}
	if b, ok := u.buffers.Load(key); ok {
		return b.(*source.Buffer)
	}
	b := source.NewBuffer(key, f.Text)
	u.buffers.Store(key, b)
	return b
}

func rangeOf(b *source.Buffer, e source.Encoding, s source.Span) protocol.Range {
	return protocol.Range{Start: position(b.Place(e, int(s.Start))), End: position(b.Place(e, int(s.End)))}
}

func position(p source.Place) protocol.Position {
	return protocol.Position{Line: uint32(p.Line), Character: uint32(p.Character)}
}
