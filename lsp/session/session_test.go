package session_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"iterion/ast/source"
	"iterion/corpus"
	"iterion/diagnostics"
	"iterion/ir/build"
	"iterion/lsp/protocol317"
	"iterion/lsp/session"
	"iterion/workspace"
)

func change(uri protocol.DocumentURI, version int, changes ...protocol317.ContentChange) *protocol317.DidChangeTextDocumentParams {
	p := &protocol317.DidChangeTextDocumentParams{ContentChanges: changes}
	p.TextDocument.URI, p.TextDocument.Version = uri, int32(version)
	return p
}

func insert(line, character uint32, text string) protocol317.ContentChange {
	at := protocol.Position{Line: line, Character: character}
	return protocol317.ContentChange{Range: &protocol.Range{Start: at, End: at}, Text: text}
}

// Changes apply one after the other; places past the end are clamped, however
// large their numbers.
func TestChangesFollowEachOther(t *testing.T) {
	s := session.New(&protocol317.ClientCapabilities{}, nil)
	s.Open(protocol.TextDocumentItem{URI: "untitled:a", Version: 1, Text: "agent a:\n  tools: [\n"})
	backwards, err := s.Change(change("untitled:a", 2, insert(1, 10, "\n"), insert(2, 0, "    "), insert(1<<31, 1<<31, "# end")))
	if err != nil || backwards {
		t.Fatal(backwards, err)
	}
	if got, want := s.Snapshot().Doc("untitled:a").Raw, "agent a:\n  tools: [\n    \n# end"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if backwards, _ := s.Change(change("untitled:a", 2)); !backwards {
		t.Error("the same version again was not noticed")
	}
}

var typed = []string{"a", "\"", "\n", "\r\n", "  ", "{{vars.nope}}", "{{outputs.", "}", "#", "## c\n", "`", ":", " -> ", "\t", "é🚀", "agent z:\n", " [", "when ", "\n# lint: allow C128 -- x\n", "import \"lib/part.bot\"\n", "{{include \"note.md\"}}"}

// Whatever is typed into the files of a unit, the session has the client's
// texts, and its findings are those of the texts built anew.
func TestFindingsAreThoseOfTheTexts(t *testing.T) {
	for i, f := range corpus.Files() {
		if i%3 == 0 { // each third is enough: package build edits all of them
			edits(t, f.Name, map[string]string{"main.bot": string(f.Data), "lib/part.bot": "tool part:\n  command: \"true\"\n"}, uint64(i))
		}
	}
	bundle := map[string]string{"main.bot": "dsl: 2\n\nagent a:\n  model: \"m/x\"\n  skills: [review]\n  user: greet\n\nsubbot b:\n  source: \"child.bot\"\n\nworkflow w:\n  entry: a\n  permission: ask\n\n  a -> b\n  b -> done\n",
		"child.bot": "dsl: 2\n\nagent c:\n  model: \"m/x\"\n\nworkflow child:\n  entry: c\n\n  c -> done\n", "prompts/greet.md": "Hello {{vars.who}}.\n",
		"manifest.yaml": "name: demo\nversion: 1.0.0\n", "skills/review.md": "---\nname: review\ndescription: Reads a change and says what is wrong with it.\n---\nRead.\n"}
	for seed := range uint64(12) {
		edits(t, "bundle", bundle, seed)
	}
}

// editor types into the files of a folder, at random.
type editor struct {
	*testing.T
	*rand.Rand
	dir      string
	names    []string // of the files, below dir
	session  *session.Session
	texts    map[string]string // of what is open
	versions map[string]int
}

func edits(t *testing.T, name string, files map[string]string, seed uint64) {
	e := &editor{T: t, Rand: rand.New(rand.NewPCG(seed, 5)), dir: t.TempDir(), names: slices.Sorted(maps.Keys(files)),
		session: session.New(&protocol317.ClientCapabilities{}, nil), texts: map[string]string{}, versions: map[string]int{}}
	e.write(e.dir, files)
	for step := range 30 {
		file := "main.bot"
		if e.IntN(3) == 0 {
			file = e.names[e.IntN(len(e.names))]
		}
		e.step(file)
		e.compare(fmt.Sprintf("%s, step %d at %s", name, step, file), files)
	}
}

func (e *editor) write(dir string, files map[string]string) {
	all := fstest.MapFS{}
	for name, text := range files {
		all[name] = &fstest.MapFile{Data: []byte(text), Mode: 0o644}
	}
	if err := os.CopyFS(dir, all); err != nil {
		e.Fatal(err)
	}
}

func (e *editor) uri(file string) protocol.DocumentURI { return uri.File(filepath.Join(e.dir, file)) }

// step opens, closes or changes a file.
func (e *editor) step(file string) {
	text, open := e.texts[file]
	switch {
	case !open:
		raw, err := os.ReadFile(filepath.Join(e.dir, file))
		if err != nil {
			e.Fatal(err)
		}
		e.texts[file], e.versions[file] = string(raw), 1
		e.session.Open(protocol.TextDocumentItem{URI: e.uri(file), Version: 1, Text: string(raw)})
	case e.IntN(12) == 0:
		delete(e.texts, file)
		if err := e.session.Close(e.uri(file)); err != nil {
			e.Fatal(err)
		}
	default:
		e.versions[file]++
		e.texts[file] = e.change(file, source.NewBuffer("", text))
	}
}

func (e *editor) change(file string, b *source.Buffer) (text string) {
	from := b.Place(source.UTF16, e.IntN(len(b.Text)+1))
	to := from
	if e.IntN(3) == 0 {
		to.Character += e.IntN(4)
	}
	with := typed[e.IntN(len(typed))]
	if e.IntN(4) == 0 {
		with = ""
	}
	position := func(p source.Place) protocol.Position {
		return protocol.Position{Line: uint32(p.Line), Character: uint32(p.Character)}
	}
	_, err := e.session.Change(change(e.uri(file), e.versions[file],
		protocol317.ContentChange{Range: &protocol.Range{Start: position(from), End: position(to)}, Text: with}))
	if err != nil {
		e.Fatal(err)
	}
	next, _, _, _ := b.Replace(source.UTF16, from, to, with)
	return next.Raw
}

// compare holds the session against the texts written to a folder and built
// there.
func (e *editor) compare(what string, files map[string]string) {
	now := maps.Clone(files)
	maps.Copy(now, e.texts)
	for file, text := range e.texts {
		if got := e.session.Snapshot().Doc(e.uri(file)).Raw; got != text {
			e.Fatalf("%s: the session has %q, the client %q", what, got, text)
		}
	}
	copied := e.TempDir()
	e.write(copied, now)
	_, want := workspace.Input(filepath.Join(copied, "main.bot"))
	want.Name, want.Folder, want.Editor = filepath.ToSlash(filepath.Join(e.dir, "main.bot")), filepath.Base(e.dir), true
	fresh, err := build.Unit(want)
	if err != nil {
		e.Fatal(err)
	}
	got := e.session.Snapshot().Unit(filepath.Join(e.dir, "main.bot"))
	if !reflect.DeepEqual(got.Diagnostics(), fresh.Diagnostics) {
		e.Fatalf("%s:\ngot  %s\nwant %s", what, lines(got.Diagnostics()), lines(fresh.Diagnostics))
	}
	if r := got.Result(); !reflect.DeepEqual(r.Diagnostics, fresh.Diagnostics) || len(r.Files) != len(fresh.Files) || r.Files[0].AST.Source.Text != fresh.Files[0].AST.Source.Text {
		e.Fatalf("%s: the result is of another text", what)
	}
}

func lines(list []diagnostics.Diagnostic) string {
	var b strings.Builder
	for _, d := range list {
		fmt.Fprintf(&b, "%s:%d:%d %s %s %v\n", filepath.Base(d.Range.File), d.Range.Start.Line, d.Range.Start.Column, d.Code, d.Message, d.Related)
	}
	return b.String()
}
