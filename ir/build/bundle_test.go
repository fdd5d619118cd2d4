package build_test

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"iterion/ir/build"
)

const bundleFlow = "tool t:\n  command: \"true\"\n\nworkflow w:\n  entry: t\n\n  t -> done\n"

func inMemory(pairs ...string) fstest.MapFS {
	m := fstest.MapFS{}
	for i := 0; i < len(pairs); i += 2 {
		m[pairs[i]] = &fstest.MapFile{Data: []byte(pairs[i+1])}
	}
	return m
}

// A manifest of the bundle that cannot be used is an error of the request that
// names its place, for the main file only.
func TestUnusableManifest(t *testing.T) {
	fsys := inMemory("main.bot", bundleFlow, "other.bot", bundleFlow, "manifest.yaml", "name: w\ndispatch_vars: [ref]\n")
	_, err := build.Unit(build.Input{FS: fsys, Path: "main.bot", Name: "bots/w/main.bot"})
	if want := "bots/w/manifest.yaml:2:16: `dispatch_vars` takes a text for each name, not a list"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	for _, in := range []build.Input{{FS: fsys, Path: "other.bot"}, {FS: fsys, Path: "main.bot", Editor: true}} {
		r, err := build.Unit(in)
		if err != nil || r.Bundle != nil || !r.Valid() {
			t.Errorf("%s: %v", in.Path, err)
		}
	}
}

// A bundle's finding names the place in the manifest in words too, and points
// to the other half.
func TestBundleFindings(t *testing.T) {
	fsys := inMemory("main.bot", "secrets:\n  forge_token: \"x\"\n\n"+bundleFlow,
		"manifest.yaml", "name: w\nversion: 1.10\ninvocations:\n  - kind: forge\n    context_vars: {a.b: c}\n")
	r, err := build.Unit(build.Input{FS: fsys, Path: "main.bot"})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, d := range r.Diagnostics {
		line := fmt.Sprintf("%s:%d %s %s %s", d.Range.File, d.Range.Start.Line, d.Code, d.Stage, d.Field)
		for _, rel := range d.Related {
			line += fmt.Sprintf(" %s:%d", rel.Range.File, rel.Range.Start.Line)
		}
		got = append(got, line)
	}
	want := []string{
		"main.bot:2 C211 bundle invocations[0].kind manifest.yaml:4",
		"manifest.yaml:5 C201 bundle invocations[0].context_vars.a.b",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	if r.Bundle.Name() != "w" || r.Bundle.Version() != "1.10" {
		t.Errorf("bundle %s %s", r.Bundle.Name(), r.Bundle.Version())
	}
	if want := []string{"main.bot", "manifest.yaml"}; !slices.Equal(r.Read, want) {
		t.Errorf("read %v", r.Read)
	}
}

func child(source string) string {
	return "subbot c:\n  source: \"" + source + "\"\n\nworkflow w:\n  entry: c\n\n  c -> done\n"
}

// A subbot may come from a folder beside the bundle's, and no further; a path
// through a link is not followed.
func TestCollection(t *testing.T) {
	link := &fstest.MapFile{Data: []byte("other"), Mode: fs.ModeSymlink | 0o777}
	around := inMemory("probe/main.bot", "", "other/main.bot", child("../probe/again.bot"), "other/deep/main.bot", bundleFlow, "top.bot", bundleFlow)
	around["link"] = link
	for source, unread := range map[string]string{
		"../other/main.bot":            "",
		"../other/deep/main.bot":       "",
		"../top.bot":                   "",
		"../probe/again.bot":           "",
		"../../probe/again.bot":        "outside",
		"../link/main.bot":             "link",
		"linked.bot":                   "link",
		"../other/gone.bot":            "no such file",
		"/probe/again.bot":             "absolute",
		"../other":                     "no `.bot` file",
		"{{vars.x}}.bot":               "no relative path",
		"${HOME}/x.bot":                "no relative path",
		"again.bot\x00.bot":            "no such file",
		strings.Repeat("../", 9) + "x": "no `.bot` file",
	} {
		fsys := inMemory("main.bot", child(source), "again.bot", bundleFlow, "manifest.yaml", "name: w\n")
		fsys["linked.bot"] = link
		r, err := build.Unit(build.Input{FS: fsys, Path: "main.bot", Folder: "probe", Around: around})
		if err != nil {
			t.Fatal(err)
		}
		found := ""
		for _, d := range r.Diagnostics {
			if d.Code == "C253" {
				found = d.Message
			}
		}
		words := strings.Split(unread, "|")
		if (found == "") != (unread == "") || !slices.ContainsFunc(words, func(w string) bool { return strings.Contains(found, w) }) {
			t.Errorf("%q: %q, want %q", source, found, unread)
		}
	}
}

// Children that call each other, or themselves, end; a long chain does too.
func TestManyChildren(t *testing.T) {
	fsys := inMemory("main.bot", child("c0.bot"), "manifest.yaml", "name: w\n")
	for i := range 300 {
		fsys[fmt.Sprintf("c%d.bot", i)] = &fstest.MapFile{Data: []byte(child(fmt.Sprintf("c%d.bot", i+1)))}
	}
	r, err := build.Unit(build.Input{FS: fsys, Path: "main.bot"})
	if err != nil {
		t.Fatal(err)
	}
	if got := codesOf(r.Diagnostics); !slices.Equal(got, []string{"C253"}) {
		t.Errorf("found %v", got)
	}
}

// What would block when it is opened is no file of a bundle.
func TestPipesAreNotOpened(t *testing.T) {
	fsys := inMemory("main.bot", bundleFlow, "skills/a.md", "---\nname: a\ndescription: Says what it does in a few words.\n---\n")
	for _, name := range []string{"manifest.yaml", "prompts/p.md", "skills/b.md"} {
		fsys[name] = &fstest.MapFile{Mode: fs.ModeNamedPipe}
	}
	r, err := build.Unit(build.Input{FS: noPipes{fsys, t}, Path: "main.bot"})
	if err != nil {
		t.Fatal(err)
	}
	if got := codesOf(r.Diagnostics); !slices.Equal(got, []string{"C223"}) {
		t.Errorf("found %v", got)
	}
}

// noPipes fails when a pipe is opened: it would wait for a writer.
type noPipes struct {
	fstest.MapFS
	t *testing.T
}

func (f noPipes) Open(name string) (fs.File, error) {
	if info, err := f.MapFS.Stat(name); err == nil && info.Mode()&fs.ModeNamedPipe != 0 {
		f.t.Errorf("%s is opened", name)
	}
	return f.MapFS.Open(name)
}
