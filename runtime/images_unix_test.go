//go:build unix

package runtime

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"iterion/ir"
	"iterion/ir/gate"
	"iterion/ir/outcome"
	"iterion/runtime/backend"
	"iterion/runtime/store"
)

func gif(of string) string { return "GIF89a " + of }

func dataURL(content string) string {
	return "data:image/gif;base64," + base64.StdEncoding.EncodeToString([]byte(content))
}

func lay(t *testing.T, path, content string) string {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// gallery is a run of an agent with `images:`. Its workspace holds b.gif,
// text.gif, huge.gif and the link out.gif that leads out of it; it was handed the
// attachment shot.
type gallery struct {
	*testing.T
	dir, shot string
	node      *ir.Node
	options   Options
	fake      *fake
	store     *store.Memory
}

func newGallery(t *testing.T, names ...string) *gallery {
	g := &gallery{T: t, dir: t.TempDir(), fake: &fake{turns: map[string][]turn{"a": {{text: "ok"}}}}, store: &store.Memory{}}
	lay(t, filepath.Join(g.dir, "b.gif"), gif("b"))
	lay(t, filepath.Join(g.dir, "text.gif"), "no image")
	lay(t, filepath.Join(g.dir, "huge.gif"), gif(strings.Repeat("x", backend.LargestImage)))
	lay(t, filepath.Join(g.dir, "big.gif"), gif(strings.Repeat("x", backend.LargestImage-10)))
	if err := os.Symlink(lay(t, filepath.Join(t.TempDir(), "o.gif"), gif("out")), filepath.Join(g.dir, "out.gif")); err != nil {
		t.Fatal(err)
	}
	g.shot = lay(t, filepath.Join(t.TempDir(), "shot"), gif("shot"))
	sum := sha256.Sum256([]byte(gif("shot")))
	var prompt *ir.Prompt
	g.node, prompt = agent("a", "Look.")
	for _, name := range names {
		g.node.LLM.Images.V = append(g.node.LLM.Images.V, ir.TextItem{Text: ir.PlainText(name)})
	}
	g.options = Options{
		Store: g.store, Backends: g.fake.find, Workspace: g.dir, Program: program(g.node, prompt, edge("a", "done")),
		Vars: map[string]any{"none": "", "pic": "b.gif", "shot": g.shot},
		Attachments: map[string]any{"shot": map[string]any{
			"path": g.shot, "url": "file://" + g.shot, "size": int64(len(gif("shot"))), "sha256": hex.EncodeToString(sum[:]),
		}},
	}
	return g
}

func TestImagesOfANodeReachItsModel(t *testing.T) {
	shot, b := dataURL(gif("shot")), dataURL(gif("b"))
	for _, c := range []struct {
		names, want []string
	}{
		{nil, nil},
		{[]string{"{{attachments.shot}}", "b.gif"}, []string{shot, b}},
		{[]string{"{{attachments.shot.url}}", "{{vars.pic}}", "./{{vars.pic}}"}, []string{shot, b, b}},
		{[]string{"{{attachments.gone}}", "{{vars.none}}"}, nil},
	} {
		g := newGallery(t, c.names...)
		wantStatus(t, play(t, g.options), outcome.Finished, "")
		if got := g.fake.tasks[0].Images; !slices.Equal(got, c.want) {
			t.Errorf("%q: %q", c.names, got)
		}
		m := g.fake.tasks[0].Session.Transcript[0]
		if m.Role != backend.User || m.Text != "Look." || !slices.Equal(m.Images, c.want) {
			t.Errorf("%q: the conversation begins with %+v", c.names, m)
		}
	}
}

func TestAPromptOfImagesAlone(t *testing.T) {
	g := newGallery(t, "b.gif")
	g.node.LLM.User = ir.Opt[ir.PromptUse]{}
	wantStatus(t, play(t, g.options), outcome.Finished, "")
	if said := g.fake.tasks[0].Session.Transcript; len(said) != 1 || len(said[0].Images) != 1 {
		t.Errorf("%+v", said)
	}
}

func TestImagesThatCannotBeShown(t *testing.T) {
	for _, c := range []struct {
		names []string
		want  string
		harm  func(*gallery)
	}{
		{names: []string{"b.gif", "gone.gif"}, want: `the image "gone.gif"`},
		{names: []string{"text.gif"}, want: "no PNG, JPEG, GIF or WebP"},
		{names: []string{"huge.gif"}, want: "larger than 3840 KiB"},
		{names: []string{"big.gif", "big.gif", "big.gif"}, want: "give smaller ones"},
		{names: []string{"."}, want: "folder"},
		{names: []string{"https://example.org/a.png"}, want: "fetch it in a step before"},
		{names: []string{"data:image/gif;base64,R0lGODlh"}, want: "fetch it in a step before"},
		{names: slices.Repeat([]string{"b.gif"}, 11), want: "11 images are too many: 10"},
		{names: []string{"out.gif"}, want: "nobody is asked about it", harm: (*gallery).asks},
		{names: []string{"b.gif"}, want: "Read(b.gif)", harm: func(g *gallery) { g.asks(); g.node.LLM.Deny = words("Read(b.gif)") }},
		{names: []string{"{{attachments.shot}}"}, want: "no longer the file", harm: func(g *gallery) { lay(g.T, g.shot, gif("swapped")) }},
	} {
		g := newGallery(t, c.names...)
		if c.harm != nil {
			c.harm(g)
		}
		r := play(t, g.options)
		if r.FailureCode != outcome.ExecutionFailed || !strings.HasPrefix(r.Error, "`images:` of a: ") || !strings.Contains(r.Error, c.want) || g.fake.tasks != nil {
			t.Errorf("%.40q: %s %s", c.names, r.Status, r.Error)
		}
	}
}

// asks makes what no rule decides a question.
func (g *gallery) asks() { g.options.Permission.Flag = gate.Level{Mode: "ask"} }

func TestWhatWasHandedOverIsShownUnderAnyPolicy(t *testing.T) {
	g := newGallery(t, "{{vars.shot}}")
	g.asks()
	g.node.LLM.Deny = words("Read")
	wantStatus(t, play(t, g.options), outcome.Finished, "")
}

// A conversation holds what it began with, whatever became of the files.
func TestAResumedTaskKeepsItsImages(t *testing.T) {
	g := newGallery(t, "b.gif")
	g.fake.turns["a"] = []turn{{err: backend.Errorf(outcome.AuthFailed, "no key")}, {text: "ok"}}
	wantStatus(t, play(t, g.options), outcome.FailedResumable, outcome.AuthFailed)
	if err := os.Remove(filepath.Join(g.dir, "b.gif")); err != nil {
		t.Fatal(err)
	}
	g.options.RunID = "r"
	r, err := Resume(t.Context(), g.options, Resumption{})
	if err != nil {
		t.Fatal(err)
	}
	wantStatus(t, r, outcome.Finished, "")
	for i, task := range g.fake.tasks {
		if m := task.Session.Transcript[0]; !slices.Equal(m.Images, []string{dataURL(gif("b"))}) {
			t.Errorf("attempt %d begins with %+v", i+1, m)
		}
	}
}
